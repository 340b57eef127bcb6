//! The frame of all pages.

use maud::{DOCTYPE, Markup, html};

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

/// A page with this title and body.
pub(crate) fn page(title: &str, section: Section, body: &Markup) -> Markup {
    framed(title, section, body, &Markup::default())
}

/// The same, loaded anew after a second. With script, it asks for the address of `data-progress` instead, and is loaded
/// anew once that has nothing to say.
pub(crate) fn waiting(title: &str, section: Section, body: &Markup) -> Markup {
    let again = html! { noscript { meta http-equiv="refresh" content="1"; } };
    framed(title, section, body, &again)
}

/// A page that leads on to this address at once.
pub(crate) fn leading(title: &str, body: &Markup, to: &str) -> Markup {
    framed(title, Section::None, body, &html! { meta http-equiv="refresh" content={ "0; url=" (to) }; })
}

fn framed(title: &str, section: Section, body: &Markup, head: &Markup) -> Markup {
    html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                (head)
                title { (title) " · Posterity" }
                link rel="icon" href="/assets/mark.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/design.css";
                link rel="stylesheet" href="/assets/style.css";
                script src="/assets/script.js" defer {}
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    a.name href="/home" { img src="/assets/mark.svg" alt="" width="28" height="28"; "Posterity" }
                    nav aria-label="Pages" { ul { (links(section)) } }
                }
                main id="main" { (body) }
                footer { p { "On this machine only. Nothing is sent anywhere else." } }
            }
        }
        "\n"
    }
}

/// Links to the parts of the site.
fn links(current: Section) -> Markup {
    let all = [
        (Section::Ask, "/ask", "Ask"),
        (Section::Plan, "/plan", "Plan"),
        (Section::Release, "/release", "Release"),
        (Section::Study, "/study", "Study"),
        (Section::Budget, "/budget", "Budget"),
        (Section::Help, "/help", "Help"),
    ];
    html! {
        @for (one, address, name) in all {
            li { a href=(address) aria-current=[(one == current).then_some("page")] { (name) } }
        }
    }
}
