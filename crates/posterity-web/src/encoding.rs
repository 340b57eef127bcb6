//! The encoding of a text file.

use maud::{Markup, html};

/// The choice of the encoding.
pub(crate) fn field(typed: &str) -> Markup {
    let choices = [
        ("", "UTF-8"),
        ("windows-1252", "Windows-1252 (Western European)"),
        ("utf-16", "UTF-16"),
        ("utf-16le", "UTF-16 without a mark, lower byte first"),
        ("utf-16be", "UTF-16 without a mark, upper byte first"),
    ];
    html! {
        p {
            label for="encoding" { "Its text is" }
            select id="encoding" name="encoding" data-renew aria-describedby="encoding-help" {
                @for (value, words) in choices { option value=(value) selected[typed == value] { (words) } }
            }
            span.help id="encoding-help" {
                "For CSV, TSV and JSON. It is never guessed. Spreadsheets often save Windows-1252."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use posterity::data::Encoding;

    use super::*;

    #[test]
    fn every_encoding_can_be_chosen() {
        let shown = field("utf-16le").into_string();
        assert!(shown.contains("value=\"utf-16le\" selected"), "{shown}");
        for encoding in Encoding::ALL.into_iter().filter(|one| *one != Encoding::Utf8) {
            assert!(shown.contains(&format!("value=\"{encoding}\"")), "{encoding}");
        }
    }
}
