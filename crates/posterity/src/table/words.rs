//! What readers see beside the values of columns.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::error::ReadingError;
use super::labels::Labels;
use super::names::set_text;
use super::reading::Reading;
use super::space::{Space, SpaceColumn};
use super::term::{Selection, Term};
use super::test::Test;

/// The labels of the values of columns. Everything that readers see takes values with their labels from here.
///
/// ```
/// use posterity::data::{Column, Question};
/// use posterity::{Data, Publisher};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("people.csv");
/// # std::fs::write(&path, "state\n1\n2\n1\n")?;
/// // The file people.csv has a column `state`, with 1, 2 and 1.
/// let state = Column::new("state", ["1", "2"]).with_label("1", "cured");
/// let data = Data::read(path.to_string_lossy(), &Question::new(vec![state]))?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// // A label stands for its category wherever a reading names one.
/// let table = release.document().read(&"state=cured".parse()?)?;
/// assert_eq!(table.rows[0].cell.get("state"), Some("1"));
/// assert_eq!(table.words.value("state", "1"), "1 (cured)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(BTreeMap<String, BTreeMap<String, String>>);

impl Words {
    /// The labels of what the terms of a reading name: of single values, and of values that are taken together.
    pub(crate) fn of_reading(space: &Space, reading: &Reading) -> Self {
        Self::of_terms(space, reading.shares_of().iter().chain(reading.given()))
    }

    /// The labels of what some terms name.
    pub(super) fn of_terms<'a>(space: &Space, terms: impl Iterator<Item = &'a Term>) -> Self {
        let mut words = Self::default();
        for term in terms {
            let column = space.columns().iter().find(|column| column.name == term.column);
            let Some(column) = column.filter(|column| !column.labels.is_empty()) else { continue };
            let of = words.0.entry(column.name.clone()).or_insert_with(|| column.labels.clone());
            if let Selection::Set(values) = &term.selection {
                of.extend(label_of_set(column, values));
            }
        }
        words
    }

    /// These labels and others.
    #[must_use]
    pub(super) fn and(mut self, others: Self) -> Self {
        for (column, labels) in others.0 {
            self.0.entry(column).or_default().extend(labels);
        }
        self
    }

    /// The label of a value of a column, or those of several values that are taken together.
    #[must_use]
    pub fn label(&self, column: &str, value: &str) -> Option<&str> {
        self.0.get(column)?.get(value).map(String::as_str)
    }

    /// A value as readers see it: `1 (cured)`, or `1` if it has no label.
    #[must_use]
    pub fn value<'a>(&self, column: &str, value: &'a str) -> Cow<'a, str> {
        labelled(value, self.label(column, value))
    }

    /// Values of columns as readers see them: `1 (cured), A`.
    #[must_use]
    pub fn values(&self, labels: &Labels) -> String {
        let values = labels.iter().map(|(column, value)| self.value(column, value));
        values.collect::<Vec<_>>().join(", ")
    }

    /// What a number of a reading is of, as readers see it: `1 (cured) | A (Ward A)`, or one of both if there is no other.
    #[must_use]
    pub fn row(&self, given: &Labels, cell: &Labels) -> String {
        match (given.is_empty(), cell.is_empty()) {
            (true, _) => self.values(cell),
            (_, true) => self.values(given),
            _ => format!("{} | {}", self.values(cell), self.values(given)),
        }
    }
}

impl Term {
    /// The same with categories in the place of their labels.
    fn in_categories(&self, space: &Space) -> Result<Self, ReadingError> {
        let Selection::Set(values) = &self.selection else { return Ok(self.clone()) };
        let column = &space.columns()[space.column(&self.column)?];
        let places = column.named(values)?.into_iter();
        Ok(Self::set(&self.column, places.map(|place| &column.values[place])))
    }
}

impl Test {
    /// The same with categories in the place of their labels. What is drawn for a test depends on its text, and labels can be
    /// changed at no cost: nobody shall change them until a p-value suits.
    pub(super) fn in_categories(&self, space: &Space) -> Result<Self, ReadingError> {
        let all =
            |terms: &[Term]| terms.iter().map(|term| term.in_categories(space)).collect::<Result<_, _>>();
        Ok(Self { of: all(&self.of)?, given: all(&self.given)?, ..self.clone() })
    }
}

impl SpaceColumn {
    /// The value at a position as readers see it.
    #[must_use]
    pub fn in_words(&self, position: usize) -> Cow<'_, str> {
        let value = &self.values[position];
        labelled(value, self.labels.get(value).map(String::as_str))
    }
}

/// A value with its label, if it has one.
fn labelled<'a>(value: &'a str, label: Option<&str>) -> Cow<'a, str> {
    label.map_or(Cow::Borrowed(value), |label| Cow::Owned(format!("{value} ({label})")))
}

/// The labels of several values together, in the order in which they are named: those of `{1, 2}` are `cured, ill`.
fn label_of_set(column: &SpaceColumn, values: &[String]) -> Option<(String, String)> {
    let names = column.named(values).ok().filter(|names| names.len() > 1)?;
    let names: Vec<String> = names.into_iter().map(|place| column.values[place].clone()).collect();
    let labels: Vec<Option<&String>> = names.iter().map(|name| column.labels.get(name)).collect();
    labels.iter().any(Option::is_some).then(|| {
        let words = labels.iter().zip(&names).map(|(label, name)| label.unwrap_or(name).as_str());
        (set_text(&names), words.collect::<Vec<_>>().join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> Space {
        let labels = |all: &[(&str, &str)]| {
            all.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned())).collect()
        };
        let ward = SpaceColumn {
            labels: labels(&[("A", "Surgery"), ("B", "Children")]),
            ..SpaceColumn::new("ward", ["A", "B", "C"])
        };
        // A label that is also a category, and one that two categories have.
        let state = SpaceColumn {
            labels: labels(&[("1", "cured"), ("2", "3"), ("3", "ill"), ("4", "ill")]),
            ..SpaceColumn::new("state", ["1", "2", "3", "4"])
        };
        Space::new(vec![ward, state])
    }

    /// If this fails, a label stands for another category than its own, or a category for another one.
    #[test]
    fn a_label_stands_for_its_category() {
        let space = space();
        let (ward, state) = (&space.columns()[0], &space.columns()[1]);
        assert_eq!(
            (ward.position("A"), ward.position("Children"), ward.position("C")),
            (Ok(0), Ok(1), Ok(2))
        );
        // What is written as a category is that category, whatever the labels of others are.
        assert_eq!((state.position("cured"), state.position("3")), (Ok(0), Ok(2)));
        let (column, label) = ("state".to_owned(), "ill".to_owned());
        let values = vec!["3".to_owned(), "4".to_owned()];
        assert_eq!(state.position("ill"), Err(ReadingError::SeveralWithLabel { column, label, values }));
        assert!(matches!(ward.position("surgery"), Err(ReadingError::UnknownValue { .. })));
        let twice = ["1", "cured"].map(ToOwned::to_owned);
        assert_eq!(state.named(&twice), Err(ReadingError::Repeated { what: "1".into() }));
    }

    /// If this fails, the generators of a test depend on labels, which can be changed until a p-value suits.
    #[test]
    fn a_test_has_one_text_whatever_the_labels_are() {
        let space = space();
        for (asked, text) in [
            ("equal: state=cured | ward", "equal: state=1 | ward"),
            ("share: state=1 = 0.5 | ward=Children", "share: state=1 = 0.5 | ward=B"),
            ("independence: ward, state", "independence: ward, state"),
        ] {
            let test: Test = asked.parse().expect("a test");
            assert_eq!(test.in_categories(&space).expect("there").to_string(), text);
        }
        let unknown: Test = "equal: state=ill | ward".parse().expect("a test");
        assert!(matches!(unknown.in_categories(&space), Err(ReadingError::SeveralWithLabel { .. })));
    }

    #[test]
    fn values_are_shown_with_their_labels() {
        let space = space();
        let reading: Reading = "state in {cured, 2} | ward in {C, Surgery}".parse().expect("a reading");
        let words = Words::of_reading(&space, &reading);
        assert_eq!((words.value("ward", "A"), words.value("ward", "C")), ("A (Surgery)".into(), "C".into()));
        assert_eq!(words.value("ward", "{C, A}"), "{C, A} (C, Surgery)");
        assert_eq!(words.value("state", "{1, 2}"), "{1, 2} (cured, 3)");
        let terms = |text: &str| text.parse::<Reading>().expect("a reading").shares_of().to_vec();
        let [first, second] = ["state=1, ward=A", "ward in {Children, C}"].map(terms);
        let words = Words::of_terms(&space, first.iter()).and(Words::of_terms(&space, second.iter()));
        let row = |ward: &str| {
            let of = |column: &str, value: &str| Labels::from_iter([(column.to_owned(), value.to_owned())]);
            words.row(&of("ward", ward), &of("state", "1"))
        };
        assert_eq!(row("A"), "1 (cured) | A (Surgery)");
        assert_eq!(row("{B, C}"), "1 (cured) | {B, C} (Children, C)");
        assert_eq!(words.row(&Labels::default(), &Labels::default()), "");
        assert_eq!(space.in_words()[1], "ward=A (Surgery),state=2 (3)");
    }
}
