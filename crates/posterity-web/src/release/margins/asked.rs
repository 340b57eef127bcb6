//! What is asked of many columns.

use maud::{Markup, html};
use posterity::data::{Column, Domain, Resources};
use posterity::ledger::{Account, LedgerError};
use posterity::margins::{MarginsPublisher, MarginsTerms, PlannedMargins, Which};
use posterity::number::{left, spent};
use posterity::paying::charge_for;
use posterity::plan::{fields_of_sets, needed_fields};
use posterity::{Amount, Publication};
use posterity_advice::margins::margins_levels;
use serde::Deserialize;

use crate::chosen;
use crate::desk::Desk;
use crate::folder::Folder;
use crate::known::usual_schema;
use crate::large_delta;
use crate::noise::{noise_table, of_columns};
use crate::payer;
use crate::people;
use crate::readings::AskedReadings;
use crate::release::asked::{Asked, Draw, ReleaseForm};
use crate::release::clerk::Clerk;
use crate::release::common::Common;
use crate::sentence::sentence;
use crate::typed::Typed;

/// The form of tables of many columns, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MarginsForm {
    #[serde(flatten)]
    pub(super) common: Common,
    pub(super) schema: Typed,
    pub(super) margins: Typed<Which>,
    pub(super) other: Typed,
    pub(super) missing: Typed,
    pub(super) delta: Typed<Amount>,
    /// Whether a large delta is meant: a tick box.
    pub(super) allow_large_delta: Typed,
    /// How many records there are, from public sources: for the forecast only.
    pub(super) n: Typed<u64>,
}

impl ReleaseForm for MarginsForm {
    fn checked(&self, desk: &Desk<'_>) -> Result<Asked, String> {
        let (common, folder) = (&self.common, chosen::folder(desk.folder)?);
        let file = common.file(desk)?;
        let which = self.margins.required("Say which tables: 2 is every pair of columns.")?;
        let (schema, declared) = declared(folder, self)?;
        let columns = columns(self, fields_of_sets(declared, &which).map_err(sentence)?);
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let names = format!("{}: {}", names.len(), names.join(", "));
        let (epsilon, delta) = (common.epsilon()?, self.delta.required("Give a delta, such as 1e-9.")?);
        let readings = AskedReadings::new(&common.readings)?;
        let question = common.question(columns, common.per_unit.value()?.unwrap_or_default())?;
        let usual = MarginsTerms::new(which.clone(), epsilon.clone(), delta.clone());
        let terms = MarginsTerms {
            adjacency: question.adjacency,
            ways: readings.ways(usual.ways),
            readings: readings.readings.clone(),
            comparisons: readings.comparisons.clone(),
            ..usual
        };
        let is_large = self.allow_large_delta.get().is_some();
        let publisher = MarginsPublisher::new(terms.clone()).allow_large_delta(is_large);
        let planned = publisher.plan(question.clone()).map_err(large_delta::refused)?;
        planned.check().map_err(sentence)?;
        let n = self.n.value()?;
        let text = |typed: &Typed| typed.get().map(ToOwned::to_owned);
        let tables = vec![
            ("--schema", Some(folder.path().join(&schema).to_string_lossy().into_owned())),
            ("--sets", Some(which.to_string())),
            ("--other", text(&self.other)),
            ("--missing", text(&self.missing)),
        ];
        let budget = vec![
            ("--epsilon", Some(epsilon.to_string())),
            ("--delta", self.delta.get().map(ToOwned::to_owned)),
            ("--allow-large-delta", is_large.then(String::new)),
        ];
        Ok(Asked {
            form: Box::new(self.clone()),
            word: "margins",
            title: "Release these tables?",
            file,
            edition: common.edition(),
            question,
            facts: vec![("Columns", names), ("Declared by", schema)],
            terms: Vec::new(),
            forecast: forecast(&planned, n),
            epsilon,
            delta: Some(delta),
            n,
            ways: terms.ways,
            readings,
            account: common.account(desk)?,
            flags: [tables, budget],
            draw: Box::new(AskedMargins { rho: terms.rho().map_err(sentence)?, planned }),
        })
    }
}

/// The schema that was chosen, or the one that belongs to the file by its name, and what it declares.
fn declared(folder: &Folder, typed: &MarginsForm) -> Result<(String, Vec<(String, Domain)>), String> {
    let schemas = folder.schemas();
    let chosen = typed.schema.get().map(ToOwned::to_owned);
    let chosen = chosen.or_else(|| usual_schema(&typed.common.file.name, &schemas));
    let schema = chosen.ok_or("Choose the schema that declares the values of the columns.")?;
    if !schemas.contains(&schema) {
        return Err("There is no such schema in the folder.".to_owned());
    }
    let declared = folder.text(&schema).and_then(|text| needed_fields(&text));
    declared.map_err(|why| format!("{schema}: {why}.")).map(|declared| (schema, declared))
}

fn columns(typed: &MarginsForm, fields: Vec<(String, Domain)>) -> Vec<Column> {
    let [other, missing] = [&typed.other, &typed.missing].map(|one| one.get().map(ToOwned::to_owned));
    let column = |(name, domain)| Column {
        other: other.clone(),
        missing: missing.clone(),
        ..Column::of(name, domain)
    };
    fields.into_iter().map(column).collect()
}

/// The tables with their noise, and what to expect of them if the number of records was typed.
fn forecast(planned: &PlannedMargins, n: Option<u64>) -> Markup {
    let (plan, level) = (planned.plan(), planned.terms().ways.level);
    let workload = plan.workload();
    let of_size = |columns: usize| {
        let tables = workload.sets().iter().filter(|set| set.len() == columns).count();
        of_columns(tables, columns)
    };
    let sizes: Vec<String> = (1..=workload.order()).map(of_size).collect();
    let n = n.filter(|n| *n > 0).map(|n| n as f64);
    let noise = match n.and_then(|n| margins_levels(plan, n, level).ok()) {
        Some(levels) => noise_table(&levels, level),
        None => people::unknown(),
    };
    html! {
        section id="tables" {
            h2 { "The tables" }
            p { (sizes.join(", ")) "." }
            @if let Some(text) = n.and_then(|n| MarginsTerms::mostly_noise(plan, n)) {
                p.notice { strong { "Warning:" } " " (sentence(text)) }
            }
            (noise)
        }
    }
}

/// Tables that are asked for, and what all of them together cost.
#[derive(Debug)]
struct AskedMargins {
    planned: PlannedMargins,
    rho: Amount,
}

impl AskedMargins {
    fn costs(&self, rho: &Amount) -> String {
        let MarginsTerms { epsilon, delta, .. } = self.planned.terms();
        format!("ρ = {} (ε = {epsilon} at δ = {} by itself)", spent(rho), spent(delta))
    }
}

impl Draw for AskedMargins {
    fn price(&self) -> String {
        self.costs(&self.rho)
    }

    fn spends(&self, asked: &Asked, account: &Account) -> Result<(Markup, bool), LedgerError> {
        let (unit, adjacency) = (asked.question.unit.as_deref(), asked.question.adjacency);
        let charge = charge_for("any", None, Some(self.rho.clone()), unit, adjacency)?;
        let price = account.affords(&charge)?;
        let said = html! {
            (self.costs(price.rho().unwrap_or(&self.rho))) " of account " strong { (account.name) } ", which can pay ρ = "
            (left(&account.affordable_rho(charge.promise().adjacency))) " now. Of its ε = " (left(&account.epsilon))
            " at δ = " (left(&account.delta)) ", " (left(&account.remaining_epsilon))
            " is left for another release before this one."
            (payer::dearer(account, adjacency, "four times its rho"))
        };
        Ok((said, true))
    }

    fn answer(&self, asked: &Asked, clerk: &mut Clerk<'_>) -> Result<(Publication, String), String> {
        let (edition, resources) = (asked.edition.as_deref(), Resources::default());
        let (planned, tell) = (self.planned.clone(), |rows| clerk.tell(rows));
        let data = planned.count(&asked.file.source, edition, clerk.randomness(), &resources, &tell);
        let data = data.map_err(Clerk::uncounted)?.shown_as(&asked.file.name);
        clerk.answer(data.ask())
    }
}
