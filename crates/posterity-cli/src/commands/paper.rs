//! Documents of other kinds than a posterior: what is the same for all of them.

use posterity::number::{bound, spent};
use posterity::{Kind, Paper, Payment};
use posterity_present::words::capital;
use posterity_present::{Draw, Mark, OrderError, Till};

use super::release::{ReleaseArgs, condition, not_printed, payer, report_payment};
use crate::failure::{Failure, both};
use crate::marked;
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
        OrderError::Ledger(error) => Failure::account(error),
        other => Failure::usage("--seed", other),
    })
}

/// How the release is to be drawn. Nothing is charged if it could not be printed.
pub(super) fn draw(till: &mut Till) -> Result<Draw<'_>, Failure> {
    let draw = till.draw();
    if matches!(draw, Draw::Charged(_)) {
        output::check()?;
    }
    Ok(draw)
}

/// Says what a release cost, prints it and draws it.
pub(super) fn tell<K: Kind>(
    args: &ReleaseArgs,
    (document, paid): &(Paper<K>, Payment),
    show: impl FnOnce(&Printing, &Paper<K>) -> (std::io::Result<()>, Result<(), Failure>),
) -> Result<(), Failure> {
    if args.seed.is_none() {
        report_payment(paid, document.is_private(), document.about());
    }
    let (printed, drawn) = show(&args.public.printing, document);
    both(printed.map_err(|error| not_printed(args, document.about(), error)), drawn)
}

/// Prints a document.
pub(super) fn print<K: Kind>(
    printing: &Printing,
    document: &Paper<K>,
    report: &impl Report,
) -> std::io::Result<()> {
    marked::print(printing, report, Mark::of_paper(document))
}

/// What is special about a document.
pub(super) struct Special<'a> {
    /// What it holds, in a sentence.
    pub(super) holds: String,
    /// The end of the promise in short.
    pub(super) promise: &'a str,
    /// What is said of units where records are counted.
    pub(super) records: Option<&'a str>,
}

/// Adds what the document is, whether it is private, what is promised and what a reader should know.
pub(super) fn describe<K: Kind>(page: &mut Page<'_>, document: &Paper<K>, special: &Special<'_>) {
    page.say(what_it_is(document, &special.holds));
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
            special.promise
        );
        page.say_in_short(Paragraph::led("Promise:", short));
    }
    page.explain(Paragraph::led("Promise:", guarantee.statement));
    if !guarantee.meaning.is_empty() {
        page.explain(Paragraph::led("Meaning:", guarantee.meaning));
    }
    let rule = document.per_unit().map(|rule| format!("{rule}."));
    if let Some(units) = rule.or(special.records.map(ToOwned::to_owned)) {
        page.explain(Paragraph::led("Units:", units));
    }
    for text in document.notes() {
        page.explain(Paragraph::led("Note:", text));
    }
}

fn what_it_is<K: Kind>(document: &Paper<K>, holds: &str) -> Paragraph {
    let (epsilon, delta) = document.budget();
    let seed = document.seed().map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let begin = Paragraph::from(format!("{}, ", capital(K::TITLE)));
    let begin = if document.is_private() { begin.plain("private") } else { begin.alarm("NOT PRIVATE") };
    begin.plain(format!(
        ": epsilon {}, delta {}, n {}{seed}. {holds} About: {}",
        bound(epsilon.to_f64_shown()),
        spent(&delta),
        document.n_text(),
        document.about().in_words()
    ))
}
