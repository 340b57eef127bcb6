//! A reading that is chosen from menus: what is counted, within what, and which two groups are compared.

use std::str::FromStr;

use maud::{Markup, html};
use posterity::table::{ContrastKind, Space, SpaceColumn, Term};
use posterity::{Contrast, Reading};
use serde::Deserialize;

use crate::typed::Typed;

/// The most values of a column that a menu lists. Others are typed.
const MOST_VALUES: usize = 100;

/// What was chosen.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Menus {
    #[serde(rename = "menu_of")]
    of: Typed<Pick>,
    #[serde(rename = "menu_within")]
    within: Typed<Pick>,
    #[serde(rename = "menu_first")]
    first: Typed<Pick>,
    #[serde(rename = "menu_second")]
    second: Typed<Pick>,
}

/// A column of a release, or one of its values, by their places: `1`, or `1.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pick {
    column: usize,
    value: Option<usize>,
}

impl FromStr for Pick {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "choose something of the menu";
        let number = |text: &str| text.parse().map_err(|_| wrong);
        Ok(match text.split_once('.') {
            Some((column, value)) => Self { column: number(column)?, value: Some(number(value)?) },
            None => Self { column: number(text)?, value: None },
        })
    }
}

impl Pick {
    fn term(self, space: &Space) -> Result<Term, String> {
        let column = self.of(space)?;
        Ok(match self.value {
            None => Term::each(&column.name),
            Some(_) => Term::set(&column.name, [self.name(space)?]),
        })
    }

    fn of(self, space: &Space) -> Result<&SpaceColumn, String> {
        space.columns().get(self.column).ok_or_else(|| "The release has no such column.".to_owned())
    }

    /// Whether the value is no answer. Its share is one of all records.
    fn is_unknown(self, space: &Space) -> bool {
        self.value.is_some_and(|value| self.of(space).is_ok_and(|column| !column.is_answer(value)))
    }

    /// The name of the value.
    fn name(self, space: &Space) -> Result<&str, String> {
        let value = self.value.and_then(|value| self.of(space).ok()?.values.get(value));
        value.map(String::as_str).ok_or_else(|| "The release has no such value.".to_owned())
    }
}

impl Menus {
    pub(crate) fn is_empty(&self) -> bool {
        [&self.of, &self.within, &self.first, &self.second].iter().all(|one| one.is_empty())
    }

    /// What was chosen, or what is missing.
    pub(super) fn chosen(&self, space: &Space) -> Result<(Option<Reading>, Option<Contrast>), String> {
        if self.is_empty() {
            return Ok((None, None));
        }
        let of = self.of.required("Choose of what the share is.")?;
        let within = self.within.value()?;
        let comparison = self.compared()?.map(|groups| contrast(of, groups, space)).transpose()?;
        if within.is_none() && comparison.is_some() {
            return Ok((None, comparison));
        }
        let given = within.map(|within| within.term(space)).transpose()?;
        let reading = Reading::shares(vec![of.term(space)?], given.into_iter().collect());
        Ok((Some(if of.is_unknown(space) { reading.of_all() } else { reading }), comparison))
    }

    /// The two groups, if they were chosen.
    fn compared(&self) -> Result<Option<[Pick; 2]>, String> {
        match (self.first.value()?, self.second.value()?) {
            (None, None) => Ok(None),
            (Some(first), Some(second)) if first.column == second.column && first != second => {
                Ok(Some([first, second]))
            }
            _ => Err("Choose two different groups of one column to compare.".to_owned()),
        }
    }

    /// The menus of a release; nothing if it has one column, whose shares it shows anyway.
    pub(crate) fn fields(&self, space: &Space) -> Option<Markup> {
        if space.columns().len() < 2 {
            return None;
        }
        let menus = [
            ("menu_of", "The share of", "Choose one", &self.of, true),
            ("menu_within", "Within", "everything", &self.within, true),
            ("menu_first", "Compare it in", "nothing", &self.first, false),
            ("menu_second", "with", "nothing", &self.second, false),
        ];
        Some(html! {
            div.typed {
                @for (id, label, none, chosen, each) in menus {
                    p {
                        label for=(id) { (label) }
                        select id=(id) name=(id) {
                            option value="" { (none) }
                            (options(space, chosen, each))
                        }
                    }
                }
            }
        })
    }
}

/// The share of one value in the first group minus that in the second.
fn contrast(of: Pick, [first, second]: [Pick; 2], space: &Space) -> Result<Contrast, String> {
    if of.value.is_none() {
        return Err("To compare two groups, choose the share of one value.".to_owned());
    }
    let groups = [first.name(space)?, second.name(space)?];
    let column = &first.of(space)?.name;
    let compared =
        Contrast::between(ContrastKind::Difference, vec![of.term(space)?], column, [groups[0]], [groups[1]]);
    Ok(if of.is_unknown(space) { compared.of_all() } else { compared })
}

/// The values of all columns, and with `each` the columns as such.
fn options(space: &Space, chosen: &str, each: bool) -> Markup {
    let option =
        |pick: &str, words: &str| html! { option value=(pick) selected[*chosen == *pick] { (words) } };
    html! {
        @for (index, column) in space.columns().iter().enumerate() {
            @let name = &column.name;
            optgroup label=(name) {
                @if each { (option(&index.to_string(), &format!("each {name}"))) }
                @if column.values.len() <= MOST_VALUES {
                    @for value in 0..column.values.len() {
                        (option(&format!("{index}.{value}"), &format!("{name}: {}", column.in_words(value))))
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::fields;

    fn space() -> Space {
        let cured = SpaceColumn { unknown: vec![2], ..SpaceColumn::new("cured", ["yes", "no", "none"]) };
        Space::new(vec![SpaceColumn::new("the ward", ["A", "B"]), cured])
    }

    fn chosen(query: &str) -> Result<(Option<String>, Option<String>), String> {
        let menus: Menus = fields(query.as_bytes()).expect(query);
        let (reading, contrast) = menus.chosen(&space())?;
        Ok((reading.map(|one| one.to_string()), contrast.map(|one| one.to_string())))
    }

    #[test]
    fn menus_make_readings() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(chosen("read=x"), Ok((None, None)));
        assert_eq!(chosen("menu_of=1"), Ok((text("cured"), None)));
        assert_eq!(chosen("menu_of=1.0&menu_within=0"), Ok((text("cured=yes | \"the ward\""), None)));
        assert_eq!(chosen("menu_of=1&menu_within=0.1"), Ok((text("cured | \"the ward\"=B"), None)));
        let unknown = text("cured=none of all | \"the ward\"");
        assert_eq!(chosen("menu_of=1.2&menu_within=0"), Ok((unknown, None)));
        let unknown = text("cured=none of all | \"the ward\": A - B");
        assert_eq!(chosen("menu_of=1.2&menu_first=0.0&menu_second=0.1"), Ok((None, unknown)));
        let compared = text("cured=no | \"the ward\": A - B");
        assert_eq!(chosen("menu_of=1.1&menu_first=0.0&menu_second=0.1"), Ok((None, compared.clone())));
        let both = chosen("menu_of=1.1&menu_within=0&menu_first=0.0&menu_second=0.1");
        assert_eq!(both, Ok((text("cured=no | \"the ward\""), compared)));
    }

    #[test]
    fn rejects() {
        for (query, expected) in [
            ("menu_within=0", "Choose of what"),
            ("menu_of=7", "no such column"),
            ("menu_of=1.7", "no such value"),
            ("menu_of=x", "something of the menu"),
            ("menu_of=1.0&menu_first=0.0", "two different groups"),
            ("menu_of=1.0&menu_first=0.0&menu_second=0.0", "two different groups"),
            ("menu_of=0.0&menu_first=0.0&menu_second=1.0", "two different groups"),
            ("menu_of=1&menu_first=0.0&menu_second=0.1", "the share of one value"),
            ("menu_of=1.0&menu_first=0.8&menu_second=0.9", "no such value"),
        ] {
            let wrong = chosen(query).expect_err(query);
            assert!(wrong.contains(expected), "{query}: {wrong}");
        }
    }

    #[test]
    fn a_menu_has_what_the_release_has() {
        let menus: Menus = fields(b"menu_of=1.0").expect("read");
        let shown = menus.fields(&space()).expect("menus").into_string();
        assert!(shown.contains("<option value=\"1.0\" selected>cured: yes</option>"), "{shown}");
        assert_eq!(shown.matches("<option value=\"0.1\">the ward: B</option>").count(), 4, "{shown}");
        assert_eq!(shown.matches(">each cured<").count(), 2, "{shown}");
        assert!(menus.fields(&Space::new(space().columns()[..1].to_vec())).is_none());
    }
}
