//! What is spent, before it is confirmed.

use std::fmt::Display;

use maud::{Markup, html};

use crate::html;
use crate::sentence::sentence;

/// What is spent, and the button that does it; none if it would be refused.
pub(crate) struct Spending {
    pub(crate) said: Markup,
    pub(crate) button: Option<&'static str>,
}

/// A draft of this section of the pages.
pub(crate) struct DraftOf<'a> {
    pub(crate) section: &'a str,
    pub(crate) id: &'a str,
    /// What came of it, and what is said of that.
    pub(crate) result: Option<(&'a str, &'a str)>,
    /// The address that leads back, and what is there.
    pub(crate) back: (&'a str, &'a str),
    /// What its page promises.
    pub(crate) promised: Promised,
}

/// What the page of a draft promises. Its form has both, so that the button does nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Promised {
    /// The digest of the plan.
    pub(crate) plan: String,
    /// What it costs whom.
    pub(crate) price: String,
}

impl Promised {
    fn fields(&self) -> Markup {
        html! { (html::hidden("plan", &self.plan)) (html::hidden("price", &self.price)) }
    }
}

impl Spending {
    pub(crate) fn refused(why: impl Display) -> Self {
        Self { said: html::wrong(sentence(why)), button: None }
    }

    /// The way on from the summary of a draft: to what came of it, or to the button. `undo` says whether that can be
    /// undone; `token` is the hidden field of every form.
    pub(crate) fn way_on(&self, draft: &DraftOf<'_>, undo: &str, token: &Markup) -> Markup {
        let DraftOf { section, id, result, back: (back, what), promised } = draft;
        match (result, self.button) {
            (Some((result, became)), _) => html! {
                p.notice { (became) " " a href={ (section) "/result/" (result) } { "See what came of it." } }
            },
            (None, None) => html! { p.act { a href=(back) { "Back to the " (what) } } },
            (None, Some(button)) => html! {
                form action={ (section) "/confirm" } method="post" autocomplete="off" {
                    (token)
                    (html::hidden("draft", id))
                    (promised.fields())
                    p.act {
                        button id="confirm" { (button) }
                        " "
                        a href=(back) { "No, back to the " (what) }
                    }
                    p.help { (undo) }
                }
            },
        }
    }
}

/// Said of what draws.
pub(crate) const FOR_GOOD: &str = "This cannot be undone: noise that was drawn is drawn.";
