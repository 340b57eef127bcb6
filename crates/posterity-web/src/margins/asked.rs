//! What a release of many tables is asked for.

use posterity::data::{Column, Domain, PerUnit, Question};
use posterity::{Adjacency, Amount, Epsilon, MarginsPublisher, MarginsTerms, PlannedMargins, Which};
use posterity_study::{fields_of_sets, needed_fields};
use serde::Deserialize;

use crate::chosen::{self, ChosenFile, FileForm};
use crate::folder::Folder;
use crate::known::usual_schema;
use crate::large_delta;
use crate::readings::{AskedReadings, ReadingForm};
use crate::sentence::sentence;
use crate::typed::Typed;

/// The form of a release of many tables, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MarginsForm {
    #[serde(flatten)]
    pub(super) file: FileForm,
    pub(super) schema: Typed,
    pub(super) margins: Typed<Which>,
    pub(super) adjacency: Typed<Adjacency>,
    pub(super) unit: Typed,
    pub(super) per_unit: Typed<PerUnit>,
    pub(super) filter: Typed,
    pub(super) other: Typed,
    pub(super) missing: Typed,
    pub(super) epsilon: Typed<Epsilon>,
    pub(super) delta: Typed<Amount>,
    /// Whether a large delta is meant: a tick box.
    pub(super) allow_large_delta: Typed,
    /// How many records there are, from public sources: for the forecast only.
    pub(super) n: Typed<u64>,
    pub(super) account: Typed,
    #[serde(flatten)]
    pub(super) readings: ReadingForm,
}

/// A checked form, and the noise of every table. Nothing has been read yet.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(super) typed: MarginsForm,
    pub(super) file: ChosenFile,
    /// The schema that declares the columns.
    pub(super) schema: String,
    pub(super) terms: MarginsTerms,
    pub(super) planned: PlannedMargins,
    /// What all tables together cost.
    pub(super) rho: Amount,
    /// How many records there are, as was typed.
    pub(super) n: Option<u64>,
    /// The account to charge; none without a ledger.
    pub(super) account: Option<String>,
}

impl Asked {
    /// What the form means, or what is wrong with it. It does not open the file.
    pub(super) fn new(folder: Option<&Folder>, has_ledger: bool, typed: MarginsForm) -> Result<Self, String> {
        let folder = chosen::folder(folder)?;
        let file = ChosenFile::new(folder, &typed.file)?;
        let which = typed.margins.required("Say which tables: 2 is every pair of columns.")?;
        let (schema, declared) = declared(folder, &typed)?;
        let fields = fields_of_sets(declared, &which).map_err(sentence)?;
        let terms = terms(&typed, which)?;
        let question = question(&typed, fields, terms.adjacency)?;
        let publisher = MarginsPublisher::new(terms.clone());
        let publisher = publisher.allow_large_delta(typed.allow_large_delta.get().is_some());
        let planned = publisher.plan(question).map_err(large_delta::refused)?;
        planned.check().map_err(sentence)?;
        let rho = terms.rho().map_err(sentence)?;
        let account = chosen::account(has_ledger, &typed.account)?;
        let n = typed.n.value()?;
        Ok(Self { file, schema, terms, planned, rho, n, account, typed })
    }

    /// Whom it protects, in a word.
    pub(super) fn unit(&self) -> &str {
        self.planned.question().unit.as_deref().unwrap_or("record")
    }
}

/// The schema that was chosen, or the one that belongs to the file by its name, and what it declares.
fn declared(folder: &Folder, typed: &MarginsForm) -> Result<(String, Vec<(String, Domain)>), String> {
    let schemas = folder.schemas();
    let chosen =
        typed.schema.get().map(ToOwned::to_owned).or_else(|| usual_schema(&typed.file.name, &schemas));
    let schema = chosen.ok_or("Choose the schema that declares the values of the columns.")?;
    if !schemas.contains(&schema) {
        return Err("There is no such schema in the folder.".to_owned());
    }
    let declared = folder.text(&schema).and_then(|text| needed_fields(&text));
    declared.map_err(|why| format!("{schema}: {why}.")).map(|declared| (schema, declared))
}

fn terms(typed: &MarginsForm, which: Which) -> Result<MarginsTerms, String> {
    let epsilon = typed.epsilon.required("Give an epsilon, such as 1.")?;
    let delta = typed.delta.required("Give a delta, such as 1e-9.")?;
    let readings = AskedReadings::new(&typed.readings)?;
    let usual = MarginsTerms::new(which, epsilon, delta);
    Ok(MarginsTerms {
        adjacency: typed.adjacency.value()?.unwrap_or_default(),
        ways: readings.ways(usual.ways),
        readings: readings.readings,
        comparisons: readings.comparisons,
        ..usual
    })
}

fn question(
    typed: &MarginsForm,
    fields: Vec<(String, Domain)>,
    adjacency: Adjacency,
) -> Result<Question, String> {
    let label = |typed: &Typed| typed.get().map(ToOwned::to_owned);
    let column = |(name, domain): (String, Domain)| Column {
        other: label(&typed.other),
        missing: label(&typed.missing),
        ..Column::of(name, domain)
    };
    Ok(Question {
        filter: typed.filter.get().map(Into::into),
        unit: typed.unit.get().map(Into::into),
        per_unit: typed.per_unit.value()?.unwrap_or_default(),
        adjacency,
        ..Question::new(fields.into_iter().map(column).collect())
    })
}
