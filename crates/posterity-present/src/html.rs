//! Text and tables of pages.

use posterity::hidden::shown;

use crate::sheet::{Column, Setting, Sheet};

/// A text as it is written into a page or an attribute: what has a meaning in HTML is written as itself, and hidden
/// characters are shown. Line ends and tabs are blanks in a page.
///
/// ```
/// use posterity_present::html::escaped;
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
            other => page += &shown(other.encode_utf8(&mut [0; 4])),
        }
    }
    page
}

/// The head and the body of a table, of at most so many rows. Texts name a row; numbers are of the class `number`. If
/// there are bars, each row ends with its own.
///
/// ```
/// use posterity_present::{Column, Sheet, Value, html};
/// let sheet = Sheet::new(
///     vec![Column::text("ward"), Column::number("mean")],
///     [vec![Value::text("<A>"), Value::text("0.25")]],
/// );
/// assert_eq!(
///     html::rows(sheet, 200, &[]),
///     "<thead><tr><th scope=\"col\">ward</th><th scope=\"col\" class=\"number\">mean</th></tr></thead>\
///      <tbody><tr><th scope=\"row\">&lt;A&gt;</th><td class=\"number\">0.25</td></tr></tbody>"
/// );
/// ```
#[must_use]
pub fn rows(sheet: Sheet<'_>, most: usize, bars: &[String]) -> String {
    let mut page = String::from("<thead><tr>");
    for Column { name, setting } in &sheet.columns {
        page += &match (setting, name.is_empty()) {
            (_, true) => "<td></td>".to_owned(),
            (Setting::Right, false) => format!("<th scope=\"col\" class=\"number\">{}</th>", escaped(name)),
            (_, false) => format!("<th scope=\"col\">{}</th>", escaped(name)),
        };
    }
    page += if bars.is_empty() { "" } else { "<td></td>" };
    page += "</tr></thead><tbody>";
    for (index, row) in sheet.rows.take(most).enumerate() {
        page += "<tr>";
        for (column, value) in sheet.columns.iter().zip(&row) {
            let text = escaped(&value.shown());
            page += &match column.setting {
                Setting::Right => format!("<td class=\"number\">{text}</td>"),
                Setting::Left => format!("<th scope=\"row\">{}</th>", breakable(&text)),
                Setting::Wrapped => format!("<td>{text}</td>"),
            };
        }
        if !bars.is_empty() {
            page += &format!("<td class=\"bar-cell\">{}</td>", bars.get(index).map_or("", String::as_str));
        }
        page += "</tr>";
    }
    page + "</tbody>"
}

/// A long name of a cell, such as `ward=A,cured=yes`, may be broken before the next column. Values such as `[18,40)` stay as
/// they are typed.
fn breakable(text: &str) -> String {
    let mut parts = text.split(',');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + if part.contains('=') { ",<wbr>" } else { "," } + part)
}

/// The design that all pages, reports and sheets have in common: colours, fonts, headings and tables.
pub const DESIGN: &str = include_str!("../assets/design.css");

const ALONE: &str = include_str!("../assets/alone.css");

/// A page that needs nothing else: no scripts, no network, no other files. The title is its first heading too; `style`
/// has what the page needs beyond the design, and `body` is markup.
///
/// ```
/// let page = posterity_present::html::alone("A & B", "", "<p>Both.</p>\n");
/// assert!(page.contains("<main>\n<h1>A &amp; B</h1>\n<p>Both.</p>\n</main>"));
/// ```
#[must_use]
pub fn alone(title: &str, style: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{DESIGN}{ALONE}{style}</style></head><body>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cells_may_be_broken_and_values_may_not() {
        for (text, expected) in [
            ("ward=A,cured=yes", "ward=A,<wbr>cured=yes"),
            ("age=[18,40),cured=yes", "age=[18,40),<wbr>cured=yes"),
            ("[18,40)", "[18,40)"),
        ] {
            assert_eq!(breakable(text), expected);
        }
    }

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
