//! Tables and sentences for a reader.

use posterity_present::{Mark, Sheet};

/// Tables and sentences, in their order. Explanations are shown on request only.
#[derive(Default)]
pub(crate) struct Page<'a> {
    pub(super) parts: Vec<Part<'a>>,
}

/// One part of a page.
pub(super) enum Part<'a> {
    Sheet(Sheet<'a>),
    Said(Paragraph),
    Brief(Paragraph),
    /// Written only if it is shown.
    Explained(Box<dyn FnOnce() -> Vec<Paragraph> + 'a>),
    Pause,
}

impl<'a> Page<'a> {
    /// Adds a table.
    pub(crate) fn sheet(&mut self, sheet: Sheet<'a>) {
        self.parts.push(Part::Sheet(sheet));
    }

    /// Adds the line that says why the result is not private, if it is not.
    pub(crate) fn mark(&mut self, mark: Mark) {
        if let Some(why) = mark.why() {
            self.say(Paragraph::not_private(why));
        }
    }

    /// Adds a paragraph that is always shown.
    pub(crate) fn say(&mut self, paragraph: impl Into<Paragraph>) {
        self.parts.push(Part::Said(paragraph.into()));
    }

    /// Adds a paragraph that is shown without `--explain` only, because an explanation says the same in full.
    pub(crate) fn say_in_short(&mut self, paragraph: impl Into<Paragraph>) {
        self.parts.push(Part::Brief(paragraph.into()));
    }

    /// Sets what follows apart.
    pub(crate) fn pause(&mut self) {
        self.parts.push(Part::Pause);
    }

    /// Adds a paragraph that is shown with `--explain` only.
    pub(crate) fn explain(&mut self, paragraph: impl Into<Paragraph>) {
        let paragraph = paragraph.into();
        self.explain_at_length(|| vec![paragraph]);
    }

    /// Adds paragraphs that are shown with `--explain` only, and take long to find.
    pub(crate) fn explain_at_length(&mut self, paragraphs: impl FnOnce() -> Vec<Paragraph> + 'a) {
        self.parts.push(Part::Explained(Box::new(paragraphs)));
    }
}

/// A piece of text that is wrapped at the width of the terminal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paragraph {
    pub(super) lead: Option<&'static str>,
    pub(super) spans: Vec<(Tone, String)>,
}

/// How loud a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Head,
    Warning,
    Alarm,
}

impl Paragraph {
    /// A paragraph that begins with a word such as "Promise:", below which its other lines are indented.
    pub(crate) fn led(lead: &'static str, text: impl Into<String>) -> Self {
        Self { lead: Some(lead), ..Self::default() }.plain(text)
    }

    /// The heading of a part.
    pub(crate) fn headed(text: impl Into<String>) -> Self {
        Self { lead: None, spans: vec![(Tone::Head, text.into())] }
    }

    /// A paragraph that warns.
    pub(crate) fn warning(text: impl Into<String>) -> Self {
        let spans = vec![(Tone::Warning, "Warning: ".to_owned())];
        Self { lead: None, spans }.plain(text)
    }

    /// The line that says why something is not private.
    pub(crate) fn not_private(why: impl Into<String>) -> Self {
        Self::default().alarm(Mark::ALARM).plain(format!(": {}.", why.into()))
    }

    /// Goes on in plain text.
    pub(crate) fn plain(mut self, text: impl Into<String>) -> Self {
        self.spans.push((Tone::Plain, text.into()));
        self
    }

    /// Goes on with words that the reader must not miss.
    pub(crate) fn alarm(mut self, text: impl Into<String>) -> Self {
        self.spans.push((Tone::Alarm, text.into()));
        self
    }
}

impl From<String> for Paragraph {
    fn from(text: String) -> Self {
        Self::default().plain(text)
    }
}

impl From<&str> for Paragraph {
    fn from(text: &str) -> Self {
        Self::default().plain(text)
    }
}
