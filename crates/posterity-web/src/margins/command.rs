//! The command that asks for the same tables.

use std::path::Path;

use posterity::data::PerUnit;
use posterity::{Adjacency, MarginsTerms};
use posterity_present::words::quoted;

use super::asked::Asked;

/// The command line, quoted for a shell.
pub(super) fn command(folder: &Path, ledger: Option<&Path>, asked: &Asked) -> String {
    let mut words = vec!["posterity".to_owned(), "release".to_owned(), quoted(&asked.file.path)];
    let mut flag = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            words.extend([name.to_owned(), quoted(value)]);
        }
    };
    let (typed, terms, question) = (&asked.typed, &asked.terms, asked.planned.question());
    flag("--delimiter", asked.file.source.delimiter().map(|one| one.to_string()).as_deref());
    flag("--encoding", asked.file.source.encoding().map(|one| one.to_string()).as_deref());
    flag("--schema", Some(&folder.join(&asked.schema).to_string_lossy()));
    flag("--margins", Some(&terms.which.to_string()));
    flag("--other", typed.other.get());
    flag("--missing", typed.missing.get());
    flag("--edition", typed.file.edition.get());
    flag("--where", question.filter.as_deref());
    flag("--unit", question.unit.as_deref());
    if question.unit.is_some() && question.per_unit != PerUnit::Random {
        flag("--per-unit", Some(&question.per_unit.to_string()));
    }
    flag("--epsilon", Some(&terms.epsilon.to_string()));
    flag("--delta", Some(typed.delta.or("1e-9")));
    if terms.adjacency != Adjacency::default() {
        flag("--adjacency", Some(terms.adjacency.name()));
    }
    terms.readings.iter().for_each(|reading| flag("--read", Some(&reading.to_string())));
    terms.comparisons.iter().for_each(|one| flag("--compare", Some(&one.to_string())));
    let usual = MarginsTerms::new(terms.which.clone(), terms.epsilon.clone(), terms.delta.clone()).ways;
    if terms.ways.interval != usual.interval {
        flag("--interval", Some(terms.ways.interval.word()));
    }
    if terms.ways.about != usual.about {
        flag("--about", Some(terms.ways.about.word()));
    }
    if let (Some(ledger), Some(account)) = (ledger, &asked.account) {
        flag("--ledger", Some(&ledger.to_string_lossy()));
        flag("--account", Some(account));
    }
    if typed.allow_large_delta.get().is_some() {
        words.push("--allow-large-delta".to_owned());
    }
    if terms.ways.simultaneous {
        words.push("--simultaneous".to_owned());
    }
    words.join(" ")
}
