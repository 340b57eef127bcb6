//! The arguments of a call from R, by name. The functions in `r/R` declare them; each is read here.

use std::path::PathBuf;
use std::str::FromStr;

use extendr_api::prelude::*;
use posterity::table::Ways;
use posterity::text_file::read_text;
use posterity::{Adjacency, Decoder, Epsilon, LedgerAccount, Prior, ReadingError, Spec, StatedPrior, Terms};
use posterity_advice::{Shape, profile_epsilon};
use posterity_core::model::Setting;

use crate::argument::{self, all_named, decimal, named, number, numbers, path, text, truth, whole};
use crate::failure::Failure;

/// The arguments of a call. What was not given, or is `NULL`, is not there.
pub(crate) struct Call(List);

impl Call {
    pub(crate) fn new(call: List) -> Self {
        Self(call)
    }

    /// The same call with another text for one argument.
    pub(crate) fn with(&self, name: &'static str, value: &str) -> Self {
        let others = self.0.iter().filter(|(known, _)| *known != name);
        let pairs: Vec<(&str, Robj)> = others.chain([(name, value.into())]).collect();
        Self(List::from_pairs(pairs))
    }

    /// What was given.
    pub(crate) fn get(&self, name: &str) -> Option<Robj> {
        self.0
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
            .filter(|value| !value.is_null())
    }

    /// What must be given.
    pub(crate) fn need(&self, name: &str) -> Result<Robj, Failure> {
        self.get(name).ok_or_else(|| Failure::argument(name, "this is required"))
    }

    /// What was given, read by a function of [`crate::argument`].
    pub(crate) fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Robj, &str) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        self.get(name).map(|value| read(&value, name)).transpose()
    }

    /// Refuses arguments that have no meaning here.
    pub(crate) fn refuse(&self, refused: &[&str], why: &str) -> Result<(), Failure> {
        match refused.iter().find(|name| self.get(name).is_some()) {
            Some(argument) => Err(Failure::argument(argument, why)),
            None => Ok(()),
        }
    }

    /// Text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        self.read(name, text)
    }

    /// Text that must be given.
    pub(crate) fn needed_text(&self, name: &str) -> Result<String, Failure> {
        text(&self.need(name)?, name)
    }

    /// A path.
    pub(crate) fn path(&self, name: &str) -> Result<Option<PathBuf>, Failure> {
        self.read(name, path)
    }

    /// A path that must be given.
    pub(crate) fn needed_path(&self, name: &str) -> Result<PathBuf, Failure> {
        path(&self.need(name)?, name)
    }

    /// A truth value.
    pub(crate) fn truth(&self, name: &str) -> Result<bool, Failure> {
        truth(&self.need(name)?, name)
    }

    /// A whole number that must be given.
    pub(crate) fn whole(&self, name: &str) -> Result<u64, Failure> {
        whole(&self.need(name)?, name)
    }

    /// A number that must be given.
    pub(crate) fn number(&self, name: &str) -> Result<f64, Failure> {
        number(&self.need(name)?, name)
    }

    /// The seed, if the draw is to be repeatable.
    pub(crate) fn seed(&self) -> Result<Option<u64>, Failure> {
        self.read("seed", whole)
    }

    /// The privacy budget.
    pub(crate) fn epsilon(&self) -> Result<Epsilon, Failure> {
        let epsilon = decimal(&self.need("epsilon")?, "epsilon")?;
        epsilon.parse().map_err(|error| Failure::argument("epsilon", error))
    }

    /// The prior: one number for all categories, or one for each.
    pub(crate) fn prior(&self) -> Result<Option<StatedPrior>, Failure> {
        self.read("prior", |value, name| {
            let stated = match numbers(value, name)?.as_slice() {
                [same] => StatedPrior::same(*same),
                each => Prior::new(each.to_vec()).map(Into::into),
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
        self.read("mechanisms", all_named)
    }

    /// How noisy counts become a posterior.
    pub(crate) fn decoder(&self) -> Result<Option<Decoder>, Failure> {
        self.read("decode", named)
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
        argument::level(&self.need("level")?, "level")
    }

    /// The intervals that are asked for; the usual ones where the call does not say otherwise.
    pub(crate) fn ways(&self, usual: Ways) -> Result<Ways, Failure> {
        let ways = Ways {
            level: self.read("level", argument::level)?.unwrap_or(usual.level),
            interval: self.read("interval_kind", named)?.unwrap_or(usual.interval),
            about: self.read("about", named)?.unwrap_or(usual.about),
            simultaneous: self.read("simultaneous", truth)?.unwrap_or(usual.simultaneous),
        };
        ways.check().map_err(wrong_ways)?;
        Ok(ways)
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

    /// A key in a file: the secret one that signs, or a public one.
    pub(crate) fn key<T: FromStr<Err: ToString>>(&self, name: &str) -> Result<Option<T>, Failure> {
        self.read(name, |value, name| {
            let text = read_text(&path(value, name)?).map_err(|error| Failure::argument(name, error))?;
            text.parse().map_err(|error: T::Err| Failure::argument(name, error))
        })
    }

    /// The seed, or the ledger with the account of the budget and the key that signs, as far as they are given; `usual` is the
    /// account that pays if the call names none and gives no seed.
    pub(crate) fn payer(
        &self,
        usual: Option<(PathBuf, String)>,
    ) -> Result<(Option<u64>, Option<LedgerAccount>), Failure> {
        let (seed, again, key) = (self.seed()?, self.truth("again")?, self.key("sign")?);
        let account = match self.path("ledger")? {
            Some(ledger) => Some((ledger, self.needed_text("account")?)),
            None => {
                self.refuse(&["account"], "say which ledger the account is in (ledger)")?;
                usual.filter(|_| seed.is_none())
            }
        };
        let Some((ledger, account)) = account else {
            if again {
                return Err(Failure::argument("again", "this is for a budget; leave it out"));
            }
            if key.is_some() {
                let why = "what nobody charged is not signed; give a ledger and an account, or leave it out";
                return Err(Failure::argument("sign", why));
            }
            return Ok((seed, None));
        };
        Ok((seed, Some(LedgerAccount { ledger, account, again, key })))
    }
}

/// The argument that asks for intervals that there are not.
pub(crate) fn wrong_ways(error: ReadingError) -> Failure {
    let argument = if matches!(error, ReadingError::Level(_)) { "level" } else { "about" };
    Failure::argument(argument, error)
}
