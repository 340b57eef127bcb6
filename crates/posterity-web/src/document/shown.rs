//! A document of any kind with what its page shows.

use posterity::table::Space;
use posterity::{Contrasted, Publication, ReadingTable};
use posterity_plot::{PictureKind, TablePlot};
use posterity_present::Mark;
use posterity_present::describe::meanings;

use super::own::Own;
use crate::note::Note;
use crate::readings::{AskedReadings, ReadingForm};
use crate::sentence::sentence;

/// The most lines of a picture.
const MOST_LINES: usize = 200;

/// A document of any kind with what its page shows. All of it is computed once.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(super) document: Publication,
    pub(super) tables: Vec<ReadingTable>,
    pub(super) comparisons: Vec<Contrasted>,
    /// What the intervals mean, in sentences.
    pub(super) meanings: Vec<String>,
    /// The picture of the first table, unless it would be too high.
    pub(super) picture: Option<String>,
    /// What only documents of its kind have.
    pub(super) own: Own,
    pub(super) note: Note,
    /// The name of the file that has it.
    pub(super) file: String,
}

impl Shown {
    pub(crate) fn new(document: Publication, note: Note) -> Result<Self, String> {
        let own = Own::of(&document)?;
        let (tables, comparisons) = (document.first().into_owned(), document.comparisons().into_owned());
        let meanings = meanings(&tables, &comparisons, &document);
        let meanings = without_methods(meanings, &tables, &comparisons);
        let tables: Vec<ReadingTable> =
            tables.into_iter().filter(|table| own.repeated.as_ref() != Some(&table.reading)).collect();
        Ok(Self {
            picture: tables.first().and_then(|first| picture(&document, first)),
            tables,
            comparisons,
            meanings,
            own,
            document,
            note,
            file: "release.json".to_owned(),
        })
    }

    /// The same in a file of this name.
    pub(super) fn of_file(self, name: &str) -> Self {
        Self { file: name.to_owned(), ..self }
    }

    /// The same release with what a form asks to read, or why that cannot be had in the words of the command.
    pub(crate) fn reread(&self, typed: &ReadingForm) -> Result<Self, String> {
        let ways = self.document.ways();
        let asked = AskedReadings::new(typed)?.with_chosen(typed, &self.space())?.unless_the_same(ways)?;
        let ways = asked.ways(ways);
        let read = self.document.reread(ways, asked.readings, asked.comparisons).map_err(sentence)?;
        Self::new(read, Note::Nothing)
    }

    /// The columns of other readings, for menus. A release need not have all of them together.
    pub(super) fn space(&self) -> Space {
        Space::new(self.document.columns_to_read())
    }

    /// A form with the intervals of the release, in which nothing is asked.
    pub(crate) fn form(&self) -> ReadingForm {
        ReadingForm::of(self.document.ways())
    }

    /// The same with what was asked, to be changed.
    pub(crate) fn asked_form(&self) -> ReadingForm {
        let (readings, comparisons) = self.document.asked_readings();
        let form = self.form();
        let answers = form.answers.with("read", lines(readings)).with("compare", lines(comparisons));
        ReadingForm { answers, ..form }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark::new(self.document.is_private(), self.document.seed())
    }
}

/// What intervals mean, without how that is known, which stands above the tables. Each is said once.
fn without_methods(
    meanings: Vec<String>,
    tables: &[ReadingTable],
    comparisons: &[Contrasted],
) -> Vec<String> {
    let methods = tables.iter().map(|table| table.method).chain(comparisons.iter().map(|one| one.method));
    let known: Vec<String> = methods.map(|method| format!(" {}", method.sentence())).collect();
    let mut said: Vec<String> = Vec::new();
    for meaning in meanings {
        let meaning = known.iter().fold(meaning, |meaning, known| meaning.replace(known, ""));
        if !meaning.ends_with(':') && !said.contains(&meaning) {
            said.push(meaning);
        }
    }
    said
}

/// One on each line.
fn lines<T: ToString>(all: &[T]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn picture(document: &Publication, table: &ReadingTable) -> Option<String> {
    let drawn = || TablePlot::new(document, table, PictureKind::Forest).and_then(|plot| plot.svg()).ok();
    if table.rows.len() <= MOST_LINES { drawn() } else { None }
}
