//! A mechanism with its parameters as text: `lattice`, `ehds(gamma=0.5)`, `lsdim(consistent)`,
//! `tight(ehds(gamma=auto))`.
//!
//! The grammar is `mechanism`, `mechanism(parameter, parameter=value, ..)` or `tight(mechanism..)`, with blanks
//! anywhere between the words. It is read and written here and nowhere else.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::arguments::Arguments;
use super::parameter::Value;
use super::spec_error::SpecError;
use super::{ALL, Definition, Drawing, FitError, Geometric, Last, Mechanism, Spec};
use crate::model::{Adjacency, Drawn, Epsilon, Released, Setting};

/// A mechanism whose scale is set by an exact audit, so that it uses its budget up.
#[derive(Clone, Debug, PartialEq)]
pub struct Tight(Box<Spec>);

impl Tight {
    /// The specification whose scale is set by an audit.
    pub(super) fn inner(&self) -> &Spec {
        &self.0
    }
}

impl Spec {
    /// The mechanism's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.description().name
    }

    /// Whether the scale is set by an audit.
    #[must_use]
    pub fn is_tight(&self) -> bool {
        matches!(self, Self::Tight(_))
    }

    /// The same mechanism with the scale that its proof gives.
    #[must_use]
    pub fn loose(&self) -> &Self {
        match self {
            Self::Tight(Tight(inner)) => inner.loose(),
            proven => proven,
        }
    }

    /// The same mechanism with the largest scale that an exact audit allows.
    ///
    /// # Errors
    /// [`SpecError::NoScale`] if the mechanism has no scale to tune.
    pub fn tight(self) -> Result<Self, SpecError> {
        match self {
            tight @ Self::Tight(_) => Ok(tight),
            proven if proven.description().tunable => Ok(Self::Tight(Tight(Box::new(proven)))),
            other => Err(SpecError::NoScale { mechanism: other.name() }),
        }
    }

    /// The parameters with their values: all numbers and words, and the flags that are set.
    #[must_use]
    pub fn arguments(&self) -> Vec<(&'static str, Value)> {
        self.definition().arguments()
    }

    /// The number that a parameter has, if the mechanism has it and it is a number.
    #[must_use]
    pub fn number(&self, parameter: &str) -> Option<f64> {
        self.arguments().into_iter().find_map(|(name, value)| match value {
            Value::Number(number) if name == parameter => Some(number),
            _ => None,
        })
    }

    /// Whether a flag is set.
    #[must_use]
    pub fn has_flag(&self, parameter: &str) -> bool {
        self.arguments().iter().any(|(name, value)| *name == parameter && *value == Value::Flag)
    }

    /// Fits the mechanism to public inputs, with the scale of its proof. For a tight one see
    /// [`calibrate::fit`](crate::calibrate::fit).
    ///
    /// # Errors
    /// [`FitError`] if the two do not go together.
    pub fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        self.check_adjacency(setting.adjacency())?;
        if self.is_tight() { Err(FitError::NeedsAudit) } else { self.definition().fit(setting) }
    }

    /// Refuses mechanisms that take n for public where it is private.
    ///
    /// # Errors
    /// [`FitError::PublicN`].
    pub fn check_adjacency(&self, adjacency: Adjacency) -> Result<(), FitError> {
        let keeps_n_private = matches!(self, Self::Geometric(Geometric { consistent: false }));
        if adjacency == Adjacency::AddRemove && !keeps_n_private {
            return Err(FitError::PublicN { mechanism: self.to_string() });
        }
        Ok(())
    }

    /// What the mechanism draws where n is public, and how that becomes released counts.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        self.definition().drawing()
    }

    /// How it draws under an adjacency. Where n is private, every count has noise.
    #[must_use]
    pub fn drawing_under(&self, adjacency: Adjacency) -> Drawing {
        match adjacency {
            Adjacency::Replace => self.drawing(),
            Adjacency::AddRemove => Drawing::Noisy(Last::Noised),
        }
    }

    /// The counts that the mechanism releases of a draw, for n records. Nothing is fitted for it.
    ///
    /// ```
    /// use posterity_core::mechanism::{Spec, SpecError};
    /// use posterity_core::model::Drawn;
    /// let spec: Spec = "lattice".parse()?;
    /// assert_eq!(spec.released(&Drawn::new(vec![-1, 6, 5]), 10).as_slice(), [0, 6, 5]);
    /// # Ok::<(), SpecError>(())
    /// ```
    #[must_use]
    pub fn released(&self, drawn: &Drawn, n: u64) -> Released {
        self.drawing().released(drawn, n)
    }

    /// What a release promises and costs if the mechanism is given this epsilon; nothing if it is not private. It is
    /// the same for all data, and known before they are.
    ///
    /// ```
    /// use posterity_core::mechanism::{Spec, SpecError};
    /// let promised = |text: &str| {
    ///     let epsilon = "0.1".parse().expect("positive");
    ///     Ok::<_, SpecError>(text.parse::<Spec>()?.promised(&epsilon).map(|epsilon| epsilon.to_string()))
    /// };
    /// assert_eq!(promised("lattice")?.as_deref(), Some("0.1"));
    /// assert_eq!(promised("mhg")?.as_deref(), Some("0.2"));
    /// assert_eq!(promised("mh")?, None);
    /// assert_eq!(promised("tight(mh)")?.as_deref(), Some("0.1"));
    /// # Ok::<(), SpecError>(())
    /// ```
    #[must_use]
    pub fn promised(&self, epsilon: &Epsilon) -> Option<Epsilon> {
        let private = self.is_tight() || self.description().private;
        private.then(|| self.definition().promised(epsilon))
    }

    /// What advice names in its place: the same mechanism with less noise for the same promise, if there is one.
    ///
    /// ```
    /// use posterity_core::mechanism::{Spec, SpecError};
    /// let advised = |text: &str| Ok::<_, SpecError>(text.parse::<Spec>()?.advised().to_string());
    /// assert_eq!(advised("ehds")?, "ehds(gamma=1, sharp)");
    /// assert_eq!(advised("lattice")?, "lattice");
    /// # Ok::<(), SpecError>(())
    /// ```
    #[must_use]
    pub fn advised(&self) -> Self {
        self.definition().advised().unwrap_or_else(|| self.clone())
    }

    /// Whether advice considers the mechanism for these public inputs: [`Spec::fit`] answers within about a second, and
    /// no simpler mechanism has the same law.
    #[must_use]
    pub fn suits_advice(&self, setting: &Setting) -> bool {
        self.definition().suits_advice(setting)
    }
}

/// Tight specifications are described by the mechanism inside.
impl Definition for Tight {
    fn arguments(&self) -> Vec<(&'static str, Value)> {
        self.0.arguments()
    }

    fn fit(&self, _setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Err(FitError::NeedsAudit)
    }

    fn drawing(&self) -> Drawing {
        self.0.drawing()
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Tight(Tight(inner)) = self {
            return write!(f, "tight({inner})");
        }
        f.write_str(self.name())?;
        let arguments: Vec<String> = self
            .arguments()
            .into_iter()
            .map(|(name, value)| {
                value.text().map_or_else(|| name.to_owned(), |text| format!("{name}={text}"))
            })
            .collect();
        if arguments.is_empty() { Ok(()) } else { write!(f, "({})", arguments.join(", ")) }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // A loop and no recursion, so that no text is nested too deep for the stack.
        let mut inner = text;
        let (mut name, mut inside) = name_and_inside(inner)?;
        let tight = name == "tight";
        while name == "tight" {
            inner = inside.ok_or_else(|| malformed(inner))?;
            (name, inside) = name_and_inside(inner)?;
        }
        let spec = read(name, inside, inner)?;
        if tight { spec.tight() } else { Ok(spec) }
    }
}

fn malformed(text: &str) -> SpecError {
    SpecError::Form { text: text.trim().to_owned() }
}

/// The part before the first bracket, and the part between it and the last one.
fn name_and_inside(text: &str) -> Result<(&str, Option<&str>), SpecError> {
    Ok(match text.trim().split_once('(') {
        None => (text.trim(), None),
        Some((name, rest)) => {
            (name.trim(), Some(rest.trim().strip_suffix(')').ok_or_else(|| malformed(text))?))
        }
    })
}

/// The specification of a mechanism's name and of the parameters between its brackets, which are parts of a text.
fn read(name: &str, inside: Option<&str>, text: &str) -> Result<Spec, SpecError> {
    if name.contains([')', ',', '=']) || inside.is_some_and(|inside| inside.contains(['(', ')'])) {
        return Err(malformed(text));
    }
    let unknown = || SpecError::UnknownMechanism { name: name.to_owned() };
    let description = ALL.iter().copied().find(|one| one.name == name).ok_or_else(unknown)?;
    let arguments = inside.into_iter().filter(|inside| !inside.trim().is_empty());
    let given = arguments.flat_map(|all| all.split(',')).map(|argument| match argument.split_once('=') {
        Some((parameter, value)) => (parameter.trim(), Some(value.trim())),
        None => (argument.trim(), None),
    });
    (description.read)(&Arguments::new(description.name, description.parameters, given.collect())?)
}

/// A specification is written as its text.
impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixture::uniform;
    use crate::mechanism::{Ehd, Ehds, GammaChoice, GlobalSensitivity, Lattice, Lsdim, Mh};
    use crate::model::{Delta, Gamma};

    fn sharp(gamma: f64) -> Spec {
        Ehds { sharp: true, ..Ehds::from(Gamma::new(gamma).expect("positive")) }.into()
    }

    fn ehds(gamma: f64) -> Spec {
        Ehds::from(Gamma::new(gamma).expect("positive")).into()
    }

    fn tight(spec: impl Into<Spec>) -> Spec {
        spec.into().tight().expect("it has a scale")
    }

    /// Texts, what they stand for, and how that is written.
    #[test]
    fn accepts() {
        let published = Ehd { sensitivity: GlobalSensitivity::Published, ..Ehd::default() };
        let table: [(&str, Spec, &str); 19] = [
            ("lattice", Lattice.into(), "lattice"),
            (" lattice\t", Lattice.into(), "lattice"),
            ("lattice()", Lattice.into(), "lattice"),
            ("lattice ( )", Lattice.into(), "lattice"),
            ("ehds", ehds(1.0), "ehds(gamma=1)"),
            ("ehds(gamma=0.5)", ehds(0.5), "ehds(gamma=0.5)"),
            ("  ehds ( gamma\n= .5 ) ", ehds(0.5), "ehds(gamma=0.5)"),
            ("ehds(gamma=5e-1)", ehds(0.5), "ehds(gamma=0.5)"),
            ("ehds(gamma=0.00000001)", ehds(1e-8), "ehds(gamma=1e-8)"),
            (
                "ehds(gamma=auto)",
                Ehds { gamma: GammaChoice::Auto, ..Ehds::default() }.into(),
                "ehds(gamma=auto)",
            ),
            ("mh", Mh::default().into(), "mh(delta=1e-8)"),
            ("lsdim( consistent )", Lsdim { consistent: true }.into(), "lsdim(consistent)"),
            ("ehd(global-sensitivity=exact)", Ehd::default().into(), "ehd"),
            ("ehd(global-sensitivity=published)", published.into(), "ehd(global-sensitivity=published)"),
            ("ehds(sharp)", sharp(1.0), "ehds(gamma=1, sharp)"),
            ("ehds( sharp ,gamma=0.5)", sharp(0.5), "ehds(gamma=0.5, sharp)"),
            ("tight(ehds)", tight(ehds(1.0)), "tight(ehds(gamma=1))"),
            (" tight ( ehds ( gamma = 0.5 ) ) ", tight(ehds(0.5)), "tight(ehds(gamma=0.5))"),
            ("tight(tight(tight(mh)))", tight(Mh::default()), "tight(mh(delta=1e-8))"),
        ];
        for (text, spec, written) in table {
            assert_eq!(text.parse(), Ok(spec.clone()), "{text}");
            assert_eq!(spec.to_string(), written);
            assert_eq!(written.parse(), Ok(spec.clone()));
            let json = serde_json::to_string(&spec).expect("serialises");
            assert_eq!(json, format!("{written:?}"));
            assert_eq!(serde_json::from_str::<Spec>(&json).expect("reads back"), spec);
        }
    }

    #[test]
    fn rejects() {
        let form = |text: &str| SpecError::Form { text: text.into() };
        let mechanism = |name: &str| SpecError::UnknownMechanism { name: name.into() };
        let parameter = |mechanism, parameter: &str| SpecError::UnknownParameter {
            mechanism,
            parameter: parameter.into(),
        };
        let repeated =
            |mechanism, parameter: &str| SpecError::Repeated { mechanism, parameter: parameter.into() };
        let value = |parameter, reason: &str| SpecError::Value { parameter, reason: reason.into() };
        let number = "this is not a number; write it like 0.5 or 1e-8";
        let table = [
            ("", mechanism("")),
            ("()", mechanism("")),
            ("Lattice", mechanism("Lattice")),
            ("ehds gamma", mechanism("ehds gamma")),
            ("tigh(ehds)", mechanism("tigh")),
            ("tight()", mechanism("")),
            ("tight(nothing)", mechanism("nothing")),
            ("tight", form("tight")),
            ("tight(tight)", form("tight")),
            ("tight(ehds", form("tight(ehds")),
            ("tight(ehds))", form("ehds)")),
            (" ehds(gamma=0.5", form("ehds(gamma=0.5")),
            ("ehds)", form("ehds)")),
            ("ehds,mh", form("ehds,mh")),
            ("ehds=1", form("ehds=1")),
            ("ehds(gamma=0.5)x", form("ehds(gamma=0.5)x")),
            ("ehds(gamma=(0.5))", form("ehds(gamma=(0.5))")),
            ("ehds()()", form("ehds()()")),
            ("lattice(gamma=0.5)", parameter("lattice", "gamma")),
            ("lattice(consistent)", parameter("lattice", "consistent")),
            ("ehds(gamma=0.5,)", parameter("ehds", "")),
            ("ehds(,)", parameter("ehds", "")),
            ("ehds(gamma 0.5)", parameter("ehds", "gamma 0.5")),
            ("tight(ehds(delta=0.1))", parameter("ehds", "delta")),
            ("ehds(gamma=1, gamma=1)", repeated("ehds", "gamma")),
            ("lsdim(consistent, consistent)", repeated("lsdim", "consistent")),
            ("ehds(gamma)", value("gamma", "gamma needs a value, such as gamma=0.5")),
            ("ehds(gamma=)", value("gamma", number)),
            ("ehds(gamma=1=2)", value("gamma", number)),
            ("ehds(gamma=AUTO)", value("gamma", number)),
            (
                "ehds(gamma=0)",
                value("gamma", "gamma is 0; choose a positive, finite number (the research uses 1)"),
            ),
            (
                "ehds(gamma=inf)",
                value("gamma", "gamma is inf; choose a positive, finite number (the research uses 1)"),
            ),
            ("lsdim(consistent=yes)", value("consistent", "consistent takes no value; write it alone")),
            (
                "ehd(global-sensitivity)",
                value(
                    "global-sensitivity",
                    "global-sensitivity needs a value, such as global-sensitivity=exact or published",
                ),
            ),
            (
                "ehd(global-sensitivity=large)",
                value("global-sensitivity", "there is no sensitivity \"large\"; choose exact or published"),
            ),
            ("tight(lattice)", SpecError::NoScale { mechanism: "lattice" }),
            ("tight(tight(lsdim(consistent)))", SpecError::NoScale { mechanism: "lsdim" }),
        ];
        for (text, error) in table {
            assert_eq!(text.parse::<Spec>(), Err(error), "{text:?}");
        }
        assert!(matches!("mh(delta=1)".parse::<Spec>(), Err(SpecError::Value { parameter: "delta", .. })));
        assert!(serde_json::from_str::<Spec>("\"tight(lattice)\"").is_err());
    }

    #[test]
    fn errors_name_what_there_is() {
        let said = |text: &str| text.parse::<Spec>().expect_err("refused").to_string();
        assert_eq!(said("lattice(gamma=1)"), "lattice has no parameter \"gamma\"; it has none");
        assert_eq!(said("ehds(x)"), "ehds has no parameter \"x\"; it has gamma, sharp, score");
        for one in ALL {
            assert!(said("?").contains(one.name), "{one}");
        }
        assert_eq!(
            said("tight(lattice)"),
            "lattice cannot be calibrated by audit: only ehd, ehdl, ehds and mh have a scale to tune"
        );
    }

    /// If this fails, a text in a file can end the process.
    #[test]
    fn deep_texts_do_not_exhaust_the_stack() {
        let deep = format!("{}ehds{}", "tight(".repeat(200_000), ")".repeat(200_000));
        assert_eq!(deep.parse(), Ok(tight(ehds(1.0))));
    }

    #[test]
    fn what_a_specification_says_of_itself() {
        let spec = tight(ehds(0.5));
        assert!(spec.is_tight() && !spec.loose().is_tight());
        assert_eq!((spec.name(), spec.loose()), ("ehds", &ehds(0.5)));
        assert_eq!((spec.number("gamma"), spec.number("delta")), (Some(0.5), None));
        assert_eq!(Spec::from(Ehds { gamma: GammaChoice::Auto, ..Ehds::default() }).number("gamma"), None);
        let cut = Spec::from(Lsdim { consistent: true });
        assert!(cut.has_flag("consistent") && !cut.has_flag("gamma") && !spec.has_flag("gamma"));
        assert_eq!(tight(spec.clone()), spec);
    }

    /// A tight scale is found by an audit, which `fit` does not do.
    #[test]
    fn tight_specifications_are_not_fitted_without_an_audit() {
        let fitted = |spec: Spec| spec.fit(uniform(2, 5, "1")).map(|mechanism| mechanism.name());
        assert_eq!(fitted(ehds(0.5)), Ok("ehds"));
        assert_eq!(fitted(tight(ehds(0.5))), Err(FitError::NeedsAudit));
        assert_eq!(
            fitted(Ehds { gamma: GammaChoice::Auto, ..Ehds::default() }.into()),
            Err(FitError::AutoGamma)
        );
    }

    /// Every mechanism's usual specification is what its bare name stands for.
    #[test]
    fn names_stand_for_the_usual_parameters() {
        for one in ALL {
            assert_eq!(one.name.parse(), Ok(one.spec()), "{one}");
            assert_eq!(one.spec().description(), *one);
            assert_eq!(one.spec().tight().is_ok(), one.tunable, "{one}");
        }
    }

    /// Texts that are made of the words and signs of the grammar.
    fn texts() -> impl Strategy<Value = String> {
        let words = prop::sample::select(vec![
            "tight",
            "ehds",
            "mh",
            "lattice",
            "lsdim",
            "ehd",
            "gamma",
            "delta",
            "consistent",
            "global-sensitivity",
            "published",
            "exact",
            "auto",
            "0.5",
            "1e-8",
            "-1",
            "(",
            ")",
            "(",
            ")",
            ",",
            "=",
            " ",
            "é",
        ]);
        prop::collection::vec(words, 0..12).prop_map(|words| words.concat())
    }

    /// Specifications of mechanisms with parameters.
    fn specs() -> impl Strategy<Value = Spec> {
        let gamma = (f64::MIN_POSITIVE..1e300).prop_map(ehds);
        let delta = (1e-300..0.999).prop_map(|delta| Mh::from(Delta::new(delta).expect("valid")).into());
        let plain = prop::sample::select(ALL.iter().map(|one| one.spec()).collect::<Vec<_>>());
        (prop_oneof![gamma, delta, plain], any::<bool>()).prop_map(|(spec, tighten): (Spec, bool)| {
            if tighten { spec.clone().tight().unwrap_or(spec) } else { spec }
        })
    }

    proptest! {
        /// No text panics, and whatever parses prints and parses to the same.
        #[test]
        fn texts_round_trip(text in prop_oneof![texts(), any::<String>()]) {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec));
            }
        }

        #[test]
        fn specifications_round_trip(spec in specs()) {
            let text = spec.to_string();
            prop_assert_eq!(text.parse::<Spec>(), Ok(spec.clone()));
            let blanks: String = text.chars().map(|sign| match sign {
                '(' | ')' | ',' | '=' => format!(" {sign}\t"),
                other => other.to_string(),
            }).collect();
            prop_assert_eq!(blanks.parse::<Spec>(), Ok(spec));
        }
    }
}
