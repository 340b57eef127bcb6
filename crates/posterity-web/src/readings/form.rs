//! The form that asks for readings of a release.

use maud::{Markup, html};
use posterity::table::{IntervalKind, Space, Subject, Ways};
use posterity_present::intervals::{choice, promise};
use serde::Deserialize;

use super::menus::Menus;
use super::source::Source;
use crate::html;
use crate::typed::Typed;

/// Readings and comparisons as they were typed, one on each line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReadingForm {
    pub(crate) read: Typed,
    pub(crate) compare: Typed,
    pub(crate) interval: Typed<IntervalKind>,
    pub(crate) about: Typed<Subject>,
    pub(crate) simultaneous: Typed,
    pub(crate) level: Typed,
    /// A reading that is chosen rather than typed.
    #[serde(flatten)]
    pub(crate) menus: Menus,
}

impl ReadingForm {
    /// A form in which nothing is asked, with these intervals.
    pub(crate) fn of(ways: Ways) -> Self {
        let Ways { level, interval, about, simultaneous } = ways;
        let simultaneous = if simultaneous { "yes" } else { "" }.into();
        let level = level.to_string().as_str().into();
        let (interval, about) = (interval.word().into(), about.word().into());
        Self { level, interval, about, simultaneous, ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.read.is_empty() && self.compare.is_empty() && self.menus.is_empty()
    }

    /// The two fields. `independence` says whether two columns can be tested for it.
    pub(crate) fn fields(&self, independence: bool) -> Markup {
        html! {
            p {
                label for="read" { "Readings, one on each line" }
                textarea id="read" name="read" rows="2" spellcheck="false" placeholder="outcome | ward"
                    aria-describedby="read-help" { (self.read) }
                span.help id="read-help" {
                    code { "outcome | ward" } " is the share of each outcome within each ward, " code { "mean(score) | ward" }
                    " the mean of bins, " code { "outcome of all" } " the share among all, with those whose outcome is missing \
                    or other. Values with other signs stand in quotes: " code { "age=\"[18,40)\"" } "."
                }
            }
            p {
                label for="compare" { "Comparisons, one on each line" }
                textarea id="compare" name="compare" rows="2" spellcheck="false"
                    placeholder="outcome=yes | ward: A - B" aria-describedby="compare-help" { (self.compare) }
                span.help id="compare-help" {
                    code { "outcome=yes | ward: A - B" } " is a difference, " code { "A / B" } " a ratio"
                    @if independence {
                        ", and " code { "independence(outcome, ward)" } " asks how far two columns are from independent"
                    }
                    "."
                }
            }
        }
    }

    /// The choices of intervals.
    pub(crate) fn intervals(&self) -> Markup {
        let kinds = [IntervalKind::Confidence, IntervalKind::Credible, IntervalKind::Shortest];
        let kinds = kinds.map(|kind| (kind.word(), promise(kind)));
        let subjects =
            [Subject::Population, Subject::Records].map(|subject| (subject.word(), choice(subject)));
        html! {
            p {
                label for="interval" { "Intervals" }
                select id="interval" name="interval" {
                    (choices(&kinds, self.interval.or(IntervalKind::default().word())))
                }
            }
            p {
                label for="about" { "What they are about" }
                select id="about" name="about" { (choices(&subjects, self.about.or(Subject::default().word()))) }
            }
            p {
                label for="level" { "Level of the intervals" }
                input id="level" name="level" value=(self.level) placeholder="0.95" inputmode="decimal";
            }
            p.check {
                label {
                    input type="checkbox" id="simultaneous" name="simultaneous" value="yes"
                        checked[!self.simultaneous.is_empty()];
                    " All intervals of a reading hold at once, and are wider for it"
                }
            }
        }
    }

    /// A form for readings of a release that there is already; nothing if it has no other readings. `token` is the hidden
    /// field of every form.
    pub(crate) fn shown(
        &self,
        token: &Markup,
        source: &Source,
        space: &Space,
        independence: bool,
        wrong: Option<&str>,
    ) -> Markup {
        if space.columns().is_empty() {
            return html::maybe_wrong(wrong);
        }
        html! {
            details.card.ask id="ask" open[wrong.is_some() || !self.is_empty()] {
                summary { "Read something else from this release, at no cost" }
                (html::maybe_wrong(wrong))
                form action="/reading" method="post" autocomplete="off" {
                    (token)
                    (source.fields())
                    @if let Some(menus) = self.menus.fields(space) { (menus) h3 { "Or in words of the command" } }
                    (self.fields(independence))
                    (self.intervals())
                    p.act { button { "Read" } }
                }
            }
        }
    }
}

/// Names with what they mean, to choose one of.
fn choices(all: &[(&str, &str)], chosen: &str) -> Markup {
    html! {
        @for (name, words) in all { option value=(name) selected[*name == chosen] { (name) ": " (words) } }
    }
}
