//! The form that asks for readings of a release.

use maud::{Markup, html};
use posterity::plan::field;
use posterity::table::{Space, Ways};
use serde::Deserialize;

use super::menus::Menus;
use super::source::Source;
use crate::answers::Answers;
use crate::html;
use crate::inputs::Inputs;

/// What is asked for.
const ASKED: [&str; 2] = ["read", "compare"];
/// How it is shown.
const WAYS: [&str; 4] = ["interval-kind", "about", "level", "simultaneous"];

/// Readings and comparisons as they were typed, one on each line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReadingForm {
    /// A reading that is chosen rather than typed.
    #[serde(flatten)]
    pub(crate) menus: Menus,
    #[serde(flatten)]
    pub(crate) answers: Answers,
}

impl ReadingForm {
    /// A form in which nothing is asked, with these intervals.
    pub(crate) fn of(ways: Ways) -> Self {
        let Ways { level, interval, about, simultaneous } = ways;
        let answers = Answers::default()
            .with("level", level.to_string())
            .with("interval-kind", interval.word())
            .with("about", about.word())
            .with("simultaneous", if simultaneous { "yes" } else { "" });
        Self { answers, menus: Menus::default() }
    }

    fn is_empty(&self) -> bool {
        !self.answers.any(ASKED) && self.menus.is_empty()
    }

    /// A form for readings of a release that there is already; nothing if it has no other readings. `token` is the hidden
    /// field of every form.
    pub(crate) fn shown(
        &self,
        token: &Markup,
        source: &Source,
        space: &Space,
        wrong: Option<&str>,
    ) -> Markup {
        if space.columns().is_empty() {
            return html::maybe_wrong(wrong);
        }
        let inputs = Inputs { answers: &self.answers, wrong: None };
        html! {
            details.card.ask id="ask" open[wrong.is_some() || !self.is_empty()] {
                summary { "Read something else from this release, at no cost" }
                (html::maybe_wrong(wrong))
                form action="/reading" method="post" autocomplete="off" {
                    (token)
                    (source.fields())
                    @if let Some(menus) = self.menus.fields(space) { (menus) h3 { "Or in words of the command" } }
                    @for field in ASKED.into_iter().chain(WAYS).filter_map(field) { (inputs.field(field)) }
                    p.act { button { "Read" } }
                }
            }
        }
    }
}
