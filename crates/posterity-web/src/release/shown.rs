//! A release with its picture.

use posterity::Document;
use posterity_plot::PosteriorPlot;

use crate::readings::AskedReadings;
use crate::sentence::sentence;

/// A release document with its picture.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) document: Document,
    pub(crate) svg: String,
    /// What was paid, for a release of this run.
    pub(super) paid: Option<String>,
}

impl Shown {
    pub(crate) fn new(document: Document, paid: Option<String>) -> Result<Self, String> {
        document.complete();
        let svg = PosteriorPlot::new(&document).svg().map_err(|error| error.to_string())?;
        Ok(Self { document, svg, paid })
    }

    /// The same release with other readings or intervals, or why they cannot be had in the words of the command.
    pub(crate) fn reread(&self, asked: &AskedReadings) -> Result<Self, String> {
        Self::new(asked.read(&self.document).map_err(sentence)?, None)
    }
}

/// A picture of posterity-plot within a page: its paper is the page's, its ink is the text's, and its colours are
/// lighter in the dark.
pub(crate) fn inline(svg: &str) -> String {
    let start = svg.find("<svg").unwrap_or(0);
    svg[start..]
        .replacen("<svg ", "<svg role=\"img\" aria-label=\"The posterior of each category\" ", 1)
        .replace("fill=\"#FFFFFF\"", "fill=\"none\"")
        .replace("#262626", "currentColor")
        .replace("#000000", "currentColor")
        .replace("#0072B2", "var(--picture)")
        .replace("#D55E00", "var(--warm)")
}
