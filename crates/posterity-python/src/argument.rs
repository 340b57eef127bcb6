//! Converts Python arguments of any type to checked values. All errors name the argument in the same way.

use std::path::PathBuf;

use posterity::{Amount, Decoder, Epsilon, Options, Prior, Spec, SpecError, Terms};
use posterity_advice::{Shape, profile_epsilon};
use posterity_core::accuracy::Metric;
use posterity_core::mechanism::ALL;
use posterity_core::model::{Setting, interval_level};
use posterity_core::score::Scoring;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyType};

use crate::error::Failure;

/// An argument that was given, or `None`.
pub(crate) type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

const NOT_A_NUMBER: &str = "this is not a number; write it like 0.5 or 1e-8";

/// Text.
pub(crate) fn text(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<String, Failure> {
    let wrong = || Failure::argument(argument, "this is not text; give a str");
    value.cast::<PyString>().map_err(|_| wrong())?.extract().map_err(|_| wrong())
}

/// Text, if it was given.
pub(crate) fn optional_text(value: Given<'_, '_>, argument: &'static str) -> Result<Option<String>, Failure> {
    value.map(|value| text(value, argument)).transpose()
}

/// A path: text, or something that has one.
pub(crate) fn path(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<PathBuf, Failure> {
    value
        .extract()
        .map_err(|_| Failure::argument(argument, "this is not a path; give a str or a pathlib.Path"))
}

/// A finite or infinite number, but no truth value.
pub(crate) fn number(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<f64, Failure> {
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>() {
        return Err(Failure::argument(argument, NOT_A_NUMBER));
    }
    value.extract().map_err(|_| Failure::argument(argument, NOT_A_NUMBER))
}

/// A whole number of zero or more.
pub(crate) fn whole(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<u64, Failure> {
    let wrong = || Failure::argument(argument, "this is not a whole number of zero or more below 2**64");
    if value.is_instance_of::<PyBool>() {
        return Err(wrong());
    }
    value.extract().map_err(|_| wrong())
}

/// A truth value.
pub(crate) fn truth(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<bool, Failure> {
    value.extract().map_err(|_| Failure::argument(argument, "this is neither True nor False"))
}

/// A decimal number, read by its printed form: 0.1 is exactly one tenth, as it is for the command.
fn decimal(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<String, Failure> {
    if value.is_instance_of::<PyString>() {
        return text(value, argument);
    }
    if value.is_exact_instance_of::<PyFloat>() || value.is_exact_instance_of::<PyInt>() {
        return Ok(number(value, argument)?.to_string());
    }
    let module: Option<String> = value.get_type().module().ok().and_then(|module| module.extract().ok());
    if matches!(module.as_deref(), Some("decimal" | "fractions")) {
        return value
            .str()
            .and_then(|text| text.extract())
            .map_err(|_| Failure::argument(argument, NOT_A_NUMBER));
    }
    Ok(number(value, argument)?.to_string())
}

/// The privacy budget.
pub(crate) fn epsilon(value: &Bound<'_, PyAny>) -> Result<Epsilon, Failure> {
    decimal(value, "epsilon")?.parse().map_err(|error| Failure::argument("epsilon", error))
}

/// An amount of a budget.
pub(crate) fn amount(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<Amount, Failure> {
    decimal(value, argument)?.parse().map_err(|error| Failure::argument(argument, error))
}

/// The items of a list, a tuple or an array, but not the letters of a text.
pub(crate) fn items<'py>(
    value: &Bound<'py, PyAny>,
    argument: &'static str,
) -> Result<Vec<Bound<'py, PyAny>>, Failure> {
    let wrong = || Failure::argument(argument, "this is not a list; give one such as [1, 2]");
    if value.is_instance_of::<PyString>() || value.is_instance_of::<pyo3::types::PyBytes>() {
        return Err(wrong());
    }
    let py = value.py();
    if is_set(value)? && !value.hasattr("__reversed__")? {
        return Err(Failure::argument(
            argument,
            "this is a set, whose order is another one in each process; give a list, such as sorted(..) of it",
        ));
    }
    let all: PyResult<Vec<_>> = value.try_iter().map_err(|_| wrong())?.take(MOST_ITEMS + 1).collect();
    match all {
        Ok(all) if all.len() > MOST_ITEMS => Err(wrong()),
        Ok(all) => Ok(all),
        Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error.into()),
        Err(_) => Err(wrong()),
    }
}

/// Whether something is a set. The keys of a dictionary are one too, but in the order in which they were written.
pub(crate) fn is_set(value: &Bound<'_, PyAny>) -> Result<bool, Failure> {
    static SET: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if value.is_exact_instance_of::<PyList>() {
        return Ok(false);
    }
    Ok(value.is_instance(SET.import(value.py(), "collections.abc", "Set")?)?)
}

/// A longer list is refused, so that an endless iterator is too.
const MOST_ITEMS: usize = 2_000_000;

fn numbers(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<Vec<f64>, Failure> {
    items(value, argument)?.iter().map(|item| number(item, argument)).collect()
}

/// The prior's parameters.
pub(crate) fn prior(value: Given<'_, '_>) -> Result<Option<Prior>, Failure> {
    let Some(value) = value else { return Ok(None) };
    Prior::new(numbers(value, "prior")?).map(Some).map_err(|error| Failure::argument("prior", error))
}

/// A mechanism by name, or with its parameters as in `ehds(gamma=0.5)`.
pub(crate) fn mechanism(value: &Bound<'_, PyAny>) -> Result<String, Failure> {
    Ok(named::<Mechanism>(value, "mechanism")?.0)
}

/// Several mechanisms, all if not given.
pub(crate) fn mechanisms(value: Given<'_, '_>) -> Result<Vec<String>, Failure> {
    match value {
        None => Ok(ALL.iter().map(|one| one.name.to_owned()).collect()),
        Some(value) => Ok(several::<Mechanism>(value, "mechanisms")?.into_iter().map(|one| one.0).collect()),
    }
}

/// The text of a specification.
struct Mechanism(String);

impl std::str::FromStr for Mechanism {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<Spec>().map(|_| Self(text.to_owned()))
    }
}

/// The specification of a mechanism with those of the parameters that it has.
pub(crate) fn specification(text: &str, options: &Options) -> Result<Spec, Failure> {
    options.apply(text).map_err(|error| match &error {
        SpecError::Value { parameter, .. } => parameter_error(parameter, &error),
        SpecError::Repeated { parameter, .. } => parameter_error(parameter, &error),
        _ => Failure::argument("mechanism", error),
    })
}

/// What is wrong with a parameter, under the name that it has in Python.
fn parameter_error(parameter: &str, error: &SpecError) -> Failure {
    let argument = match parameter {
        "gamma" => "gamma",
        "delta" => "delta",
        "consistent" => "consistent",
        "score" => "score",
        "global-sensitivity" => "global_sensitivity",
        _ => "mechanism",
    };
    Failure::argument(argument, error)
}

/// A decoder by name.
pub(crate) fn decoder(value: Given<'_, '_>) -> Result<Option<Decoder>, Failure> {
    value.map(|value| named(value, "decode")).transpose()
}

/// Several decoders.
pub(crate) fn decoders(value: Given<'_, '_>) -> Result<Option<Vec<Decoder>>, Failure> {
    value.map(|value| several(value, "decode")).transpose()
}

/// What a distance is measured in.
pub(crate) fn metric(value: &Bound<'_, PyAny>) -> Result<Metric, Failure> {
    named(value, "distance")
}

/// What exponential mechanisms score candidates by.
pub(crate) fn scoring(value: Given<'_, '_>) -> Result<Scoring, Failure> {
    Ok(value.map(|value| named(value, "score")).transpose()?.unwrap_or_default())
}

fn named<T: std::str::FromStr<Err: ToString>>(
    value: &Bound<'_, PyAny>,
    argument: &'static str,
) -> Result<T, Failure> {
    text(value, argument)?.parse().map_err(|error: T::Err| Failure::argument(argument, error))
}

/// One name, or a list of names.
fn several<T: std::str::FromStr<Err: ToString>>(
    value: &Bound<'_, PyAny>,
    argument: &'static str,
) -> Result<Vec<T>, Failure> {
    if value.is_instance_of::<PyString>() {
        return Ok(vec![named(value, argument)?]);
    }
    let all = items(value, argument)?;
    if all.is_empty() {
        return Err(Failure::argument(argument, "the list is empty; name at least one, or leave it out"));
    }
    all.iter().map(|item| named(item, argument)).collect()
}

/// The parameters that some mechanisms have.
pub(crate) fn options(
    gamma: Given<'_, '_>,
    delta: Given<'_, '_>,
    score: Given<'_, '_>,
    global_sensitivity: Given<'_, '_>,
    consistent: &Bound<'_, PyAny>,
    calibration: Given<'_, '_>,
) -> Result<Options, Failure> {
    let mut options = Options::default();
    if let Some(value) = gamma {
        let auto = value.is_instance_of::<PyString>() && text(value, "gamma")? == "auto";
        let value = if auto { "auto".to_owned() } else { number(value, "gamma")?.to_string() };
        options = checked(options, "gamma", Some(&value))?;
    }
    if let Some(value) = delta {
        options = checked(options, "delta", Some(&number(value, "delta")?.to_string()))?;
    }
    if let Some(value) = score {
        options = checked(options, "score", Some(&text(value, "score")?))?;
    }
    if let Some(value) = global_sensitivity {
        options = checked(options, "global-sensitivity", Some(&text(value, "global_sensitivity")?))?;
    }
    if truth(consistent, "consistent")? {
        options = checked(options, "consistent", None)?;
    }
    match calibration.map(|value| text(value, "calibration")).transpose()?.as_deref() {
        None | Some("proven") => Ok(options),
        Some("tight") => Ok(options.tight()),
        Some(other) => Err(Failure::argument(
            "calibration",
            format!("there is no calibration {other:?}; choose proven or tight"),
        )),
    }
}

/// The options with one more parameter, which a mechanism that has it has checked.
fn checked(options: Options, parameter: &str, value: Option<&str>) -> Result<Options, Failure> {
    if let Some(owner) = ALL.iter().find(|one| one.parameter(parameter).is_some()) {
        owner.spec().with(parameter, value).map_err(|error| parameter_error(parameter, &error))?;
    }
    Ok(options.set(parameter, value))
}

/// The public inputs that the arguments n, k and prior describe.
pub(crate) fn size(
    n: &Bound<'_, PyAny>,
    epsilon_given: &Bound<'_, PyAny>,
    prior_given: Given<'_, '_>,
    k: Given<'_, '_>,
) -> Result<Setting, Failure> {
    let n = whole(n, "n")?;
    let epsilon = epsilon(epsilon_given)?;
    let prior = prior(prior_given)?;
    let k = k.map(|k| whole(k, "k")).transpose()?.map(|k| usize::try_from(k).unwrap_or(usize::MAX));
    match (&prior, k) {
        (Some(_), Some(_)) => {
            return Err(Failure::argument("k", "this cannot be used with prior; leave one out"));
        }
        (None, None) => {
            return Err(Failure::argument(
                "prior",
                "this is required: give the prior, or the number k of categories",
            ));
        }
        (None, Some(k)) if k > posterity::data::MAX_CELLS => {
            let most = posterity::data::MAX_CELLS;
            return Err(Failure::argument("k", format!("there are {k} categories; take at most {most}")));
        }
        _ => {}
    }
    Terms { prior, ..Terms::new(epsilon) }.setting_without_data(k, n).map_err(Failure::from)
}

/// Expected proportions.
pub(crate) fn shape(value: Given<'_, '_>) -> Result<Option<Shape>, Failure> {
    let Some(value) = value else { return Ok(None) };
    Shape::new(numbers(value, "shape")?).map(Some).map_err(|error| Failure::argument("shape", error))
}

/// The epsilons of a profile.
pub(crate) fn profile(value: Given<'_, '_>) -> Result<Vec<f64>, Failure> {
    let Some(value) = value else { return Ok(Vec::new()) };
    numbers(value, "profile")?
        .into_iter()
        .map(|epsilon| profile_epsilon(epsilon).map_err(|error| Failure::argument("profile", error)))
        .collect()
}

/// The probability of an interval.
pub(crate) fn level(value: &Bound<'_, PyAny>) -> Result<f64, Failure> {
    interval_level(number(value, "level")?).map_err(|error| Failure::argument("level", error))
}
