//! Counting labels that are in memory already.

use std::sync::Arc;

use posterity_core::model::{Categories, Counts};
use posterity_formats::Value;

use crate::cells::{Cells, CellsError};
use crate::checked_questions::Coding;
use crate::count::Counted;
use crate::error::DataError;
use crate::filter::printed;
use crate::question::{Column, Question};
use crate::resemblance::Resemblance;
use crate::value_coder::{MISSING, UNNAMED};

/// The label that a day is, from the days since 1970-01-01; nothing for a year before 0 or after 9999.
///
/// ```
/// assert_eq!(posterity_count::day_label(19_753).as_deref(), Some("2024-01-31"));
/// ```
#[must_use]
pub fn day_label(days: i32) -> Option<String> {
    printed(Value::Day(days)).and_then(|name| String::from_utf8(name.into_owned()).ok())
}

/// The label that a number is: the digits of a whole one, whatever stores it, and nothing for one with a fraction, or of
/// which its type does not tell its neighbours apart.
///
/// ```
/// use posterity_count::{MixedValue, whole_label};
/// assert_eq!(whole_label(MixedValue::Double(1.0)).as_deref(), Some("1"));
/// assert_eq!(whole_label(MixedValue::Decimal("2.50")), None);
/// ```
#[cfg(feature = "arrow")]
#[must_use]
pub fn whole_label(number: posterity_formats::MixedValue<'_>) -> Option<String> {
    let mut column = posterity_formats::MixedColumn::default();
    column.push(number);
    column.with_value(0, |value| crate::whole_number::whole_number(value).map(|whole| whole.to_string()))
}

/// Counts labels over declared categories, by the rules that hold for files: a label matches a category if its printed
/// form is the same text, and a label that is outside or missing is an error unless the column names a category for
/// it.
///
/// ```
/// use posterity_count::{Column, LabelCounter};
/// let mut counter = LabelCounter::new(Column { missing: Some("no".into()), ..Column::new("cured", ["yes", "no"]) })?;
/// counter.add(Some("yes"), 2);
/// counter.add(None, 1);
/// assert_eq!(counter.finish()?.counts.as_slice(), [2, 1]);
/// # Ok::<(), posterity_count::DataError>(())
/// ```
#[derive(Clone)]
pub struct LabelCounter {
    coding: Arc<Coding>,
    categories: Categories,
    counts: Vec<u64>,
    /// The least of what labels outside resemble.
    resembled: Option<Resemblance>,
    outside: u64,
    missing: u64,
}

/// Hides the counts.
impl std::fmt::Debug for LabelCounter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabelCounter").field("categories", &self.categories).finish_non_exhaustive()
    }
}

impl LabelCounter {
    /// A counter of the values of one column.
    ///
    /// # Errors
    /// [`DataError::Cells`] if the values cannot be categories.
    pub fn new(column: Column) -> Result<Self, DataError> {
        let cells = Cells::new(&Question::new(vec![column]))?;
        // There is exactly one column.
        let dimension = cells.dimensions().first().ok_or(DataError::Cells(CellsError::NoColumns))?;
        Ok(Self {
            coding: Arc::new(Coding::new(dimension, 0)),
            resembled: None,
            categories: cells.categories().clone(),
            counts: vec![0; cells.len()],
            outside: 0,
            missing: 0,
        })
    }

    /// Counts one label this many times; `None` is a missing label.
    pub fn add(&mut self, label: Option<&str>, times: u64) {
        let value = label.map_or(Value::Missing, |label| Value::Text(label.as_bytes()));
        let place = match self.coding.coder.code(value) {
            MISSING => &mut self.missing,
            code if code >= UNNAMED => {
                if let Some(found) = self.coding.resembled(value) {
                    self.resembled = Some(self.resembled.map_or(found, |least| least.min(found)));
                }
                &mut self.outside
            }
            code => &mut self.counts[code as usize],
        };
        *place = place.saturating_add(times);
    }

    /// The categories.
    #[must_use]
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// How many labels have been counted, with those that are outside or missing.
    #[must_use]
    pub fn total(&self) -> u64 {
        let all = self.counts.iter().chain([&self.outside, &self.missing]);
        all.fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The counts.
    ///
    /// # Errors
    /// [`DataError`] if a label was outside or missing without a category for it, or there are no labels.
    pub fn finish(self) -> Result<Counted, DataError> {
        if self.outside > 0 {
            return Err(self.coding.outside(self.resembled));
        }
        if self.missing > 0 {
            return Err(DataError::Missing { column: self.coding.dimension.column.clone() });
        }
        let rows_scanned = Some(self.total());
        Ok(Counted { counts: Counts::new(self.counts)?, categories: self.categories, rows_scanned })
    }

    /// The counts where n is private: labels that are outside or missing without a category for them are left out, and
    /// there may be none.
    ///
    /// # Errors
    /// [`DataError::Counts`] if there are more labels than the arithmetic is proven for.
    pub fn finish_leaving_out(self) -> Result<Counted, DataError> {
        let rows_scanned = Some(self.total());
        Ok(Counted { counts: Counts::perhaps_empty(self.counts)?, categories: self.categories, rows_scanned })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(other: Option<&str>, missing: Option<&str>) -> LabelCounter {
        let (other, missing) = (other.map(Into::into), missing.map(Into::into));
        LabelCounter::new(Column { other, missing, ..Column::new("data", ["yes", "no"]) }).expect("valid")
    }

    fn counted(mut counter: LabelCounter, labels: &[Option<&str>]) -> Result<Vec<u64>, DataError> {
        labels.iter().for_each(|label| counter.add(*label, 2));
        counter.finish().map(|counted| counted.counts.as_slice().to_vec())
    }

    #[test]
    fn labels_count_as_in_a_file() {
        let labels = [Some("yes"), None, Some("No"), Some("no"), Some("yes")];
        assert_eq!(counted(counter(Some("else"), Some("gone")), &labels), Ok(vec![4, 2, 2, 2]));
        assert_eq!(counted(counter(Some("no"), Some("no")), &labels), Ok(vec![4, 6]));
    }

    /// If this fails, one label more has a count refused whose n is private.
    #[test]
    fn labels_are_left_out() {
        let labels = [Some("yes"), None, Some("No"), Some("no"), Some("yes")];
        for (labels, counts) in [(&labels[..], [2, 1]), (&labels[1..3], [0, 0]), (&[], [0, 0])] {
            let mut counter = counter(None, None);
            labels.iter().for_each(|label| counter.add(*label, 1));
            let counted = counter.finish_leaving_out().expect("counted");
            assert_eq!(
                (counted.counts.as_slice(), counted.rows_scanned),
                (&counts[..], Some(labels.len() as u64))
            );
        }
    }

    #[test]
    fn rejects() {
        let column = || "data".to_owned();
        let resembles = |label: &str| {
            let yes_no = Column::new("data", ["yes", "no"]);
            let (category, differs) = yes_no.resembled(label).expect("almost");
            DataError::Resembles { column: column(), category, differs }
        };
        let (like_no, like_no_blank) = (resembles("No"), resembles(" NO"));
        let table: [(&[Option<&str>], DataError); 6] = [
            (&[Some("yes"), Some("secret"), None], DataError::Outside { column: column() }),
            (&[Some("No"), Some("secret")], like_no),
            (&[Some("secret"), Some(" NO")], like_no_blank),
            (&[Some("yes"), None], DataError::Missing { column: column() }),
            (&[Some("")], DataError::Outside { column: column() }),
            (&[], DataError::NoRecords),
        ];
        for (labels, error) in table {
            assert_eq!(counted(counter(None, None), labels), Err(error));
        }
        let repeated = LabelCounter::new(Column::new("data", ["a", "a"]));
        assert!(matches!(repeated, Err(DataError::Cells(_))));
        assert!(!format!("{:?}", counter(None, None)).contains("counts"));
    }
}
