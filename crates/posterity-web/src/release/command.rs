//! The command that asks for the same release.

use std::path::Path;

use posterity::Adjacency;
use posterity::data::PerUnit;
use posterity::table::{IntervalKind, Subject};
use posterity_present::words::quoted;

use super::asked::Asked;

/// A command line, quoted for a shell.
pub(super) struct Line(String);

impl Line {
    /// Adds a flag with its value, if there is one.
    pub(super) fn flag<V: AsRef<str>>(&mut self, name: &str, value: Option<V>) {
        if let Some(value) = value {
            self.switch(name, true);
            self.switch(&quoted(value.as_ref()), true);
        }
    }

    /// Adds a flag without a value, if it is on.
    pub(super) fn switch(&mut self, name: &str, is_on: bool) {
        if is_on {
            self.0 += " ";
            self.0 += name;
        }
    }
}

/// The command line.
pub(super) fn command(ledger: Option<&Path>, asked: &Asked) -> String {
    let Asked { file, question, ways, readings, .. } = asked;
    let mut line = Line(format!("posterity release {}", quoted(&file.path)));
    line.flag("--delimiter", file.source.delimiter().map(|one| one.to_string()));
    line.flag("--encoding", file.source.encoding().map(|one| one.to_string()));
    asked.own.columns(asked, &mut line);
    line.flag("--edition", asked.edition.as_ref());
    line.flag("--where", question.filter.as_ref());
    line.flag("--unit", question.unit.as_ref());
    let is_chosen = question.unit.is_some() && question.per_unit != PerUnit::Random;
    line.flag("--per-unit", is_chosen.then(|| question.per_unit.to_string()));
    asked.own.budget(&mut line);
    let adjacency = Some(question.adjacency).filter(|one| *one != Adjacency::default());
    line.flag("--adjacency", adjacency.map(Adjacency::name));
    readings.readings.iter().for_each(|one| line.flag("--read", Some(one.to_string())));
    readings.comparisons.iter().for_each(|one| line.flag("--compare", Some(one.to_string())));
    let interval = Some(ways.interval).filter(|one| *one != IntervalKind::default());
    line.flag("--interval", interval.map(IntervalKind::word));
    line.flag("--about", Some(ways.about).filter(|one| *one != Subject::default()).map(Subject::word));
    if let (Some(ledger), Some(account)) = (ledger, &asked.account) {
        line.flag("--ledger", Some(ledger.to_string_lossy()));
        line.flag("--account", Some(account));
    }
    line.switch("--simultaneous", ways.simultaneous);
    line.0
}
