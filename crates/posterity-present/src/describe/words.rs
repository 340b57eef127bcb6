//! Who is protected, which records count, what was assumed and what is not promised, in sentences.

use std::path::Path;

use posterity::meaning::not_promised_beside;
use posterity::number::grouped;
use posterity::table::{IntervalKind, ReadingMethod, Statistic, Subject, Ways};
use posterity::{About, Adjacency, Publication, ReadingTable};

use super::case::Case;
use crate::words::{capital, listed};

/// What a release is about, with the name of its file rather than the whole path.
///
/// ```
/// use posterity::About;
/// let about = About { source: Some("/home/office/visits.csv".into()), ..About::default() };
/// assert_eq!(posterity_present::describe::subject(&about), "counts of \"visits.csv\"");
/// ```
#[must_use]
pub fn subject(about: &About) -> String {
    let name = |path: &String| Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
    let source = about.source.as_ref().map(|path| name(path).unwrap_or_else(|| path.clone()));
    About { source, ..about.clone() }.data_in_words()
}

/// The data of all documents, each once.
pub(super) fn subjects(case: &Case<'_>) -> String {
    let mut all: Vec<String> = Vec::new();
    for about in case.answers.iter().map(|one| subject(one.document.about())) {
        if !all.contains(&about) {
            all.push(about);
        }
    }
    all.join("; ")
}

/// Who is protected.
pub(super) fn protected(case: &Case<'_>) -> Vec<String> {
    if !case.is_private() {
        return vec!["Nobody.".to_owned(), case.guarantee().statement.clone()];
    }
    let about = case.about();
    let unit = case.unit();
    let who = match &about.unit {
        Some(unit) => format!("Each {unit}, with all of its records."),
        None if about.columns.is_empty() => {
            "Each record by itself. The counts were given as such, so whoever counted decided what a record is.".to_owned()
        }
        None if is_one_record_per_person(case.first()) => {
            "Each record, and so each person: whoever asked stated that each person has at most one record.".to_owned()
        }
        None => "Each record by itself. If a person has several records, each of them is protected, but not all of them as one."
            .to_owned(),
    };
    let filter = about.filter.as_ref().map(|filter| match case.adjacency() {
        Adjacency::Replace => {
            format!("That a {unit} passes the filter ({filter}) is not protected: how many do is published exactly.")
        }
        Adjacency::AddRemove => format!("Whether a {unit} passes the filter ({filter}) is protected, too."),
    });
    let within = about.within.as_ref();
    let within = within
        .map(|within| format!("Whether a {unit} is within the private filter ({within}) is protected, too."));
    [Some(who), Some(case.guarantee().protects.clone()), filter, within].into_iter().flatten().collect()
}

fn is_one_record_per_person(document: &Publication) -> bool {
    matches!(document, Publication::Discovered(found) if found.answer().asked().terms().one_record_per_person)
}

/// Which records count.
pub(super) fn counted(case: &Case<'_>) -> Vec<String> {
    let about = case.about();
    if about.columns.is_empty() && about.unit.is_none() && about.filter.is_none() {
        return vec![
            "The counts were given as such. Which records they count was decided by whoever counted them."
                .to_owned(),
            how_many(case),
        ];
    }
    let filter = about.filter.as_ref().map(|filter| format!("Only records for which {filter} count."));
    let within = about.within.as_ref().map(|within| {
        format!("The answers are about those for which {within}. All others are counted together, in one group outside.")
    });
    let rule = rule(case);
    let each = about.unit.is_none().then(|| "Each record counts once.".to_owned());
    let records = about.unit.as_ref().map(|unit| {
        format!(
            "How many records there are in all depends on single values of {unit:?}, so it is not published."
        )
    });
    let some = [filter, within, each, rule, records, Some(how_many(case))];
    some.into_iter().flatten().chain(values(case)).collect()
}

/// By which of its records each unit counts, in the words of people who know it as a person.
fn rule(case: &Case<'_>) -> Option<String> {
    let about = case.about();
    let (unit, rule) = (about.unit.as_ref()?, case.first().per_unit()?);
    Some(match about.per_unit.as_deref() {
        Some("random") => format!("Each {unit} counts with one record, drawn at random."),
        _ => format!("{}.", capital(&rule)),
    })
}

/// How many count, if that is public.
fn how_many(case: &Case<'_>) -> String {
    match (case.n(), &case.about().unit) {
        (Some(n), None) => format!("{} records count. This number is exact.", grouped(&n.to_string())),
        (Some(n), Some(unit)) => {
            format!("{} different values of {unit:?} count. This number is exact.", grouped(&n.to_string()))
        }
        (None, _) => "How many count is private.".to_owned(),
    }
}

/// What became of values that nobody declared, and of missing ones.
fn values(case: &Case<'_>) -> Vec<String> {
    let about = case.about();
    let abouts = case.answers.iter().map(|one| one.document.about());
    let mut said: Vec<String> = Vec::new();
    for (about, column) in abouts.flat_map(|about| about.columns.iter().map(move |column| (about, column))) {
        let no_answer = |label: &str| match about.is_unknown(&column.name, label) {
            true => ", which is no answer: shares are among the other values",
            false => "",
        };
        let other = column.other.as_ref().map(|other| {
            let name = &column.name;
            format!("Values of {name:?} that were not declared count as {other:?}{}.", no_answer(other))
        });
        let missing = column.missing.as_ref().map(|missing| {
            format!("Missing values of {:?} count as {missing:?}{}.", column.name, no_answer(missing))
        });
        for one in other.into_iter().chain(missing) {
            if !said.contains(&one) {
                said.push(one);
            }
        }
    }
    if about.columns.is_empty() {
        return said;
    }
    let any = if said.is_empty() { "A" } else { "Any other" };
    let inside = if about.within.is_some() { " of a record within the private filter" } else { "" };
    let declared = !case.first().chosen().is_empty();
    match (case.adjacency(), declared) {
        (Adjacency::Replace, _) => said.push(format!(
            "{any} value{inside} that is missing or was not declared would have stopped the release."
        )),
        (Adjacency::AddRemove, false) if !said.is_empty() => {}
        (Adjacency::AddRemove, false) => {
            said.push("A record whose value is missing does not count.".to_owned());
        }
        (Adjacency::AddRemove, true) => said.push(format!(
            "{any} value{inside} that is missing or was not declared is passed over: its record does not count."
        )),
    }
    said
}

/// What was assumed.
pub(super) fn assumed(case: &Case<'_>, tables: &[ReadingTable]) -> Vec<String> {
    let about = case.about();
    let unit = about.unit.as_ref().map(|unit| {
        format!("The column {unit:?} tells people apart: nobody has two of its values, and no two people share one.")
    });
    let chosen = format!(
        "{} were chosen without looking at the data. The program cannot see how they were chosen.",
        capital(&listed(&chosen(case.first(), about)))
    );
    let bits = case.is_private().then(|| {
        "The random bits of the operating system cannot be predicted, and nobody else saw them, the data or the memory of the computer."
            .to_owned()
    });
    let sample = tables.iter().any(|table| table.about == Subject::Population);
    let sample = sample.then(|| {
        "Intervals about the population: those who count were drawn from it independently of each other."
            .to_owned()
    });
    [unit, Some(chosen), bits, sample].into_iter().flatten().collect()
}

/// What is chosen before the data is read. Where nothing is declared, it is the question.
fn chosen(document: &Publication, about: &About) -> Vec<String> {
    let filter = (about.filter.is_some() || about.within.is_some()).then_some("filter");
    let all = match document.chosen() {
        [] => vec!["question"],
        [first, others @ ..] => [*first].into_iter().chain(filter).chain(others.iter().copied()).collect(),
    };
    all.into_iter().chain(["budget"]).map(|what| format!("the {what}")).collect()
}

/// What is not promised.
pub(super) fn not_promised(case: &Case<'_>) -> Vec<String> {
    let adjacency = case.adjacency();
    not_promised_beside(&public(case), adjacency, case.unit())
}

/// What is published as it is.
pub(super) fn public(case: &Case<'_>) -> String {
    let chosen = case.first().chosen().iter().chain(&["question"]);
    let what = listed(&chosen.map(|what| format!("the {what}")).collect::<Vec<_>>());
    if case.adjacency() == Adjacency::AddRemove {
        return what;
    }
    match &case.about().unit {
        None => format!("the number of records that count, {what}"),
        Some(unit) => format!("the number of values of {unit:?} that count, {what}"),
    }
}

/// What the intervals of tables mean that are computed in the same way, except how much is known of each.
pub(super) fn intervals(table: &ReadingTable, statistics: &[Statistic], document: &Publication) -> String {
    if table.method == ReadingMethod::WithoutNoise {
        return "The noise of this mechanism is not modelled: these intervals leave it out, so they are too narrow and hold the truth \
                less often than their level says."
            .to_owned();
    }
    let ways = ways(table);
    let Ways { level, interval, .. } = ways;
    if interval != IntervalKind::Confidence {
        return format!(
            "Given the release and the prior, each interval holds the true {} with a probability of {} %. That is true on average \
             over data drawn from the prior; it is no claim about data for which the prior is far off.",
            statistics.iter().map(|one| one.word()).collect::<Vec<_>>().join(" or "),
            posterity::number::percent(level)
        );
    }
    let special = document.intervals();
    let special = if special.is_empty() { String::new() } else { format!(" {special}") };
    format!("{}{special}", ways.promise_of_all(statistics))
}

/// How the intervals of a table are computed.
pub(super) fn ways(table: &ReadingTable) -> Ways {
    let ReadingTable { level, interval, about, simultaneous, .. } = *table;
    Ways { level, interval, about, simultaneous }
}
