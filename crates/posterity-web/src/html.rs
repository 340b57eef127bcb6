//! Text in pages.

use std::fmt::{self, Display, Write};

/// A value as text of a page or of an attribute: what has a meaning in HTML is written as itself.
pub(crate) fn text(value: impl Display) -> String {
    let mut escaped = Escaped(String::new());
    // Writing to a string does not fail.
    let _ = write!(escaped, "{value}");
    escaped.0
}

struct Escaped(String);

impl Write for Escaped {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        for letter in part.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // No page may hold these.
                '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}' => self.0.push('\u{fffd}'),
                other => self.0.push(other),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_value_is_markup() {
        assert_eq!(text("<script>alert('x')</script>"), "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
        assert_eq!(text("a & \"b\"\0"), "a &amp; &quot;b&quot;\u{fffd}");
        assert_eq!(text(0.5), "0.5");
    }
}
