//! What may be said of the columns of a file before anything is charged.
//!
//! Names come from a schema of the folder, and from the types that Parquet and Arrow files declare. They come from the
//! first line of a CSV file only if the steward says that it is a header: in a file without one it is a person. They
//! never come from JSON, where each record has its own. Values come from a schema or from a type, never from records.

use std::collections::BTreeMap;

use posterity::data::{Domain, Format, ReadError, Source, ValueKind, common_fields, common_names};
use posterity::plan::named_fields;

use crate::folder::Folder;
use crate::question::QuestionForm;
use crate::sentence::sentence;

/// The choice that no schema is used.
pub(crate) const NONE: &str = "none";

/// The most names that are offered.
const MAX_NAMES: usize = 500;

/// The columns of a file, as far as they may be known.
#[derive(Debug, Default)]
pub(crate) struct Known {
    names: Vec<String>,
    declared: BTreeMap<String, Domain>,
    /// The columns that the schema declares.
    of_schema: Vec<String>,
    schema: Option<String>,
    wrong: Option<String>,
}

impl Known {
    /// What is known of the file of a question.
    pub(crate) fn of(folder: &Folder, form: &QuestionForm) -> Self {
        let mut known = Self::default();
        if folder.find(&form.file).is_none() {
            return known;
        }
        known.schema = match form.schema.get() {
            Some(NONE) => None,
            Some(chosen) => Some(chosen.to_owned()),
            None => usual_schema(&form.file, &folder.schemas()),
        };
        let said = known.take_schema(folder).and_then(|()| known.take_file(folder, form));
        known.wrong = said.err();
        known.names.truncate(MAX_NAMES);
        known
    }

    /// The names of the columns; none if they are not known.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// What is declared for a column.
    pub(crate) fn domain(&self, column: &str) -> Option<&Domain> {
        self.declared.get(column)
    }

    /// The schema that declares a column, if it does.
    pub(crate) fn schema_of(&self, column: &str) -> Option<&str> {
        self.schema.as_deref().filter(|_| self.of_schema.iter().any(|name| name == column))
    }

    /// The schema that is used.
    pub(crate) fn schema(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    /// Why the names are not known.
    pub(crate) fn wrong(&self) -> Option<&str> {
        self.wrong.as_deref()
    }

    fn take_schema(&mut self, folder: &Folder) -> Result<(), String> {
        let Some(schema) = self.schema.clone() else { return Ok(()) };
        if !folder.schemas().contains(&schema) {
            return Err("There is no such schema in the folder.".to_owned());
        }
        let fields = folder.text(&schema).and_then(|text| named_fields(&text));
        for (name, domain) in fields.map_err(|why| format!("{schema}: {why}."))? {
            self.of_schema.extend(domain.is_some().then(|| name.clone()));
            self.add(name, domain);
        }
        Ok(())
    }

    fn take_file(&mut self, folder: &Folder, form: &QuestionForm) -> Result<(), String> {
        let path = folder.find(&form.file).unwrap_or_default();
        let mut source = Source::files(path.to_string_lossy()).below(folder.root());
        if let Some(delimiter) = form.delimiter.value()? {
            source = source.with_delimiter(delimiter.0);
        }
        if let Some(encoding) = form.encoding.value()? {
            source = source.with_encoding(encoding);
        }
        match Format::of_name(&form.file).0 {
            Some(Format::Parquet | Format::Arrow) => self.take_types(&source).map_err(sentence),
            Some(Format::Csv | Format::Tsv) if !form.header.is_empty() => {
                self.take_header(&source).map_err(sentence)
            }
            _ => Ok(()),
        }
    }

    fn take_types(&mut self, source: &Source) -> Result<(), ReadError> {
        for field in common_fields(&source.find()?)? {
            let truths = || Domain::Values(vec!["true".to_owned(), "false".to_owned()]);
            self.add(field.name, (field.kind == ValueKind::Boolean).then(truths));
        }
        Ok(())
    }

    fn take_header(&mut self, source: &Source) -> Result<(), ReadError> {
        for name in common_names(&source.find()?)? {
            self.add(name, None);
        }
        Ok(())
    }

    /// Adds a name. What was declared first stays.
    fn add(&mut self, name: String, domain: Option<Domain>) {
        if let Some(domain) = domain {
            self.declared.entry(name.clone()).or_insert(domain);
        }
        if !self.names.contains(&name) {
            self.names.push(name);
        }
    }
}

/// The schema that belongs to a file by its name: `visits.schema.json` to `visits.csv`, and otherwise the one that
/// describes all files of the same folder.
pub(crate) fn usual_schema(file: &str, schemas: &[String]) -> Option<String> {
    let (place, name) = file.rsplit_once('/').map_or(("", file), |(place, name)| (place, name));
    let beside = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}/{name}") };
    let stem = name.split('.').next().unwrap_or(name);
    let wanted = [format!("{stem}.schema.json"), "schema.json".to_owned(), "datapackage.json".to_owned()];
    wanted.iter().map(|name| beside(name)).find(|name| schemas.contains(name))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use arrow_array::types::Int32Type;
    use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, RecordBatch};
    use arrow_ipc::writer::FileWriter;

    use super::*;
    use crate::fields::fields;

    /// A folder with a file of each kind, and what is known of it by these fields.
    fn known(query: &str) -> Known {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in [
            ("visits.csv", "ward;cured\nA;yes\n"),
            ("plain.csv", "SECRET,yes\n"),
            ("people.json", "{\"SECRET\": 1}\n"),
            (
                "people.schema.json",
                "{\"fields\": [{\"name\": \"id\"}, {\"name\": \"ok\", \"type\": \"boolean\"}]}",
            ),
            ("broken.schema.json", "{"),
        ] {
            fs::write(folder.path().join(name), text).expect("written");
        }
        let folder = Folder::new(folder.path()).expect("a folder");
        Known::of(&folder, &fields(query.as_bytes()).expect(query))
    }

    /// If this fails, a page shows what a record holds.
    #[test]
    fn the_first_line_is_told_only_if_it_is_said_to_be_a_header() {
        assert!(known("file=plain.csv").names().is_empty());
        assert!(known("file=people.json&header=yes&schema=none").names().is_empty());
        assert_eq!(known("file=visits.csv&header=yes&delimiter=%3B").names(), ["ward", "cured"]);
        assert_eq!(known("file=visits.csv&header=yes").names(), ["ward;cured"]);
        assert!(known("file=../visits.csv&header=yes").names().is_empty());
    }

    /// If this fails, a page shows what occurs in a file: a dictionary has the values of its records.
    #[test]
    fn types_tell_names_and_no_values() {
        let folder = tempfile::tempdir().expect("a folder");
        let ward: DictionaryArray<Int32Type> = ["SECRET", "SECRET", "OTHER"].into_iter().collect();
        let cured = BooleanArray::from(vec![true, false, true]);
        let columns: [(&str, ArrayRef); 2] = [("ward", Arc::new(ward)), ("cured", Arc::new(cured))];
        let batch = RecordBatch::try_from_iter(columns).expect("a batch");
        let file = fs::File::create(folder.path().join("visits.arrow")).expect("a file");
        let mut writer = FileWriter::try_new(file, &batch.schema()).expect("a writer");
        writer.write(&batch).and_then(|()| writer.finish()).expect("written");
        let folder = Folder::new(folder.path()).expect("a folder");
        let known = Known::of(&folder, &fields(b"file=visits.arrow").expect("read"));
        assert_eq!((known.names(), known.wrong()), (&["ward".to_owned(), "cured".to_owned()][..], None));
        assert_eq!(
            known.domain("cured").map(Domain::names),
            Some(vec!["true".to_owned(), "false".to_owned()])
        );
        assert!(known.domain("ward").is_none());
        assert!(!format!("{known:?}").contains("SECRET"));
    }

    #[test]
    fn a_schema_is_found_by_the_name_of_the_file() {
        let people = known("file=people.json");
        assert_eq!(
            (people.names(), people.schema()),
            (&["id".to_owned(), "ok".to_owned()][..], Some("people.schema.json"))
        );
        assert_eq!(people.domain("ok").map(Domain::names), Some(vec!["true".to_owned(), "false".to_owned()]));
        assert!(people.domain("id").is_none());
        let wrong = known("file=people.json&schema=broken.schema.json");
        assert!(
            wrong.wrong().is_some_and(|why| why.starts_with("broken.schema.json: is not JSON")),
            "{wrong:?}"
        );
        assert!(known("file=people.json&schema=visits.csv").wrong().is_some());
        let schemas = ["a/schema.json".to_owned(), "b.schema.json".to_owned()];
        for (file, schema) in
            [("a/x.csv", Some("a/schema.json")), ("b.csv.gz", Some("b.schema.json")), ("c.csv", None)]
        {
            assert_eq!(usual_schema(file, &schemas).as_deref(), schema, "{file}");
        }
    }
}
