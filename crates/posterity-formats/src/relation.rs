//! A table or a view of a database.

/// A table or a view of a database, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// A table, whose rows are records.
    Table(String),
    /// A view. Its rows are what a query makes of records, and one of them may depend on many.
    View(String),
}

impl Relation {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Table(name) | Self::View(name) => name,
        }
    }

    /// The schema and the name of a table or a view of PostgreSQL. Either may stand in quotes.
    pub(crate) fn parts(&self) -> (String, String) {
        parts(self.name()).unwrap_or_else(|| (DEFAULT_SCHEMA.to_owned(), self.name().to_owned()))
    }

    /// Adds the schema, so that it is written in one way.
    pub(crate) fn with_schema(self) -> Self {
        let (schema, name) = self.parts();
        match self {
            Self::Table(_) => Self::Table(qualified(&schema, &name)),
            Self::View(_) => Self::View(qualified(&schema, &name)),
        }
    }
}

/// The schema of what is named without one.
const DEFAULT_SCHEMA: &str = "public";

/// The name of a table with its schema. Quotes stand around a part that could be taken for two.
pub(crate) fn qualified(schema: &str, name: &str) -> String {
    let written = |part: &str| match part {
        "" => "\"\"".to_owned(),
        part if part.contains(['.', '"']) => format!("\"{}\"", part.replace('"', "\"\"")),
        part => part.to_owned(),
    };
    format!("{}.{}", written(schema), written(name))
}

/// The schema and the name; nothing if there are other than one or two parts.
fn parts(text: &str) -> Option<(String, String)> {
    let (first, rest) = part(text)?;
    match rest.strip_prefix('.') {
        None if rest.is_empty() => Some((DEFAULT_SCHEMA.to_owned(), first)),
        None => None,
        Some(rest) => {
            let (second, rest) = part(rest)?;
            rest.is_empty().then_some((first, second))
        }
    }
}

/// The first part of a name, and what follows it.
fn part(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find('.').unwrap_or(text.len());
        return Some((text[..end].to_owned(), &text[end..]));
    };
    // A quote within is doubled.
    let mut found = String::new();
    let mut rest = quoted;
    loop {
        let (before, after) = rest.split_once('"')?;
        found.push_str(before);
        match after.strip_prefix('"') {
            Some(after) => {
                found.push('"');
                rest = after;
            }
            None => return Some((found, after)),
        }
    }
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Table(name) => write!(f, "table {name}"),
            Self::View(name) => write!(f, "view {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a ledger knows one table by two names, or two by one.
    #[test]
    fn names_with_their_schema() {
        let table = [
            ("visits", "public.visits", "public", "visits"),
            ("public.visits", "public.visits", "public", "visits"),
            ("\"visits\"", "public.visits", "public", "visits"),
            ("Clinic.Visits", "Clinic.Visits", "Clinic", "Visits"),
            ("\"a.b\"", "public.\"a.b\"", "public", "a.b"),
            ("\"a.b\".c", "\"a.b\".c", "a.b", "c"),
            ("\"a\"\"b\".\"\"", "\"a\"\"b\".\"\"", "a\"b", ""),
            ("a.b.c", "public.\"a.b.c\"", "public", "a.b.c"),
            ("\"open", "public.\"\"\"open\"", "public", "\"open"),
        ];
        for (given, written, schema, name) in table {
            let relation = Relation::Table(given.into()).with_schema();
            assert_eq!(relation.name(), written, "{given}");
            assert_eq!(relation.parts(), (schema.to_owned(), name.to_owned()), "{given}");
            assert_eq!(relation.clone().with_schema(), relation);
        }
    }
}
