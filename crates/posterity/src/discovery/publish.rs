//! From the values of a column to a release.

use std::ops::ControlFlow;

use posterity_core::discovery::Total;
use posterity_core::model::Adjacency;
use posterity_core::sampler::{BitSource, SeededBits};
use posterity_count::{DataError, Values, ValuesAsked};
use posterity_ledger::{Amount, Charge};
use serde_json::{Value, json};

use super::DiscoveredDocument;
use super::answer::{Discovered, DrawnValues};
use super::data::{ValueData, question};
use super::request::{DiscoveryError, DiscoveryRequest, DiscoveryTerms};
use crate::about::About;
use crate::charging::Payer;
use crate::document::DocumentError;
use crate::meaning::{check_delta, warnings};
use crate::paper::{self, Paper};
use crate::publish_error::PublishError;
use crate::question::unnamed;
use crate::release::Payment;
use crate::system_bits::SystemBits;

/// Discovers categories on public terms.
///
/// ```
/// use posterity::data::ValuesAsked;
/// use posterity::{Discovery, DiscoveryTerms, ValueData};
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
        refuse_seeded(&data)?;
        let request = self.request(data.about, None)?;
        let drawn = draw(&request, data.values, &mut SystemBits::new())?;
        Paper::of_draw(request, None, drawn)
    }

    /// Draws from a seed, for experiments. It is not private, and the document says so.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn experiment(&self, data: ValueData, seed: u64) -> Result<DiscoveredDocument, PublishError> {
        let request = self.request(data.about, Some(seed))?;
        let drawn = draw(&request, data.values, &mut SeededBits::new(seed))?;
        Paper::of_draw(request, None, drawn)
    }

    /// Charges an account, draws and records in one transaction; or finds the answer on file, and charges nothing.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released. If the draw failed, the charge stays.
    pub fn charge(
        &self,
        data: ValueData,
        mut payer: Payer<'_>,
    ) -> Result<(DiscoveredDocument, Payment), PublishError> {
        refuse_seeded(&data)?;
        let ValueData { values, about, description, .. } = data;
        // Data without a name cannot be recognised.
        payer.again |= description.is_none();
        let request = self.request(about, None)?;
        let asked = paper::Asked::<Discovered> {
            part: part(&request, description.as_deref()),
            price: &|question| {
                let epsilon = Amount::from_rational(request.terms.whole_epsilon().rational().clone())?;
                Charge::new(question, epsilon, request.terms.delta.clone())
            },
            adjacency: Adjacency::AddRemove,
            unit: request.about.unit.as_deref(),
            request: &request,
            n: None,
        };
        paper::charge(&asked, payer, &mut SystemBits::new(), |bits| draw(&request, values, bits))
    }
}

impl DiscoveredDocument {
    /// The same draw with intervals of another level. A signature is left out.
    ///
    /// # Errors
    /// [`DocumentError`] if the level is not a probability.
    pub fn with_level(&self, level: f64) -> Result<Self, DocumentError> {
        posterity_core::model::interval_level(level).map_err(DocumentError::inconsistent)?;
        self.read_as(self.answer().at_level(level))
    }
}

fn refuse_seeded(data: &ValueData) -> Result<(), PublishError> {
    if data.seeded { Err(PublishError::SeededData) } else { Ok(()) }
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
