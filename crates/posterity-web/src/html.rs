//! Pieces of pages.

use std::fmt::Display;

use posterity_present::html::escaped;

/// A value as text of a page or of an attribute: what has a meaning in HTML is written as itself.
pub(crate) fn text(value: impl Display) -> String {
    escaped(&value.to_string())
}

/// What is wrong, where it is read out at once.
pub(crate) fn wrong(why: impl Display) -> String {
    format!("<p class=\"wrong\" role=\"alert\">{}</p>", text(why))
}

/// A class or an attribute that is there or not, with a blank before it.
pub(crate) fn attribute(name: &str, is_there: bool) -> String {
    if is_there { format!(" {name}") } else { String::new() }
}

/// Names to choose from.
pub(crate) fn options(names: &[String], is_chosen: impl Fn(&str) -> bool) -> String {
    let option =
        |name: &String| format!("<option{}>{}</option>", attribute("selected", is_chosen(name)), text(name));
    names.iter().map(option).collect()
}

/// A field that is not seen.
pub(crate) fn hidden(name: &str, value: impl Display) -> String {
    format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", text(value))
}

/// A list of sentences; nothing if there are none. `attributes` are those of the list.
pub(crate) fn list(attributes: &str, all: &[String]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let all: String = all.iter().map(|said| format!("<li>{}</li>", text(said))).collect();
    format!("<ul{attributes}>{all}</ul>")
}

/// Names with their values.
pub(crate) fn facts(rows: &[(&str, String)]) -> String {
    let row = |(name, value): &(&str, String)| format!("<div><dt>{name}</dt><dd>{}</dd></div>", text(value));
    format!("<dl class=\"facts\">{}</dl>", rows.iter().map(row).collect::<String>())
}

/// Lines with a button that copies them. `said` is HTML that says what they are.
pub(crate) fn lines(said: &str, id: &str, lines: &str) -> String {
    format!(
        "<section class=\"lines\">{said}<div class=\"line\"><pre id=\"{id}\" tabindex=\"0\"><code>{}</code></pre>\
         <button type=\"button\" class=\"copy\" data-copy=\"{id}\" hidden>Copy</button></div></section>",
        text(lines)
    )
}

/// The command that asks for the same.
pub(crate) fn command(line: &str) -> String {
    lines("<h2>The same as a command</h2>", "line-command", line)
}
