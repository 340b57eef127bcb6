//! From an error of the engine to one that quotes no value.

use std::future::Future;
use std::panic::AssertUnwindSafe;

use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;
use datafusion::object_store;
use futures::FutureExt;

use crate::error::{DataError, FilterError};
use crate::source::Format;

/// What is public about the query that failed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    /// The source, as given.
    pub(crate) path: &'a str,
    /// The format of its files; none for a table.
    pub(crate) format: Option<Format>,
    /// The filter.
    pub(crate) filter: Option<&'a str>,
    /// What the engine was doing.
    pub(crate) stage: &'static str,
}

impl Context<'_> {
    /// Sorts the error by its kind and drops its text, which may hold values of records.
    pub(crate) fn classify(self, error: &DataFusionError) -> DataError {
        match error.find_root() {
            DataFusionError::ArrowError(error, _) => self.arrow(error),
            DataFusionError::ParquetError(_) | DataFusionError::ExecutionJoin(_) => self.damaged(),
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
        self.format.map_or_else(|| self.unknown(), |format| DataError::Damaged { format })
    }

    /// An error of the arrays underneath.
    pub(crate) fn arrow(self, error: &ArrowError) -> DataError {
        match error {
            ArrowError::CsvError(text) if text.contains("number of fields") => DataError::FieldCount,
            ArrowError::CsvError(text) | ArrowError::JsonError(text) if text.contains("UTF-8") => {
                DataError::NotUtf8
            }
            ArrowError::CsvError(_) | ArrowError::JsonError(_) => {
                self.format.map_or_else(|| self.unknown(), |format| DataError::Malformed { format })
            }
            ArrowError::CastError(_)
            | ArrowError::ParseError(_)
            | ArrowError::ComputeError(_)
            | ArrowError::DivideByZero
            | ArrowError::ArithmeticOverflow(_)
                if self.filter.is_some() =>
            {
                self.filter(FilterError::Evaluation)
            }
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
            kind => DataError::Unreadable { path: self.path.into(), kind },
        }
    }

    fn filter(self, error: FilterError) -> DataError {
        DataError::Filter { filter: self.filter.unwrap_or_default().into(), error }
    }

    fn unknown(self) -> DataError {
        DataError::Engine { stage: self.stage }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const SECRET: &str = "Mallory";

    fn context(filter: Option<&'static str>) -> Context<'static> {
        Context { path: "people.csv", format: Some(Format::Csv), filter, stage: "while counting" }
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
                let ours = context(filter).classify(&error);
                assert!(!format!("{ours} {ours:?}").contains(SECRET), "{ours:?}");
                assert!(std::error::Error::source(&ours).is_none(), "{ours:?}");
            }
        }
    }

    #[test]
    fn a_panic_is_a_damaged_file() {
        #[allow(clippy::panic, reason = "what a reader might do")]
        let work = async { if SECRET.is_empty() { Ok(()) } else { panic!("a reader gives up") } };
        let result = context(None).guard(work).now_or_never();
        assert_eq!(result, Some(Err(DataError::Damaged { format: Format::Csv })));
    }

    #[test]
    fn kinds_are_told_apart() {
        let fields = "incorrect number of fields for line 3, expected 2 got more than 2";
        let table = [
            (arrow(ArrowError::CsvError(fields.into())), DataError::FieldCount),
            (arrow(ArrowError::CsvError("invalid UTF-8 data".into())), DataError::NotUtf8),
            (arrow(ArrowError::CsvError("x".into())), DataError::Malformed { format: Format::Csv }),
            (DataFusionError::ResourcesExhausted("x".into()), DataError::Memory),
            (DataFusionError::Internal("x".into()), DataError::Engine { stage: "while counting" }),
            (
                DataFusionError::IoError(std::io::ErrorKind::PermissionDenied.into()),
                DataError::Unreadable {
                    path: "people.csv".into(),
                    kind: std::io::ErrorKind::PermissionDenied,
                },
            ),
        ];
        for (error, expected) in table {
            assert_eq!(context(None).classify(&error), expected);
        }
        assert_eq!(
            context(Some("age > 30")).classify(&arrow(ArrowError::CastError("x".into()))),
            DataError::Filter { filter: "age > 30".into(), error: FilterError::Evaluation }
        );
    }
}
