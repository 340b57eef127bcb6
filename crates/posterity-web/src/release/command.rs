//! The command that asks for the same release.

use std::path::Path;

use posterity::data::PerUnit;
use posterity::table::{IntervalKind, Subject};
use posterity::{Adjacency, Terms};
use posterity_present::words::quoted;

use super::asked::{Asked, Flags};

/// The command line, quoted for a shell.
pub(super) fn command(ledger: Option<&Path>, asked: &Asked) -> String {
    let Asked { file, question, ways, readings, .. } = asked;
    let given = |is_given: bool, text: &dyn ToString| is_given.then(|| text.to_string());
    let paid = ledger.zip(asked.account.as_ref());
    let per_unit = &question.per_unit;
    let counted: Flags = vec![
        ("--edition", asked.edition.clone()),
        ("--where", question.filter.clone()),
        ("--unit", question.unit.clone()),
        ("--per-unit", given(question.unit.is_some() && *per_unit != PerUnit::Random, per_unit)),
    ];
    let adjacency = question.adjacency;
    let read = readings.readings.iter().map(|one| ("--read", Some(one.to_string())));
    let compared = readings.comparisons.iter().map(|one| ("--compare", Some(one.to_string())));
    let shown: Flags = vec![
        ("--interval-kind", given(ways.interval != IntervalKind::default(), &ways.interval)),
        ("--level", given(ways.level != Terms::LEVEL, &ways.level)),
        ("--about", given(ways.about != Subject::default(), &ways.about)),
        ("--ledger", paid.map(|(ledger, _)| ledger.to_string_lossy().into_owned())),
        ("--account", paid.map(|(_, account)| account.clone())),
        ("--simultaneous", given(ways.simultaneous, &"")),
    ];
    let written: Flags = vec![
        ("--delimiter", file.source.delimiter().map(|one| one.to_string())),
        ("--encoding", file.source.encoding().map(|one| one.to_string())),
    ];
    let [columns, budget] = asked.flags.clone();
    let flags = written.into_iter().chain(columns).chain(counted).chain(budget);
    let flags = flags.chain([("--adjacency", given(adjacency != Adjacency::default(), &adjacency.name()))]);
    let flags = flags.chain(read).chain(compared).chain(shown);
    let flags = flags.filter_map(|(name, value)| Some((name, value?)));
    let words = flags.map(|(name, value)| match value.as_str() {
        "" => format!(" {name}"),
        value => format!(" {name} {}", quoted(value)),
    });
    format!("posterity {} {}{}", asked.word, quoted(&file.path), words.collect::<String>())
}
