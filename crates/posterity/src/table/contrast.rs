//! What is compared, as text and as a value.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::error::ReadingError;
use super::names::{name_text, set_text};
use super::number_of::NumberOf;
use super::parse::Parser;
use super::reading::Reading;
use super::term::{Selection, Term, write_terms};

/// A comparison of two shares, means or quantiles, or the question whether two columns are independent.
///
/// | text | meaning |
/// |---|---|
/// | `outcome=yes \| ward: A - B` | the share of yes in ward A minus that in ward B |
/// | `outcome=yes \| ward: A / B` | their ratio |
/// | `outcome=yes \| ward: odds A / B` | their odds ratio |
/// | `outcome=yes \| ward, gender: (A, f) - (A, m)` | conditions on two columns |
/// | `outcome=yes \| gender=f, ward: A - {B, C}` | within a condition, and against two wards together |
/// | `ward: A - B` | the share of ward A minus that of ward B |
/// | `outcome=yes of all \| ward: A - B` | among all records, those whose outcome is unknown among them |
/// | `mean(score) \| ward: A - B`, `median(age) \| ward: A - B` | the difference of two means or quantiles |
/// | `independence(outcome, ward)` | how far the columns are from independent |
///
/// The signs `-` and `/` stand between spaces, because names may contain them.
///
/// ```
/// use posterity::Contrast;
/// let contrast: Contrast = "outcome=yes|ward:A - B".parse()?;
/// assert_eq!(contrast.to_string(), "outcome=yes | ward: A - B");
/// # Ok::<(), posterity::ReadingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Contrast {
    pub(super) kind: ContrastKind,
    /// For independence, the two columns; none for a number of a column.
    pub(super) of: Vec<Term>,
    /// The number of a column that is compared, if that is no share.
    pub(super) number: Option<(NumberOf, String)>,
    /// Whether records whose value is unknown are among those that the shares are of.
    pub(super) of_all: bool,
    pub(super) given: Vec<Term>,
    /// The two that are compared: for each free column, some of its values.
    pub(super) operands: [Vec<Vec<String>>; 2],
}

/// How shares are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContrastKind {
    /// The first minus the second.
    Difference,
    /// The first divided by the second.
    Ratio,
    /// The odds of the first divided by those of the second.
    OddsRatio,
    /// How far two columns are from independent.
    Independence,
}

impl Contrast {
    /// The comparison of the shares of `of` between two sets of values of one column.
    ///
    /// ```
    /// use posterity::Contrast;
    /// use posterity::table::{ContrastKind, Term};
    /// let yes = vec![Term::set("outcome", ["yes"])];
    /// let contrast = Contrast::between(ContrastKind::Difference, yes, "ward", ["A"], ["B", "C"]);
    /// assert_eq!(contrast.to_string(), "outcome=yes | ward: A - {B, C}");
    /// ```
    pub fn between<V: Into<String>>(
        kind: ContrastKind,
        of: Vec<Term>,
        column: impl Into<String>,
        first: impl IntoIterator<Item = V>,
        second: impl IntoIterator<Item = V>,
    ) -> Self {
        let first = first.into_iter().map(Into::into).collect();
        let second = second.into_iter().map(Into::into).collect();
        let operands = [vec![first], vec![second]];
        Self { kind, of, number: None, of_all: false, given: vec![Term::each(column)], operands }
    }

    /// Whether two columns are independent.
    pub fn independence(first: impl Into<String>, second: impl Into<String>) -> Self {
        let of = vec![Term::each(first), Term::each(second)];
        let operands = [Vec::new(), Vec::new()];
        let kind = ContrastKind::Independence;
        Self { kind, of, number: None, of_all: false, given: Vec::new(), operands }
    }

    /// Compares shares of all records, with those whose value is unknown among them.
    #[must_use]
    pub fn of_all(self) -> Self {
        Self { of_all: true, ..self }
    }

    /// How shares are compared.
    #[must_use]
    pub fn kind(&self) -> ContrastKind {
        self.kind
    }

    /// What the shares are of; for independence, the two columns.
    #[must_use]
    pub fn shares_of(&self) -> &[Term] {
        &self.of
    }

    /// The number of a column that is compared, if that is no share.
    #[must_use]
    pub fn number_of(&self) -> Option<(&NumberOf, &str)> {
        self.number.as_ref().map(|(what, column)| (what, column.as_str()))
    }

    /// The names of the columns that are asked for, without those of the condition.
    #[must_use]
    pub fn asked_columns(&self) -> Vec<String> {
        match &self.number {
            Some((_, column)) => vec![column.clone()],
            None => Term::columns(&self.of),
        }
    }

    /// The reading of one side of a comparison of numbers.
    pub(super) fn reading(&self, side: usize) -> Option<Reading> {
        let (what, column) = self.number.clone()?;
        let (_, given) = self.side(side);
        let reading = Reading::number(what, column, given);
        Some(if self.of_all { reading.of_all() } else { reading })
    }

    /// The readings of both sides of a comparison of numbers.
    pub(crate) fn readings(&self) -> Option<[Reading; 2]> {
        Some([self.reading(0)?, self.reading(1)?])
    }

    /// The condition.
    #[must_use]
    pub fn given(&self) -> &[Term] {
        &self.given
    }

    /// The two readings whose shares are compared: what is asked and what is given, with the values of an operand in
    /// the place of its columns. There are none for independence.
    pub(super) fn side(&self, side: usize) -> (Vec<Term>, Vec<Term>) {
        let mut values = self.operands[side].iter();
        let mut bind = |terms: &[Term]| -> Vec<Term> {
            let one = |term: &Term| match term.selection {
                Selection::Each => match values.next() {
                    Some(values) => Term::set(&term.column, values),
                    None => term.clone(),
                },
                Selection::Set(_) | Selection::Range(_) => term.clone(),
            };
            terms.iter().map(one).collect()
        };
        if free(&self.given) > 0 {
            let given = bind(&self.given);
            (self.of.clone(), given)
        } else {
            (bind(&self.of), self.given.clone())
        }
    }
}

/// How many columns have no value yet.
fn free(terms: &[Term]) -> usize {
    terms.iter().filter(|term| term.selection == Selection::Each).count()
}

impl FromStr for Contrast {
    type Err = ReadingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).map_err(|problem| ReadingError::Contrast { text: text.to_owned(), problem })
    }
}

fn parse(text: &str) -> Result<Contrast, String> {
    let mut parser = Parser::new(text)?;
    if parser.call("independence") {
        let first = parser.name("a name")?;
        parser.expect(",")?;
        let second = parser.name("a name")?;
        parser.expect(")")?;
        if first == second {
            return Err(format!("{first:?} is named twice"));
        }
        let of_all = parser.of_all()?;
        let given = if parser.take("|") { parser.terms()? } else { Vec::new() };
        if free(&given) > 0 {
            return Err("a condition on independence needs values, such as `| ward=A`".to_owned());
        }
        parser.end()?;
        return Ok(Contrast { of_all, given, ..Contrast::independence(first, second) });
    }
    let number = parser.number()?;
    let (of, inside, number) = match number {
        Some((what, column, inside)) => (Vec::new(), inside, Some((what, column))),
        None => (parser.terms()?, None, None),
    };
    let of_all = parser.of_all()?;
    let given = match inside {
        Some(given) => given,
        None if parser.take("|") => parser.terms()?,
        None => Vec::new(),
    };
    parser.expect(":")?;
    let odds = parser.take_word("odds");
    let first = parser.operand()?;
    let kind = if parser.take_word("-") {
        if odds {
            return Err("odds are compared by their ratio: `odds A / B`".to_owned());
        }
        ContrastKind::Difference
    } else if parser.take_word("/") {
        if odds { ContrastKind::OddsRatio } else { ContrastKind::Ratio }
    } else {
        return Err(format!(
            "` - ` or ` / `, with spaces around it, is missing between what is compared{}",
            parser.quotes()
        ));
    };
    let second = parser.operand()?;
    parser.end()?;
    if let Some((what, _)) = &number {
        if kind != ContrastKind::Difference {
            return Err("means and quantiles are compared by their difference: `A - B`".to_owned());
        }
        if *what != NumberOf::Mean && what.parts().len() != 1 {
            return Err(
                "one mean or one quantile is compared, such as `median(age) | ward: A - B`".to_owned()
            );
        }
    }
    let terms = if free(&given) > 0 { &given } else { &of };
    let columns = free(terms);
    if columns == 0 {
        return Err(
            "every column has a value already; leave out the value of the one that is compared".to_owned()
        );
    }
    if free(&given) > 0 && free(&of) > 0 {
        return Err("what is compared needs a value, such as `outcome=yes`".to_owned());
    }
    for operand in [&first, &second] {
        if operand.len() != columns {
            return Err(format!(
                "{columns} columns have no value, and {} {} given on one side; write `(A, f) - (B, f)` for two columns",
                operand.len(),
                if operand.len() == 1 { "is" } else { "are" }
            ));
        }
    }
    if first == second {
        return Err("both sides are the same".to_owned());
    }
    Ok(Contrast { kind, of, number, of_all, given, operands: [first, second] })
}

impl fmt::Display for Contrast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = |f: &mut fmt::Formatter<'_>| {
            if self.of_all {
                f.write_str(" of all")?;
            }
            if self.given.is_empty() {
                return Ok(());
            }
            f.write_str(" | ")?;
            write_terms(&self.given, f)
        };
        if let (ContrastKind::Independence, [first, second]) = (self.kind, self.of.as_slice()) {
            write!(f, "independence({}, {})", name_text(&first.column), name_text(&second.column))?;
            return given(f);
        }
        match &self.number {
            Some((what, column)) => f.write_str(&what.of(column))?,
            None => write_terms(&self.of, f)?,
        }
        given(f)?;
        let (odds, sign) = match self.kind {
            ContrastKind::Difference => ("", "-"),
            ContrastKind::Ratio => ("", "/"),
            ContrastKind::OddsRatio | ContrastKind::Independence => ("odds ", "/"),
        };
        let [first, second] = &self.operands;
        write!(f, ": {odds}{} {sign} {}", operand_text(first), operand_text(second))
    }
}

/// `A`, `{A, B}` or `(A, f)`.
fn operand_text(operand: &[Vec<String>]) -> String {
    let part = |values: &Vec<String>| match values.as_slice() {
        [only] => name_text(only),
        several => set_text(several),
    };
    match operand {
        [only] => part(only),
        several => format!("({})", several.iter().map(part).collect::<Vec<_>>().join(", ")),
    }
}

impl TryFrom<String> for Contrast {
    type Error = ReadingError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Contrast> for String {
    fn from(contrast: Contrast) -> Self {
        contrast.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in [
            "outcome=yes | ward: A - B",
            "outcome=yes | ward: A / B",
            "outcome=yes | ward: odds A / {B, C}",
            "outcome=yes | ward, gender: (A, f) - (A, m)",
            "outcome in {yes, maybe} | gender=f, ward: A - \"the rest\"",
            "ward: A - B",
            "ward | outcome=yes: A - B",
            "independence(outcome, ward)",
            "independence(outcome, ward) | gender=f",
            "outcome=yes of all | ward: A - B",
            "ward of all: A - B",
            "median(age) | ward: A - {B, C}",
            "mean(score) | gender=f, ward: A - B",
            "outcome=yes | age < 65, ward: A - B",
            "independence(outcome, ward) of all | gender=f",
        ] {
            let contrast: Contrast = text.parse().expect(text);
            assert_eq!(contrast.to_string(), text);
        }
    }

    #[test]
    fn rejects() {
        for (text, problem) in [
            ("outcome=yes | ward", "`:` is missing at the end"),
            ("outcome=yes | ward: A-B", "` - ` or ` / `, with spaces around it"),
            ("outcome=yes | ward: A - A", "both sides are the same"),
            ("outcome | ward: A - B", "what is compared needs a value"),
            ("outcome=yes | ward=A: A - B", "every column has a value already"),
            ("outcome=yes | ward, gender: A - B", "2 columns have no value, and 1 is given"),
            ("outcome=yes | ward: odds A - B", "odds are compared by their ratio"),
            ("median(age) | ward: A / B", "means and quantiles are compared by their difference"),
            ("quartiles(age) | ward: A - B", "one mean or one quantile is compared"),
            ("median(age): A - B", "every column has a value already"),
            ("independence(ward, ward)", "\"ward\" is named twice"),
            ("independence(a, b) | ward", "a condition on independence needs values"),
            ("independence(a)", "`,` is missing before \")\""),
            (
                "outcome=yes | ward: Innere Medizin - Chirurgie",
                "` - ` or ` / `, with spaces around it, is missing between what is compared; if it is a part of one name, quote the \
                 name: \"Innere Medizin\"",
            ),
            (
                "outcome=yes | ward: Chirurgie - Innere Medizin",
                "\"Medizin\" is not expected at character 40; if it is a part of one name, quote the name: \"Innere Medizin\"",
            ),
            (
                "outcome=yes | the ward: A - B",
                "`:` is missing before \"ward\" at character 19; if it is a part of one name, quote the name: \"the ward\"",
            ),
        ] {
            let error = text.parse::<Contrast>().expect_err(text);
            let found = match error {
                ReadingError::Contrast { problem, .. } => problem,
                other => other.to_string(),
            };
            assert!(found.starts_with(problem), "{text}: {found}");
        }
    }
}
