//! From released counts to a posterior, without the data.

use std::sync::Arc;

use posterity_core::decode::{DecodeError, Decoded, Decoder};
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Adjacency, Dirichlet, Drawn, Released};
use posterity_core::noise_aware::NoiseAware;

use super::summary::left_out;
use crate::lazy::Lazy;
use crate::meaning;
use crate::number::{brief, count, grouped, percent, points};
use crate::table::{IntervalKind, Law, Subject, Ways};
use crate::terms::Request;

/// What released counts say. Readings need the noise only, so the search for a single distribution waits until somebody
/// asks for it.
#[derive(Clone, Debug)]
pub(crate) struct Interpretation {
    decoding: Lazy<(Decoder, Decoded)>,
    noise: Lazy<Noise>,
}

/// The most categories for which a decoder takes the noise into account. Intervals do so for any number.
const MOST_SEARCHED: usize = 100_000;

/// What is known about the noise in released counts.
#[derive(Clone, Debug)]
enum Noise {
    /// The posterior that takes the noise into account.
    Modelled(Arc<NoiseAware>),
    /// The likelihood of the release is not known.
    NotModelled,
    /// Its law is known, but there is no posterior.
    Failed(DecodeError),
}

impl Noise {
    /// What a draw says. Counts that were clipped may say less.
    fn new(mechanism: &dyn Mechanism, drawn: &Drawn) -> Self {
        match posterity_core::decode::noise_aware_of_draw(mechanism, drawn) {
            Ok(aware) => Self::Modelled(Arc::new(aware)),
            Err(DecodeError::NoEvidence { .. }) => Self::NotModelled,
            Err(error) => Self::Failed(error),
        }
    }
}

impl Interpretation {
    /// Reads a draw and its released counts as the request asks. Where there is no noise-aware posterior, a simpler decoder
    /// takes the place of one that needs it. If the decoder does not need the noise, the noise is modelled when somebody
    /// asks for it. Without a mechanism nothing is known about the noise.
    pub(crate) fn new(
        request: &Request,
        mechanism: Option<&Arc<dyn Mechanism>>,
        drawn: &Drawn,
        released: &Released,
    ) -> Self {
        let noise = Lazy::new({
            let (mechanism, drawn) = (mechanism.map(Arc::clone), drawn.clone());
            move || mechanism.as_ref().map_or(Noise::NotModelled, |known| Noise::new(&**known, &drawn))
        });
        let decoding = Lazy::new({
            let (request, mechanism) = (request.clone(), mechanism.map(Arc::clone));
            let (released, noise) = (released.clone(), noise.clone());
            move || decode(&request, mechanism.as_deref(), &released, &noise)
        });
        Self { decoding, noise }
    }

    /// Whether the noise was modelled, and whether the counts were decoded.
    #[cfg(test)]
    pub(super) fn computed(&self) -> [bool; 2] {
        [self.noise.is_computed(), self.decoding.is_computed()]
    }

    /// How the counts became one distribution.
    pub(crate) fn decoder(&self) -> Decoder {
        self.decoding.0
    }

    /// The counts as one distribution.
    pub(crate) fn decoded(&self) -> &Decoded {
        &self.decoding.1
    }

    /// The posterior that takes the noise into account, if there is one.
    pub(crate) fn noise_aware(&self) -> Option<&Arc<NoiseAware>> {
        match &*self.noise {
            Noise::Modelled(aware) => Some(aware),
            Noise::NotModelled | Noise::Failed(_) => None,
        }
    }

    /// The Dirichlet distribution with the means and the total variance of the posterior that takes the noise into account.
    pub(crate) fn effective(&self) -> Option<Dirichlet> {
        self.noise_aware()?.moment_matched()
    }

    /// The posterior that a reader has of the cells.
    pub(crate) fn law(&self) -> Law {
        match self.noise_aware() {
            Some(aware) => Law::Aware(Arc::clone(aware)),
            None => Law::Plain(self.decoded().posterior.clone()),
        }
    }

    /// The notes that say how to read the document.
    pub(crate) fn notes(
        &self,
        request: &Request,
        additive: bool,
        has_confidence: bool,
    ) -> impl Iterator<Item = String> {
        let decoding = match self.decoder() {
            Decoder::None => None,
            Decoder::Projection => Some("the nearest counts that are possible".to_owned()),
            Decoder::Mean => Some("the expected counts given the noisy ones, rounded".to_owned()),
            Decoder::Moments => {
                Some("the means and the total variance of the noise-aware posterior".to_owned())
            }
            Decoder::Best => Some(format!(
                "the distribution that is expected nearest to the true posterior given the noisy counts (found from {})",
                self.decoded().start
            )),
        };
        let decoding = decoding.map(|what| {
            format!("The Dirichlet parameters were decoded from the noisy counts: {what}. This uses no data and costs no privacy. ")
        });
        let posterior = decoding.unwrap_or_default() + left_out(self.decoder());
        let ways = request.ways();
        let confidence = has_confidence && ways.interval == IntervalKind::Confidence;
        let reading = match &*self.noise {
            _ if confidence => held(ways),
            Noise::Modelled(aware) => format!(
                "The intervals take the privacy noise into account. Given the release and the prior, each holds the true proportion with \
                 a probability of {} %. That is true on average over data drawn from the prior; it is no claim about data for which \
                 the prior is far off.{}",
                percent(ways.level),
                precision(aware)
            ),
            Noise::Failed(error) => format!(
                "The privacy noise is not modelled ({error}). The intervals are those of the released posterior and cover the truth \
                 less often than their level says."
            ),
            Noise::NotModelled if request.setting().n_is_private() => format!(
                "The intervals take the privacy noise into account. Given the release, each holds the true proportion with a \
                 probability of {} %, if the shares of the groups of a reading have a prior that weighs as much as one record, and \
                 every number of records up to {} is as likely as any other.",
                percent(ways.level),
                count(request.setting().n() as f64)
            ),
            Noise::NotModelled => {
                "The intervals are those of the released posterior. They do not include the privacy noise, so they cover the truth \
                 less often than their level says, and even less often for small n and epsilon."
                    .to_owned()
            }
        };
        let prior = heavy_prior(request).filter(|_| request.has_stated_prior() || !additive);
        [posterior, reading].into_iter().chain(prior)
    }
}

/// The counts by the decoder that was asked for, or by a simpler one, and which one it was.
fn decode(
    request: &Request,
    mechanism: Option<&dyn Mechanism>,
    released: &Released,
    noise: &Lazy<Noise>,
) -> (Decoder, Decoded) {
    let asked = request.decoder();
    // A search over so many categories would take longer than everything else, and gain little.
    let searched = if released.len() > MOST_SEARCHED { asked.fallback() } else { asked };
    let found = [searched, asked.fallback()].into_iter().find_map(|decoder| {
        // A decoder with a fallback is one that needs the noise.
        let needs_noise = decoder.fallback() != decoder;
        let aware = match needs_noise.then(|| &**noise) {
            None => None,
            Some(Noise::Modelled(aware)) => Some(&**aware),
            Some(Noise::Failed(_) | Noise::NotModelled) => return None,
        };
        Some((decoder, decoder.decode_with(mechanism?, released, aware).ok()?))
    });
    found.unwrap_or_else(|| (Decoder::None, as_they_are(request, released)))
}

/// What confidence intervals promise.
fn held(ways: Ways) -> String {
    let about = match ways.about {
        Subject::Population => {
            "They are about the proportions behind the data, and include the error of sampling"
        }
        Subject::Records => "They are about these very records, and include nothing but the noise",
    };
    format!(
        "{} {about}. Intervals of shares of all records are proven to do so. Those of shares within groups, of \
         means of three or more numbers, of differences, of ratios and of independence have been measured to do so \
         (docs/benchmarks.md).",
        ways.promise()
    )
}

/// A warning about a prior that can move a share by more than its sampling error. Its mass A moves a share p by about
/// `A/n abs(u - p)`.
fn heavy_prior(request: &Request) -> Option<String> {
    let setting = request.setting();
    if setting.n_is_private() {
        return None;
    }
    let (mass, n) = (setting.prior().parameters().iter().sum::<f64>(), setting.n() as f64);
    let most = mass / (n + mass);
    (mass > HEAVY * n.sqrt()).then(|| {
        format!(
            "Warning: the prior weighs as much as {} records beside {} real ones. In credible intervals it can move a share by up to {} \
             points, which may be more than its sampling error. Confidence intervals do not use it.",
            brief(mass),
            grouped(&n.to_string()),
            points(most)
        )
    })
}

/// A prior of more than this times the square root of n can move a share by more than its sampling error.
const HEAVY: f64 = 0.3;

/// The released counts taken as they are.
fn as_they_are(request: &Request, released: &Released) -> Decoded {
    let prior = request.setting().prior();
    // Both have one number for each category, and a sum of positive numbers is positive.
    let posterior = prior.posterior(released.as_slice()).unwrap_or_else(|_| prior.distribution().clone());
    Decoded { posterior, start: Decoder::None, expected_distance: None }
}

/// How precisely a posterior is known whose likelihood is not a product over the categories.
fn precision(aware: &NoiseAware) -> String {
    if !aware.is_listed() {
        return String::new();
    }
    format!(
        " They come from the probabilities of all possible data sets, which are computed with an error of at most {:.0e} in total.",
        aware.error_up()
    )
}

/// The notes that a reader must not miss.
pub(crate) fn warnings(proven: bool, seed: Option<u64>) -> impl Iterator<Item = String> {
    let seeded = seed
        .map(|seed| format!("Drawn from seed {seed}: anyone can repeat the noise, so nothing is protected."));
    let unproven = (!proven && seed.is_none())
        .then(|| "The mechanism has no proven guarantee: do not publish this as private.".to_owned());
    seeded.into_iter().chain(unproven)
}

/// The notes on the budget of a private release: that it is large, and that nobody counts it.
pub(crate) fn budget_notes(
    adjacency: Adjacency,
    epsilon: f64,
    delta: f64,
    n: Option<u64>,
    charged: bool,
) -> impl Iterator<Item = String> {
    let large =
        meaning::warnings(adjacency, epsilon, delta, n).into_iter().map(|text| format!("Warning: {text}."));
    large.chain((!charged).then(|| meaning::uncounted().to_owned()))
}

/// The note on several records of a unit.
pub(crate) fn kept(most: u64) -> String {
    format!(
        "At most {most} records of each unit count, drawn at random where there are more. All numbers are about the records that \
         count. The released Dirichlet distribution takes them for independent, which those of one unit are not."
    )
}

/// The note on categories that are the keys of a mapping.
pub(crate) const KEYS: &str = "The categories are the keys of a mapping. They are published as they are and not protected, so they must \
                    not come from the data.";

/// The note on data without a name.
pub(crate) const NAMELESS: &str = "The data has no name by which the ledger could recognise it, so the same question is charged again each time. If you \
                        name the data, asking again costs nothing.";
