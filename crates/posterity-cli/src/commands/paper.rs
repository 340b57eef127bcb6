//! Documents of any kind: how they are paid, told and printed.

use posterity::number::{bound, spent};
use posterity::{About, Ask, Document, Kind, Payment, PublishError, Till};
use posterity_present::Mark;
use posterity_present::words::capital;

use super::paying::PayingArgs;
use crate::failure::{Failure, both};
use crate::marked;
use crate::output::{self, Page, Paragraph, Printing, Report};

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
    (printing, paying): (&Printing, &PayingArgs),
    (document, paid): &(Document<K>, Payment),
    show: impl FnOnce(&Printing, &Document<K>) -> (std::io::Result<()>, Result<(), Failure>),
) -> Result<(), Failure> {
    paying.tell(document, paid);
    let (printed, drawn) = show(printing, document);
    both(printed.map_err(|error| paying.not_printed(document.about(), error)), drawn)
}

/// Prints a document.
pub(super) fn print<K: Kind>(
    printing: &Printing,
    document: &Document<K>,
    report: &impl Report,
) -> std::io::Result<()> {
    marked::print(printing, report, Mark::of(document))
}

/// Adds what the document is, whether it is private, what is promised and what a reader should know.
pub(super) fn describe<'a, K: Kind>(page: &mut Page<'a>, document: &'a Document<K>) {
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

fn what_it_is<K: Kind>(document: &Document<K>) -> Paragraph {
    let (epsilon, delta) = document.budget();
    let seed = document.seed().map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let begin = Paragraph::from(format!("{}, ", capital(K::TITLE)));
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
