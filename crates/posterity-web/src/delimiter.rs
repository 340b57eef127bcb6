//! The character between the fields of a CSV file.

use std::str::FromStr;

use maud::{Markup, html};

/// The character between the fields of a CSV file. A tab is called by its name, because blanks around what is typed
/// are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delimiter(pub(crate) char);

impl FromStr for Delimiter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut letters = letter(text).chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Ok(Self(letter)),
            _ => Err(format!("{text:?} is no delimiter; choose one character")),
        }
    }
}

/// The character that is meant, as a text; or what was typed, if it is none.
pub(crate) fn letter(text: &str) -> &str {
    if text == "tab" { "\t" } else { text }
}

/// The choice of the delimiter.
pub(crate) fn field(typed: &str) -> Markup {
    let choices = [("", "a comma"), (";", "a semicolon"), ("tab", "a tab"), ("|", "a bar |")];
    html! {
        p {
            label for="delimiter" { "Between the fields of a CSV file stands" }
            select id="delimiter" name="delimiter" data-renew aria-describedby="delimiter-help" {
                @for (value, words) in choices { option value=(value) selected[typed == value] { (words) } }
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
