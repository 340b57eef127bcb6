//! The arguments of a call from Python, by name. The functions in `python/posterity` declare them; each is read here.

use std::path::PathBuf;
use std::str::FromStr;

use posterity::text_file::read_text;
use posterity::{Adjacency, Decoder, Epsilon, Prior, Spec, StatedPrior, Terms};
use posterity_advice::{Shape, profile_epsilon};
use posterity_core::model::Setting;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::argument::{self, decimal, items, named, number, numbers, path, text, truth, whole};
use crate::error::Failure;

/// The arguments of a call. What was not given, or is `None`, is not there.
#[derive(FromPyObject)]
#[pyo3(transparent)]
pub(crate) struct Call<'py>(Bound<'py, PyDict>);

impl<'py> Call<'py> {
    /// What was given.
    pub(crate) fn get(&self, name: &'static str) -> Option<Bound<'py, PyAny>> {
        self.0.get_item(PyString::intern(self.0.py(), name)).ok().flatten().filter(|value| !value.is_none())
    }

    /// The interpreter.
    pub(crate) fn py(&self) -> Python<'py> {
        self.0.py()
    }

    /// The same call with another value for an argument.
    pub(crate) fn with(&self, name: &'static str, value: impl IntoPyObject<'py>) -> Result<Self, Failure> {
        let changed = self.0.copy()?;
        changed.set_item(name, value)?;
        Ok(Self(changed))
    }

    /// What must be given.
    pub(crate) fn need(&self, name: &'static str) -> Result<Bound<'py, PyAny>, Failure> {
        self.0.get_item(name)?.ok_or_else(|| Failure::argument(name, "this is required"))
    }

    /// What was given, read by a function of [`crate::argument`].
    pub(crate) fn read<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&Bound<'py, PyAny>, &'static str) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        self.get(name).map(|value| read(&value, name)).transpose()
    }

    /// Text.
    pub(crate) fn text(&self, name: &'static str) -> Result<Option<String>, Failure> {
        self.read(name, text)
    }

    /// A path.
    pub(crate) fn path(&self, name: &'static str) -> Result<Option<PathBuf>, Failure> {
        self.read(name, path)
    }

    /// A truth value.
    pub(crate) fn truth(&self, name: &'static str) -> Result<bool, Failure> {
        truth(&self.need(name)?, name)
    }

    /// A whole number that must be given.
    pub(crate) fn whole(&self, name: &'static str) -> Result<u64, Failure> {
        whole(&self.need(name)?, name)
    }

    /// A number that must be given.
    pub(crate) fn number(&self, name: &'static str) -> Result<f64, Failure> {
        number(&self.need(name)?, name)
    }

    /// The seed, if the draw is to be repeatable.
    pub(crate) fn seed(&self) -> Result<Option<u64>, Failure> {
        self.read("seed", whole)
    }

    /// A key in a file: the secret one that signs, or a public one.
    pub(crate) fn key<T: FromStr<Err: ToString>>(&self, name: &'static str) -> Result<Option<T>, Failure> {
        self.read(name, |value, name| {
            let text = read_text(&path(value, name)?).map_err(|error| Failure::argument(name, error))?;
            text.parse().map_err(|error: T::Err| Failure::argument(name, error))
        })
    }

    /// The privacy budget.
    pub(crate) fn epsilon(&self) -> Result<Epsilon, Failure> {
        decimal(&self.need("epsilon")?, "epsilon")?
            .parse()
            .map_err(|error| Failure::argument("epsilon", error))
    }

    /// The prior: one number for all categories, or a list with one for each.
    pub(crate) fn prior(&self) -> Result<Option<StatedPrior>, Failure> {
        self.read("prior", |value, name| {
            let stated = match value.try_iter() {
                Ok(_) => Prior::new(numbers(value, name)?).map(Into::into),
                Err(_) => StatedPrior::same(number(value, name)?),
            };
            stated.map_err(|error| Failure::argument(name, error))
        })
    }

    /// What is private: what a record says, or also whether it is there.
    pub(crate) fn adjacency(&self) -> Result<Adjacency, Failure> {
        Ok(self.read("adjacency", named)?.unwrap_or_default())
    }

    /// The mechanism; the usual one under an adjacency if none is named.
    pub(crate) fn mechanism(&self, adjacency: Adjacency) -> Result<Spec, Failure> {
        Ok(self.read("mechanism", named)?.unwrap_or_else(|| Terms::usual_mechanism(adjacency)))
    }

    /// Several mechanisms.
    pub(crate) fn mechanisms(&self) -> Result<Option<Vec<Spec>>, Failure> {
        self.read("mechanisms", one_or_more)
    }

    /// How noisy counts become a posterior.
    pub(crate) fn decoder(&self) -> Result<Option<Decoder>, Failure> {
        self.read("decode", named)
    }

    /// Several decoders.
    pub(crate) fn decoders(&self) -> Result<Option<Vec<Decoder>>, Failure> {
        self.read("decode", one_or_more)
    }

    /// Expected proportions.
    pub(crate) fn shape(&self) -> Result<Option<Shape>, Failure> {
        self.read("shape", |value, name| {
            Shape::new(numbers(value, name)?).map_err(|error| Failure::argument(name, error))
        })
    }

    /// The epsilons of a profile.
    pub(crate) fn profile(&self) -> Result<Vec<f64>, Failure> {
        let given = self.read("profile", numbers)?.unwrap_or_default();
        let checked = |epsilon| profile_epsilon(epsilon).map_err(|error| Failure::argument("profile", error));
        given.into_iter().map(checked).collect()
    }

    /// The probability of an interval.
    pub(crate) fn level(&self) -> Result<f64, Failure> {
        argument::level(&self.need("level")?)
    }

    /// The public inputs that n, k and prior describe, on these terms.
    pub(crate) fn size(&self, terms: Terms) -> Result<Setting, Failure> {
        let n = self.whole("n")?;
        let k = self.read("k", whole)?.map(|k| usize::try_from(k).unwrap_or(usize::MAX));
        let most = posterity::data::MAX_CELLS;
        if let Some(k) = k.filter(|&k| k > most) {
            return Err(Failure::argument("k", format!("there are {k} categories; take at most {most}")));
        }
        Ok(Terms { prior: self.prior()?, ..terms }.setting_without_data(k, n)?)
    }
}

/// One text, or a list of texts, each of which is read.
pub(crate) fn several<T: std::str::FromStr<Err: ToString>>(
    value: &Bound<'_, PyAny>,
    argument: &'static str,
) -> Result<Vec<T>, Failure> {
    if value.is_instance_of::<PyString>() {
        return Ok(vec![named(value, argument)?]);
    }
    items(value, argument)?.iter().map(|item| named(item, argument)).collect()
}

/// The same, of which there must be one.
fn one_or_more<T: std::str::FromStr<Err: ToString>>(
    value: &Bound<'_, PyAny>,
    argument: &'static str,
) -> Result<Vec<T>, Failure> {
    let all = several(value, argument)?;
    if all.is_empty() {
        return Err(Failure::argument(argument, "the list is empty; name at least one, or leave it out"));
    }
    Ok(all)
}
