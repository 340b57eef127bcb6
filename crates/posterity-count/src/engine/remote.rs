//! From an error of an executor elsewhere to one that quotes no value.
//!
//! Of such an error only the text arrives. A few words in it say what kind it is; the rest may hold values, and is
//! dropped.

use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;

use super::cluster::Cluster;
use super::failure::FailureContext;
use crate::error::DataError;

impl FailureContext<'_> {
    /// Sorts what the cluster says by kind, as if it had happened here.
    pub(crate) fn remote(self, error: &DataFusionError, cluster: &Cluster) -> DataError {
        let text = error.to_string();
        let kinds = [
            ("CsvError(", ArrowError::CsvError as fn(String) -> ArrowError),
            ("ParquetError(", ArrowError::ParquetError),
            ("CastError(", ArrowError::CastError),
        ];
        // The outermost kind comes first in the text, before anything that it quotes.
        let first = kinds.into_iter().filter_map(|(word, kind)| Some((text.find(word)?, kind)));
        match first.min_by_key(|(position, _)| *position) {
            Some((_, kind)) => self.arrow(&kind(text)),
            None if text.contains("ResourcesExhausted(") => DataError::Memory,
            None => DataError::Cluster { address: cluster.to_string() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked_questions::CheckedQuestions;
    use crate::filter::FilterError;
    use crate::question::{Column, Question};
    use posterity_formats::{Format, ReadError};

    const SECRET: &str = "Mallory";

    #[test]
    fn kinds_are_told_apart_and_no_text_survives() {
        let cluster: Cluster = "df://scheduler:50050".parse().expect("an address");
        let lost = || DataError::Cluster { address: "df://scheduler:50050".into() };
        let damaged: DataError = ReadError::Damaged { format: Format::Csv }.into();
        let error = FilterError::NotANumber { column: "age".into() };
        let filter = DataError::Filter { filter: "age > 30".into(), error };
        let table = [
            (
                r#"ArrowError(CsvError("incorrect number of fields for line 3 Mallory"), None)"#,
                ReadError::FieldCount.into(),
            ),
            (r#"ArrowError(CsvError("invalid UTF-8 Mallory"), None)"#, ReadError::NotUtf8.into()),
            (r#"ArrowError(CsvError("Mallory"), None)"#, ReadError::Malformed { format: Format::Csv }.into()),
            (r#"ParquetError(EOF("Mallory"))"#, damaged.clone()),
            (
                r#"ArrowError(CastError("Cannot cast string 'posterity complaint number 0;false' to Int64"), None)"#,
                filter,
            ),
            (
                r#"ArrowError(CastError("Cannot cast string 'Mallory' to Int64"), None)"#,
                DataError::Engine { stage: "" },
            ),
            (r#"ResourcesExhausted("Mallory")"#, DataError::Memory),
            (r#"ObjectStore(NotFound { path: "Mallory" })"#, lost()),
            ("tcp connect error Mallory", lost()),
        ];
        let question =
            Question { filter: Some("age > 30".into()), ..Question::new(vec![Column::new("a", ["x", "y"])]) };
        let checked = CheckedQuestions::new(&question).expect("valid");
        for (text, expected) in table {
            let context = FailureContext {
                path: "people.csv",
                format: Some(Format::Csv),
                checked: &checked,
                stage: "",
            };
            let error = DataFusionError::Execution(format!("Job x failed: stage 1: DataFusionError({text})"));
            let ours = context.remote(&error, &cluster);
            assert_eq!(ours, expected, "{text}");
            assert!(!format!("{ours} {ours:?}").contains(SECRET), "{ours:?}");
        }
    }
}
