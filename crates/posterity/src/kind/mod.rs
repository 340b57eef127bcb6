//! What can be released: a list of kinds, as there is one of mechanisms.
//!
//! A kind is a folder here: its request, its law and price, its draw, what follows from the draw, and its words. The list
//! at the end names each once. Ledgers, documents, `verify` and all that shows a document read that list.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use posterity_core::model::Epsilon;
use posterity_ledger::{Amount, StoredRelease};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::about::About;
use crate::paper::{
    Document, DocumentError, GuaranteeStatement, Kind, LoadError, Promised, Record, parse_document,
};
use crate::provenance::Provenance;
use crate::table::{Contrast, Contrasted, Reading, ReadingError, ReadingTable, SpaceColumn, Ways};
use crate::text_file::open_file;

/// How a kind is asked for, which its folder says; nothing of a kind that is never drawn.
#[cfg(feature = "data")]
macro_rules! asked {
    ($module:ident) => {
        Some(&$crate::kind::$module::plan::ASKING)
    };
    ($module:ident $derived:ident) => {
        None
    };
}

/// The list of kinds: of each its folder and the type of its answers. One that is never drawn, and so cannot be asked for,
/// says `(derived)`.
macro_rules! kinds {
    ($($(#[$doc:meta])* $module:ident::$kind:ident $(($derived:ident))?,)+) => {
        $(pub(crate) mod $module;)+

        /// A document of any kind.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Publication {
            $($(#[$doc])* $kind(Box<Document<$module::$kind>>),)+
        }

        /// Does with a document of any kind what can be done with every kind.
        macro_rules! each {
            ($publication:expr, $document:ident => $of:expr) => {
                match $publication { $(Publication::$kind($document) => $of,)+ }
            };
        }

        /// How each kind is asked for, in the order of the list.
        #[cfg(feature = "data")]
        macro_rules! asked_kinds {
            () => { &[$(asked!($module $($derived)?)),+] };
        }

        /// Checks something of every kind.
        #[cfg(all(test, feature = "data"))]
        macro_rules! of_each {
            ($check:ident) => { $($check::<$crate::kind::$module::$kind>();)+ };
        }

        $(impl From<Document<$module::$kind>> for Publication {
            fn from(document: Document<$module::$kind>) -> Self {
                Publication::$kind(Box::new(document))
            }
        })+

        impl Publication {
            /// The names of all kinds.
            pub const KINDS: &'static [&'static str] = &[$($module::$kind::NAME),+];
        }

        /// Reads a document whose kind has this name.
        fn read_of_kind(kind: &str, value: Value) -> Result<Publication, String> {
            $(if kind == $module::$kind::NAME {
                let read: Result<Document<$module::$kind>, _> = serde_json::from_value(value);
                return read.map(Publication::from).map_err(|error| error.to_string());
            })+
            Err(unknown(kind).to_string())
        }

        /// Reads what a ledger holds of an answer whose kind has this name, as is usual.
        fn recorded_of_kind(record: &Record, index: usize, stored: &StoredRelease) -> Result<Publication, DocumentError> {
            let kind = record.kind(index)?;
            $(if kind == $module::$kind::NAME {
                return Ok(Document::<$module::$kind>::recorded(record, index, stored)?.sealed(None).into());
            })+
            Err(unknown(kind))
        }
    };
}

kinds! {
    /// A posterior over declared categories.
    table::Table,
    /// Tables of many columns.
    margins::Margins,
    /// Categories that nobody declared, with their counts.
    discovered::Discovered,
}

impl Publication {
    /// Reads a document from a JSON file.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read or is not a release document.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let file = open_file(path)?;
        Self::parse(file, &path.display().to_string())
    }

    /// Reads a document in JSON. Errors name it as `name`.
    ///
    /// # Errors
    /// As [`Publication::load`].
    pub fn parse(reader: impl Read, name: &str) -> Result<Self, LoadError> {
        parse_document(reader, name)
    }

    /// The documents that a ledger holds of one charge, in the order of its questions, read as is usual.
    ///
    /// # Errors
    /// [`DocumentError`] if another version recorded them.
    pub fn recorded(stored: &StoredRelease) -> Result<Vec<Self>, DocumentError> {
        let record = Record::parse(&stored.document)?;
        (0..record.answers()).map(|index| recorded_of_kind(&record, index, stored)).collect()
    }

    /// The posterior over declared categories, if it is one.
    #[must_use]
    pub fn posterior(&self) -> Option<&Document<table::Table>> {
        if let Self::Table(document) = self { Some(document) } else { None }
    }

    /// The word by which documents of its kind are known.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        each!(self, document => document.kind())
    }

    /// What it holds, for a reader.
    #[must_use]
    pub fn title(&self) -> &'static str {
        each!(self, document => document.title())
    }

    /// What it holds, in a sentence.
    #[must_use]
    pub fn holds(&self) -> String {
        each!(self, document => document.answer().holds())
    }

    /// What is chosen beforehand and is public beside the question.
    #[must_use]
    pub fn chosen(&self) -> &'static [&'static str] {
        each!(self, document => document.chosen())
    }

    /// What follows from what was drawn, in a sentence.
    #[must_use]
    pub fn follows(&self) -> &'static str {
        each!(self, document => document.follows())
    }

    /// What is special about its intervals, in a sentence; may be empty.
    #[must_use]
    pub fn intervals(&self) -> &'static str {
        each!(self, document => document.intervals())
    }

    /// By what it is known below pictures.
    #[must_use]
    pub fn name_in_short(&self) -> String {
        each!(self, document => document.answer().name_in_short())
    }

    /// How it was drawn, in words.
    #[must_use]
    pub fn mechanism_in_words(&self) -> String {
        each!(self, document => document.answer().mechanism_in_words())
    }

    /// How many draws there are, and how their budgets add up.
    #[must_use]
    pub fn composition(&self) -> &'static str {
        each!(self, document => document.answer().composition())
    }

    /// The end of the promise in short, from the comma on.
    #[must_use]
    pub fn promise_in_short(&self) -> &'static str {
        each!(self, document => document.answer().promise_in_short())
    }

    /// The question that all of it answers, if there is one.
    #[must_use]
    pub fn question_in_words(&self) -> Option<String> {
        each!(self, document => document.answer().question_in_words())
    }

    /// Every table that it has, each as a reading: all pairs of columns, or the cells and each column by itself.
    #[must_use]
    pub fn all_readings(&self) -> Vec<Reading> {
        each!(self, document => document.answer().all_readings())
    }

    /// What is said beside its tables.
    #[must_use]
    pub fn beside(&self) -> Option<String> {
        each!(self, document => document.answer().beside())
    }

    /// What most people want to know of it, before anything else.
    #[must_use]
    pub fn first(&self) -> Cow<'_, [ReadingTable]> {
        each!(self, document => document.answer().first())
    }

    /// What is drawn, each as a picture.
    #[must_use]
    pub fn pictured(&self) -> Cow<'_, [ReadingTable]> {
        each!(self, document => document.answer().pictured())
    }

    /// By which of its records each unit counts, in words; nothing where records are counted.
    #[must_use]
    pub fn per_unit(&self) -> Option<String> {
        self.about().rule_in_words()
    }

    /// What the data is and what was asked of it.
    #[must_use]
    pub fn about(&self) -> &About {
        each!(self, document => document.about())
    }

    /// The promise as numbers.
    #[must_use]
    pub fn promise(&self) -> &Promised {
        each!(self, document => document.promise())
    }

    /// The promise in words.
    #[must_use]
    pub fn guarantee(&self) -> &GuaranteeStatement {
        each!(self, document => document.guarantee())
    }

    /// The epsilon and the delta that were asked for. They are promised unless the draw is that of a seed.
    #[must_use]
    pub fn budget(&self) -> (Epsilon, Amount) {
        each!(self, document => document.budget())
    }

    /// Whether it may be published as private.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.promise().epsilon().is_some()
    }

    /// The seed of an experiment.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        each!(self, document => document.seed())
    }

    /// The number of records or units, which is published exactly; none if it is private.
    #[must_use]
    pub fn n(&self) -> Option<u64> {
        each!(self, document => document.n())
    }

    /// The number of records or units as it is shown: `90`, or `private`.
    #[must_use]
    pub fn n_text(&self) -> String {
        self.n().map_or_else(|| "private".to_owned(), |n| n.to_string())
    }

    /// What a reader should know.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        each!(self, document => document.notes())
    }

    /// Which intervals are shown.
    #[must_use]
    pub fn ways(&self) -> Ways {
        each!(self, document => document.answer().ways())
    }

    /// Reads a table of shares, means or counts. It costs nothing.
    ///
    /// # Errors
    /// [`ReadingError`] if there is no such column or value.
    pub fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        each!(self, document => Kind::read(document.answer(), reading))
    }

    /// The same draw with other intervals, readings and comparisons; no readings stand for the usual ones. A signature is
    /// left out.
    ///
    /// ```
    /// use posterity::{Data, Publication, Publisher};
    /// let data = Data::counts([("yes", 48), ("no", 42)])?;
    /// let release = Publisher::new("1".parse()?).publish(&data)?;
    /// let document = Publication::from(release.document().clone());
    /// let read = document.reread(document.ways(), vec!["category=yes".parse()?], Vec::new())?;
    /// assert_eq!(read.readings()[0].rows.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadingError`] if it cannot be read so.
    pub fn reread(
        &self,
        ways: Ways,
        readings: Vec<Reading>,
        comparisons: Vec<Contrast>,
    ) -> Result<Self, ReadingError> {
        each!(self, document => {
            let answer = document.answer().reread(ways, readings, comparisons)?;
            Ok(document.with_answer(answer).into())
        })
    }

    /// The columns that other readings may have; none if there are no other readings.
    #[must_use]
    pub fn columns_to_read(&self) -> Vec<SpaceColumn> {
        each!(self, document => document.answer().columns_to_read())
    }

    /// The readings and the comparisons that were asked for; none stand for the usual ones.
    #[must_use]
    pub fn asked_readings(&self) -> (&[Reading], &[Contrast]) {
        each!(self, document => document.answer().asked_readings())
    }

    /// Its tables of shares, means and counts.
    #[must_use]
    pub fn readings(&self) -> Cow<'_, [ReadingTable]> {
        each!(self, document => Kind::readings(document.answer()))
    }

    /// What is compared.
    #[must_use]
    pub fn comparisons(&self) -> Cow<'_, [Contrasted]> {
        each!(self, document => Kind::comparisons(document.answer()))
    }

    /// Where it comes from; nothing if it was not charged.
    #[must_use]
    pub fn provenance(&self) -> Option<&Provenance> {
        each!(self, document => document.provenance())
    }

    /// The version of posterity that wrote it.
    #[must_use]
    pub fn version(&self) -> &str {
        each!(self, document => document.version())
    }

    /// What was asked and how the answer is read, as it is written.
    #[must_use]
    pub fn request(&self) -> Value {
        each!(self, document => serde_json::to_value(document.answer().form()).unwrap_or_default())
    }

    /// The digest of the parts from which the rest is derived.
    pub(crate) fn digest(&self) -> String {
        each!(self, document => document.digest())
    }

    /// What the law of its draw promises, or why that cannot be said.
    pub(crate) fn promised(&self) -> Result<Promised, String> {
        each!(self, document => document.answer().promised())
    }

    /// Whether it says what a ledger holds of an answer: the first of its parts that differs.
    pub(crate) fn difference(
        &self,
        record: &Record,
        index: usize,
    ) -> Result<Option<&'static str>, DocumentError> {
        each!(self, document => document.difference(record, index))
    }
}

impl Serialize for Publication {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        each!(self, document => document.serialize(serializer))
    }
}

impl<'de> Deserialize<'de> for Publication {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let kind = value.get("kind").and_then(Value::as_str).map(ToOwned::to_owned);
        let kind = kind.ok_or_else(|| D::Error::missing_field("kind"))?;
        read_of_kind(&kind, value).map_err(D::Error::custom)
    }
}

fn unknown(kind: &str) -> DocumentError {
    DocumentError::inconsistent(format!("it is of the kind {kind:?}, which this version does not know"))
}

// After the list, whose macro it uses.
#[cfg(all(test, feature = "data"))]
mod conformance;
