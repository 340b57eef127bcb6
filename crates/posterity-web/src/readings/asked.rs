//! Readings and comparisons as they are typed: one on each line.

use std::str::FromStr;

use posterity::data::Question;
use posterity::table::{Space, SpaceColumn};
use posterity::{Contrast, Document, Reading, ReadingError};

use crate::fields::Fields;
use crate::html;
use crate::plan::sentence;

/// The most readings, and the most comparisons, of one form.
const MOST: usize = 20;

/// What is read from a release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AskedReadings {
    pub(crate) readings: Vec<Reading>,
    pub(crate) comparisons: Vec<Contrast>,
}

impl AskedReadings {
    /// The readings of a form, or what is wrong with them in the words of the command.
    pub(crate) fn new(form: &Fields) -> Result<Self, String> {
        Ok(Self { readings: lines(form.text("read"))?, comparisons: lines(form.text("compare"))? })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.readings.is_empty() && self.comparisons.is_empty()
    }

    /// Refuses what a release with these cells does not have.
    pub(crate) fn check(&self, space: &Space) -> Result<(), String> {
        let readings = self.readings.iter().map(|reading| reading.check(space));
        let comparisons = self.comparisons.iter().map(|contrast| contrast.check(space));
        readings.chain(comparisons).collect::<Result<(), _>>().map_err(sentence)
    }

    /// Refuses what a release of a question does not have, before there is one.
    pub(crate) fn check_question(&self, question: &Question) -> Result<(), String> {
        let columns = question
            .columns
            .iter()
            .map(|column| SpaceColumn { name: column.name.clone(), values: question.names_of(column) });
        self.check(&Space::new(columns.collect()))
    }

    /// The document with what is read from it, in the place of the usual readings.
    pub(crate) fn read(&self, document: &Document) -> Result<Document, ReadingError> {
        document.with_readings(self.readings.clone(), self.comparisons.clone())
    }
}

/// What each line of a text means. Empty lines are left out.
fn lines<T: FromStr<Err = ReadingError>>(text: &str) -> Result<Vec<T>, String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.len() > MOST {
        return Err(format!("There are {} lines of readings. Ask for at most {MOST} at once.", lines.len()));
    }
    lines.into_iter().map(|line| line.parse().map_err(sentence)).collect()
}

/// The two fields of a form.
pub(crate) fn fields(typed: &Fields) -> String {
    format!(
        "<p><label for=\"read\">Readings, one on each line</label><textarea id=\"read\" name=\"read\" rows=\"2\" spellcheck=\"false\" \
         placeholder=\"outcome | ward\" aria-describedby=\"read-help\">{}</textarea><span class=\"help\" id=\"read-help\">\
         <code>outcome | ward</code> is the share of each outcome within each ward, <code>mean(score) | ward</code> the mean of bins.\
         </span></p>\
         <p><label for=\"compare\">Comparisons, one on each line</label><textarea id=\"compare\" name=\"compare\" rows=\"2\" \
         spellcheck=\"false\" placeholder=\"outcome=yes | ward: A - B\" aria-describedby=\"compare-help\">{}</textarea>\
         <span class=\"help\" id=\"compare-help\"><code>outcome=yes | ward: A - B</code> is a difference, <code>A / B</code> a ratio, and \
         <code>independence(outcome, ward)</code> asks how far two columns are from independent.</span></p>",
        html::text(typed.text("read")),
        html::text(typed.text("compare"))
    )
}

#[cfg(test)]
mod tests {
    use posterity::data::Column;

    use super::*;

    fn asked(form: &[(&str, &str)]) -> Result<AskedReadings, String> {
        AskedReadings::new(&Fields::of(form))
    }

    #[test]
    fn accepts() {
        let asked =
            asked(&[("read", "cured | ward\r\n\r\n ward \n"), ("compare", "cured=yes | ward: A - B")]);
        let asked = asked.expect("valid");
        assert_eq!((asked.readings.len(), asked.comparisons.len()), (2, 1));
        let (ward, cured) = (Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"]));
        assert_eq!(asked.check_question(&Question::new(vec![ward, cured])), Ok(()));
        assert!(AskedReadings::default().is_empty() && !asked.is_empty());
    }

    /// The words are those of the parser that the command uses.
    #[test]
    fn rejects() {
        let table = [
            ("read", "cured |", "a name is missing at the end"),
            ("read", "nobody", "the release has no column \"nobody\"; its columns are \"ward\""),
            ("read", "ward=C", "the column \"ward\" has no value \"C\"; its values are \"A\", \"B\""),
            ("compare", "ward", ""),
        ];
        let question = Question::new(vec![Column::new("ward", ["A", "B"])]);
        for (field, text, expected) in table {
            let wrong = asked(&[(field, text)]).and_then(|asked| asked.check_question(&question));
            let wrong = wrong.expect_err(text);
            assert!(wrong.to_lowercase().contains(&expected.to_lowercase()), "{wrong}");
        }
        assert!(asked(&[("read", &"ward\n".repeat(MOST + 1))]).is_err());
    }
}
