//! Readings and comparisons as they are typed: one on each line.

use std::str::FromStr;

use posterity::data::Question;
use posterity::table::{IntervalKind, Space, SpaceColumn, Subject, Ways};
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
            readings: lines(&form.read)?,
            comparisons: lines(&form.compare)?,
            interval: form.interval.value()?,
            about: form.about.value()?,
            simultaneous: !form.simultaneous.is_empty(),
            level: form.level.get().map(level).transpose()?,
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

    /// All of them, in words.
    pub(crate) fn words(&self) -> Vec<String> {
        let readings = self.readings.iter().map(ToString::to_string);
        readings.chain(self.comparisons.iter().map(ToString::to_string)).collect()
    }

    /// Refuses what a release with these cells does not have.
    pub(crate) fn check(&self, space: &Space) -> Result<(), String> {
        let readings = self.readings.iter().map(|reading| reading.check(space));
        let comparisons = self.comparisons.iter().map(|contrast| contrast.check(space));
        readings.chain(comparisons).collect::<Result<(), _>>().map_err(sentence)
    }

    /// Refuses what a release of a question does not have, before there is one.
    pub(crate) fn check_question(&self, question: &Question) -> Result<(), String> {
        self.check(&Space::new(question.columns.iter().map(SpaceColumn::from).collect()))
    }
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
    use posterity::data::Column;

    use super::*;

    fn asked(read: &str, compare: &str) -> Result<AskedReadings, String> {
        AskedReadings::new(&ReadingForm {
            read: read.into(),
            compare: compare.into(),
            ..ReadingForm::default()
        })
    }

    #[test]
    fn accepts() {
        let asked = asked("cured | ward\r\n\r\n ward \n", "cured=yes | ward: A - B").expect("valid");
        assert_eq!((asked.readings.len(), asked.comparisons.len()), (2, 1));
        let (ward, cured) = (Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"]));
        assert_eq!(asked.check_question(&Question::new(vec![ward, cured])), Ok(()));
        assert!(AskedReadings::default().is_empty() && !asked.is_empty());
    }

    /// The words are those of the parser that the command uses.
    #[test]
    fn rejects() {
        let table = [
            ("cured |", "", "a name is missing at the end"),
            ("nobody", "", "the release has no column \"nobody\"; its columns are \"ward\""),
            ("ward=C", "", "the column \"ward\" has no value \"C\"; its values are \"A\", \"B\""),
            ("", "ward", ""),
        ];
        let question = Question::new(vec![Column::new("ward", ["A", "B"])]);
        for (read, compare, expected) in table {
            let wrong = asked(read, compare).and_then(|asked| asked.check_question(&question));
            let wrong = wrong.expect_err(read);
            assert!(wrong.to_lowercase().contains(&expected.to_lowercase()), "{wrong}");
        }
        assert!(asked(&"ward\n".repeat(MAX_LINES + 1), "").is_err());
    }
}
