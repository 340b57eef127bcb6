//! Documents of any kind: how they are paid, told and printed.

use std::borrow::Cow;
use std::io;

use posterity::document::Kind;
use posterity::number::{bound, count, spent};
use posterity::paying::Till;
use posterity::table::TestResult;
use posterity::{About, Ask, Contrasted, Document, Payment, Publication, PublishError, ReadingTable};
use posterity_present::Mark;
use posterity_present::intervals::below;
use posterity_present::readings::{comparison, reading, records};
use posterity_present::words::capital;

use super::paying::PayingArgs;
use super::pictures::{self, PictureArgs};
use super::readings::{say_draws, show_tests};
use crate::failure::{Failure, both};
use crate::marked;
use crate::notice::note;
use crate::output::{self, Page, Paragraph, Printing, Report, Sheet};

/// Draws the answer as it is to be paid. Nothing is charged if it could not be printed.
pub(super) fn answer<K: Kind>(
    till: &mut Till,
    ask: Ask<'_, K>,
    refusal: impl FnOnce(PublishError) -> Failure,
) -> Result<(Document<K>, Payment), Failure> {
    if till.is_charged() {
        output::check()?;
    }
    till.answer(ask).map_err(refusal)
}

/// Says what a release cost, prints it and draws it.
pub(super) fn tell<K: Kind>(
    (printing, paying, pictures): (&Printing, &PayingArgs, &PictureArgs),
    (document, paid): (Document<K>, Payment),
) -> Result<(), Failure>
where
    Publication: From<Document<K>>,
{
    paying.tell(&document, &paid);
    let document = document.into();
    let (printed, drawn) = show(printing, pictures, &document);
    both(printed.map_err(|error| paying.not_printed(document.about(), error)), drawn)
}

/// Prints a document, and draws what is drawn of it if that was asked for.
pub(super) fn show(
    printing: &Printing,
    pictures: &PictureArgs,
    document: &Publication,
) -> (io::Result<()>, Result<(), Failure>) {
    let mark = Mark::new(document.is_private(), document.seed());
    let (readings, comparisons) = (document.readings(), document.comparisons());
    let (first, tests) = (document.first(), document.tests());
    let shown = Shown { document, mark, readings, first, comparisons, tests };
    let printed = marked::print(printing, &shown, mark);
    let pictured = if pictures.file().is_some() { document.pictured() } else { Cow::default() };
    if !pictured.is_empty() && pictured.iter().all(|table| table.rows.is_empty()) {
        note("there is nothing to draw");
        return (printed, Ok(()));
    }
    (printed, pictures::draw_forest(pictures, document, &pictured))
}

/// A document with what is read from it.
struct Shown<'a> {
    document: &'a Publication,
    mark: Mark,
    readings: Cow<'a, [ReadingTable]>,
    /// The readings as a reader should see them.
    first: Cow<'a, [ReadingTable]>,
    comparisons: Cow<'a, [Contrasted]>,
    tests: Cow<'a, [TestResult]>,
}

/// How many rows of a reading a terminal lists.
const MOST_LISTED: usize = 200;

impl Report for Shown<'_> {
    type Document = Publication;

    fn document(&self) -> &Publication {
        self.document
    }

    fn records(&self) -> Sheet<'_> {
        records(self.mark, &self.readings, &self.comparisons)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        for table in self.first.iter().filter(|table| !table.rows.is_empty()) {
            page.say(Paragraph::led("Reading:", table.reading.to_string()));
            let mut sheet = reading(table);
            sheet.rows = Box::new(sheet.rows.take(MOST_LISTED));
            page.sheet(sheet);
            let all = table.rows.len();
            if all > MOST_LISTED {
                let all = count(all as f64);
                page.say(format!("The first {MOST_LISTED} of {all} rows; --format csv lists all."));
            }
        }
        for one in self.comparisons.iter() {
            page.say(Paragraph::led("Comparison:", one.comparison.to_string()));
            page.sheet(comparison(one));
        }
        for sentence in below(self.first.iter(), &self.comparisons) {
            page.say(sentence);
        }
        show_tests(&mut page, &self.tests, false);
        if let Some(said) = self.document.beside() {
            page.say(said);
        }
        page.pause();
        say_draws(&mut page, &self.first, &self.comparisons);
        describe(&mut page, self.document);
        page
    }
}

/// Adds what the document is, whether it is private, what is promised and what a reader should know.
fn describe<'a>(page: &mut Page<'a>, document: &'a Publication) {
    page.say(what_it_is(document));
    let guarantee = document.guarantee();
    if let Some(seed) = document.seed() {
        page.say(Paragraph::warning(format!(
            "anyone can repeat the noise of seed {seed}: do not publish this as private."
        )));
    } else {
        let (epsilon, delta) = document.budget();
        let (epsilon, delta) = (bound(epsilon.to_f64_shown()), spent(&delta));
        let unit = &guarantee.unit;
        let condition = condition(document.about());
        let short = format!(
            "({epsilon}, {delta})-differential privacy per {unit}{}{condition} (--explain).",
            document.promise_in_short()
        );
        page.say_in_short(Paragraph::led("Promise:", short));
    }
    page.explain(Paragraph::led("Promise:", &guarantee.statement));
    if !guarantee.meaning.is_empty() {
        page.explain(Paragraph::led("Meaning:", &guarantee.meaning));
    }
    let of_records = "each record counts by itself. If people have several records, use --unit.";
    let units = document.per_unit().map_or_else(|| of_records.to_owned(), |rule| format!("{rule}."));
    page.explain(Paragraph::led("Units:", units));
    for text in document.notes() {
        page.explain(Paragraph::led("Note:", text));
    }
}

fn what_it_is(document: &Publication) -> Paragraph {
    let (epsilon, delta) = document.budget();
    let seed = document.seed().map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let begin = Paragraph::from(format!("{}, ", capital(document.title())));
    let begin = if document.is_private() { begin.plain("private") } else { begin.alarm("NOT PRIVATE") };
    begin.plain(format!(
        ": epsilon {}, delta {}, n {}{seed}. {} About: {}",
        bound(epsilon.to_f64_shown()),
        spent(&delta),
        document.n_text(),
        document.holds(),
        document.about().in_words()
    ))
}

/// What the promise assumes of the source, behind a comma.
pub(super) fn condition(about: &About) -> String {
    about.assumption().map(|condition| format!(", {condition}")).unwrap_or_default()
}
