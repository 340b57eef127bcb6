//! The source as a table of the engine.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::config::CsvOptions;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::DataFusionError;
use datafusion::object_store::ObjectStoreExt;
use datafusion::prelude::SessionContext;
use posterity_formats::{
    ColumnHint, Encoding, Files, Format, Location, ReadError, SEVERAL_WIDTHS, Source, common_fields,
    common_names, fields, refuse_duplicates, shown,
};
use url::Url;

use super::failure::FailureContext;
use super::survey::Survey;
use crate::checked_questions::CheckedQuestions;
use crate::error::DataError;

/// A source that was found, looked at and opened.
#[derive(Debug)]
pub(crate) struct EngineTable {
    pub(crate) provider: Arc<dyn TableProvider>,
    /// The format of the files; none for a table of the session.
    pub(crate) format: Option<Format>,
    /// An upper bound on the length of a record of text; zero if it does not matter.
    pub(crate) longest_record: usize,
}

const STAGE: &str = "while opening the source";

/// Why an engine cannot read a source that only this program has.
pub(super) fn only_here(source: &Source) -> DataError {
    let kind = "what this program alone can read".to_owned();
    DataError::ClusterFormat { path: source.to_string(), kind }
}

impl EngineTable {
    /// Finds the files or the table, and checks that it has the columns that are asked for.
    pub(crate) async fn open(
        context: &SessionContext,
        source: &Source,
        checked: &CheckedQuestions<'_>,
    ) -> Result<Self, DataError> {
        match source.location() {
            Location::Table(name) => {
                let unknown = |_| ReadError::UnknownTable { table: name.clone() };
                let reference = TableReference::parse_str(name);
                let provider = context.table_provider(reference).await.map_err(unknown)?;
                let columns = fields(&provider.schema());
                refuse_duplicates(&columns)?;
                checked.bind_for_engine(&columns)?;
                Ok(Self { provider, format: None, longest_record: 0 })
            }
            Location::Files(path) => Self::of_files(context, source, path, checked).await,
            Location::StandardInput { .. } | Location::Postgres(_) => Err(only_here(source)),
        }
    }

    async fn of_files(
        context: &SessionContext,
        source: &Source,
        path: &str,
        checked: &CheckedQuestions<'_>,
    ) -> Result<Self, DataError> {
        let files = readable(path, source)?;
        if checked.leaves_out() && files.format == Format::Csv {
            let (what, remedy) = ("a malformed line of CSV would", "store the table as Parquet");
            return Err(DataError::ClusterAdjacency { what, remedy });
        }
        let failure = FailureContext { path, format: Some(files.format), checked, stage: STAGE };
        let mut urls = Vec::with_capacity(files.paths.len());
        for path in &files.paths {
            urls.push(url(path).ok_or_else(|| ReadError::NotFound { path: shown(path) })?);
        }
        let mut longest_record = 0;
        let (format, schema): (Arc<dyn FileFormat>, SchemaRef) = match files.format {
            Format::Csv => {
                let names = common_names(&files)?;
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                checked.find(&names, |column| ColumnHint::near(column, &names))?;
                let survey = survey(failure, &files, names.len()).await?;
                longest_record = survey.longest;
                // Every column is text: what it means must not depend on what its first rows look like.
                let columns: Vec<Field> =
                    names.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect();
                let options = CsvOptions::default()
                    .with_has_header(true)
                    .with_delimiter(files.delimiter)
                    .with_newlines_in_values(survey.quoted_breaks);
                (Arc::new(CsvFormat::default().with_options(options)), Arc::new(Schema::new(columns)))
            }
            _ => {
                let common = common_fields(&files)?;
                if common.iter().any(|field| field.described == SEVERAL_WIDTHS) {
                    let kind = "Parquet with integers of several widths in one column".to_owned();
                    return Err(DataError::ClusterFormat { path: path.into(), kind });
                }
                checked.bind_for_engine(&common)?;
                let views = context.state().config_options().execution.parquet.schema_force_view_types;
                let format = ParquetFormat::default().with_force_view_types(views);
                let schema = failure.guard(inferred(context, &format, &urls)).await?;
                // What the engine takes the columns for must allow the question, too.
                checked.bind_for_engine(&fields(&schema))?;
                (Arc::new(format), schema)
            }
        };
        let options = ListingOptions::new(format).with_file_extension("").with_collect_stat(false);
        let options = options.with_target_partitions(context.state().config().target_partitions());
        let config =
            ListingTableConfig::new_with_multi_paths(urls).with_listing_options(options).with_schema(schema);
        let table = ListingTable::try_new(config).map_err(|error| failure.classify(&error))?;
        Ok(Self { provider: Arc::new(table), format: Some(files.format), longest_record })
    }
}

/// The files, if the engine reads each of their records by itself.
///
/// Its reader of JSON takes the types of columns from all records, so one record would change what others mean. A plan
/// does not tell an executor that a file is compressed, nor which of the two Arrow formats it has. It opens files by
/// their names, so that nothing tells whether they were still below a folder.
pub(crate) fn readable(path: &str, source: &Source) -> Result<Files, DataError> {
    if source.folder().is_some() {
        return Err(ReadError::Elsewhere { path: path.into() }.into());
    }
    let files = source.find()?;
    let kind = match files {
        Files { format, gzip: true, .. } => format!("{format} with gzip"),
        Files { format, encoding, .. } if encoding != Encoding::Utf8 => format!("{format} in {encoding}"),
        Files { format, .. } if !files.folder_columns().is_empty() => {
            format!("{format} in folders that name columns")
        }
        Files { format: Format::Parquet | Format::Csv, .. } => return Ok(files),
        Files { format, .. } => format.to_string(),
    };
    Err(DataError::ClusterFormat { path: path.into(), kind })
}

/// Surveys text files, and stops when the future is dropped.
async fn survey(failure: FailureContext<'_>, files: &Files, columns: usize) -> Result<Survey, DataError> {
    struct Cancel(Arc<AtomicBool>);
    impl Drop for Cancel {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let cancelled = Arc::new(AtomicBool::new(false));
    let _cancel = Cancel(Arc::clone(&cancelled));
    let paths = files.paths.clone();
    // A panic comes from a file that the authors did not foresee.
    let delimiter = files.delimiter;
    let work = tokio::task::spawn_blocking(move || Survey::of(&paths, delimiter, columns, &cancelled));
    work.await.unwrap_or_else(|_| Err(failure.damaged()))
}

/// A URL, which unlike a path is not taken for a pattern.
fn url(path: &Path) -> Option<ListingTableUrl> {
    ListingTableUrl::try_new(Url::from_file_path(path).ok()?, None).ok()
}

/// The columns of the first file, which are those of all; any may be missing, since not every file promises otherwise.
async fn inferred(
    context: &SessionContext,
    format: &dyn FileFormat,
    urls: &[ListingTableUrl],
) -> Result<SchemaRef, DataFusionError> {
    let Some(first) = urls.first() else { return Ok(Arc::new(Schema::empty())) };
    let store = context.runtime_env().object_store(first)?;
    let object = store.head(first.prefix()).await?;
    let schema = format.infer_schema(&context.state(), &store, &[object]).await?;
    let columns: Vec<Field> =
        schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true)).collect();
    Ok(Arc::new(Schema::new(columns)))
}
