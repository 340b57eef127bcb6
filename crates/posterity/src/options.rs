//! Parameters of mechanisms that are given one by one, as flags and keyword arguments are.

use posterity_core::mechanism::{Spec, SpecError};

/// Parameters by name, and whether the scale is to be tight. A mechanism takes those that it has.
///
/// ```
/// use posterity::Options;
/// let options = Options::default().set("gamma", Some("0.5")).tight();
/// assert_eq!(options.apply("ehds")?.to_string(), "tight(ehds(gamma=0.5))");
/// assert_eq!(options.apply("lattice")?.to_string(), "lattice");
/// assert_eq!(options.unused(&options.apply("lattice")?), ["gamma", "calibration"]);
/// # Ok::<(), posterity::SpecError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    given: Vec<(String, Option<String>)>,
    tight: bool,
}

impl Options {
    /// Adds a parameter; a flag has no value.
    #[must_use]
    pub fn set(mut self, parameter: &str, value: Option<&str>) -> Self {
        self.given.push((parameter.to_owned(), value.map(ToOwned::to_owned)));
        self
    }

    /// Has the scale set by an exact audit, for mechanisms that have a scale.
    #[must_use]
    pub fn tight(mut self) -> Self {
        self.tight = true;
        self
    }

    /// Whether the scale is to be set by an exact audit.
    #[must_use]
    pub fn is_tight(&self) -> bool {
        self.tight
    }

    /// The specification that a text stands for, with those of the parameters that the mechanism has.
    ///
    /// # Errors
    /// [`SpecError`]; [`SpecError::Repeated`] if the text has a parameter that is given here too.
    pub fn apply(&self, text: &str) -> Result<Spec, SpecError> {
        let mut spec: Spec = text.parse()?;
        for (parameter, value) in &self.given {
            if spec.description().parameter(parameter).is_none() {
                continue;
            }
            if Spec::names(text, parameter) {
                return Err(SpecError::Repeated { mechanism: spec.name(), parameter: parameter.clone() });
            }
            spec = spec.with(parameter, value.as_deref())?;
        }
        if self.tight && spec.description().tunable { spec.tight() } else { Ok(spec) }
    }

    /// The names of the options that the mechanism does not have.
    #[must_use]
    pub fn unused(&self, spec: &Spec) -> Vec<&str> {
        let description = spec.description();
        let parameters = self.given.iter().map(|(name, _)| name.as_str());
        let calibration = (self.tight && !description.tunable).then_some("calibration");
        parameters.filter(|name| description.parameter(name).is_none()).chain(calibration).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mechanism_takes_what_it_has() {
        let all = Options::default()
            .set("gamma", Some("auto"))
            .set("delta", Some("1e-8"))
            .set("global-sensitivity", Some("exact"))
            .set("consistent", None)
            .tight();
        let unused = |name: &str| {
            let spec = all.apply(name).expect("valid");
            all.unused(&spec).into_iter().map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(unused("lattice"), ["gamma", "delta", "global-sensitivity", "consistent", "calibration"]);
        assert_eq!(unused("ehds"), ["delta", "global-sensitivity", "consistent"]);
        assert_eq!(unused("geometric"), ["gamma", "delta", "global-sensitivity", "calibration"]);
        assert_eq!(Options::default().unused(&"lattice".parse().expect("valid")), [""; 0]);
    }

    #[test]
    fn rejects() {
        let gamma = |value: &str| Options::default().set("gamma", Some(value));
        let repeated = SpecError::Repeated { mechanism: "ehds", parameter: "gamma".into() };
        assert_eq!(gamma("1").apply("tight(ehds( gamma = 0.5))"), Err(repeated));
        assert!(matches!(gamma("-1").apply("ehds"), Err(SpecError::Value { parameter: "gamma", .. })));
        assert!(matches!(gamma("1").apply("ehdx"), Err(SpecError::UnknownMechanism { .. })));
    }
}
