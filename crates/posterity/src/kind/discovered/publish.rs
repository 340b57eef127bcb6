//! From the values of a column to a release.

use std::ops::ControlFlow;

use posterity_core::discovery::Total;
use posterity_core::model::Adjacency;
use posterity_core::sampler::BitSource;
use posterity_count::{DataError, Values, ValuesAsked};
use posterity_ledger::{Amount, LedgerError};
use serde_json::{Value, json};

use super::DiscoveredDocument;
use super::answer::{Discovered, DrawnValues};
use super::data::{ValueData, question};
use super::request::{DiscoveryError, DiscoveryRequest, DiscoveryTerms};
use crate::about::About;
use crate::ask::{Ask, Price};
use crate::charging::Payer;
use crate::meaning::{check_delta, warnings};
use crate::paper::Kind;
use crate::publish_error::PublishError;
use crate::question::unnamed;
use crate::release::Payment;
use crate::table::ReadingError;

/// Discovers categories on public terms.
///
/// ```
/// use posterity::data::ValuesAsked;
/// use posterity::discovery::{Discovery, DiscoveryTerms, ValueData};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("visits.csv");
/// # let rows: String = (0..200).map(|id| format!("{id},{}\n", if id == 7 { "rare" } else { "common" })).collect();
/// # std::fs::write(&path, format!("patient,drug\n{rows}"))?;
/// // In visits.csv 199 patients have the drug `common`, and one has the drug `rare`.
/// let asked = ValuesAsked { unit: Some("patient".into()), ..ValuesAsked::new("drug") };
/// let terms = DiscoveryTerms::new("1".parse()?, "1e-9".parse()?);
/// let data = ValueData::read(path.to_string_lossy(), &asked)?;
/// let document = Discovery::new(terms).experiment(data, 1)?;
/// let names: Vec<_> = document.answer().values().shown().iter().map(|(name, _)| name.as_str()).collect();
/// assert_eq!(names, ["common"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Discovery {
    terms: DiscoveryTerms,
    is_large_delta_allowed: bool,
}

impl Discovery {
    /// A discovery on these terms.
    #[must_use]
    pub fn new(terms: DiscoveryTerms) -> Self {
        Self { terms, is_large_delta_allowed: false }
    }

    /// Says whether a delta above [`MOST_DELTA`](crate::meaning::MOST_DELTA) is meant. Without that it is refused.
    #[must_use]
    pub fn allow_large_delta(self, is_allowed: bool) -> Self {
        Self { is_large_delta_allowed: is_allowed, ..self }
    }

    /// Everything to warn of before anything is drawn or charged: a budget that protects hardly anybody.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let epsilon = self.terms.whole_epsilon().to_f64_shown();
        warnings(Adjacency::AddRemove, epsilon, self.terms.delta.to_f64_shown(), None)
    }

    /// Checks the question and the terms before anything is read.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn check(&self, asked: &ValuesAsked) -> Result<(), PublishError> {
        self.request(About::new(&question(asked), None), None).map(|_| ())
    }

    fn request(&self, about: About, seed: Option<u64>) -> Result<DiscoveryRequest, PublishError> {
        check_delta(&self.terms.delta, self.is_large_delta_allowed)?;
        Ok(DiscoveryRequest::new(about, self.terms.clone(), seed)?)
    }

    /// Draws from the operating system's randomness. No ledger keeps account of it; see [`Discovery::charge`]. The data
    /// is used up: drawn twice, it would protect half as much.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released.
    pub fn publish(&self, data: ValueData) -> Result<DiscoveredDocument, PublishError> {
        self.ask(data)?.publish()
    }

    /// The question of this data, checked: all that is missing is the draw.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn ask<'a>(&self, data: ValueData) -> Result<Ask<'a, Discovered>, PublishError> {
        let ValueData { values, about, description, seeded } = data;
        let ask = self.ask_about(about, description.as_deref())?;
        let (request, ask) = (ask.form.clone(), Ask { seeded, ..ask });
        Ok(ask.drawn_by(move |seed, bits| {
            let request = DiscoveryRequest { seed, ..request };
            let drawn = draw(&request, values, bits)?;
            let promise = request.promised();
            Discovered::new(request, None, promise, drawn).map_err(|_| PublishError::StoredDocument)
        }))
    }

    /// The question of data that was not counted, which a ledger may have answered.
    pub(crate) fn ask_about<'a>(
        &self,
        about: About,
        description: Option<&str>,
    ) -> Result<Ask<'a, Discovered>, PublishError> {
        let request = self.request(about, None)?;
        let part = part(&request, description);
        let epsilon = Amount::from_rational(request.terms.whole_epsilon().rational().clone());
        let price = Ok(Price::Epsilon(epsilon.map_err(LedgerError::from)?, request.terms.delta.clone()));
        let protects = (Adjacency::AddRemove, request.about.unit.as_deref(), None);
        let ask = Ask::new(part, price, protects, (request.clone(), request.terms.level));
        Ok(Ask { named: description.is_some(), ..ask })
    }

    /// Draws from a seed, for experiments. It is not private, and the document says so.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn experiment(&self, data: ValueData, seed: u64) -> Result<DiscoveredDocument, PublishError> {
        self.ask(data)?.experiment(seed)
    }

    /// Charges an account, draws and records in one transaction; or finds the answer on file, and charges nothing.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released. If the draw failed, the charge stays.
    pub fn charge(
        &self,
        data: ValueData,
        payer: Payer<'_>,
    ) -> Result<(DiscoveredDocument, Payment), PublishError> {
        self.ask(data)?.charge(payer)
    }
}

impl DiscoveredDocument {
    /// The same draw with intervals of another level. A signature is left out.
    ///
    /// # Errors
    /// [`ReadingError`] if the level is not a probability.
    pub fn with_level(&self, level: f64) -> Result<Self, ReadingError> {
        self.read_as(&level)
    }
}

/// What the ledger knows the question by.
fn part(request: &DiscoveryRequest, description: Option<&str>) -> Value {
    let terms = &request.terms;
    let mut part = json!({
        "adjacency": Adjacency::AddRemove,
        "data": description.map_or_else(|| unnamed(&request.about), ToOwned::to_owned),
        "delta": terms.delta.rational().to_string(),
        "epsilon": terms.epsilon.rational().to_string(),
        "mechanism": "discover",
    });
    if let Some(total) = &terms.total {
        part["total_epsilon"] = json!(total.rational().to_string());
    }
    if terms.one_record_per_person {
        part["one_record_per_person"] = json!(true);
    }
    if let Some(edition) = &request.about.edition {
        part["edition"] = json!(edition);
    }
    part
}

/// Draws: for each value that occurs whether it is named, and its noisy count; then the total, if it is paid for.
fn draw(
    request: &DiscoveryRequest,
    values: Values,
    bits: &mut dyn BitSource,
) -> Result<DrawnValues, PublishError> {
    let threshold = request.terms.threshold().map_err(DiscoveryError::from)?;
    let (mut shown, mut n) = (Vec::new(), 0_u64);
    values.each(&|_| ControlFlow::Continue(()), &mut |value: &str, count: u64| {
        n = n.saturating_add(count);
        if let Some(noisy) = threshold.draw(count, bits)? {
            shown.push((value.to_owned(), noisy));
        }
        Ok::<(), PublishError>(())
    })?;
    let total = request.terms.total.as_ref().map(|epsilon| Total::draw(epsilon, n, bits)).transpose()?;
    Ok(DrawnValues { shown, total: total.map(|total| total.noisy()) })
}

impl From<DataError> for PublishError {
    fn from(error: DataError) -> Self {
        Self::Values(error.to_string())
    }
}
