//! The form that asks for readings of a release.

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
    /// A reading that is chosen rather than typed.
    #[serde(flatten)]
    pub(crate) menus: Menus,
}

impl ReadingForm {
    /// A form in which nothing is asked, with these intervals.
    pub(crate) fn of(ways: Ways) -> Self {
        let Ways { interval, about, simultaneous, .. } = ways;
        let simultaneous = if simultaneous { "yes" } else { "" }.into();
        Self { interval: interval.word().into(), about: about.word().into(), simultaneous, ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.read.is_empty() && self.compare.is_empty() && self.menus.is_empty()
    }

    /// The two fields. `independence` says whether two columns can be tested for it.
    pub(crate) fn fields(&self, independence: bool) -> String {
        let independence = if independence {
            ", and <code>independence(outcome, ward)</code> asks how far two columns are from independent"
        } else {
            ""
        };
        format!(
            "<p><label for=\"read\">Readings, one on each line</label><textarea id=\"read\" name=\"read\" rows=\"2\" spellcheck=\"false\" \
             placeholder=\"outcome | ward\" aria-describedby=\"read-help\">{}</textarea><span class=\"help\" id=\"read-help\">\
             <code>outcome | ward</code> is the share of each outcome within each ward, <code>mean(score) | ward</code> the mean of bins, \
             <code>outcome of all</code> the share among all, with those whose outcome is missing or other. Values with other signs \
             stand in quotes: <code>age=&quot;[18,40)&quot;</code>.</span></p>\
             <p><label for=\"compare\">Comparisons, one on each line</label><textarea id=\"compare\" name=\"compare\" rows=\"2\" \
             spellcheck=\"false\" placeholder=\"outcome=yes | ward: A - B\" aria-describedby=\"compare-help\">{}</textarea>\
             <span class=\"help\" id=\"compare-help\"><code>outcome=yes | ward: A - B</code> is a difference, <code>A / B</code> a ratio{independence}.</span></p>",
            html::text(&self.read),
            html::text(&self.compare)
        )
    }

    /// The choices of intervals.
    pub(crate) fn intervals(&self) -> String {
        let kinds = [IntervalKind::Confidence, IntervalKind::Credible, IntervalKind::Shortest];
        let kinds = kinds.map(|kind| (kind.word(), promise(kind)));
        let subjects =
            [Subject::Population, Subject::Records].map(|subject| (subject.word(), choice(subject)));
        format!(
            "<p><label for=\"interval\">Intervals</label><select id=\"interval\" name=\"interval\">{}</select></p>\
             <p><label for=\"about\">What they are about</label><select id=\"about\" name=\"about\">{}</select></p>\
             <p class=\"check\"><label><input type=\"checkbox\" id=\"simultaneous\" name=\"simultaneous\" value=\"yes\"{}> \
             All intervals of a reading hold at once, and are wider for it</label></p>",
            choices(&kinds, self.interval.or(IntervalKind::default().word())),
            choices(&subjects, self.about.or(Subject::default().word())),
            html::attribute("checked", !self.simultaneous.is_empty())
        )
    }

    /// A form for readings of a release that there is already; nothing if it has no other readings. `token` is the hidden
    /// field of every form.
    pub(crate) fn shown(
        &self,
        token: &str,
        source: &Source,
        space: &Space,
        independence: bool,
        wrong: Option<&str>,
    ) -> String {
        if space.columns().is_empty() {
            return wrong.map(html::wrong).unwrap_or_default();
        }
        let menus = self.menus.fields(space);
        let or = if menus.is_empty() { "" } else { "<h3>Or in words of the command</h3>" };
        format!(
            "<details class=\"card ask\" id=\"ask\"{}><summary>Read something else from this release, at no cost</summary>{}\
             <form action=\"/reading\" method=\"post\" autocomplete=\"off\">{token}{}{menus}{or}{}{}<p class=\"act\"><button>Read</button></p></form>\
             </details>",
            html::attribute("open", wrong.is_some() || !self.is_empty()),
            wrong.map(html::wrong).unwrap_or_default(),
            source.fields(),
            self.fields(independence),
            self.intervals()
        )
    }
}

/// Names with what they mean, to choose one of.
fn choices(all: &[(&str, &str)], chosen: &str) -> String {
    let option = |(name, words): &(&str, &str)| {
        let selected = html::attribute("selected", *name == chosen);
        format!("<option value=\"{name}\"{selected}>{name}: {}</option>", html::text(words))
    };
    all.iter().map(option).collect()
}
