//! Converts one R value of any type to a checked value. All errors name the argument in the same way.

use std::path::PathBuf;
use std::str::FromStr;

use extendr_api::prelude::*;
use extendr_ffi::{R_CHAR, R_NaString, Rf_xlength, STRING_ELT};
use posterity::Amount;
use posterity::data::day_label;
use posterity_advice::Measure;
use posterity_core::model::interval_level;

use crate::failure::Failure;

const NOT_A_NUMBER: &str = "this is not a number; write it like 0.5 or 1e-8";

/// Larger floating-point numbers do not tell neighbouring integers apart.
const MOST_EXACT: f64 = (1_u64 << 53) as f64;

/// The texts of a character vector, without a copy. A missing one is nothing, and so is one that is not Unicode.
#[allow(unsafe_code, reason = "R keeps text in memory of its own, and does not say that it is Unicode")]
pub(crate) fn texts(vector: &Robj) -> impl Iterator<Item = Option<&str>> {
    let length = if vector.is_string() { vector.len() } else { 0 };
    (0..length).map(move |index| {
        // SAFETY: this is R's own thread, the vector is one of texts, and it has so many. R keeps a text as long as the
        // vector, which is borrowed, and never changes its bytes.
        let bytes = unsafe {
            let text = STRING_ELT(vector.get(), index as isize);
            if text == R_NaString {
                return None;
            }
            std::slice::from_raw_parts(R_CHAR(text).cast::<u8>(), Rf_xlength(text) as usize)
        };
        std::str::from_utf8(bytes).ok()
    })
}

/// Text.
pub(crate) fn text(value: &Robj, argument: &str) -> Result<String, Failure> {
    let wrong = || Failure::argument(argument, "this is not text; give one text in quotes");
    match (texts(value).next().flatten(), value.len()) {
        (Some(text), 1) => Ok(text.to_owned()),
        _ => Err(wrong()),
    }
}

/// Several texts.
pub(crate) fn all_texts(value: &Robj, argument: &str) -> Result<Vec<String>, Failure> {
    let wrong = || Failure::argument(argument, "this is not a character vector without missing values");
    if !value.is_string() {
        return Err(wrong());
    }
    texts(value).map(|text| text.map(str::to_owned).ok_or_else(wrong)).collect()
}

/// The names of a vector or a list, if all are there.
pub(crate) fn names(value: &Robj) -> Option<Vec<String>> {
    let names = value.get_attrib("names")?;
    texts(&names).map(|name| name.filter(|name| !name.is_empty()).map(str::to_owned)).collect()
}

/// A path.
pub(crate) fn path(value: &Robj, argument: &str) -> Result<PathBuf, Failure> {
    Ok(text(value, argument)?.into())
}

/// A number, but no truth value and none that is missing.
pub(crate) fn number(value: &Robj, argument: &str) -> Result<f64, Failure> {
    match numbers(value, argument)?.as_slice() {
        [number] => Ok(*number),
        _ => Err(Failure::argument(argument, NOT_A_NUMBER)),
    }
}

/// Numbers, none of which is missing.
pub(crate) fn numbers(value: &Robj, argument: &str) -> Result<Vec<f64>, Failure> {
    let wrong = || Failure::argument(argument, NOT_A_NUMBER);
    if value.inherits("factor") {
        return Err(wrong());
    }
    if let Some(numbers) = value.as_real_slice() {
        let known = numbers.iter().map(|number| (!number.is_nan()).then_some(*number));
        return known.collect::<Option<_>>().ok_or_else(wrong);
    }
    let numbers = value.as_integer_slice().ok_or_else(wrong)?;
    let known = numbers.iter().map(|number| (*number != i32::MIN).then_some(f64::from(*number)));
    known.collect::<Option<_>>().ok_or_else(wrong)
}

/// A whole number of zero or more. R has no integers of 64 bits, so a large one can be given as text.
pub(crate) fn whole(value: &Robj, argument: &str) -> Result<u64, Failure> {
    let wrong = || Failure::argument(argument, "this is not a whole number of zero or more below 2^64");
    if value.is_string() {
        return text(value, argument)?.parse().map_err(|_| wrong());
    }
    let number = number(value, argument).map_err(|_| wrong())?;
    exact(number).and_then(|whole| u64::try_from(whole).ok()).ok_or_else(wrong)
}

/// How many of something to compute, at least one.
pub(crate) fn some(value: &Robj, argument: &str) -> Result<u64, Failure> {
    let number = whole(value, argument)?;
    if (1..=Measure::MOST).contains(&number) {
        return Ok(number);
    }
    Err(Failure::argument(argument, format!("{number} is not in 1..={}", Measure::MOST)))
}

/// The whole number that a floating-point number is.
pub(crate) fn exact(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() <= MOST_EXACT).then_some(number as i64)
}

/// A truth value.
pub(crate) fn truth(value: &Robj, argument: &str) -> Result<bool, Failure> {
    let known = value.as_logical_slice().and_then(|all| match all {
        [one] if !one.is_na() => Some(one.is_true()),
        _ => None,
    });
    known.ok_or_else(|| Failure::argument(argument, "this is neither TRUE nor FALSE"))
}

/// A decimal number, read by its printed form: 0.1 is exactly one tenth, as it is for the command.
pub(crate) fn decimal(value: &Robj, argument: &str) -> Result<String, Failure> {
    if value.is_string() { text(value, argument) } else { Ok(number(value, argument)?.to_string()) }
}

/// An amount of a budget.
pub(crate) fn amount(value: &Robj, argument: &str) -> Result<Amount, Failure> {
    decimal(value, argument)?.parse().map_err(|error| Failure::argument(argument, error))
}

/// A text that stands for something.
pub(crate) fn named<T: FromStr<Err: ToString>>(value: &Robj, argument: &str) -> Result<T, Failure> {
    text(value, argument)?.parse().map_err(|error: T::Err| Failure::argument(argument, error))
}

/// Texts that stand for something.
pub(crate) fn all_named<T: FromStr<Err: ToString>>(value: &Robj, argument: &str) -> Result<Vec<T>, Failure> {
    let read = |text: String| text.parse().map_err(|error: T::Err| Failure::argument(argument, error));
    all_texts(value, argument)?.into_iter().map(read).collect()
}

/// The probability of an interval.
pub(crate) fn level(value: &Robj, argument: &str) -> Result<f64, Failure> {
    interval_level(number(value, argument)?).map_err(|error| Failure::argument(argument, error))
}

/// Labels, as they would be printed in a file: text, whole numbers, truth values or days.
pub(crate) fn labels(value: &Robj, argument: &str) -> Result<Vec<String>, Failure> {
    let wrong = |why: &str| Failure::argument(argument, why);
    if value.inherits("factor") {
        return Err(wrong(
            "this is a factor, which has learned its levels from data; give a character vector",
        ));
    }
    if value.is_string() {
        return all_texts(value, argument);
    }
    if value.inherits("Date") {
        let day = |day: &f64| exact(*day).and_then(|day| i32::try_from(day).ok()).and_then(day_label);
        let days = numbers(value, argument)?;
        let days: Option<Vec<String>> = days.iter().map(day).collect();
        return days.ok_or_else(|| wrong("a label is not a day; leave out what is missing"));
    }
    if value.is_object() {
        return Err(wrong(
            "these are of a class that is no label; give text, whole numbers, truth values or days",
        ));
    }
    if let Some(truths) = value.as_logical_slice() {
        let known = truths.iter().map(|one| (!one.is_na()).then(|| one.is_true().to_string()));
        return known.collect::<Option<_>>().ok_or_else(|| wrong("a label is missing; leave it out"));
    }
    let whole = |number: &f64| exact(*number).map(|whole| whole.to_string());
    let all = numbers(value, argument)?;
    let all: Option<Vec<String>> = all.iter().map(whole).collect();
    all.ok_or_else(|| wrong("a label is not text, a whole number or a truth value"))
}

/// The items of a list.
pub(crate) fn items(value: &Robj, argument: &str) -> Result<Vec<Robj>, Failure> {
    let list = List::try_from(value).map_err(|_| {
        Failure::argument(argument, "this is not a list; give one such as list(c(\"yes\", \"no\"), NULL)")
    })?;
    Ok(list.values().collect())
}
