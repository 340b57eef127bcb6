//! Documents of any kind: how they are paid, told and printed.

use posterity::number::{bound, spent};
use posterity::{About, Ask, Document, Kind, Payment, PublishError, Till, TillError};
use posterity_present::words::capital;
use posterity_present::{Mark, answered_at_other_n, payment};

use super::release_args::{ReleaseArgs, payer};
use crate::failure::{Failure, both};
use crate::marked;
use crate::notice::note;
use crate::output::{self, Page, Paragraph, Printing, Report};

/// Refuses flags that are for posteriors only. `--categories discover` or `--margins` is what they do not go with.
pub(super) fn refuse_posterior_flags(args: &ReleaseArgs, with: &str) -> Result<(), Failure> {
    let unused = [
        ("--mechanism", args.mechanism.is_given()),
        ("--prior", args.public.prior.is_given()),
        ("--most", args.public.adjacency.states_most()),
        ("--decode", args.decode.is_some()),
        ("--certificate", args.certificate.is_some()),
        ("--not-private", args.not_private),
    ];
    refuse(&unused, with)
}

/// Refuses the first flag that is given.
pub(super) fn refuse(unused: &[(&str, bool)], with: &str) -> Result<(), Failure> {
    match unused.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::usage(flag, format!("this does not go with {with}; leave it out"))),
        None => Ok(()),
    }
}

/// Opens the ledger of whoever pays, before the data is read.
pub(super) fn open_till(args: &ReleaseArgs) -> Result<Till, Failure> {
    Till::open(args.seed, payer(args)?).map_err(|error| match error {
        TillError::Ledger(error) => Failure::account(error),
        other => Failure::usage("--seed", other),
    })
}

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

/// Says what a release cost, and whether its data has changed since an earlier one.
pub(super) fn tell_payment<K: Kind>(args: &ReleaseArgs, document: &Document<K>, paid: &Payment) {
    report_payment(paid, document.is_private(), document.about());
    let payer = args.ledger.as_deref().zip(args.account.as_deref());
    let other = payer.and_then(|(ledger, account)| answered_at_other_n(paid, ledger, account, document));
    other.iter().for_each(note);
}

/// Says what a release cost, prints it and draws it.
pub(super) fn tell<K: Kind>(
    args: &ReleaseArgs,
    (document, paid): &(Document<K>, Payment),
    show: impl FnOnce(&Printing, &Document<K>) -> (std::io::Result<()>, Result<(), Failure>),
) -> Result<(), Failure> {
    if args.seed.is_none() {
        tell_payment(args, document, paid);
    }
    let (printed, drawn) = show(&args.public.printing, document);
    both(printed.map_err(|error| not_printed(args, document.about(), error)), drawn)
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

/// The release could not be printed. If it is paid for, the ledger holds it, and its owner can have it again for
/// nothing.
pub(super) fn not_printed(args: &ReleaseArgs, about: &About, error: std::io::Error) -> Failure {
    match (Failure::from(error), &args.ledger) {
        (Failure::Refused(why), Some(_)) if about.source.is_some() => Failure::Refused(format!(
            "{why}. The release is paid for, and the ledger holds it: the same command prints it again and charges nothing"
        )),
        (Failure::Refused(why), Some(ledger)) => Failure::Refused(format!(
            "{why}. The release is paid for, and the ledger holds it (`posterity budget export {}`)",
            ledger.display()
        )),
        (other, _) => other,
    }
}

/// Says what the release cost. The exact amounts are in the ledger.
fn report_payment(paid: &Payment, private: bool, about: &About) {
    if *paid == Payment::Nothing && !private {
        return;
    }
    note(payment(paid, false));
    match paid {
        Payment::Recalled { .. } => note("--again draws and pays anew"),
        Payment::Charged { .. } if about.source.is_none() => {
            note(
                "counts have no name by which the ledger could recognise them: they are charged again each time",
            );
        }
        _ => {}
    }
}

/// What the promise assumes of the source, behind a comma.
pub(super) fn condition(about: &About) -> String {
    about.assumption().map(|condition| format!(", {condition}")).unwrap_or_default()
}
