//! A release with its picture.

use posterity::{Document, Kind, ReadingTable};
use posterity_plot::{PictureKind, PosteriorPlot, TablePlot};

use crate::note::Note;
use crate::readings::{AskedReadings, ReadingForm};
use crate::sentence::sentence;

/// A release document with its picture.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) document: Document,
    pub(crate) svg: String,
    /// What is shown first of a release of several columns.
    pub(super) answer: Option<Answer>,
    pub(super) note: Note,
}

impl Shown {
    pub(crate) fn new(document: Document, note: Note) -> Result<Self, String> {
        document.complete();
        let svg = PosteriorPlot::new(&document).svg().map_err(|error| error.to_string())?;
        let answer = Answer::of(&document);
        Ok(Self { document, svg, answer, note })
    }

    /// Whether an answer stands above the cells.
    pub(crate) fn has_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// The same release with what a form asks to read, or why that cannot be had in the words of the command.
    pub(crate) fn reread(&self, typed: &ReadingForm) -> Result<Self, String> {
        let space = self.document.space().map_err(sentence)?;
        let asked = AskedReadings::new(typed)?.with_chosen(typed, &space)?;
        let asked = asked.unless_the_same(self.document.request().ways())?;
        Self::new(asked.read(&self.document).map_err(sentence)?, Note::Nothing)
    }
}

/// What most people want to know of a release of several columns: its readings, and the first of them as a picture with
/// one scale.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) tables: Vec<ReadingTable>,
    /// The picture of the first table, unless it would be too high.
    pub(super) forest: Option<String>,
}

/// The most lines of the picture of an answer.
const MOST_LINES: usize = 200;

impl Answer {
    fn of(document: &Document) -> Option<Self> {
        if document.about().columns.len() < 2 {
            return None;
        }
        let tables = document.first().into_owned();
        let first = tables.first()?;
        let drawn = || TablePlot::new(document, first, PictureKind::Forest).and_then(|plot| plot.svg()).ok();
        let forest = if first.rows.len() <= MOST_LINES { drawn() } else { None };
        Some(Self { forest, tables })
    }
}

/// A picture of posterity-plot within a page: its paper is the page's, its ink is the text's, and its colours are
/// lighter in the dark.
pub(crate) fn inline(svg: &str) -> String {
    labelled(svg, "The posterior of each category")
}

/// The same with the words that are read out in its place.
pub(crate) fn labelled(svg: &str, label: &str) -> String {
    let start = svg.find("<svg").unwrap_or(0);
    svg[start..]
        .replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1)
        .replace("fill=\"#FFFFFF\"", "fill=\"none\"")
        .replace("#262626", "currentColor")
        .replace("#000000", "currentColor")
        .replace("#0072B2", "var(--picture)")
        .replace("#D55E00", "var(--warm)")
}
