//! What an error says of the columns that a source has.

use std::fmt;

/// What may be said of the columns of a source when one is not found.
///
/// The names in a file that declares types are told. Those in the first line of a CSV file are not, unless one is
/// almost the name that was asked for: a file without a header has a record there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnHint {
    /// The names of all columns.
    Columns(Vec<String>),
    /// A name that is almost the one asked for.
    Like(String),
    /// How many names the first line has.
    Header {
        /// Their number.
        columns: usize,
    },
    /// The first line has the name, if its fields are separated by another character.
    Delimiter {
        /// The character.
        delimiter: char,
    },
    /// No record has the key.
    NoRecord,
}

/// Characters that separate fields in many files.
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

impl ColumnHint {
    /// The name in the first line of a CSV file that is almost the one asked for. Others are not told: without a header
    /// they would be values of a record.
    #[must_use]
    pub fn near(column: &str, names: &[&str]) -> Self {
        let same = |name: &&&str| name.trim().to_lowercase() == column.trim().to_lowercase();
        let close = |name: &&&str| column.chars().count() > 3 && letters_apart(name, column) <= 1;
        match names.iter().find(same).or_else(|| names.iter().find(close)) {
            Some(name) => Self::Like((*name).to_owned()),
            None => Self::Header { columns: names.len() },
        }
    }

    /// The same, or that the first line has exactly this name if another character separates its fields: then it is a
    /// header, and the delimiter is wrong.
    #[must_use]
    pub fn in_header(column: &str, names: &[&str], delimiter: char) -> Self {
        let line = names.join(&delimiter.to_string());
        let has = |other: &char| line.split(*other).any(|name| name.trim_matches('"') == column);
        match DELIMITERS.into_iter().filter(|other| *other != delimiter).find(has) {
            Some(delimiter) => Self::Delimiter { delimiter },
            None => Self::near(column, names),
        }
    }
}

impl fmt::Display for ColumnHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns(columns) => write!(f, "the columns are {}", listed(columns)),
            Self::Like(name) => write!(f, "there is one named {name:?}"),
            Self::Header { columns: 1 } => f.write_str(
                "the first line of the file has one name; look whether it is a header, and at the delimiter",
            ),
            Self::Header { columns } => {
                write!(f, "the first line of the file has {columns} names; look whether it is a header")
            }
            Self::Delimiter { delimiter } => write!(
                f,
                "the first line of the file has it if {} separates the fields; give that delimiter",
                named(*delimiter)
            ),
            Self::NoRecord => f.write_str("no record has a key of this name"),
        }
    }
}

fn named(delimiter: char) -> String {
    match delimiter {
        '\t' => "a tab".into(),
        ';' => "a semicolon".into(),
        ',' => "a comma".into(),
        other => format!("{other:?}"),
    }
}

/// The most names that a message lists.
const MOST_NAMES: usize = 40;

/// Names, of which the first are told.
pub(crate) fn listed(columns: &[String]) -> String {
    if columns.is_empty() {
        return "none".into();
    }
    let names: Vec<String> = columns.iter().take(MOST_NAMES).map(|column| format!("{column:?}")).collect();
    let rest = columns.len().saturating_sub(MOST_NAMES);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    names.join(", ") + &more
}

/// How many letters have to be changed, added or removed to make one word of the other (Levenshtein 1966). Only the
/// first hundred letters are compared.
///
/// ```
/// use posterity_formats::letters_apart;
/// assert_eq!((letters_apart("kitten", "sitting"), letters_apart("", "abc")), (3, 3));
/// ```
#[must_use]
pub fn letters_apart(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(100).collect(), b.chars().take(100).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_delimiter_is_named() {
        let hint = |names: &[&str], delimiter| ColumnHint::in_header("cured", names, delimiter);
        assert_eq!(hint(&["id;cured"], ','), ColumnHint::Delimiter { delimiter: ';' });
        assert_eq!(hint(&["id;\"cured\""], ','), ColumnHint::Delimiter { delimiter: ';' });
        assert_eq!(hint(&["a,b", "x"], ';'), ColumnHint::Header { columns: 2 });
        assert_eq!(hint(&["id,cured"], '\t'), ColumnHint::Delimiter { delimiter: ',' });
        assert_eq!(hint(&["id;x"], ','), ColumnHint::Header { columns: 1 }, "nothing is told of other names");
        assert!(hint(&["id\tcured"], ',').to_string().contains("a tab"));
    }

    #[test]
    fn long_lists_are_cut() {
        let names = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
        assert_eq!(listed(&[]), "none");
        assert_eq!(listed(&names(2)), r#""0", "1""#);
        assert!(listed(&names(1000)).ends_with(r#""39" and 960 more"#));
    }
}
