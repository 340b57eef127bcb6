//! The source as a table of the engine.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::config::{CsvOptions, JsonOptions};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::arrow::ArrowFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::DataFusionError;
use datafusion::object_store::ObjectStoreExt;
use datafusion::prelude::SessionContext;
use url::Url;

use crate::binary;
use crate::error::DataError;
use crate::failure::Context;
use crate::files::{Files, shown};
use crate::source::{Format, Location, Source};
use crate::text::{Layout, Survey};

/// A source that was found, looked at and opened.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) provider: Arc<dyn TableProvider>,
    /// The format of the files; none for a table of the session.
    pub(crate) format: Option<Format>,
    /// An upper bound on the length of a record of text; zero if it does not matter.
    pub(crate) longest_record: usize,
}

const STAGE: &str = "while opening the source";

impl Table {
    /// Finds the files or the table.
    pub(crate) async fn open(context: &SessionContext, source: &Source) -> Result<Self, DataError> {
        let table = match &source.location {
            Location::Table(name) => {
                let unknown = |_| DataError::UnknownTable { table: name.clone() };
                let reference = TableReference::parse_str(name);
                let provider = context.table_provider(reference).await.map_err(unknown)?;
                Self { provider, format: None, longest_record: 0 }
            }
            Location::Files(path) => Self::of_files(context, source, path).await?,
        };
        refuse_duplicates(&table.provider.schema())?;
        Ok(table)
    }

    async fn of_files(context: &SessionContext, source: &Source, path: &str) -> Result<Self, DataError> {
        let files = Files::find(path, source.format)?;
        let failure = Context { path, format: Some(files.format), filter: None, stage: STAGE };
        let compression =
            if files.gzip { FileCompressionType::GZIP } else { FileCompressionType::UNCOMPRESSED };
        let mut urls = Vec::with_capacity(files.paths.len());
        for path in &files.paths {
            urls.push(url(path).ok_or_else(|| DataError::NotFound { path: shown(path) })?);
        }
        let mut longest_record = 0;
        let (format, schema): (Arc<dyn FileFormat>, SchemaRef) = match files.format {
            Format::Csv => {
                let delimiter = delimiter(source)?;
                let survey = survey(failure, &files, Layout::Csv { delimiter }).await?;
                longest_record = survey.longest;
                // Every column is text: what it means must not depend on what its first rows look like.
                let fields: Vec<Field> =
                    survey.header.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
                let options = CsvOptions::default()
                    .with_has_header(true)
                    .with_delimiter(delimiter)
                    .with_newlines_in_values(survey.quoted_breaks);
                let format =
                    CsvFormat::default().with_options(options).with_file_compression_type(compression);
                (Arc::new(format), Arc::new(Schema::new(fields)))
            }
            Format::Json => {
                longest_record = survey(failure, &files, Layout::Json).await?.longest;
                // All records: the reader would cut 1.5 to 1 in a column that looked like integers so far.
                let options =
                    JsonOptions { schema_infer_max_rec: Some(usize::MAX), ..JsonOptions::default() };
                let format =
                    JsonFormat::default().with_options(options).with_file_compression_type(compression);
                let schema = failure.guard(inferred(context, &format, &urls)).await?;
                (Arc::new(format), schema)
            }
            Format::Parquet | Format::Arrow => {
                let format: Arc<dyn FileFormat> = match files.format {
                    Format::Parquet => {
                        let state = context.state();
                        let views = state.config_options().execution.parquet.schema_force_view_types;
                        Arc::new(ParquetFormat::default().with_force_view_types(views))
                    }
                    _ => Arc::new(ArrowFormat),
                };
                let schema = common(context, format.as_ref(), &urls, &files, failure).await?;
                (format, schema)
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

fn refuse_duplicates(schema: &Schema) -> Result<(), DataError> {
    let mut names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(DataError::DuplicateColumn { column: pair[0].into() }),
        None => Ok(()),
    }
}

/// Looks at text, and stops looking when nobody waits any more.
async fn survey(failure: Context<'_>, files: &Files, layout: Layout) -> Result<Survey, DataError> {
    struct Cancel(Arc<AtomicBool>);
    impl Drop for Cancel {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let cancelled = Arc::new(AtomicBool::new(false));
    let _cancel = Cancel(Arc::clone(&cancelled));
    let (paths, gzip) = (files.paths.clone(), files.gzip);
    blocking(failure, move || Survey::of(&paths, gzip, layout, &cancelled)).await
}

/// Work that reads files, on a thread that may block. A panic in it means a file that nobody foresaw.
async fn blocking<T: Send + 'static>(
    failure: Context<'_>,
    work: impl FnOnce() -> Result<T, DataError> + Send + 'static,
) -> Result<T, DataError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(failure.damaged()))
}

fn delimiter(source: &Source) -> Result<u8, DataError> {
    let delimiter = source.delimiter.unwrap_or(',');
    match u8::try_from(delimiter) {
        Ok(byte) if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r' | 0) => Ok(byte),
        _ => Err(DataError::Delimiter { delimiter }),
    }
}

/// A URL, which unlike a path is not taken for a pattern.
fn url(path: &Path) -> Option<ListingTableUrl> {
    ListingTableUrl::try_new(Url::from_file_path(path).ok()?, None).ok()
}

async fn inferred(
    context: &SessionContext,
    format: &dyn FileFormat,
    urls: &[ListingTableUrl],
) -> Result<SchemaRef, DataFusionError> {
    let mut objects = Vec::with_capacity(urls.len());
    let Some(first) = urls.first() else { return Ok(Arc::new(Schema::empty())) };
    let store = context.runtime_env().object_store(first)?;
    for url in urls {
        objects.push(store.head(url.prefix()).await?);
    }
    format.infer_schema(&context.state(), &store, &objects).await
}

/// The schema that all files have, in whatever order.
async fn common(
    context: &SessionContext,
    format: &dyn FileFormat,
    urls: &[ListingTableUrl],
    files: &Files,
    failure: Context<'_>,
) -> Result<SchemaRef, DataError> {
    let mut found: Option<SchemaRef> = None;
    for (url, path) in urls.iter().zip(&files.paths) {
        let (file, kind) = (path.clone(), files.format);
        let stated = blocking(failure, move || binary::columns(&file, kind)).await?;
        refuse_duplicates(&stated)?;
        let schema = failure.guard(inferred(context, format, std::slice::from_ref(url))).await?;
        match &found {
            None => found = Some(nullable(&schema)),
            Some(first) if columns(first) == columns(&schema) => {}
            Some(_) => {
                let first = files.paths.first().map(|path| shown(path)).unwrap_or_default();
                return Err(DataError::MixedColumns { first, second: shown(path) });
            }
        }
    }
    found.ok_or_else(|| failure.damaged())
}

/// The same columns, any of which may be missing: not every file promises otherwise.
fn nullable(schema: &Schema) -> SchemaRef {
    let fields: Vec<Field> =
        schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true)).collect();
    Arc::new(Schema::new(fields))
}

fn columns(schema: &Schema) -> Vec<(&str, &DataType)> {
    let mut columns: Vec<_> =
        schema.fields().iter().map(|field| (field.name().as_str(), field.data_type())).collect();
    columns.sort_by_key(|(name, _)| *name);
    columns
}
