//! Pictures of posterity-plot within pages.

use maud::{Markup, PreEscaped, html};

/// A picture within a page: its paper is the page's, its ink is the text's, and its colours are lighter in the dark. The
/// label is read out in its place.
pub(crate) fn figure(svg: &str, label: &str) -> Markup {
    let start = svg.find("<svg").unwrap_or(0);
    let inline = svg[start..]
        .replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1)
        .replace("fill=\"#FFFFFF\"", "fill=\"none\"")
        .replace("#262626", "currentColor")
        .replace("#000000", "currentColor")
        .replace("#0072B2", "var(--picture)")
        .replace("#D55E00", "var(--warm)");
    html! { figure.picture tabindex="0" { (PreEscaped(inline)) } }
}
