//! The frame of all pages.

use crate::html;

/// The parts of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Ask,
    Plan,
    Release,
    Study,
    Budget,
    Help,
    None,
}

/// A page with this title and body, which is HTML.
pub(crate) fn page(title: &str, section: Section, body: &str) -> String {
    framed(title, section, body, "")
}

/// The same, loaded anew after a second. With script, it asks for the address of `data-progress` instead, and is loaded
/// anew once that has nothing to say.
pub(crate) fn waiting(title: &str, section: Section, body: &str) -> String {
    framed(title, section, body, "<noscript><meta http-equiv=\"refresh\" content=\"1\"></noscript>")
}

fn framed(title: &str, section: Section, body: &str, head: &str) -> String {
    let link = |one: Section, address: &str, name: &str| {
        let current = if one == section { " aria-current=\"page\"" } else { "" };
        format!("<li><a href=\"{address}\"{current}>{name}</a></li>")
    };
    let navigation = [
        link(Section::Ask, "/ask", "Ask"),
        link(Section::Plan, "/plan", "Plan"),
        link(Section::Release, "/release", "Release"),
        link(Section::Study, "/study", "Study"),
        link(Section::Budget, "/budget", "Budget"),
        link(Section::Help, "/help", "Help"),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">{head}\
         <title>{title} · Posterity</title>\
         <link rel=\"icon\" href=\"/assets/mark.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"/assets/design.css\">\
         <link rel=\"stylesheet\" href=\"/assets/style.css\">\
         <script src=\"/assets/script.js\" defer></script></head>\
         <body><a class=\"skip\" href=\"#main\">Skip to the content</a>\
         <header class=\"top\"><a class=\"name\" href=\"/home\"><img src=\"/assets/mark.svg\" alt=\"\" width=\"28\" \
         height=\"28\">Posterity</a><nav aria-label=\"Pages\"><ul>{}</ul></nav></header>\
         <main id=\"main\">{body}</main>\
         <footer><p>On this machine only. Nothing is sent anywhere else.</p></footer></body></html>\n",
        navigation.concat(),
        title = html::text(title),
    )
}
