//! Counting labels that are in memory already.

use datafusion::arrow::array::{
    Array, ArrayAccessor, ArrowPrimitiveType, AsArray, BooleanArray, DictionaryArray, PrimitiveArray,
    StringViewArray, downcast_dictionary_array, downcast_integer_array,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{ArrowDictionaryKeyType, ArrowNativeType, DataType};
use posterity_core::model::{Categories, Counts};

use crate::column_type::names_categories;
use crate::count::Counted;
use crate::error::DataError;
use crate::numbers::Numbers;
use crate::question::{Column, Question};
use crate::space::{Space, SpaceError};
use crate::words::Words;

/// Counts labels over declared categories, by the rules that hold for files: a label matches a category if its printed form
/// is the same text, and a label that is outside or missing is an error unless the question names a category for it.
///
/// ```
/// use posterity_data::{Column, LabelCounter};
/// let mut counter = LabelCounter::new(Column::new("cured", ["yes", "no"]), None, Some("no".into()))?;
/// counter.add(Some("yes"), 2);
/// counter.add(None, 1);
/// assert_eq!(counter.finish()?.counts.as_slice(), [2, 1]);
/// # Ok::<(), posterity_data::DataError>(())
/// ```
#[derive(Clone)]
pub struct LabelCounter {
    column: String,
    categories: Categories,
    words: Words,
    other: Option<usize>,
    missing: Option<usize>,
    /// One count per category, and then two: of labels outside, and of missing ones.
    tally: Vec<u64>,
}

const DICTIONARY: &str = "to look up the keys of a dictionary";

/// Hides the counts.
impl std::fmt::Debug for LabelCounter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabelCounter").field("categories", &self.categories).finish_non_exhaustive()
    }
}

impl LabelCounter {
    /// A counter of the values of one column; `other` and `missing` are as in [`Question`].
    ///
    /// # Errors
    /// [`DataError::Space`] if the values cannot be categories.
    pub fn new(column: Column, other: Option<String>, missing: Option<String>) -> Result<Self, DataError> {
        let space = Space::new(&Question { other, missing, ..Question::new(vec![column]) })?;
        // There is exactly one column.
        Self::of(&space).ok_or(DataError::Space(SpaceError::NoColumns))
    }

    /// A counter of a space of one column; nothing for a space of several.
    pub(crate) fn of(space: &Space) -> Option<Self> {
        let [axis] = space.axes() else { return None };
        let categories = space.categories().clone();
        Some(Self {
            column: axis.column.clone(),
            words: Words::new(&axis.declared),
            other: axis.other,
            missing: axis.missing,
            tally: vec![0; categories.names().len() + 2],
            categories,
        })
    }

    /// Adds what another counter of the same space has counted.
    pub(crate) fn absorb(&mut self, other: &Self) {
        for (sum, found) in self.tally.iter_mut().zip(&other.tally) {
            *sum = sum.saturating_add(*found);
        }
    }

    /// Counts one label so many times; nothing stands for a missing one.
    pub fn add(&mut self, label: Option<&str>, times: u64) {
        let place = self.place(label.map(str::as_bytes));
        self.tally[place] = self.tally[place].saturating_add(times);
    }

    /// Counts the values of an array: text, integers, booleans, and dictionaries of these.
    ///
    /// # Errors
    /// [`DataError::UnsupportedType`].
    pub fn add_array(&mut self, array: &dyn Array) -> Result<(), DataError> {
        if !names_categories(array.data_type()) {
            let kind = array.data_type().to_string();
            return Err(DataError::UnsupportedType { column: self.column.clone(), kind });
        }
        match array.data_type() {
            DataType::Null => {
                let missing = self.place(None);
                self.tally[missing] += array.len() as u64;
            }
            DataType::Utf8 => self.add_text(array.as_string::<i32>()),
            DataType::LargeUtf8 => self.add_text(array.as_string::<i64>()),
            DataType::Utf8View => self.add_views(array.as_string_view()),
            DataType::Boolean => self.add_booleans(array.as_boolean()),
            DataType::Dictionary(..) => downcast_dictionary_array!(
                array => return self.add_dictionary(array),
                _ => {}
            ),
            _ => downcast_integer_array!(
                array => self.add_integers(array),
                _ => {}
            ),
        }
        Ok(())
    }

    /// The categories.
    #[must_use]
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// How many labels have been counted, with those that are outside or missing.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.tally.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The counts.
    ///
    /// # Errors
    /// [`DataError`] if a label was outside or missing without a category for it, or there are no labels.
    pub fn finish(mut self) -> Result<Counted, DataError> {
        let k = self.categories.names().len();
        let column = || self.column.clone();
        if self.tally[k] > 0 {
            return Err(DataError::Outside { column: column() });
        }
        if self.tally[k + 1] > 0 {
            return Err(DataError::Missing { column: column() });
        }
        self.tally.truncate(k);
        let rows_scanned = self.total();
        let counts = Counts::new(self.tally)?;
        Ok(Counted { counts, categories: self.categories, rows_scanned: Some(rows_scanned) })
    }

    /// The place in the tally of a label.
    fn place(&self, label: Option<&[u8]>) -> usize {
        let k = self.categories.names().len();
        match label {
            Some(label) => self.words.find(label).or(self.other).unwrap_or(k),
            None => self.missing.unwrap_or(k + 1),
        }
    }

    fn add_text<'a>(&mut self, array: impl ArrayAccessor<Item = &'a str>) {
        let missing = self.place(None);
        // What is no category: index k stands for it, or the category of other values.
        let outside = self.other.unwrap_or(self.categories.names().len());
        let (words, tally) = (&self.words, &mut self.tally);
        match array.nulls().filter(|nulls| nulls.null_count() > 0) {
            None => {
                for index in 0..array.len() {
                    tally[words.find(array.value(index).as_bytes()).unwrap_or(outside)] += 1;
                }
            }
            Some(nulls) => {
                for index in 0..array.len() {
                    let place = if nulls.is_null(index) {
                        missing
                    } else {
                        words.find(array.value(index).as_bytes()).unwrap_or(outside)
                    };
                    tally[place] += 1;
                }
            }
        }
    }

    /// Text of at most twelve bytes stands in the view itself: equal views are equal text.
    fn add_views(&mut self, array: &StringViewArray) {
        if array.null_count() > 0 {
            return self.add_text(array);
        }
        let outside = self.other.unwrap_or(self.categories.names().len());
        let (words, tally) = (&self.words, &mut self.tally);
        for (index, &view) in array.views().iter().enumerate() {
            let place = match words.find_view(view) {
                Some(place) => place,
                None => words.find(array.value(index).as_bytes()).unwrap_or(outside),
            };
            tally[place] += 1;
        }
    }

    fn add_booleans(&mut self, array: &BooleanArray) {
        let yes = array.true_count() as u64;
        let nulls = array.null_count() as u64;
        for (label, times) in
            [(Some("true"), yes), (Some("false"), array.len() as u64 - nulls - yes), (None, nulls)]
        {
            if times > 0 {
                self.add(label, times);
            }
        }
    }

    fn add_integers<T: ArrowPrimitiveType>(&mut self, array: &PrimitiveArray<T>)
    where
        T::Native: std::str::FromStr + std::fmt::Display + Eq,
    {
        // The declared names that are integers of this type, as they are printed.
        let declared = self.categories.names().iter().filter_map(|name| {
            let value: T::Native = name.parse().ok()?;
            let place = self.words.find(name.as_bytes())?;
            (value.to_string() == *name).then_some((value, place))
        });
        let numbers = Numbers::new(&declared.collect::<Vec<_>>());
        let (missing, outside) = (self.place(None), self.other.unwrap_or(self.categories.names().len()));
        let nulls = array.null_count() as u64;
        self.tally[missing] += nulls;
        let mut count = |value: T::Native| self.tally[numbers.find(value).unwrap_or(outside)] += 1;
        if nulls == 0 {
            array.values().iter().for_each(|value| count(*value));
        } else {
            array.iter().flatten().for_each(count);
        }
    }

    /// Counts the keys first, and then looks up each value that occurs once.
    fn add_dictionary<K: ArrowDictionaryKeyType>(
        &mut self,
        array: &DictionaryArray<K>,
    ) -> Result<(), DataError> {
        let values = array.values();
        if values.len() > array.len() {
            // Most values do not occur: look at those that do.
            let kind = values.data_type();
            let plain = cast(array, kind).map_err(|_| DataError::Engine { stage: DICTIONARY })?;
            return self.add_array(&plain);
        }
        let mut used = vec![0_u64; values.len()];
        let keys = array.keys();
        let nulls = keys.null_count() as u64;
        // A key beyond the values is damage; nothing is read there.
        let mut strange = 0_u64;
        let mut count = |key: K::Native| match used.get_mut(key.as_usize()) {
            Some(times) => *times += 1,
            None => strange += 1,
        };
        if nulls == 0 {
            keys.values().iter().for_each(|key| count(*key));
        } else {
            keys.iter().flatten().for_each(count);
        }
        if strange > 0 {
            return Err(DataError::Engine { stage: DICTIONARY });
        }
        let missing = self.place(None);
        self.tally[missing] += nulls;
        // Each value is counted by itself, and then as often as it occurs.
        let one = vec![0; self.tally.len()];
        let mut sums = std::mem::replace(&mut self.tally, one);
        let mut occurring = used.into_iter().enumerate().filter(|(_, times)| *times > 0);
        let done = occurring.try_for_each(|(index, times)| {
            self.tally.fill(0);
            self.add_array(&values.slice(index, 1))?;
            for (sum, found) in sums.iter_mut().zip(&self.tally) {
                *sum += found * times;
            }
            Ok(())
        });
        self.tally = sums;
        done
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{
        ArrayRef, Float64Array, Int8Array, Int64Array, LargeStringArray, NullArray, StringArray,
        StringViewArray, UInt64Array,
    };
    use datafusion::arrow::datatypes::{Int8Type, UInt32Type};

    use super::*;

    fn counter(values: &[&str], other: Option<&str>, missing: Option<&str>) -> LabelCounter {
        let column = Column::new("data", values.iter().copied());
        LabelCounter::new(column, other.map(Into::into), missing.map(Into::into)).expect("valid")
    }

    fn counted(mut counter: LabelCounter, array: &dyn Array) -> Result<Vec<u64>, DataError> {
        counter.add_array(array)?;
        counter.finish().map(|counted| counted.counts.as_slice().to_vec())
    }

    #[test]
    fn every_kind_of_text_counts_alike() {
        let words =
            vec![Some("yes"), None, Some("no"), Some("yes"), Some("a label of more than twelve bytes")];
        let keys = Int8Array::from(vec![Some(0), None, Some(1), Some(0), Some(2)]);
        let values: ArrayRef =
            Arc::new(StringArray::from(vec!["yes", "no", "a label of more than twelve bytes", "unused"]));
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(words.clone())),
            Arc::new(LargeStringArray::from(words.clone())),
            Arc::new(StringViewArray::from(words.clone())),
            Arc::new(words.iter().copied().collect::<DictionaryArray<UInt32Type>>()),
            Arc::new(DictionaryArray::<Int8Type>::new(keys, values)),
        ];
        for array in arrays {
            let kind = array.data_type().clone();
            let counter = || counter(&["no", "yes"], Some("else"), Some("gone"));
            assert_eq!(counted(counter(), &array), Ok(vec![1, 2, 1, 1]), "{kind}");
            // An offset is respected.
            assert_eq!(counted(counter(), &array.slice(2, 2)), Ok(vec![1, 1, 0, 0]), "{kind}");
        }
    }

    #[test]
    fn numbers_match_as_they_are_printed() {
        let integers = Int64Array::from(vec![Some(1), Some(-2), None, Some(1)]);
        assert_eq!(counted(counter(&["1", "-2"], None, Some("-2")), &integers), Ok(vec![2, 2]));
        assert_eq!(counted(counter(&["01", "-2"], Some("rest"), Some("rest")), &integers), Ok(vec![0, 1, 3]));
        let large = UInt64Array::from(vec![u64::MAX, 0]);
        assert_eq!(counted(counter(&["18446744073709551615", "0"], None, None), &large), Ok(vec![1, 1]));
        let flags = BooleanArray::from(vec![Some(true), None, Some(false), Some(true)]);
        assert_eq!(counted(counter(&["true", "false"], None, Some("none")), &flags), Ok(vec![2, 1, 1]));
        assert_eq!(
            counted(counter(&["True", "False"], Some("x"), Some("x")), &flags),
            Ok(vec![0, 0, 4]),
            "capitals are another text, as in a file"
        );
        let nothing = NullArray::new(3);
        assert_eq!(counted(counter(&["a", "b"], None, Some("a")), &nothing), Ok(vec![3, 0]));
    }

    #[test]
    fn rejects() {
        let column = || "data".to_owned();
        let text = StringArray::from(vec![Some("yes"), Some("secret")]);
        let gap = StringArray::from(vec![Some("yes"), None]);
        let floats = Float64Array::from(vec![1.0]);
        let empty = StringArray::from(Vec::<&str>::new());
        let unset = StringArray::from(vec![""]);
        let table: [(&dyn Array, DataError); 5] = [
            (&text, DataError::Outside { column: column() }),
            (&gap, DataError::Missing { column: column() }),
            (&floats, DataError::UnsupportedType { column: column(), kind: "Float64".into() }),
            (&empty, DataError::NoRecords),
            (&unset, DataError::Outside { column: column() }),
        ];
        for (array, error) in table {
            assert_eq!(counted(counter(&["yes", "no"], None, None), array), Err(error.clone()));
            assert!(!error.to_string().contains("secret"));
        }
        let repeated = LabelCounter::new(Column::new("data", ["a", "a"]), None, None);
        assert!(matches!(repeated, Err(DataError::Space(_))));
        assert!(!format!("{:?}", counter(&["a", "b"], None, None)).contains("tally"));
    }
}
