//! Pieces of pages.

use std::fmt::Display;

use maud::{Markup, html};

use crate::question::Kind;

/// What is wrong, where it is read out at once.
pub(crate) fn wrong(why: impl Display) -> Markup {
    html! { p.wrong role="alert" { (why) } }
}

/// What is wrong with what was typed, if anything is.
pub(crate) fn maybe_wrong(why: Option<impl Display>) -> Markup {
    why.map(wrong).unwrap_or_default()
}

/// What has changed since a page was shown; nothing if nothing has.
pub(crate) fn differs(differs: &[String]) -> Markup {
    html! {
        @if !differs.is_empty() {
            div.wrong role="alert" {
                p { "Nothing was done, because the page said something else when the button was pressed:" }
                ul { (items(differs)) }
                p { "This is the page as it is now. Look at it again, and press the button if it is what you want." }
            }
        }
    }
}

/// Names to choose from.
pub(crate) fn options(names: &[String], is_chosen: impl Fn(&str) -> bool) -> Markup {
    html! { @for name in names { option selected[is_chosen(name)] { (name) } } }
}

/// A field that is not seen.
pub(crate) fn hidden(name: &str, value: impl Display) -> Markup {
    html! { input type="hidden" name=(name) value=(value); }
}

/// Names in a row: "Prior, Mechanism and Decoder", of which only the first begins with a capital letter.
pub(crate) fn listed(names: &[String]) -> String {
    let small = |name: &String| name[..1].to_lowercase() + &name[1..];
    match names {
        [first, middle @ .., last] => {
            let middle: String = middle.iter().map(|name| format!(", {}", small(name))).collect();
            format!("{first}{middle} and {}", small(last))
        }
        names => names.concat(),
    }
}

/// The items of a list of sentences.
pub(crate) fn items(all: &[String]) -> Markup {
    html! { @for said in all { li { (said) } } }
}

/// Names with their values.
pub(crate) fn facts(rows: &[(&str, String)]) -> Markup {
    html! {
        dl.facts { @for (name, value) in rows { div { dt { (name) } dd { (value) } } } }
    }
}

/// Lines with a button that copies them. `said` says what they are.
pub(crate) fn lines(said: &Markup, id: &str, lines: &str) -> Markup {
    html! {
        section.lines {
            (said)
            div.line {
                pre id=(id) tabindex="0" { code { (lines) } }
                button type="button" class="copy" data-copy=(id) hidden { "Copy" }
            }
        }
    }
}

/// The command that asks for the same.
pub(crate) fn command(line: &str) -> Markup {
    lines(&html! { h2 { "The same as a command" } }, "line-command", line)
}

/// A command to type.
pub(crate) fn shell(line: &str) -> Markup {
    html! { pre tabindex="0" { code { (line) } } }
}

/// The title of a page, and what it is for.
pub(crate) fn intro(title: &str, lead: &str) -> Markup {
    html! { div.intro { h1 { (title) } p.lead { (lead) } } }
}

/// A table that a narrow screen shows a part of. The label is read out.
pub(crate) fn scroll(label: &str, table: &Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(label) { (table) } }
}

/// A form of a question to choose, which is at this address.
pub(crate) fn kind(kind: Kind, address: &str) -> Markup {
    html! { li { a href=(address) { (kind.title()) } span.help { (kind.example()) } } }
}
