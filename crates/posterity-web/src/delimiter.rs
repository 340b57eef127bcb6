//! The character between the fields of a CSV file.

use std::str::FromStr;

use maud::{Markup, html};

use crate::typed::Typed;

/// The character between the fields of a CSV file. A tab is called by its name, because blanks around what is typed
/// are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delimiter(pub(crate) char);

impl FromStr for Delimiter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut letters = text.chars();
        match (text, letters.next(), letters.next()) {
            ("tab", ..) => Ok(Self('\t')),
            (_, Some(letter), None) => Ok(Self(letter)),
            _ => Err(format!("{text:?} is no delimiter; choose one character")),
        }
    }
}

/// The choice of the delimiter.
pub(crate) fn field(typed: &Typed<Delimiter>) -> Markup {
    let choices = [("", "a comma"), (";", "a semicolon"), ("tab", "a tab"), ("|", "a bar |")];
    html! {
        p {
            label for="delimiter" { "Between the fields of a CSV file stands" }
            select id="delimiter" name="delimiter" data-renew aria-describedby="delimiter-help" {
                @for (value, words) in choices { option value=(value) selected[**typed == *value] { (words) } }
            }
            span.help id="delimiter-help" { "It is never guessed. Numbers have a point: 0.5." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_one_character() {
        let read = |text: &str| text.parse::<Delimiter>().map(|one| one.0);
        assert_eq!((read(";"), read("tab"), read("|")), (Ok(';'), Ok('\t'), Ok('|')));
        assert!(read("").is_err() && read("::").is_err());
    }
}
