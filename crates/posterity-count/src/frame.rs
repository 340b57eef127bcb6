//! Counting columns that are in memory already.

use std::fmt;
use std::ops::ControlFlow;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use posterity_core::sampler::BitSource;
use posterity_formats::{ColumnHint, MixedColumn, read_batches};

use crate::checked_questions::CheckedQuestions;
use crate::count::{Counted, Resources, run};
use crate::distinct::{Values, ValuesAsked, gather_in_memory};
use crate::error::DataError;
use crate::margins::{CheckedMargins, CountedMargins, CountedTogether, WideQuestion};
use crate::question::Question;

/// Where the columns that a question needs stand among the columns of these names.
///
/// # Errors
/// [`DataError`] if the question is not valid, or a column is not there or there twice.
pub fn needed_columns(question: &Question, names: &[String]) -> Result<Vec<usize>, DataError> {
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    CheckedQuestions::whole(question)?.find(&borrowed, |_| ColumnHint::Columns(names.to_vec()))
}

/// Columns in memory: batches of arrays, and columns each of whose values has a type of its own. They are counted by the rules
/// that hold for files, with the same `bits` and `progress`: see [`count`](crate::count()).
#[derive(Clone)]
pub struct Frame {
    schema: Schema,
    batches: Vec<RecordBatch>,
    mixed: Vec<(String, MixedColumn)>,
}

/// How far a count is, and whether it goes on.
type Progress<'a> = &'a dyn Fn(u64) -> ControlFlow<()>;

impl Frame {
    /// Takes columns. The arrays must be valid: see [`read_batches`], which tells what `mixed` is.
    #[must_use]
    pub fn new(schema: Schema, batches: Vec<RecordBatch>, mixed: Vec<(String, MixedColumn)>) -> Self {
        Self { schema, batches, mixed }
    }

    /// How many records there are.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.batches.iter().map(|batch| batch.num_rows() as u64).sum()
    }

    /// Counts the records, as [`count`](crate::count()) does those of a source.
    ///
    /// # Errors
    /// [`DataError`]; it contains no value of a record.
    pub fn count(
        &self,
        question: &Question,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<Counted, DataError> {
        let counted = self.count_all(std::slice::from_ref(question), bits, resources, progress);
        counted.map(|mut counted| counted.remove(0))
    }

    /// Counts several questions in one pass, as [`count_all`](crate::count_all) does.
    ///
    /// # Errors
    /// [`DataError`]; it contains no value of a record.
    pub fn count_all(
        &self,
        questions: &[Question],
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<Vec<Counted>, DataError> {
        let checked = CheckedQuestions::all(questions)?;
        let Self { schema, batches, mixed } = self;
        run(&checked, bits, resources, progress, |run| read_batches(schema, batches, mixed, run))
    }

    /// Counts tables over sets of columns, as [`count_margins`](crate::count_margins) does.
    ///
    /// # Errors
    /// [`DataError`]; it contains no value of a record.
    pub fn count_margins(
        &self,
        question: &Question,
        sets: &[Vec<usize>],
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<CountedMargins, DataError> {
        let margins = CheckedMargins::new(question, sets)?;
        let Self { schema, batches, mixed } = self;
        margins.count(bits, resources, progress, |run| read_batches(schema, batches, mixed, run))
    }

    /// Counts questions, and tables over sets of columns, in one pass, as [`count_together`](crate::count_together) does.
    ///
    /// # Errors
    /// [`DataError`]; it contains no value of a record.
    pub fn count_together(
        &self,
        questions: &[Question],
        wide: &[WideQuestion<'_>],
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<CountedTogether, DataError> {
        let tables = CheckedMargins::together(questions, wide)?;
        let Self { schema, batches, mixed } = self;
        tables.count_together(bits, resources, progress, |run| read_batches(schema, batches, mixed, run))
    }

    /// Gathers every value of a column, as [`gather_values`](crate::gather_values) does.
    ///
    /// # Errors
    /// [`DataError`], which contains no value of a record and no place in a file.
    pub fn gather(
        &self,
        asked: &ValuesAsked,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<Values, DataError> {
        let Self { schema, batches, mixed } = self;
        gather_in_memory((schema, batches, mixed), asked, bits, resources, progress)
    }
}

/// Hides the data.
impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::{Int8Type, UInt32Type};
    use arrow_array::{
        Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int8Array, Int64Array,
        LargeStringArray, NullArray, StringArray, StringViewArray, UInt64Array,
    };
    use posterity_core::sampler::SeededBits;

    use super::*;
    use crate::question;
    use posterity_formats::{MixedValue, ReadError};

    fn frame(batches: Vec<RecordBatch>) -> Frame {
        Frame::new(Schema::clone(&batches[0].schema()), batches, Vec::new())
    }

    fn counted(
        array: ArrayRef,
        values: &[&str],
        other: Option<&str>,
        missing: Option<&str>,
    ) -> Result<Vec<u64>, DataError> {
        let batch = RecordBatch::try_from_iter_with_nullable([("data", array, true)]).expect("a batch");
        let (other, missing) = (other.map(Into::into), missing.map(Into::into));
        let column =
            question::Column { other, missing, ..question::Column::new("data", values.iter().copied()) };
        let question = Question::new(vec![column]);
        let go_on = |_| ControlFlow::Continue(());
        let mut bits = SeededBits::new(1);
        frame(vec![batch])
            .count(&question, &mut bits, &Resources::default(), &go_on)
            .map(|counted| counted.counts.as_slice().to_vec())
    }

    #[test]
    fn every_kind_of_text_counts_alike() {
        let long = "a label of more than twelve bytes";
        let words = vec![Some("yes"), None, Some("no"), Some("yes"), Some(long)];
        let keys = Int8Array::from(vec![Some(0), None, Some(1), Some(0), Some(2)]);
        let values: ArrayRef = Arc::new(StringArray::from(vec!["yes", "no", long, "unused"]));
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(words.clone())),
            Arc::new(LargeStringArray::from(words.clone())),
            Arc::new(StringViewArray::from(words.clone())),
            Arc::new(words.iter().copied().collect::<DictionaryArray<UInt32Type>>()),
            Arc::new(DictionaryArray::<Int8Type>::new(keys, values)),
        ];
        for array in arrays {
            let kind = array.data_type().clone();
            let count = |array| counted(array, &["no", "yes"], Some("else"), Some("gone"));
            assert_eq!(count(array.clone()), Ok(vec![1, 2, 1, 1]), "{kind}");
            // An offset is respected.
            assert_eq!(count(array.slice(2, 2)), Ok(vec![1, 1, 0, 0]), "{kind}");
        }
    }

    #[test]
    fn numbers_match_as_they_are_printed() {
        let integers: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(-2), None, Some(1)]));
        assert_eq!(counted(integers.clone(), &["1", "-2"], None, Some("-2")), Ok(vec![2, 2]));
        assert_eq!(counted(integers, &["01", "-2"], Some("rest"), Some("rest")), Ok(vec![0, 1, 3]));
        let large: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX, 0]));
        assert_eq!(counted(large, &["18446744073709551615", "0"], None, None), Ok(vec![1, 1]));
        let flags: ArrayRef = Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), Some(true)]));
        assert_eq!(counted(flags, &["true", "false"], None, Some("none")), Ok(vec![2, 1, 1]));
        let nothing: ArrayRef = Arc::new(NullArray::new(3));
        assert_eq!(counted(nothing, &["a", "b"], None, Some("a")), Ok(vec![3, 0]));
    }

    /// A value of a mixed column belongs to the record of its place, in every part of every batch.
    #[test]
    fn mixed_values_stand_beside_their_records() {
        // More than a piece holds.
        let rows = (1 << 16) + 3;
        let sexes = |start: usize| {
            let sexes = (start..start + rows).map(|row| if row % 2 == 0 { "f" } else { "m" });
            let array: ArrayRef = Arc::new(StringArray::from_iter_values(sexes));
            RecordBatch::try_from_iter([("sex", array)]).expect("a batch")
        };
        let batches = [sexes(0), sexes(rows)];
        let mut mixed = MixedColumn::default();
        (0..2 * rows).for_each(|row| {
            mixed.push(match row % 4 {
                0 => MixedValue::Decimal("1.50"),
                1 => MixedValue::Text("1.5"),
                2 => MixedValue::Missing,
                _ => MixedValue::Strange,
            });
        });
        let question = Question {
            filter: Some("sex = 'f' AND x = '1.5' OR sex = 'm' AND x IS NOT NULL AND NOT (x IS NULL)".into()),
            ..Question::new(vec![question::Column::new("sex", ["f", "m"])])
        };
        let count = |columns: &[(String, MixedColumn)]| {
            let mut bits = SeededBits::new(1);
            let go_on = |_| ControlFlow::Continue(());
            Frame::new(Schema::clone(&batches[0].schema()), batches.to_vec(), columns.to_vec())
                .count(&question, &mut bits, &Resources::default(), &go_on)
                .map(|counted| counted.counts.as_slice().to_vec())
        };
        let whole = (2 * rows) as u64;
        assert_eq!(count(&[("x".into(), mixed.clone())]), Ok(vec![whole.div_ceil(4), whole / 2]));
        mixed.push(MixedValue::Missing);
        assert_eq!(count(&[("x".into(), mixed)]), Err(DataError::Read(ReadError::UnequalColumns)));
        assert!(matches!(count(&[]), Err(DataError::Filter { .. })));
    }

    #[test]
    fn needed_columns_are_found_or_told() {
        let question = Question {
            unit: Some("who".into()),
            filter: Some("age > 3".into()),
            ..Question::new(vec![question::Column::new("sex", ["f", "m"])])
        };
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(needed_columns(&question, &names(&["age", "x", "who", "sex", "x"])), Ok(vec![3, 0, 2]));
        let unknown = needed_columns(&question, &names(&["age", "sex"]));
        assert!(matches!(unknown, Err(DataError::UnknownColumn { ref column, .. }) if column == "who"));
        let twice = needed_columns(&question, &names(&["age", "sex", "who", "sex"]));
        assert_eq!(twice, Err(DataError::Read(ReadError::DuplicateColumn { column: "sex".into() })));
    }

    /// Where n is private, no record is an error, and there may be none.
    #[test]
    fn records_are_left_out() {
        let words = vec![Some("yes"), None, Some("no"), Some("maybe"), Some("yes")];
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(words.clone())),
            Arc::new(words.iter().copied().collect::<DictionaryArray<UInt32Type>>()),
        ];
        let adjacency = posterity_core::model::Adjacency::AddRemove;
        let question =
            Question { adjacency, ..Question::new(vec![question::Column::new("data", ["yes", "no"])]) };
        for array in arrays {
            for (rows, expected) in [(5, [2, 1]), (2, [1, 0]), (0, [0, 0])] {
                let slice = array.slice(0, rows);
                let batch =
                    RecordBatch::try_from_iter_with_nullable([("data", slice, true)]).expect("a batch");
                let (go_on, mut bits) = (|_| ControlFlow::Continue(()), SeededBits::new(1));
                let counted = frame(vec![batch])
                    .count(&question, &mut bits, &Resources::default(), &go_on)
                    .expect("counted");
                assert_eq!(counted.counts.as_slice(), expected);
            }
        }
    }

    /// Tables over sets of columns are those of files: sums of the table of all columns.
    #[test]
    fn margins_are_sums() {
        let a: ArrayRef = Arc::new(StringArray::from(vec![Some("x"), Some("y"), None, Some("x"), Some("z")]));
        let b: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 2, 2, 1]));
        let batch =
            RecordBatch::try_from_iter_with_nullable([("a", a, true), ("b", b, true)]).expect("a batch");
        let adjacency = posterity_core::model::Adjacency::AddRemove;
        let columns = vec![question::Column::new("a", ["x", "y"]), question::Column::new("b", ["1", "2"])];
        let question = Question { adjacency, ..Question::new(columns) };
        let (go_on, mut bits) = (|_| ControlFlow::Continue(()), SeededBits::new(1));
        let (frame, resources) = (frame(vec![batch]), Resources::default());
        let sets = vec![vec![0], vec![1], vec![0, 1]];
        let counted = frame.count_margins(&question, &sets, &mut bits, &resources, &go_on).expect("counted");
        assert_eq!(counted.tables, [vec![2, 1], vec![1, 2], vec![1, 1, 0, 1]]);
        // Beside other questions they are the same, and a record that has no category in one of them counts in none.
        let only_b = Question { adjacency, ..Question::new(vec![question::Column::new("b", ["1", "2"])]) };
        let wide = [WideQuestion { question: &question, sets }];
        let together =
            frame.count_together(std::slice::from_ref(&only_b), &wide, &mut bits, &resources, &go_on);
        let together = together.expect("counted");
        assert_eq!(together.margins[0].tables, counted.tables);
        assert_eq!(together.questions[0].counts.as_slice(), [1, 2]);
        let all =
            frame.count_all(std::slice::from_ref(&only_b), &mut bits, &resources, &go_on).expect("counted");
        assert_eq!(all[0].counts.as_slice(), [2, 3]);
        let names = ["b", "x", "a"].map(str::to_owned);
        assert_eq!(needed_columns(&question, &names), Ok(vec![2, 0]));
    }

    /// If this fails, a table in memory and the same table in a file have other values.
    #[test]
    fn all_values_are_those_of_a_file() {
        use crate::distinct::gather_values;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("visits.csv");
        let records: Vec<(i64, Option<&str>)> = (0..500)
            .map(|row| (row % 170, [Some("A"), Some("B"), None, Some("Ärzte"), Some("10")][row as usize % 5]))
            .collect();
        let lines = records.iter().map(|(id, ward)| format!("{id},{}\n", ward.unwrap_or_default()));
        std::fs::write(&path, format!("id,ward\n{}", lines.collect::<String>())).expect("written");
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(records.iter().map(|record| record.0)));
        let words = || records.iter().map(|record| record.1);
        let wards: [ArrayRef; 2] = [
            Arc::new(words().collect::<StringArray>()),
            Arc::new(words().collect::<DictionaryArray<UInt32Type>>()),
        ];
        let (go_on, resources) = (|_| ControlFlow::Continue(()), Resources::default());
        let listed = |values: crate::distinct::Values| {
            let mut found = Vec::new();
            let mut keep = |value: &str, count: u64| {
                found.push((value.to_owned(), count));
                Ok::<(), DataError>(())
            };
            values.each(&go_on, &mut keep).expect("read");
            found
        };
        let plain = ValuesAsked::new("ward");
        let asked = [
            plain.clone(),
            ValuesAsked { missing: Some("none".into()), filter: Some("id < 100".into()), ..plain.clone() },
            ValuesAsked {
                unit: Some("id".into()),
                per_unit: "mode".parse().expect("a rule"),
                ..plain.clone()
            },
            ValuesAsked { unit: Some("id".into()), per_unit: "first".parse().expect("a rule"), ..plain },
        ];
        for asked in asked {
            let source = posterity_formats::Source::files(path.to_string_lossy());
            let of_file = gather_values(&source, &asked, &mut SeededBits::new(1), &resources, &go_on);
            let of_file = listed(of_file.expect("counted"));
            assert!(of_file.len() >= 3, "{of_file:?}");
            for wards in &wards {
                let columns = [("ward", wards.clone(), true), ("id", ids.clone(), true)];
                let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("a batch");
                let parts = [batch.slice(0, 123), batch.slice(123, 377)];
                let mut bits = SeededBits::new(1);
                let found = frame(parts.to_vec()).gather(&asked, &mut bits, &resources, &go_on);
                assert_eq!(listed(found.expect("counted")), of_file, "{asked:?}");
            }
        }
    }

    #[test]
    fn rejects() {
        let floats: ArrayRef = Arc::new(Float64Array::from(vec![1.0]));
        let refused = counted(floats, &["yes", "no"], None, None);
        assert!(matches!(refused, Err(DataError::UnsupportedType { .. })), "{refused:?}");
        let empty: ArrayRef = Arc::new(StringArray::from(Vec::<&str>::new()));
        assert_eq!(counted(empty, &["yes", "no"], None, None), Err(DataError::NoRecords));
    }
}
