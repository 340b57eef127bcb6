//! What is asked of many columns.

use std::path::PathBuf;

use posterity::data::{Column, Domain, Resources};
use posterity::ledger::{Account, LedgerError};
use posterity::number::{left, spent};
use posterity::{Amount, MarginsPublisher, MarginsTerms, PlannedMargins, Publication, charge_for};
use posterity_advice::margins::margins_levels;
use posterity_study::{fields_of_sets, needed_fields};

use super::form::page;
use super::typed::MarginsForm;
use crate::chosen;
use crate::desk::Desk;
use crate::folder::Folder;
use crate::html;
use crate::known::usual_schema;
use crate::large_delta;
use crate::noise::{noise_table, of_columns};
use crate::payer;
use crate::people;
use crate::readings::AskedReadings;
use crate::release::asked::{Asked, Facts, Own, ReleaseForm};
use crate::release::clerk::Clerk;
use crate::release::command::Line;
use crate::sentence::sentence;

impl ReleaseForm for MarginsForm {
    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> String {
        page(desk, self, wrong)
    }

    fn checked(self, desk: &Desk<'_>) -> Result<Asked, String> {
        let (common, folder) = (&self.common, chosen::folder(desk.folder)?);
        let file = common.file(desk)?;
        let which = self.margins.required("Say which tables: 2 is every pair of columns.")?;
        let (schema, declared) = declared(folder, &self)?;
        let columns = columns(&self, fields_of_sets(declared, &which).map_err(sentence)?);
        let (epsilon, delta) = (common.epsilon()?, self.delta.required("Give a delta, such as 1e-9.")?);
        let readings = AskedReadings::new(&common.readings)?;
        let question = common.question(columns, common.per_unit.value()?.unwrap_or_default())?;
        let usual = MarginsTerms::new(which, epsilon, delta);
        let terms = MarginsTerms {
            adjacency: question.adjacency,
            ways: readings.ways(usual.ways),
            readings: readings.readings.clone(),
            comparisons: readings.comparisons.clone(),
            ..usual
        };
        let publisher = MarginsPublisher::new(terms.clone());
        let publisher = publisher.allow_large_delta(self.allow_large_delta.get().is_some());
        let planned = publisher.plan(question.clone()).map_err(large_delta::refused)?;
        planned.check().map_err(sentence)?;
        Ok(Asked {
            file,
            edition: common.edition(),
            question,
            epsilon: terms.epsilon.clone(),
            delta: Some(terms.delta.clone()),
            n: self.n.value()?,
            ways: terms.ways,
            readings,
            account: common.account(desk)?,
            own: Box::new(AskedMargins {
                path: folder.path().join(&schema),
                rho: terms.rho().map_err(sentence)?,
                typed: self,
                schema,
                terms,
                planned,
            }),
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

/// Tables that are asked for, and the noise of each.
#[derive(Debug)]
struct AskedMargins {
    typed: MarginsForm,
    /// The schema that declares the columns, and its path as the folder was named.
    schema: String,
    path: PathBuf,
    terms: MarginsTerms,
    planned: PlannedMargins,
    /// What all tables together cost.
    rho: Amount,
}

impl AskedMargins {
    fn by_itself(&self) -> String {
        format!("(ε = {} at δ = {} by itself)", self.terms.epsilon, spent(&self.terms.delta))
    }
}

impl Own for AskedMargins {
    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> String {
        page(desk, &self.typed, wrong)
    }

    fn address(&self) -> &'static str {
        "/margins"
    }

    fn title(&self) -> &'static str {
        "Release these tables?"
    }

    fn facts(&self, asked: &Asked) -> Facts {
        let columns: Vec<&str> = asked.question.columns.iter().map(|column| column.name.as_str()).collect();
        let columns = format!("{}: {}", columns.len(), columns.join(", "));
        vec![("Columns", columns), ("Declared by", self.schema.clone())]
    }

    /// The tables with their noise, and what to expect of them if the number of records was typed.
    fn forecast(&self, asked: &Asked) -> String {
        let plan = self.planned.plan();
        let workload = plan.workload();
        let of_size = |columns: usize| {
            let tables = workload.sets().iter().filter(|set| set.len() == columns).count();
            of_columns(tables, columns)
        };
        let sizes: Vec<String> = (1..=workload.order()).map(of_size).collect();
        let (level, n) = (asked.ways.level, asked.n.filter(|n| *n > 0));
        let noise = match n.and_then(|n| margins_levels(plan, n as f64, level).ok()) {
            Some(levels) => noise_table(&levels, level),
            None => people::unknown(),
        };
        let warning = n.and_then(|n| MarginsTerms::mostly_noise(plan, n as f64)).map(|text| {
            format!("<p class=\"notice\"><strong>Warning:</strong> {}</p>", html::text(sentence(text)))
        });
        format!(
            "<section id=\"tables\"><h2>The tables</h2><p>{}.</p>{}{noise}</section>",
            html::text(sizes.join(", ")),
            warning.unwrap_or_default()
        )
    }

    fn price(&self, _: &Asked) -> String {
        format!("ρ = {} {}", spent(&self.rho), self.by_itself())
    }

    fn spends(&self, asked: &Asked, account: &Account) -> Result<(String, bool), LedgerError> {
        let (unit, adjacency) = (asked.question.unit.as_deref(), self.terms.adjacency);
        let charge = charge_for("any", None, Some(self.rho.clone()), unit, adjacency)?;
        let price = account.affords(&charge)?;
        let said = format!(
            "ρ = {} {} of account <strong>{}</strong>, which can pay ρ = {} now. Of its ε = {} at δ = {}, {} is left for another \
             release before this one.{}",
            html::text(spent(price.rho().unwrap_or(&self.rho))),
            self.by_itself(),
            html::text(&account.name),
            html::text(left(&account.affordable_rho(charge.promise().adjacency))),
            html::text(left(&account.epsilon)),
            html::text(left(&account.delta)),
            html::text(left(&account.remaining_epsilon)),
            payer::dearer(account, adjacency, "four times its rho")
        );
        Ok((said, true))
    }

    fn columns(&self, _: &Asked, line: &mut Line) {
        line.flag("--schema", Some(self.path.to_string_lossy()));
        line.flag("--margins", Some(self.terms.which.to_string()));
        line.flag("--other", self.typed.other.get());
        line.flag("--missing", self.typed.missing.get());
    }

    fn budget(&self, line: &mut Line) {
        line.flag("--epsilon", Some(self.terms.epsilon.to_string()));
        line.flag("--delta", self.typed.delta.get());
        line.switch("--allow-large-delta", self.typed.allow_large_delta.get().is_some());
    }

    fn answer(&self, asked: &Asked, clerk: &mut Clerk<'_>) -> Result<(Publication, String), String> {
        let (edition, resources) = (asked.edition.as_deref(), Resources::default());
        let (planned, tell) = (self.planned.clone(), |rows| clerk.tell(rows));
        let data = planned.count(&asked.file.source, edition, clerk.randomness(), &resources, &tell);
        let data = data.map_err(Clerk::uncounted)?.shown_as(&asked.file.name);
        clerk.answer(data.ask())
    }
}
