//! A release of many tables with what is read from it.

use posterity::table::{Space, SpaceColumn};
use posterity::{Contrasted, MarginsDocument, Publication, ReadingTable};
use posterity_advice::margins::{MarginsLevel, margins_levels};
use posterity_plot::{PictureKind, TablePlot};
use posterity_present::describe::meanings;

use crate::note::Note;
use crate::readings::{AskedReadings, ReadingForm};
use crate::sentence::sentence;

/// The most lines of a picture.
const MOST_LINES: usize = 200;

/// A release of many tables with what is read from it. All of it is computed once.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) document: MarginsDocument,
    pub(super) tables: Vec<ReadingTable>,
    pub(super) comparisons: Vec<Contrasted>,
    /// What the intervals mean, in sentences.
    pub(super) meanings: Vec<String>,
    /// The picture of the first table, unless it would be too high.
    pub(super) picture: Option<String>,
    /// The noise of the tables and the intervals to expect; none if there seem to be no records.
    pub(super) levels: Option<Vec<MarginsLevel>>,
    pub(super) note: Note,
}

impl Shown {
    pub(crate) fn new(document: MarginsDocument, note: Note) -> Self {
        let answer = document.answer();
        let (tables, comparisons) = (answer.readings(), answer.comparisons());
        let publication = Publication::Margins(Box::new(document.clone()));
        Self {
            meanings: meanings(&tables, &comparisons, &publication),
            picture: tables.first().and_then(|first| picture(&document, first)),
            levels: levels(&document),
            tables,
            comparisons,
            document,
            note,
        }
    }

    /// The same release with what a form asks to read, or why that cannot be had in the words of the command.
    pub(crate) fn reread(&self, typed: &ReadingForm) -> Result<Self, String> {
        let asked = AskedReadings::new(typed)?.with_chosen(typed, &self.space())?;
        let ways = self.document.answer().asked().terms().ways;
        let asked = asked.unless_the_same(ways)?;
        let AskedReadings { readings, comparisons, .. } = asked.clone();
        let read = self.document.with_readings(asked.ways(ways), readings, comparisons).map_err(sentence)?;
        Ok(Self::new(read, Note::Nothing))
    }

    /// The columns, for menus. No table has all of them together.
    pub(super) fn space(&self) -> Space {
        Space::new(self.document.about().columns.iter().map(SpaceColumn::from).collect())
    }
}

fn picture(document: &MarginsDocument, table: &ReadingTable) -> Option<String> {
    let drawn = || TablePlot::new(document, table, PictureKind::Forest).and_then(|plot| plot.svg()).ok();
    if table.rows.len() <= MOST_LINES { drawn() } else { None }
}

/// What to expect of the tables. Where n is private, that is by its released number, which has noise.
fn levels(document: &MarginsDocument) -> Option<Vec<MarginsLevel>> {
    let answer = document.answer();
    let noisy = || answer.read(&"count".parse().ok()?).ok()?.rows.first()?.estimate;
    let n = document.n().map(|n| n as f64).or_else(noisy)?;
    if n < 1.0 {
        return None;
    }
    margins_levels(answer.plan(), n, answer.asked().terms().ways.level).ok()
}
