//! Text and tables of pages.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use posterity::hidden::{is_hidden, shown};

use crate::sheet::{Column, Setting, Sheet, Value};

/// A page in which hidden characters are seen, whatever text they came from. Line ends and tabs are blanks in a page, so
/// they stay.
///
/// ```
/// use maud::html;
/// let page = posterity_present::html::visible(html! { p { "ward\n\u{202e}<A>" } });
/// assert_eq!(page.into_string(), "<p>ward\n\\u202e&lt;A&gt;</p>");
/// ```
#[must_use]
pub fn visible(page: Markup) -> Markup {
    let is_unseen = |letter: char| is_hidden(letter) && !matches!(letter, '\n' | '\r' | '\t');
    if !page.0.contains(is_unseen) {
        return page;
    }
    let mut seen = String::with_capacity(page.0.len() + 64);
    for letter in page.0.chars() {
        if is_unseen(letter) {
            seen += &shown(letter.encode_utf8(&mut [0; 4]));
        } else {
            seen.push(letter);
        }
    }
    PreEscaped(seen)
}

/// A text as it is written into a page or an attribute, for the pages that Python writes: what has a meaning in HTML is
/// written as itself, and hidden characters are shown.
///
/// ```
/// use posterity_present::html::escaped;
/// assert_eq!(escaped("<b title='x'>"), "&lt;b title=&#39;x&#39;&gt;");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    visible(html! { (text) }).into_string().replace('\'', "&#39;")
}

/// The head and the body of a table, of at most this many rows. Texts name a row; numbers are of the class `number`. If
/// there are bars, each row ends with its own.
///
/// ```
/// use posterity_present::{Column, Sheet, Value, html};
/// let sheet = Sheet::new(
///     vec![Column::text("ward"), Column::number("mean")],
///     [vec![Value::text("<A>"), Value::text("0.25")]],
/// );
/// assert_eq!(
///     html::table_rows(sheet, 200, &[]).into_string(),
///     "<thead><tr><th scope=\"col\">ward</th><th scope=\"col\" class=\"number\">mean</th></tr></thead>\
///      <tbody><tr><th scope=\"row\">&lt;A&gt;</th><td class=\"number\">0.25</td></tr></tbody>"
/// );
/// ```
#[must_use]
pub fn table_rows(sheet: Sheet<'_>, most: usize, bars: &[Markup]) -> Markup {
    let Sheet { columns, rows } = sheet;
    visible(html! {
        thead {
            tr {
                @for column in &columns { (head(column)) }
                @if !bars.is_empty() { td {} }
            }
        }
        tbody {
            @for (index, row) in rows.take(most).enumerate() {
                tr {
                    @for (column, value) in columns.iter().zip(&row) { (cell(column, value)) }
                    @if !bars.is_empty() {
                        td.bar-cell { @if let Some(bar) = bars.get(index) { (bar) } }
                    }
                }
            }
        }
    })
}

/// [`table_rows`] as a text, for Python.
#[must_use]
pub fn rows(sheet: Sheet<'_>, most: usize, bars: &[Markup]) -> String {
    table_rows(sheet, most, bars).into_string()
}

fn head(Column { name, setting }: &Column) -> Markup {
    match setting {
        _ if name.is_empty() => html! { td {} },
        Setting::Right => html! { th scope="col" class="number" { (name) } },
        _ => html! { th scope="col" { (name) } },
    }
}

fn cell(column: &Column, value: &Value<'_>) -> Markup {
    let text = value.shown();
    match column.setting {
        Setting::Right => html! { td.number { (text) } },
        Setting::Left => html! { th scope="row" { (breakable(&text)) } },
        Setting::Wrapped => html! { td { (text) } },
    }
}

/// A long name of a cell, such as `ward=A,cured=yes`, may be broken before the next column. Values such as `[18,40)` stay as
/// they are typed.
fn breakable(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split(',').enumerate() {
            @if index > 0 {
                ","
                @if part.contains('=') { wbr; }
            }
            (part)
        }
    }
}

/// The design that all pages, reports and sheets have in common: colours, fonts, headings and tables.
pub const DESIGN: &str = include_str!("../assets/design.css");

const ALONE: &str = include_str!("../assets/alone.css");

/// A page that needs nothing else: no scripts, no network, no other files. The title is its first heading too; `style`
/// has what the page needs beyond the design.
///
/// ```
/// use maud::html;
/// let page = posterity_present::html::alone("A & B", "", &html! { p { "Both." } });
/// assert!(page.contains("<main><h1>A &amp; B</h1>\n<p>Both.</p></main>"));
/// ```
#[must_use]
pub fn alone(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                "\n"
                title { (title) }
                "\n"
                style { "\n" (PreEscaped(DESIGN)) (PreEscaped(ALONE)) (PreEscaped(style)) }
            }
            "\n"
            body { main { h1 { (title) } "\n" (body) } }
        }
        "\n"
    };
    visible(page).into_string()
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
            assert_eq!(breakable(text).into_string(), expected);
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
