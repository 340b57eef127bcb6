//! Readings and comparisons as they are typed: one on each line.

use std::fmt::Display;
use std::str::FromStr;

use posterity::table::{IntervalKind, Space, Subject, Ways};
use posterity::{Contrast, Reading, ReadingError};
use posterity_core::model::interval_level;

use super::form::ReadingForm;
use crate::sentence::sentence;

/// The most readings, and the most comparisons, of one form.
const MAX_LINES: usize = 20;

/// What is read from a release.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AskedReadings {
    pub(crate) readings: Vec<Reading>,
    pub(crate) comparisons: Vec<Contrast>,
    interval: Option<IntervalKind>,
    about: Option<Subject>,
    simultaneous: bool,
    level: Option<f64>,
}

impl AskedReadings {
    /// The readings of a form, or what is wrong with them in the words of the command.
    pub(crate) fn new(form: &ReadingForm) -> Result<Self, String> {
        Ok(Self {
            readings: lines(form.answers.text("read"))?,
            comparisons: lines(form.answers.text("compare"))?,
            interval: parsed(form.answers.get("interval-kind"))?,
            about: parsed(form.answers.get("about"))?,
            simultaneous: form.answers.get("simultaneous").is_some(),
            level: form.answers.get("level").map(level).transpose()?,
        })
    }

    /// The same with what was chosen from the menus of a release, which comes first.
    pub(crate) fn with_chosen(mut self, form: &ReadingForm, space: &Space) -> Result<Self, String> {
        let (reading, comparison) = form.menus.chosen(space)?;
        self.readings.retain(|known| reading.as_ref() != Some(known));
        self.readings.splice(0..0, reading);
        self.comparisons.retain(|known| comparison.as_ref() != Some(known));
        self.comparisons.splice(0..0, comparison);
        Ok(self)
    }

    /// Refuses to read nothing else with the same intervals.
    pub(crate) fn unless_the_same(self, ways: Ways) -> Result<Self, String> {
        if self.is_empty() && self.ways(ways) == ways {
            return Err("Give a reading or a comparison, or choose other intervals.".to_owned());
        }
        Ok(self)
    }

    /// The intervals that are asked for, in place of the usual ones.
    pub(crate) fn ways(&self, usual: Ways) -> Ways {
        Ways {
            interval: self.interval.unwrap_or(usual.interval),
            about: self.about.unwrap_or(usual.about),
            simultaneous: self.simultaneous,
            level: self.level.unwrap_or(usual.level),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.readings.is_empty() && self.comparisons.is_empty()
    }
}

/// What a text means, if something was typed.
fn parsed<T: FromStr<Err: Display>>(text: Option<&str>) -> Result<Option<T>, String> {
    text.map(|text| text.parse().map_err(sentence)).transpose()
}

/// The level of intervals.
fn level(text: &str) -> Result<f64, String> {
    let level = text.trim().parse().map_err(|_| "Write the level as a number, such as 0.95.".to_owned())?;
    interval_level(level).map_err(sentence)
}

/// What each line of a text means. Empty lines are left out.
fn lines<T: FromStr<Err = ReadingError>>(text: &str) -> Result<Vec<T>, String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.len() > MAX_LINES {
        return Err(format!(
            "There are {} lines of readings. Ask for at most {MAX_LINES} at once.",
            lines.len()
        ));
    }
    lines.into_iter().map(|line| line.parse().map_err(sentence)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Answers;

    fn asked(read: &str, compare: &str) -> Result<AskedReadings, String> {
        let answers = Answers::default().with("read", read).with("compare", compare);
        AskedReadings::new(&ReadingForm { answers, ..ReadingForm::default() })
    }

    #[test]
    fn accepts() {
        let asked = asked("cured | ward\r\n\r\n ward \n", "cured=yes | ward: A - B").expect("valid");
        assert_eq!((asked.readings.len(), asked.comparisons.len()), (2, 1));
        assert!(AskedReadings::default().is_empty() && !asked.is_empty());
    }

    /// The words are those of the parser that the command uses.
    #[test]
    fn rejects() {
        let wrong = asked("cured |", "").expect_err("a reading");
        assert!(wrong.contains("name is missing at the end"), "{wrong}");
        assert!(asked("", "ward").is_err());
        assert!(asked(&"ward\n".repeat(MAX_LINES + 1), "").is_err());
    }
}
