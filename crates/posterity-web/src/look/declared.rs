//! What was typed into the page: what is declared of the columns of a file, and what is added to it.

use posterity::data::{Column, Look};
use posterity::plan::{Node, columns_of, declared_columns, field};
use posterity_present::looked::{Additions, Undeclared};
use serde::Deserialize;

use crate::answers::Answers;
use crate::folder::Folder;
use crate::known::{NONE, usual_schema};
use crate::release::nodes;
use crate::sentence::sentence;

/// The most columns that the page shows.
pub(super) const MOST_COLUMNS: usize = 60;

/// The inputs of a column: what a plan declares of it.
pub(super) const FIELDS: [&str; 3] = ["categories", "bins", "missing"];

/// What was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct LookForm(pub(super) Answers);

impl LookForm {
    /// The schema that declares columns: the one that was chosen, or that which is named like the file.
    pub(super) fn schema(&self, folder: &Folder) -> Option<String> {
        match self.0.get("schema") {
            Some(NONE) => None,
            Some(chosen) => Some(chosen.to_owned()).filter(|name| folder.schemas().contains(name)),
            None => usual_schema(self.0.text("file"), &folder.schemas()),
        }
    }

    /// The columns that the schema declares, and its text.
    pub(super) fn of_schema(&self, folder: &Folder) -> Result<(Vec<Column>, Option<String>), String> {
        let Some(name) = self.schema(folder) else { return Ok((Vec::new(), None)) };
        let text = folder.text(&name)?;
        let columns = declared_columns(&text).map_err(|why| format!("{name} {why}."))?;
        Ok((columns, Some(text)))
    }

    /// The columns that are declared: what was typed comes before what the schema says.
    pub(super) fn columns(&self, folder: &Folder) -> Result<Vec<Column>, String> {
        let (mut columns, _) = self.of_schema(folder)?;
        for place in 0..MOST_COLUMNS {
            let Some(name) = self.0.get(&format!("name{place}")) else { continue };
            let typed = |one: &'static str| {
                let text = self.0.get(&format!("{one}{place}"))?;
                Some((one, nodes::node(field(one)?, text)))
            };
            let own: Vec<(&str, Node)> = FIELDS.into_iter().filter_map(typed).collect();
            if own.is_empty() {
                continue;
            }
            let before = columns.iter().position(|column| column.name == name);
            if own.iter().all(|(one, _)| *one == "missing") {
                let place = before.ok_or_else(|| format!("Declare the values of {name:?} first."))?;
                columns[place].missing = self.0.get(&format!("missing{place}")).map(ToOwned::to_owned);
                continue;
            }
            let root = Node::table([("columns", Node::table([(name, Node::table(own))]))]);
            let declared = columns_of(&root, &|_| Err(String::new()))
                .map_err(|error| sentence(format!("{name}: {}", error.why())))?;
            match before {
                Some(place) => columns.splice(place..=place, declared).for_each(drop),
                None => columns.extend(declared),
            }
        }
        Ok(columns)
    }

    /// What is added: the spellings that were ticked, and the values that were known before anyone looked.
    pub(super) fn additions(&self) -> Additions {
        let ticked = |kind: &'static str| {
            let inputs = self.0.iter().filter(move |(input, _)| input.starts_with(kind));
            inputs.filter_map(|(_, text)| serde_json::from_str::<Vec<String>>(text).ok())
        };
        Additions {
            aliases: ticked("alias").filter_map(|parts| parts.try_into().ok()).collect(),
            values: ticked("known").filter_map(|parts| parts.try_into().ok()).collect(),
        }
    }
}

/// What a tick of an offered value says: its parts, in letters that every form keeps.
pub(super) fn ticked(parts: &[&str]) -> String {
    let text = serde_json::Value::from(parts).to_string();
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii() {
            plain.push(letter);
        } else {
            letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| plain += &format!("\\u{unit:04x}"));
        }
    }
    plain
}

/// What a tick of a value says that is no alias.
pub(super) fn known(one: &Undeclared) -> String {
    ticked(&[&one.column, &one.value])
}

/// The names of the columns of a file, as far as the page shows them.
pub(super) fn names(look: &Look) -> Vec<&str> {
    look.columns.iter().take(MOST_COLUMNS).map(|column| column.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::fields;

    /// If this fails, a tick adds another spelling than the page showed.
    #[test]
    fn a_tick_keeps_every_letter() {
        for value in ["A ", " A", "\u{a0}A", "Gériatrie\t", "a\"b\\", "\u{1f600}"] {
            let said = ticked(&["ward", "A", value]);
            assert!(said.is_ascii(), "{said}");
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("alias0", &said).append_pair("known3", &ticked(&["ward", value]));
            let form: LookForm = fields(query.finish().as_bytes()).expect("read");
            let parts = |parts: &[&str]| parts.iter().map(ToString::to_string).collect::<Vec<_>>();
            let found = form.additions();
            assert_eq!(found.aliases[0].to_vec(), parts(&["ward", "A", value]));
            assert_eq!(found.values[0].to_vec(), parts(&["ward", value]));
        }
    }
}
