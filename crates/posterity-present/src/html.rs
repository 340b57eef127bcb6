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
            // Long names of cells, such as `ward=A,cured=yes`, may be broken behind a comma.
            let text = escaped(&value.shown());
            page += &match column.setting {
                Setting::Right => format!("<td class=\"number\">{text}</td>"),
                Setting::Left => format!("<th scope=\"row\">{}</th>", text.replace(',', ",<wbr>")),
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

/// The style of pages that stand alone: reports and sheets.
pub const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1f2328; --soft: #57606a; --line: #d0d7de; --paper: #fff; --card: #f6f8fa; --accent: #0b62a4; --alarm: #a40e26; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b1; --line: #3d444d; --paper: #0d1117; --card: #161b22; --accent: #6cb6ff; --alarm: #ff8182; } }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
h3 { margin-top: 2rem; font-size: 1.05rem; }
.lead { font-size: 1.1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .2rem 1.2rem; margin: 1.5rem 0; }
.alarm { border-color: var(--alarm); color: var(--alarm); font-weight: 600; }
.soft, figcaption { color: var(--soft); font-size: .92rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .92rem; padding-bottom: .4rem; }
th, td { text-align: left; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
th { font-weight: 600; } tbody th { font-weight: normal; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.bar-cell { width: 30%; min-width: 8rem; padding-right: 0; }
svg.bar { display: block; width: 100%; height: 1rem; }
.bar-rail { fill: var(--line); } .bar-neutral { fill: var(--soft); } .bar-range { fill: var(--accent); opacity: .45; } .bar-middle { fill: var(--accent); }
figure { margin: 1.5rem 0; }
figure svg { display: block; background: #fff; border: 1px solid var(--line); border-radius: 6px; min-width: 34rem; max-width: 100%; height: auto; }
summary { cursor: pointer; color: var(--accent); margin: .4rem 0; }
code { font-size: .9em; }
dt { font-weight: 600; margin-top: .6rem; } dd { margin-left: 0; }
@media print { body { max-width: none; margin: 0; font-size: 11pt; } h2 { break-after: avoid; } tr, figure, .card { break-inside: avoid; } :root { --ink: #000; --paper: #fff; --card: #fff; --soft: #444; --line: #bbb; --accent: #0b62a4; } }
";

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
