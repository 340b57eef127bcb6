//! A mechanism with its parameters and its decoder, as a definition names it.

use std::fmt;
use std::str::FromStr;

use posterity_core::accuracy::{DistanceLaw, Metric, decoded_law, mean_over_data, simulate_decoded};
use posterity_core::audit::{best_gamma, tight};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{GlobalSensitivity, Mechanism, Name, Spec};
use posterity_core::model::{Counts, Delta, Gamma, Setting};
use posterity_core::sampler::SeededBits;
use posterity_plot::Style;
use serde::Deserialize;

/// `NAME[+DECODER] [gamma=NUMBER|auto] [delta=NUMBER] [tight] [published] [consistent]`.
///
/// ```
/// use posterity_reproduce::Contender;
/// let contender: Contender = "lattice+best".parse()?;
/// assert_eq!(contender.to_string(), "lattice+best");
/// assert_eq!(contender.label(), "lattice + best");
/// assert!("ehds+best".parse::<Contender>().is_err());
/// # Ok::<(), posterity_reproduce::ContenderError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Contender {
    text: String,
    spec: Spec,
    decoder: Decoder,
    calibration: Calibration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calibration {
    Proven,
    Tight,
    /// Tight, with the best gamma.
    Auto,
}

/// Why a text is no contender.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("mechanism {text:?}: {why}")]
pub struct ContenderError {
    /// The text.
    pub text: String,
    /// What is wrong with it, and what would be right.
    pub why: String,
}

impl FromStr for Contender {
    type Err = ContenderError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |why: String| ContenderError { text: text.to_owned(), why };
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        let (name, decoder) = first.split_once('+').unwrap_or((first, "none"));
        let name: Name = name
            .parse()
            .map_err(|unknown: posterity_core::mechanism::UnknownName| error(unknown.to_string()))?;
        let decoder: Decoder = decoder
            .parse()
            .map_err(|unknown: posterity_core::decode::UnknownDecoder| error(unknown.to_string()))?;
        if decoder != Decoder::None && name.is_exponential() {
            return Err(error(format!("{name} releases possible counts already; leave the decoder out")));
        }
        let mut spec = Spec::new(name);
        let mut calibration = Calibration::Proven;
        for word in words {
            let number = |text: &str| text.parse::<f64>().ok();
            let owner = |owner: Name| {
                (name == owner)
                    .then_some(())
                    .ok_or_else(|| error(format!("{word:?} belongs to {owner} only")))
            };
            match word.split_once('=') {
                Some(("gamma", "auto")) => {
                    owner(Name::Ehds)?;
                    calibration = Calibration::Auto;
                }
                Some(("gamma", value)) => {
                    owner(Name::Ehds)?;
                    spec.gamma = number(value).and_then(|value| Gamma::new(value).ok()).ok_or_else(|| {
                        error(format!("gamma is {value}; choose a positive number or auto"))
                    })?;
                }
                Some(("delta", value)) => {
                    owner(Name::Mh)?;
                    spec.delta = number(value)
                        .and_then(|value| Delta::new(value).ok())
                        .ok_or_else(|| error(format!("delta is {value}; choose a number between 0 and 1")))?;
                }
                None if word == "tight" && name.is_exponential() => {
                    if calibration == Calibration::Proven {
                        calibration = Calibration::Tight;
                    }
                }
                None if word == "published" => {
                    owner(Name::Ehd)?;
                    spec.global = GlobalSensitivity::Published;
                }
                None if word == "consistent" && name.has_consistent_variant() => spec.consistent = true,
                _ => {
                    return Err(error(format!(
                        "{word:?} is no option of {name}; there are gamma=NUMBER, delta=NUMBER, tight, published and consistent, \
                         each for the mechanisms that have it"
                    )));
                }
            }
        }
        Ok(Self { text: text.to_owned(), spec, decoder, calibration })
    }
}

impl TryFrom<String> for Contender {
    type Error = ContenderError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// As the definition names it.
impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A law of the distance, and whether it is exact.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) law: DistanceLaw,
    /// The number of draws, if it was sampled.
    pub(crate) runs: Option<usize>,
}

/// No more outcomes than this are listed.
const OUTCOMES: u64 = 4_000_000;
/// No more than this are decoded: each takes up to some milliseconds.
const DECODED: usize = 2_500;
/// What an audit may compute.
pub(crate) const PROBABILITIES: f64 = 2e10;

impl Contender {
    /// What it is called in a figure.
    #[must_use]
    pub fn label(&self) -> String {
        self.text.replace("gamma=", "γ = ").replace("delta=", "δ = ").replace('+', " + ")
    }

    /// What it is called below a box.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.spec.name.to_string()];
        if self.decoder != Decoder::None {
            lines.push(format!("+ {}", self.decoder));
        }
        let options = self.text.split_whitespace().skip(1);
        lines.extend(options.map(|word| word.replace("gamma=", "γ = ").replace("delta=", "δ = ")));
        lines
    }

    pub(crate) fn name(&self) -> Name {
        self.spec.name
    }

    /// Whether it promises anything by itself.
    pub(crate) fn is_private(&self) -> bool {
        self.calibration != Calibration::Proven || !matches!(self.spec.name, Name::Ehdl | Name::Mh)
    }

    /// The same with another gamma.
    pub(crate) fn with_gamma(&self, gamma: Gamma) -> Self {
        Self { spec: Spec { gamma, ..self.spec.clone() }, ..self.clone() }
    }

    /// What went wrong, and with whom.
    fn say(&self, error: impl fmt::Display) -> String {
        format!("{}: {error}", self.text)
    }

    /// Fitted to public inputs.
    pub(crate) fn build(&self, setting: &Setting) -> Result<Box<dyn Mechanism>, String> {
        let spec = match self.calibration {
            Calibration::Proven => return self.spec.build(setting.clone()).map_err(|error| self.say(error)),
            Calibration::Tight => self.spec.clone(),
            Calibration::Auto => {
                let (gamma, _) =
                    best_gamma(setting, PROBABILITIES, &|_| ()).map_err(|error| self.say(error))?;
                Spec { gamma, ..self.spec.clone() }
            }
        };
        let tight = tight(&spec, setting, PROBABILITIES, &|_| ()).map_err(|error| self.say(error))?;
        Ok(Box::new(tight.mechanism().clone()))
    }

    /// The law of the distance of what it publishes: exact where the outcomes can be listed and decoded, else from `runs`
    /// draws.
    pub(crate) fn law(
        &self,
        mechanism: &dyn Mechanism,
        counts: &Counts,
        metric: Metric,
        runs: usize,
        bits: &mut SeededBits,
    ) -> Result<Measured, String> {
        match self.exact_law(mechanism, counts, metric)? {
            Some(law) => Ok(Measured { law, runs: None }),
            None => self.sample(mechanism, counts, metric, runs, bits),
        }
    }

    /// The exact law, if it is not too large.
    pub(crate) fn exact_law(
        &self,
        mechanism: &dyn Mechanism,
        counts: &Counts,
        metric: Metric,
    ) -> Result<Option<DistanceLaw>, String> {
        match decoded_law(mechanism, self.decoder, counts, metric, OUTCOMES, DECODED) {
            Ok(law) => Ok(Some(law)),
            Err(error) if error.is_too_many() => Ok(None),
            Err(error) => Err(self.say(error)),
        }
    }

    /// The exact mean beside a sampled one. What is decoded has none: that would take longer than the sample.
    pub(crate) fn exact_mean(
        &self,
        mechanism: &dyn Mechanism,
        counts: &Counts,
        metric: Metric,
    ) -> Result<Option<f64>, String> {
        if self.decoder != Decoder::None {
            return Ok(None);
        }
        Ok(self.exact_law(mechanism, counts, metric)?.map(|law| law.mean()))
    }

    /// The mean over data that follow the prior.
    pub(crate) fn prior_mean(&self, mechanism: &dyn Mechanism) -> Result<f64, String> {
        mean_over_data(mechanism, self.decoder, PROBABILITIES).map_err(|error| self.say(error))
    }

    /// The law in `runs` draws.
    pub(crate) fn sample(
        &self,
        mechanism: &dyn Mechanism,
        counts: &Counts,
        metric: Metric,
        runs: usize,
        bits: &mut SeededBits,
    ) -> Result<Measured, String> {
        let law = simulate_decoded(mechanism, self.decoder, counts, metric, runs, bits)
            .map_err(|error| self.say(error))?;
        Ok(Measured { law, runs: Some(runs) })
    }
}

impl Measured {
    /// The mean with its standard error.
    pub(crate) fn mean(&self) -> (f64, Option<f64>) {
        let mean = self.law.mean();
        let error = self.runs.map(|runs| {
            let square: f64 =
                self.law.points().map(|(distance, p)| (distance - mean) * (distance - mean) * p).sum();
            (square / runs as f64).sqrt()
        });
        (mean, error)
    }
}

/// How several contenders look together: by mechanism; variants with other parameters from dark to light, other variants
/// hollow, what is not private dashed.
pub(crate) fn styles(contenders: &[Contender]) -> Vec<Style> {
    let family = |one: &Contender| (one.spec.name, one.decoder, one.calibration == Calibration::Proven);
    let style = |(index, one): (usize, &Contender)| {
        let alike: Vec<usize> =
            (0..contenders.len()).filter(|&other| family(&contenders[other]) == family(one)).collect();
        let mut style = Style::mechanism(one.spec.name);
        if alike.len() > 1 {
            let place = alike.iter().position(|&other| other == index).unwrap_or(0);
            style = style.shaded(place, alike.len());
        }
        let usual = Decoder::default_for(one.spec.name);
        if one.calibration != Calibration::Proven || one.decoder != usual || one.spec.consistent {
            style = style.hollow();
        }
        if one.is_private() { style } else { style.dashed() }
    };
    contenders.iter().enumerate().map(style).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts() {
        let one: Contender = "ehds gamma=0.5 tight".parse().expect("valid");
        assert_eq!(one.spec.gamma, Gamma::new(0.5).expect("valid"));
        assert_eq!((one.calibration, one.decoder), (Calibration::Tight, Decoder::None));
        assert_eq!(one.label(), "ehds γ = 0.5 tight");
        assert!(!"mh delta=0.0005".parse::<Contender>().expect("valid").is_private());
        assert!("mh tight".parse::<Contender>().expect("valid").is_private());
    }

    #[test]
    fn rejects() {
        for (text, why) in [
            ("", "there is no mechanism \"\""),
            ("laplace", "there is no mechanism \"laplace\""),
            ("lattice+good", "there is no decoder \"good\""),
            ("ehd+best", "ehd releases possible counts already"),
            ("ehd gamma=1", "belongs to ehds only"),
            ("ehds gamma=-1", "gamma is -1; choose a positive number or auto"),
            ("mh delta=1", "delta is 1; choose a number between 0 and 1"),
            ("lshist tight", "is no option of lshist"),
            ("ehds soft", "is no option of ehds"),
        ] {
            let error = text.parse::<Contender>().expect_err(text);
            assert!(error.why.contains(why), "{text}: {error}");
        }
    }
}
