//! A label: what matters most, on one page.

use posterity::meaning::{not_promised_in_short, under};
use posterity::number::{bound, grouped, percent, points, spent};
use posterity::table::{ReadingMethod, Statistic};
use posterity::{Adjacency, ReadingTable};

use super::answer::questions;
use super::case::Case;
use super::page::{Block, Description, Section};
use super::sheet::{alarm, digests, promise, title};
use super::words::subjects;
use crate::intervals::reach;

/// The facts of a release on one page: the question, who is protected, the loss of privacy, and how precise it is.
#[must_use]
pub fn label(case: &Case<'_>) -> Description {
    let read: Vec<Vec<ReadingTable>> =
        case.answers.iter().map(|one| one.document.first().into_owned()).collect();
    let asked = case.answers.iter().zip(&read).flat_map(|(one, tables)| questions(one, tables));
    let mut facts = vec![
        ("Question", asked.collect::<Vec<_>>().join(" ")),
        ("Data", subjects(case)),
        ("Drawn", case.drawn().unwrap_or("not dated: it was not charged to a ledger").to_owned()),
        ("Protected", protected(case)),
        ("How many count", how_many(case)),
        ("Promise", promise(case)),
    ];
    facts.extend(loss(case));
    facts.push(("Noise", mechanisms(case)));
    facts.extend(precise(&read).map(|said| ("Precision", said)));
    facts.extend(case.standing.as_ref().map(|standing| {
        let account = standing.account();
        let spent = spent(&account.spent_epsilon);
        (
            "Account",
            format!("{}: {} in all, of which epsilon {spent} is spent", account.name, standing.budget()),
        )
    }));
    let digests = digests(case);
    facts.extend((!digests.is_empty()).then(|| ("Digest (SHA-256)", digests.join(", "))));
    let section = Section::new("Privacy facts", vec![Block::Facts(facts)]);
    let not = not_promised_in_short(case.adjacency(), case.unit());
    let more = case.is_private().then(|| Section::new("What is not promised", vec![Block::Say(not)]));
    let sections = [section].into_iter().chain(more).collect();
    Description { title: title(case), alarm: alarm(case), sections, signed: None }
}

fn protected(case: &Case<'_>) -> String {
    match (case.is_private(), &case.about().unit, case.adjacency()) {
        (false, _, _) => "nobody".to_owned(),
        (true, None, Adjacency::Replace) => "what each record says".to_owned(),
        (true, None, Adjacency::AddRemove) => "each record, and whether it is in the data".to_owned(),
        (true, Some(unit), Adjacency::Replace) => format!("what all records of each {unit} say"),
        (true, Some(unit), Adjacency::AddRemove) => {
            format!("all records of each {unit}, and whether it is in the data")
        }
    }
}

fn how_many(case: &Case<'_>) -> String {
    case.n()
        .map_or_else(|| "private".to_owned(), |n| format!("{}, published exactly", grouped(&n.to_string())))
}

/// What the promise means.
fn loss(case: &Case<'_>) -> Option<(&'static str, String)> {
    let together = case.together.as_ref()?;
    let (epsilon, delta) = (together.epsilon.to_f64_shown(), together.delta.to_f64_shown());
    Some(("Meaning", under(case.adjacency(), epsilon, delta, case.unit())))
}

/// The mechanisms by which the documents were drawn, each once.
pub(super) fn mechanisms(case: &Case<'_>) -> String {
    let mut all: Vec<String> = Vec::new();
    for one in &case.answers {
        let said = one.document.mechanism_in_words();
        if !all.contains(&said) {
            all.push(said);
        }
    }
    all.join("; ")
}

/// An interval that reaches farther from its share says hardly anything.
const FAR: f64 = 0.25;

/// How precise the shares are that are asked for; nothing where intervals leave out the noise.
fn precise(read: &[Vec<ReadingTable>]) -> Option<String> {
    let shares = || read.iter().flatten().filter(|table| table.statistic == Statistic::Share);
    let rows = || shares().flat_map(|table| &table.rows);
    if shares().any(|table| table.method == ReadingMethod::WithoutNoise) {
        return None;
    }
    let level = percent(shares().next()?.level);
    // An interval of nearly everything says nothing, and its width says nothing of the others.
    let far = rows().filter_map(reach).filter(|reach| *reach > FAR).count();
    let widest = rows().filter_map(reach).filter(|reach| *reach <= FAR).reduce(f64::max);
    let which = if far == 0 { "Every" } else { "Every other" };
    let widest = widest.map(|widest| {
        format!("{which} {level} % interval reaches at most {} points from its share.", points(widest))
    });
    let far = match far {
        0 => None,
        1 => Some(format!("1 interval reaches more than {} points from its share.", points(FAR))),
        several => {
            Some(format!("{several} intervals reach more than {} points from their share.", points(FAR)))
        }
    };
    let empty = match rows().filter(|row| row.may_be_empty).count() {
        0 => None,
        1 => Some("1 share is of a group that may be empty, so nothing is said of it.".to_owned()),
        several => {
            Some(format!("{several} shares are of groups that may be empty, so nothing is said of them."))
        }
    };
    let said: Vec<String> = far.into_iter().chain(widest).chain(empty).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// The bounds of a promise, for whoever writes them as numbers.
pub(super) fn bounds(case: &Case<'_>) -> Vec<(&'static str, String)> {
    let Some(together) = &case.together else { return Vec::new() };
    let mut all = vec![("epsilon", bound(together.epsilon.to_f64_shown()))];
    all.extend((!together.delta.is_zero()).then(|| ("delta", spent(&together.delta))));
    all.extend(together.rho.as_ref().map(|rho| ("rho", spent(rho))));
    all
}
