//! The command that asks for the same release.

use std::path::Path;

use posterity::data::{Domain, PerUnit};
use posterity::{Adjacency, Terms};
use posterity_present::words::quoted;

use super::asked::Asked;

/// The command line, quoted for a shell.
pub(super) fn command(ledger: Option<&Path>, asked: &Asked) -> String {
    let mut words = vec!["posterity".to_owned(), "release".to_owned(), quoted(&asked.file.path)];
    let mut flag = |name: &str, value: &str| {
        words.push(name.to_owned());
        words.push(quoted(value));
    };
    if let Some(delimiter) = asked.file.source.delimiter() {
        flag("--delimiter", &delimiter.to_string());
    }
    if let Some(encoding) = asked.file.source.encoding() {
        flag("--encoding", &encoding.to_string());
    }
    // Before the columns they are for all of them.
    let (other, missing) = (asked.typed.undeclared.other.get(), asked.typed.undeclared.missing.get());
    for (name, value) in [("--other", other), ("--missing", missing)] {
        if let Some(value) = value {
            flag(name, value);
        }
    }
    for column in &asked.question.columns {
        flag("--column", &column.name);
        match &column.domain {
            Domain::Values(values) => flag("--categories", &values.join(",")),
            Domain::Bins(bins) => flag("--bins", &bins.edges().join(",")),
        }
        for (name, own, all) in [("--other", &column.other, other), ("--missing", &column.missing, missing)] {
            if let Some(own) = own.as_deref().filter(|own| Some(*own) != all) {
                flag(name, own);
            }
        }
    }
    if let Some(edition) = asked.typed.file.edition.get() {
        flag("--edition", edition);
    }
    let question = &asked.question;
    for (name, value) in [("--where", &question.filter), ("--unit", &question.unit)] {
        if let Some(value) = value {
            flag(name, value);
        }
    }
    if question.unit.is_some() && question.per_unit != PerUnit::Random {
        flag("--per-unit", &question.per_unit.to_string());
    }
    if let Some(prior) = asked.typed.prior.get() {
        flag("--prior", &prior.replace(' ', ""));
    }
    flag("--epsilon", &asked.terms.epsilon.to_string());
    if asked.terms.adjacency != Adjacency::default() {
        flag("--adjacency", asked.terms.adjacency.name());
    }
    if asked.typed.mechanism.get().is_some() {
        flag("--mechanism", &asked.terms.spec.to_string());
    }
    for reading in &asked.readings.readings {
        flag("--read", &reading.to_string());
    }
    for comparison in &asked.readings.comparisons {
        flag("--compare", &comparison.to_string());
    }
    let (ways, usual) = (asked.terms.ways(), Terms::new(asked.terms.epsilon.clone()).ways());
    if ways.interval != usual.interval {
        flag("--interval", ways.interval.word());
    }
    if ways.about != usual.about {
        flag("--about", ways.about.word());
    }
    if let (Some(ledger), Some(account)) = (ledger, &asked.account) {
        flag("--ledger", &ledger.display().to_string());
        flag("--account", account);
    }
    if ways.simultaneous {
        words.push("--simultaneous".to_owned());
    }
    words.join(" ")
}
