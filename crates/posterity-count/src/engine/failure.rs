//! From an error of the engine to one that quotes no value.

use std::future::Future;
use std::panic::AssertUnwindSafe;

use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;
use datafusion::object_store;
use futures::FutureExt;
use posterity_formats::{Format, ReadError};

use super::complaint::Complaint;
use crate::checked_questions::CheckedQuestions;
use crate::error::DataError;
use crate::filter::FilterError;

/// What is public about the query that failed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FailureContext<'a> {
    /// The source, as given.
    pub(crate) path: &'a str,
    /// The format of its files; none for a table.
    pub(crate) format: Option<Format>,
    /// The question.
    pub(crate) checked: &'a CheckedQuestions<'a>,
    /// What the engine was doing.
    pub(crate) stage: &'static str,
}

impl FailureContext<'_> {
    /// Sorts the error by its kind and drops its text, which may hold values of records.
    pub(crate) fn classify(self, error: &DataFusionError) -> DataError {
        match error.find_root() {
            DataFusionError::ArrowError(error, _) => self.arrow(error),
            // A reader that filters wraps what the filter says.
            DataFusionError::ParquetError(error) => {
                self.complaint(&error.to_string()).unwrap_or_else(|| self.damaged())
            }
            DataFusionError::ExecutionJoin(_) => self.damaged(),
            DataFusionError::ResourcesExhausted(_) => DataError::Memory,
            DataFusionError::IoError(error) => self.io(error.kind()),
            DataFusionError::ObjectStore(error) => self.io(match error.as_ref() {
                object_store::Error::NotFound { .. } => std::io::ErrorKind::NotFound,
                object_store::Error::PermissionDenied { .. } => std::io::ErrorKind::PermissionDenied,
                _ => std::io::ErrorKind::Other,
            }),
            DataFusionError::External(error) => match error.downcast_ref::<ArrowError>() {
                Some(error) => self.arrow(error),
                // Such as a reader that panicked in a task of its own.
                None => self.damaged(),
            },
            DataFusionError::Collection(errors) => match errors.first() {
                Some(first) => self.classify(first),
                None => self.unknown(),
            },
            _ => self.unknown(),
        }
    }

    /// Awaits work of the engine. A reader that panics has met a file that its authors did not foresee.
    pub(crate) async fn guard<T>(
        self,
        work: impl Future<Output = Result<T, DataFusionError>>,
    ) -> Result<T, DataError> {
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(result) => result.map_err(|error| self.classify(&error)),
            Err(_) => Err(self.damaged()),
        }
    }

    /// A file that does not hold what its format demands.
    pub(crate) fn damaged(self) -> DataError {
        self.format.map_or_else(|| self.unknown(), |format| ReadError::Damaged { format }.into())
    }

    /// An error of the arrays underneath.
    pub(crate) fn arrow(self, error: &ArrowError) -> DataError {
        match error {
            ArrowError::CsvError(text) if text.contains("number of fields") => ReadError::FieldCount.into(),
            ArrowError::CsvError(text) if text.contains("UTF-8") => ReadError::NotUtf8.into(),
            ArrowError::CsvError(_) => {
                self.format.map_or_else(|| self.unknown(), |format| ReadError::Malformed { format }.into())
            }
            ArrowError::CastError(text) => self.complaint(text).unwrap_or_else(|| self.unknown()),
            ArrowError::ParquetError(text) => self.complaint(text).unwrap_or_else(|| self.damaged()),
            ArrowError::MemoryError(_) => DataError::Memory,
            ArrowError::ExternalError(error) => match error.downcast_ref::<DataFusionError>() {
                Some(error) => self.classify(error),
                None => self.damaged(),
            },
            _ => self.damaged(),
        }
    }

    fn io(self, kind: std::io::ErrorKind) -> DataError {
        use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        match kind {
            UnexpectedEof | InvalidData | InvalidInput => self.damaged(),
            kind => ReadError::Unreadable { path: self.path.into(), kind }.into(),
        }
    }

    /// What is wrong with the filter.
    pub(crate) fn filter(self, error: FilterError) -> DataError {
        DataError::Filter { filter: self.checked.question.filter.clone().unwrap_or_default(), error }
    }

    /// What an expression of the query complains of in the text of an error.
    fn complaint(self, text: &str) -> Option<DataError> {
        let complaint = Complaint::in_text(text)?;
        let filter = self.checked.filter.as_ref().map(|(filter, _)| filter);
        Some(match complaint {
            Complaint::Filter(evaluation) => self.filter(filter?.explain(evaluation)),
            Complaint::FilterNumber(column) => {
                DataError::ClusterNumber { column: filter?.columns().get(column)?.clone() }
            }
            Complaint::DimensionNumber(position) => DataError::ClusterNumber {
                column: self.checked.codings.get(position)?.dimension.column.clone(),
            },
        })
    }

    fn unknown(self) -> DataError {
        DataError::Engine { stage: self.stage }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::question::{Column, Question};

    const SECRET: &str = "Mallory";

    fn question(filter: Option<&str>) -> Question {
        Question { filter: filter.map(Into::into), ..Question::new(vec![Column::new("a", ["x", "y"])]) }
    }

    fn context<'a>(checked: &'a CheckedQuestions<'a>) -> FailureContext<'a> {
        FailureContext { path: "people.csv", format: Some(Format::Csv), checked, stage: "while counting" }
    }

    fn arrow(error: ArrowError) -> DataFusionError {
        DataFusionError::ArrowError(Box::new(error), None)
    }

    #[test]
    fn no_text_survives() {
        let secret = || SECRET.to_owned();
        let errors = [
            arrow(ArrowError::CastError(secret())),
            arrow(ArrowError::ParseError(secret())),
            arrow(ArrowError::CsvError(secret())),
            arrow(ArrowError::JsonError(secret())),
            arrow(ArrowError::ComputeError(secret())),
            arrow(ArrowError::InvalidArgumentError(secret())),
            arrow(ArrowError::ExternalError(Box::new(DataFusionError::Execution(secret())))),
            DataFusionError::Execution(secret()),
            DataFusionError::Internal(secret()),
            DataFusionError::Plan(secret()),
            DataFusionError::ResourcesExhausted(secret()),
            DataFusionError::External(secret().into()),
            DataFusionError::IoError(std::io::Error::other(secret())),
            DataFusionError::Context(secret(), Box::new(DataFusionError::Execution(secret()))),
            DataFusionError::Shared(Arc::new(arrow(ArrowError::CsvError(secret())))),
            DataFusionError::Collection(vec![DataFusionError::Execution(secret())]),
        ];
        for error in errors {
            for filter in [None, Some("age > 30")] {
                let question = question(filter);
                let checked = CheckedQuestions::new(&question).expect("valid");
                let ours = context(&checked).classify(&error);
                assert!(!format!("{ours} {ours:?}").contains(SECRET), "{ours:?}");
                assert!(std::error::Error::source(&ours).is_none(), "{ours:?}");
            }
        }
    }

    #[test]
    fn a_panic_is_a_damaged_file() {
        #[allow(clippy::panic, reason = "what a reader might do")]
        let work = async { if SECRET.is_empty() { Ok(()) } else { panic!("a reader gives up") } };
        let question = question(None);
        let checked = CheckedQuestions::new(&question).expect("valid");
        let result = context(&checked).guard(work).now_or_never();
        assert_eq!(result, Some(Err(ReadError::Damaged { format: Format::Csv }.into())));
    }

    #[test]
    fn kinds_are_told_apart() {
        let fields = "incorrect number of fields for line 3, expected 2 got more than 2";
        let table = [
            (arrow(ArrowError::CsvError(fields.into())), ReadError::FieldCount.into()),
            (arrow(ArrowError::CsvError("invalid UTF-8 data".into())), ReadError::NotUtf8.into()),
            (arrow(ArrowError::CsvError("x".into())), ReadError::Malformed { format: Format::Csv }.into()),
            (DataFusionError::ResourcesExhausted("x".into()), DataError::Memory),
            (DataFusionError::Internal("x".into()), DataError::Engine { stage: "while counting" }),
            (
                DataFusionError::IoError(std::io::ErrorKind::PermissionDenied.into()),
                ReadError::Unreadable {
                    path: "people.csv".into(),
                    kind: std::io::ErrorKind::PermissionDenied,
                }
                .into(),
            ),
        ];
        let question = question(Some("age > 30"));
        let checked = CheckedQuestions::new(&question).expect("valid");
        for (error, expected) in table {
            assert_eq!(context(&checked).classify(&error), expected);
        }
        let complaint = |words: &str| arrow(ArrowError::CastError(format!("'posterity complaint {words};'")));
        let error = FilterError::NotANumber { column: "age".into() };
        let told = [
            ("number 0", DataError::Filter { filter: "age > 30".into(), error }),
            ("filter 0", DataError::ClusterNumber { column: "age".into() }),
            ("axis 0", DataError::ClusterNumber { column: "a".into() }),
            ("axis 9", DataError::Engine { stage: "while counting" }),
        ];
        for (words, expected) in told {
            assert_eq!(context(&checked).classify(&complaint(words)), expected);
        }
    }
}
