//! Invisible characters that change how text looks.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character moves or hides others instead of being one: control characters, which drive a terminal; line and
/// paragraph separators; and the marks of Unicode that turn the direction of writing (Unicode Standard Annex 9).
#[must_use]
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text in which hidden characters are seen: `\n`, `\r` and `\t`, and four hexadecimal digits for all others. A name
/// may hold such characters, with which it could write over the rest of a page or turn it around. Documents in JSON
/// hold the exact name.
///
/// ```
/// use posterity::hidden::shown;
/// assert_eq!(shown("ward A"), "ward A");
/// assert_eq!(shown("ward\t\u{202e}A"), "ward\\t\\u202eA");
/// ```
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        push_shown(&mut seen, character);
    }
    Cow::Owned(seen)
}

/// Adds one character, so that it is seen.
fn push_shown(text: &mut String, character: char) {
    match character {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        hidden if is_hidden(hidden) => {
            // Nothing prevents writing to a text.
            let _ = write!(text, "\\u{:04x}", u32::from(hidden));
        }
        other => text.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_seen() {
        for (text, expected) in [
            ("a\0b\u{1b}[2J\u{7f}", "a\\u0000b\\u001b[2J\\u007f"),
            ("c1\u{85}\u{9b}", "c1\\u0085\\u009b"),
            ("\u{61c}\u{200e}\u{200f}", "\\u061c\\u200e\\u200f"),
            ("\u{2028}\u{2029}\u{202a}\u{202e}", "\\u2028\\u2029\\u202a\\u202e"),
            ("\u{2066}\u{2069}", "\\u2066\\u2069"),
            ("two\nlines\r\tend", "two\\nlines\\r\\tend"),
        ] {
            assert_eq!(shown(text), expected);
            assert!(!shown(text).contains(is_hidden));
        }
    }

    /// Letters of all scripts, accents and the joiners that some scripts and pictures need are left alone.
    #[test]
    fn all_else_is_left_alone() {
        for text in ["Zürich 東京 שלום", "cafe\u{301}", "न\u{200d}", "C:\\data\\u202e", "\u{a0}'=+-@", ""]
        {
            assert!(matches!(shown(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
