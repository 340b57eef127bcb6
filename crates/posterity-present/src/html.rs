//! Text in pages.

use crate::hidden::{is_hidden, push_shown};

/// A text as it is written into a page or an attribute: what has a meaning in HTML is written as itself, and hidden characters
/// are shown. Line ends and tabs are blanks in a page.
///
/// ```
/// use posterity::html::escaped;
/// assert_eq!(escaped("<b title='x'>"), "&lt;b title=&#39;x&#39;&gt;");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            '\n' | '\r' | '\t' => page.push(letter),
            hidden if is_hidden(hidden) => push_shown(&mut page, hidden),
            other => page.push(other),
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        for (text, expected) in [
            ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
            ("a & \"b\"\0\u{202e}", "a &amp; &quot;b&quot;\\u0000\\u202e"),
            ("&lt;", "&amp;lt;"),
            ("tab\tand\nline, Zürich 東京", "tab\tand\nline, Zürich 東京"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }
}
