//! A mechanism with its parameters and its decoder, as a definition names it.

use std::fmt;
use std::str::FromStr;

use posterity_core::accuracy::{DistanceLaw, Metric, decoded_law, mean_over_data, simulate_decoded};
use posterity_core::calibrate;
use posterity_core::decode::{Decoder, UnknownDecoder};
use posterity_core::mechanism::{Description, Ehds, Mechanism, Spec, SpecError};
use posterity_core::model::{Counts, Delta, Epsilon, Gamma, Setting};
use posterity_core::sampler::SeededBits;
use posterity_plot::Style;
use serde::Deserialize;

use posterity::number::digits;

/// `SPECIFICATION[+DECODER]`, such as `tight(ehds(gamma=0.5))` or `lattice+best`; or `printed(SPECIFICATION)`, an
/// exponential mechanism with the law that some sections of the research print, `exp(-epsilon score/S)`; or
/// `within(DELTA, tight(..))`, with the largest scale that an audit allows at (epsilon, delta).
///
/// ```
/// use posterity_reproduce::Contender;
/// let contender: Contender = "lattice+best".parse()?;
/// assert_eq!(contender.to_string(), "lattice+best");
/// assert_eq!(contender.label(), "lattice + best");
/// assert!("optimal+best".parse::<Contender>().is_err());
/// # Ok::<(), posterity_reproduce::ContenderError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Contender {
    text: String,
    spec: Spec,
    decoder: Decoder,
    scale: Scale,
}

/// What its scale is set by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    /// Its definition.
    Defined,
    /// What is printed: epsilon over the sensitivity, whatever its definition says.
    Printed,
    /// An audit at this delta.
    Within(Delta),
}

impl Scale {
    /// Reads what stands around a specification.
    fn unwrapped(text: &str) -> Result<(Self, &str), String> {
        let inside = |name: &str| text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
        if let Some(inner) = inside("printed") {
            return Ok((Self::Printed, inner));
        }
        let Some((delta, inner)) = inside("within").and_then(|inner| inner.split_once(',')) else {
            return Ok((Self::Defined, text));
        };
        let delta = delta.trim().parse().ok().and_then(|delta| Delta::new(delta).ok());
        let wrong = "write a delta between 0 and 1 first, such as within(5e-4, tight(ehds))";
        Ok((Self::Within(delta.ok_or(wrong)?), inner.trim()))
    }
}

/// Why a text is not a contender.
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
        let (scale, inner) = Scale::unwrapped(text).map_err(error)?;
        let (spec, decoder) = inner.rsplit_once('+').unwrap_or((inner, "none"));
        let spec: Spec = spec.parse().map_err(|wrong: SpecError| error(wrong.to_string()))?;
        let decoder: Decoder =
            decoder.trim().parse().map_err(|unknown: UnknownDecoder| error(unknown.to_string()))?;
        if decoder != Decoder::None && !spec.description().decodable {
            let name = spec.name();
            return Err(error(format!("{name} releases possible counts already; leave the decoder out")));
        }
        if scale == Scale::Printed && (spec.is_tight() || !spec.description().tunable) {
            return Err(error(format!("{} has no scale of its own; leave printed(..) out", spec.name())));
        }
        if matches!(scale, Scale::Within(_)) && !spec.is_tight() {
            return Err(error(format!("within(..) is for tight scales; write tight({spec})")));
        }
        Ok(Self { text: text.to_owned(), spec, decoder, scale })
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
const OUTCOMES: u64 = 4_100_000;
/// No more than this are decoded: each takes up to some milliseconds.
const DECODED: usize = 2_500;
/// What an audit may compute.
pub(crate) const PROBABILITIES: f64 = 2e10;

impl Contender {
    /// The words of its text without brackets, such as `ehds gamma=0.5 tight`: for labels, and for the seed of its
    /// draws.
    pub(crate) fn words(&self) -> String {
        let (_, text) = Scale::unwrapped(&self.text).unwrap_or((self.scale, &self.text));
        let (spec, decoder) = text.rsplit_once('+').unwrap_or((text, ""));
        let (inner, tight) = match spec.trim().strip_prefix("tight(").and_then(|rest| rest.strip_suffix(')'))
        {
            // That the best gamma belongs to a tight scale goes without saying.
            Some(inner) if inner.contains("auto") => (inner, ""),
            Some(inner) => (inner, " tight"),
            None => (spec, ""),
        };
        let (name, arguments) = inner.split_once('(').unwrap_or((inner, ""));
        let mut words = name.trim().to_owned();
        if !decoder.is_empty() {
            words = format!("{words}+{decoder}");
        }
        for argument in
            arguments.trim_end_matches(')').split(',').map(str::trim).filter(|one| !one.is_empty())
        {
            words = format!("{words} {argument}");
        }
        words
            + tight
            + &match self.scale {
                Scale::Defined => String::new(),
                Scale::Printed => " printed".to_owned(),
                Scale::Within(delta) => format!(" delta={}", digits(delta.value())),
            }
    }

    /// What it is called in a figure.
    #[must_use]
    pub fn label(&self) -> String {
        let words = self.words().replace("gamma=", "γ = ").replace("delta=", "δ = ");
        words.replace("score=", "").replace('+', " + ")
    }

    /// What it is called below a box.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.spec.name().to_owned()];
        if self.decoder != Decoder::None {
            lines.push(format!("+ {}", self.decoder));
        }
        let words = self.words();
        let options = words.split_whitespace().skip(1);
        lines.extend(options.map(|word| word.replace("gamma=", "γ = ").replace("delta=", "δ = ")));
        lines
    }

    pub(crate) fn mechanism(&self) -> &'static Description {
        self.spec.description()
    }

    /// Whether it promises by itself to keep to the budget that it is given. mhg promises twice that.
    pub(crate) fn is_private(&self) -> bool {
        self.scale == Scale::Defined
            && Epsilon::from_f64(1.0)
                .is_ok_and(|one| self.spec.promised(&one).is_some_and(|promised| promised.to_f64() <= 1.0))
    }

    /// The delta that it is given, if it has one.
    pub(crate) fn delta(&self) -> Option<f64> {
        match self.scale {
            Scale::Within(delta) => Some(delta.value()),
            _ => self.spec.number("delta"),
        }
    }

    /// The same with another gamma.
    pub(crate) fn with_gamma(&self, gamma: Gamma) -> Self {
        let sharp = self.spec.has_flag("sharp");
        let spec = Spec::from(Ehds { sharp, ..Ehds::from(gamma) });
        let spec =
            if self.spec.is_tight() { spec.tight().unwrap_or_else(|_| self.spec.clone()) } else { spec };
        Self { spec, ..self.clone() }
    }

    /// What went wrong, and with whom.
    fn say(&self, error: impl fmt::Display) -> String {
        format!("{}: {error}", self.text)
    }

    /// Fitted to public inputs.
    pub(crate) fn build(&self, setting: &Setting) -> Result<Box<dyn Mechanism>, String> {
        if let Scale::Within(delta) = self.scale {
            let tight = calibrate::tight_within(&self.spec, setting, delta, PROBABILITIES, &|_| ());
            return Ok(Box::new(tight.map_err(|error| self.say(error))?.mechanism().clone()));
        }
        let fitted =
            calibrate::fit(&self.spec, setting, PROBABILITIES, &|_| ()).map_err(|error| self.say(error))?;
        match fitted.tunable() {
            Some(exponential) if self.scale == Scale::Printed => {
                Ok(Box::new(exponential.clone().with_multiplier(setting.epsilon().to_f64())))
            }
            _ => Ok(fitted),
        }
    }

    /// The law of the distance of what it publishes: exact where the outcomes can be listed and decoded, else from
    /// `runs` draws.
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

    /// The exact law beside a sampled one. What is decoded has none: that would take longer than the sample.
    pub(crate) fn exact_beside(
        &self,
        mechanism: &dyn Mechanism,
        counts: &Counts,
        metric: Metric,
    ) -> Result<Option<DistanceLaw>, String> {
        if self.decoder == Decoder::None { self.exact_law(mechanism, counts, metric) } else { Ok(None) }
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
        (self.law.mean(), self.runs.map(|runs| self.law.deviation() / (runs as f64).sqrt()))
    }
}

/// The quantity by which claims compare means: the exact one where it is known.
pub(crate) const BEST_MEAN: &str = "best mean";

/// The exact median of the distance, where it is known: what a box plot of many releases shows.
pub(crate) const EXACT_MEDIAN: &str = "exact median";

/// The exact mean where it is known, else the sampled one with its standard error.
pub(crate) fn best_mean(sampled: (f64, Option<f64>), exact: Option<f64>) -> (f64, Option<f64>) {
    exact.map_or(sampled, |mean| (mean, None))
}

/// How several contenders look together: by mechanism, what is not private dashed. Two variants of a mechanism have a
/// dark and a light shade of its colour; more of them could not be told apart by shades, and have colours of their own.
/// Each variant has its own marker, and those that are tight, decoded or consistent are hollow.
pub(crate) fn styles(contenders: &[Contender]) -> Vec<Style> {
    let family = |one: &Contender| (one.mechanism(), one.spec.is_tight(), one.scale == Scale::Printed);
    let alike = |index: usize| -> Vec<usize> {
        let same = |other: &usize| family(&contenders[*other]) == family(&contenders[index]);
        (0..contenders.len()).filter(same).collect()
    };
    // The colours of mechanisms that stand alone are not those of variants.
    let alone = (0..contenders.len()).filter(|&index| alike(index).len() < 3);
    let taken: Vec<Style> = alone.map(|index| Style::mechanism(contenders[index].mechanism())).collect();
    let free = |index: &usize| !taken.iter().any(|taken| taken.has_colour_of(&Style::plain(*index)));
    let plain: Vec<usize> = (0..PLAIN).filter(free).collect();
    let style = |(index, one): (usize, &Contender)| {
        let alike = alike(index);
        let place = alike.iter().position(|&other| other == index).unwrap_or(0);
        let mut style = match (alike.len(), place) {
            (0 | 1, _) => Style::mechanism(one.mechanism()),
            (2, 0) => Style::mechanism(one.mechanism()).shaded(0, 2),
            (2, _) => Style::mechanism(one.mechanism()).shaded(1, 2).marked(VARIANT),
            (_, place) => Style::plain(plain.get(place).copied().unwrap_or(place)),
        };
        let usual = Decoder::default_for(one.mechanism());
        let hollow = one.spec.is_tight() || one.scale == Scale::Printed || one.spec.has_flag("consistent");
        if hollow || one.decoder != usual {
            style = style.hollow();
        }
        if one.is_private() { style } else { style.dashed() }
    };
    contenders.iter().enumerate().map(style).collect()
}

/// How many colours of their own there are.
const PLAIN: usize = 7;

/// The number of the marker that the second of two variants has: a circle, which no mechanism of the research has.
const VARIANT: usize = 15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts() {
        let one: Contender = "tight(ehds(gamma=0.5))".parse().expect("valid");
        assert_eq!((one.spec.number("gamma"), one.decoder), (Some(0.5), Decoder::None));
        assert_eq!(one.label(), "ehds γ = 0.5 tight");
        assert!(!"mh(delta=0.0005)".parse::<Contender>().expect("valid").is_private());
        assert!("tight(mh)".parse::<Contender>().expect("valid").is_private());
        let within: Contender = "within(5e-4, tight(ehds(gamma=auto)))".parse().expect("valid");
        assert_eq!((within.delta(), within.is_private()), (Some(5e-4), false));
        assert!(!"printed(ehds)".parse::<Contender>().expect("valid").is_private());
        assert!("lattice+best".parse::<Contender>().expect("valid").is_private());
        assert!(!"mhg".parse::<Contender>().expect("valid").is_private());
    }

    /// If this fails, two curves of a picture cannot be told apart.
    #[test]
    fn variants_have_no_colour_of_another_mechanism() {
        let all = ["lsdim", "lshist", "ehds", "ehds(sharp)", "ehds(gamma=0.05)", "ehds(gamma=0.05, sharp)"];
        let all: Vec<Contender> = all.iter().map(|text| text.parse().expect("valid")).collect();
        let styles = styles(&all);
        for (index, one) in styles.iter().enumerate() {
            assert!(!styles[..index].iter().any(|other| other.has_colour_of(one)), "{}", all[index]);
        }
    }

    /// If this fails, the seeds of experiments and the labels of figures change.
    #[test]
    fn words() {
        for (text, words) in [
            ("lshist", "lshist"),
            ("lattice+best", "lattice+best"),
            ("ehds(gamma=0.5)", "ehds gamma=0.5"),
            ("tight(ehds)", "ehds tight"),
            ("tight(ehds(gamma=auto))", "ehds gamma=auto"),
            ("printed(mh(delta=0.8))", "mh delta=0.8 printed"),
            ("ehds(sharp)", "ehds sharp"),
            ("within(5e-4, tight(ehds(gamma=auto)))", "ehds gamma=auto delta=0.0005"),
            ("lsdim(consistent)+best", "lsdim+best consistent"),
        ] {
            assert_eq!(text.parse::<Contender>().expect(text).words(), words);
        }
    }

    #[test]
    fn rejects() {
        for (text, why) in [
            ("", "there is no mechanism \"\""),
            ("laplace", "there is no mechanism \"laplace\""),
            ("lattice+good", "there is no decoder \"good\""),
            ("optimal+best", "optimal releases possible counts already"),
            ("ehd(gamma=1)", "ehd has no parameter \"gamma\""),
            ("ehds(gamma=-1)", "gamma is -1; choose a positive, finite number"),
            ("mh(delta=1)", "delta is 1; choose a number strictly between 0 and 1"),
            ("tight(lshist)", "lshist cannot be calibrated by audit"),
            ("printed(lshist)", "lshist has no scale of its own"),
            ("printed(tight(mh))", "mh has no scale of its own"),
            ("within(5e-4, ehds)", "write tight(ehds(gamma=1))"),
            ("within(1, tight(ehds))", "write a delta between 0 and 1 first"),
            ("within(tight(ehds))", "is not written like ehds(gamma=0.5)"),
            ("ehds(soft)", "ehds has no parameter \"soft\""),
            ("ehds gamma=1", "is not written like ehds(gamma=0.5)"),
        ] {
            let error = text.parse::<Contender>().expect_err(text);
            assert!(error.why.contains(why), "{text}: {error}");
        }
    }
}
