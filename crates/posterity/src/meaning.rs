//! What a privacy budget means, in words. Every sentence about it that a person reads is made here.
//!
//! Numbers in these sentences are bounds, so they are rounded up. docs/proofs/meaning.md proves what they say.

use posterity_core::model::Adjacency;
use posterity_core::special::Number;
use posterity_ledger::Amount;
use thiserror::Error;

use crate::number::{bound, count, digits, spent};

/// Above this epsilon there is a warning.
pub const WARNED_EPSILON: f64 = 10.0;

/// Above this delta there is a warning, however few records there are.
pub const WARNED_DELTA: f64 = 1e-5;

/// Above this delta a release is refused, unless it is stated that so large a delta is meant.
pub const MOST_DELTA: f64 = 1e-3;

/// A delta that is so large that it is refused unless it is stated that it is meant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{delta} is above {MOST_DELTA}, and with a probability of up to delta a release may tell everything about a person; choose a \
     delta far below one part of as many as there are people, such as 1e-9, or allow a large one"
)]
#[non_exhaustive]
pub struct LargeDelta {
    delta: String,
}

/// Refuses a delta above [`MOST_DELTA`], unless a large one is allowed.
///
/// ```
/// use posterity::meaning::check_delta;
/// assert!(check_delta(&"1e-3".parse()?, false).is_ok());
/// assert!(check_delta(&"0.002".parse()?, false).is_err());
/// assert!(check_delta(&"0.002".parse()?, true).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LargeDelta`].
pub fn check_delta(delta: &Amount, is_large_allowed: bool) -> Result<(), LargeDelta> {
    let shown = delta.to_f64_shown();
    // Whatever takes a delta refuses one that is no probability below one.
    if is_large_allowed || shown <= MOST_DELTA || shown >= 1.0 {
        return Ok(());
    }
    Err(LargeDelta { delta: spent(delta) })
}

/// Everything to warn of before a charge of this budget, and in what is made of it. n is the number of records or units,
/// if it is public.
///
/// ```
/// use posterity::Adjacency::{AddRemove, Replace};
/// use posterity::meaning::warnings;
/// assert!(warnings(Replace, 10.0, 1e-5, None).is_empty());
/// assert_eq!(warnings(Replace, 12.0, 1e-4, None).len(), 2);
/// // Between two values of a record whose presence is protected, epsilon counts twice.
/// assert_eq!(warnings(AddRemove, 6.0, 0.0, None).len(), 1);
/// // A tenth of a record out of a million is less than one part of 100,000.
/// assert_eq!(warnings(Replace, 1.0, 1e-6, Some(1_000_000)).len(), 1);
/// assert!(warnings(Replace, 1.0, 1e-7, Some(1_000_000)).is_empty());
/// ```
#[must_use]
pub fn warnings(adjacency: Adjacency, epsilon: f64, delta: f64, n: Option<u64>) -> Vec<String> {
    warning_under(adjacency, epsilon).into_iter().chain(delta_warning(delta, n)).collect()
}

/// The warning for a large delta, if it is one. n is the number of records or units, if it is public.
#[must_use]
pub fn delta_warning(delta: f64, n: Option<u64>) -> Option<String> {
    let tenth = n.filter(|n| *n > 0).map(|n| 1.0 / (10.0 * n as f64));
    let above = match tenth {
        // Whatever takes a delta refuses one that is no probability below one.
        _ if delta >= 1.0 => return None,
        _ if delta > WARNED_DELTA => format!("{WARNED_DELTA:e}"),
        Some(tenth) if delta > tenth => "1/(10 n)".to_owned(),
        _ => return None,
    };
    Some(format!(
        "delta {} is above {above}: {}; choose a smaller one, such as 1e-9",
        bound(delta),
        delta_means(delta)
    ))
}

/// What a delta allows, in a clause.
fn delta_means(delta: f64) -> String {
    format!(
        "with a probability of up to {} the release may tell everything about one person, and for each person anew",
        bound(delta)
    )
}

/// What a delta means, in a sentence; nothing where there is none.
///
/// ```
/// use posterity::meaning::of_delta;
/// assert!(of_delta(1e-9).is_some_and(|said| said.contains("may tell everything about one person")));
/// assert_eq!(of_delta(0.0), None);
/// ```
#[must_use]
pub fn of_delta(delta: f64) -> Option<String> {
    (delta > 0.0).then(|| {
        format!(
            "Delta is the probability with which the promise by epsilon may fail: {}. It should be far below one part of as many as \
             there are people.",
            delta_means(delta)
        )
    })
}

/// The largest belief in one of two values of a record, if both were held to be equally likely before a release:
/// `e^epsilon/(1 + e^epsilon)` for `delta = 0`. For `delta > 0` it is the largest chance that somebody who chooses
/// between two equally likely values after the release is right: `(e^epsilon + delta)/(1 + e^epsilon)` (Kairouz, Oh and
/// Viswanath 2015, theorem 2.1; docs/proofs/meaning.md).
///
/// ```
/// use posterity::meaning::belief;
/// assert!((belief(1.0, 0.0) - 0.731058578).abs() < 1e-9);
/// assert!((belief(1.0, 0.01) - 0.733748).abs() < 1e-6);
/// ```
#[must_use]
pub fn belief(epsilon: f64, delta: f64) -> f64 {
    1.0 - rest(epsilon, delta)
}

/// The exponential, which is the same on every machine: a sentence of a document must not depend on who reads it.
fn exp(x: f64) -> f64 {
    Number::exp(x)
}

/// One minus the belief, which keeps its digits where the belief is near one.
fn rest(epsilon: f64, delta: f64) -> f64 {
    ((1.0 - delta) * exp(-epsilon) / (1.0 + exp(-epsilon))).max(0.0)
}

/// The belief in percent, rounded up, with so many digits that it is not 100.
fn percent_up(epsilon: f64, delta: f64) -> Option<String> {
    certainty_up(rest(epsilon, delta), 1)
}

/// One minus a probability, as that probability in percent: rounded up, with at least so many decimals, and so many that
/// it is not 100.
fn certainty_up(rest: f64, least: i32) -> Option<String> {
    // Rounding errors of the exponential are far below the last digit that is shown.
    let rest = 100.0 * rest * (1.0 - 1e-12);
    if rest < 1e-9 {
        return None;
    }
    let decimals = (1 - rest.log10().floor() as i32).clamp(least, 12);
    let unit = 10_f64.powi(-decimals);
    // The rest is rounded down, so that the belief is rounded up.
    let rest = (rest / unit).floor() * unit;
    let decimals = decimals as usize;
    Some(format!("{:.decimals$}", 100.0 - rest))
}

/// The observer of the promise, who knows everything but what is protected: all other records, or all records of all
/// other units.
fn observer(unit: &str) -> String {
    match unit {
        "record" => "An observer who knows all other records".to_owned(),
        unit => format!("An observer who knows the records of every other {unit}"),
    }
}

/// What a budget means for one record, or for one unit.
///
/// ```
/// let said = posterity::meaning::for_one(1.0, 0.0, "record");
/// assert!(said.contains("at most 73.2 % sure"));
/// ```
#[must_use]
pub fn for_one(epsilon: f64, delta: f64, unit: &str) -> String {
    let Some(percent) = percent_up(epsilon, delta) else {
        return format!(
            "This budget hardly protects a {unit}: an observer may become practically certain about it."
        );
    };
    let who = format!("{}, and gives even odds to two possible values of one {unit}", observer(unit));
    if delta > 0.0 {
        return format!(
            "{who}, will guess right with a probability of at most {percent} % after the release. Before it that was 50 %."
        );
    }
    format!("{who}, can be at most {percent} % sure of either after the release. Before it that was 50 %.")
}

/// What a budget means for one record, or for one unit, under an adjacency.
#[must_use]
pub fn under(adjacency: Adjacency, epsilon: f64, delta: f64, unit: &str) -> String {
    match adjacency {
        Adjacency::Replace => for_one(epsilon, delta, unit),
        Adjacency::AddRemove => for_presence(epsilon, delta, unit),
    }
}

/// The warning for a large epsilon under an adjacency. Between two values of a record that is there, a budget for its
/// presence counts twice.
fn warning_under(adjacency: Adjacency, epsilon: f64) -> Option<String> {
    match adjacency {
        Adjacency::Replace => warning(epsilon),
        Adjacency::AddRemove => warning(2.0 * epsilon)
            .map(|why| format!("between two values of a record that is known to be there, this budget counts twice, and {why}")),
    }
}

/// What is protected, and whether n is public, in one sentence.
#[must_use]
pub fn protects(adjacency: Adjacency, unit: &str) -> String {
    match adjacency {
        Adjacency::Replace => {
            format!(
                "What any one {unit} says is protected. n is public: how many there are is published exactly."
            )
        }
        Adjacency::AddRemove => {
            format!(
                "Whether anyone is in the data at all is protected, and what each {unit} says. How many there are is private."
            )
        }
    }
}

/// What a budget means for one record, or one unit, whose presence is protected. Another value of a record that is there
/// takes two steps: the record is removed, and the other is added.
///
/// ```
/// let said = posterity::meaning::for_presence(1.0, 0.0, "record");
/// assert!(said.contains("at most 73.2 % sure") && said.contains("at most 88.1 %"));
/// ```
#[must_use]
pub fn for_presence(epsilon: f64, delta: f64, unit: &str) -> String {
    let values = 2.0 * epsilon;
    let (Some(there), Some(value)) =
        (percent_up(epsilon, delta), percent_up(values, (1.0 + exp(epsilon)) * delta))
    else {
        return format!(
            "This budget hardly protects a {unit}: an observer may become practically certain about it."
        );
    };
    let after = if delta > 0.0 {
        format!("will guess right with a probability of at most {there} % after the release")
    } else {
        format!("can be at most {there} % sure of either after the release")
    };
    format!(
        "{}, and gives even odds to whether one {unit} is in the data, {after}. Before it that was 50 %. Between two possible values \
         of one {unit} that is known to be there it is at most {value} %.",
        observer(unit)
    )
}

/// By how much a release can move the odds of an observer, in sentences. With a delta this is no bound on every release:
/// the odds of the truth exceed it with a small probability (docs/proofs/meaning.md).
///
/// ```
/// use posterity::Adjacency;
/// let said = posterity::meaning::odds(Adjacency::Replace, 1.0, 0.0, "patient");
/// assert!(said[0].contains("multiplies these odds by at most e^epsilon = 2.71829"));
/// ```
#[must_use]
pub fn odds(adjacency: Adjacency, epsilon: f64, delta: f64, unit: &str) -> Vec<String> {
    let values = format!("two possibilities for what one {unit} says");
    let there = format!("whether one {unit} is in the data");
    match adjacency {
        Adjacency::Replace => vec![odds_of(unit, &format!("between {values}"), "epsilon", epsilon, delta)],
        Adjacency::AddRemove => {
            let known = format!("between {values}, if it is known to be in the data,");
            vec![
                odds_of(unit, &format!("on {there}"), "epsilon", epsilon, delta),
                odds_of(
                    unit,
                    &known,
                    "(2 epsilon)",
                    2.0 * epsilon,
                    (1.0 + exp(epsilon)) * delta * (1.0 + 1e-12),
                ),
            ]
        }
    }
}

/// One sentence on odds. `named` is the exponent as it is written.
fn odds_of(unit: &str, between: &str, named: &str, epsilon: f64, delta: f64) -> String {
    let observer = format!("{} holds odds {between} before the release.", observer(unit));
    if delta > 0.0 {
        let (factor, chance) = (factor_up(2.0 * exp(epsilon)), bound((2.0 * delta).min(1.0)));
        return format!(
            "{observer} The odds of what is true grow by a factor of more than 2 e^{named} = {factor} with a probability of at most \
             {chance}. In such a case the release may tell everything."
        );
    }
    format!(
        "{observer} The release multiplies these odds by at most e^{named} = {}, and divides them by at most as much, whatever it says.",
        factor_up(exp(epsilon))
    )
}

/// A factor, rounded up.
fn factor_up(factor: f64) -> String {
    // Rounding errors of the exponential are far below the last digit that is shown.
    let factor = factor * (1.0 + 1e-12);
    if factor < 1e9 { bound(factor) } else { "more than a billion".to_owned() }
}

/// What an observer believes before a release without delta, and at most believes after it, in percent: the odds are
/// multiplied by at most `e^epsilon`.
///
/// ```
/// let after = posterity::meaning::beliefs(1.0);
/// assert_eq!(after[2], ("50".to_owned(), "73.11".to_owned()));
/// ```
#[must_use]
pub fn beliefs(epsilon: f64) -> Vec<(String, String)> {
    let after = |percent: u32| {
        let prior = f64::from(percent) / 100.0;
        let (others, less) = (1.0 - prior, exp(-epsilon));
        let rest = others * less / (prior + others * less);
        (percent.to_string(), certainty_up(rest, 2).unwrap_or_else(|| "practically 100".to_owned()))
    };
    [1, 10, 50, 90].map(after).into()
}

/// What several releases about the same records add up to.
///
/// ```
/// let said = posterity::meaning::of_several(3, 1.0, "record");
/// assert!(said.starts_with("3 such releases about the same records add up to epsilon 3"));
/// assert!(said.ends_with("95.3 % sure."));
/// ```
#[must_use]
pub fn of_several(releases: u64, epsilon: f64, unit: &str) -> String {
    let total = releases as f64 * epsilon;
    let sure = percent_up(total, 0.0)
        .map_or_else(|| "practically certain".to_owned(), |p| format!("at most {p} % sure"));
    format!(
        "{} such releases about the same {unit}s add up to epsilon {}: then the observer can be {sure}.",
        count(releases as f64),
        digits(total)
    )
}

/// What is not promised, whatever the budget.
#[must_use]
pub fn not_promised(adjacency: Adjacency, unit: &str) -> Vec<String> {
    let public = match adjacency {
        Adjacency::Replace => "the number of records or units, the categories and the prior",
        Adjacency::AddRemove => "the categories, the prior and the question",
    };
    not_promised_beside(public, adjacency, unit)
}

/// What is not promised where something else is public, such as "the question".
#[must_use]
pub fn not_promised_beside(public: &str, adjacency: Adjacency, unit: &str) -> Vec<String> {
    let time = "How long the count took: it depends on how many there are.";
    let mut all = vec![
        "Conclusions about groups: what the release says about people in general, it also says about somebody who is not in the data."
            .to_owned(),
        format!("Secrecy of {public}: published without noise."),
        format!(
            "{unit}s that depend on each other, such as those of one household: m of them together are protected with m times the \
             epsilon only, and with a larger delta where there is one.",
            unit = capital(unit)
        ),
        "Other data about the same people: what is published elsewhere adds to this.".to_owned(),
    ];
    all.extend((adjacency == Adjacency::AddRemove).then(|| time.to_owned()));
    all
}

/// What is not promised, in short.
#[must_use]
pub fn not_promised_in_short(adjacency: Adjacency, unit: &str) -> String {
    let (secret, time) = match adjacency {
        Adjacency::Replace => ("n and the categories stay", ""),
        Adjacency::AddRemove => (
            "the categories stay",
            " How long the count took depends on how many there are, so it is not for publication.",
        ),
    };
    format!(
        "The release does not promise that nothing is learned about groups, that {secret} secret, that several {unit}s that depend \
         on each other are protected as one, or that other publications about the same people are counted.{time}"
    )
}

/// The warning for a large epsilon.
fn warning(epsilon: f64) -> Option<String> {
    (epsilon > WARNED_EPSILON).then(|| {
        let sure = percent_up(epsilon, 0.0).map_or_else(|| "practically certain".to_owned(), |p| format!("{p} % sure"));
        format!(
            "epsilon {} is so large that it protects hardly anybody: an observer who knew nothing about a record may become {sure} \
             of it; choose at most 1 if you can, and not more than {WARNED_EPSILON}",
            bound(epsilon)
        )
    })
}

/// The note on a release that was charged to no account.
#[must_use]
pub fn uncounted() -> &'static str {
    "No ledger counts this release. If more is released about the same people, somebody has to add up the budgets."
}

/// What an account cannot see.
#[must_use]
pub fn outside_the_ledger() -> &'static str {
    "An account counts only what is charged to it. It does not see releases that are charged to another account, kept in another \
     ledger file, or made without a ledger."
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound that is shown is never below the bound itself, and above it by less than a unit of its last digit.
    #[test]
    fn beliefs_are_rounded_up() {
        for step in 1..=2_000 {
            let epsilon = f64::from(step) * 0.0125;
            for delta in [0.0, 1e-6, 0.05] {
                let shown = percent_up(epsilon, delta).expect("below certainty");
                let decimals = shown.split_once('.').expect("decimals").1.len() as i32;
                let value: f64 = shown.parse().expect("a number");
                // Compared by what is left to certainty, which has more digits.
                let left = 100.0 * (1.0 - delta) / (1.0 + epsilon.exp());
                let gap = left - (100.0 - value);
                assert!(
                    gap > -1e-12 && gap < 1.001 * 10_f64.powi(-decimals) + 1e-12,
                    "{epsilon} {delta}: {shown} {left}"
                );
                assert!(value < 100.0);
            }
        }
    }

    /// If this fails, the sheet of a release says that an observer learns less than they can.
    #[test]
    fn odds_are_those_of_bayes_rule_and_never_understated() {
        for step in 1..=400 {
            let epsilon = f64::from(step) * 0.05;
            for (before, after) in beliefs(epsilon) {
                let prior = before.parse::<f64>().expect("a number") / 100.0;
                let odds = epsilon.exp() * prior / (1.0 - prior);
                let left = 100.0 / (1.0 + odds);
                let shown = 100.0 - after.parse::<f64>().expect("a number");
                assert!(shown <= left + 1e-11 && left - shown < 0.0101, "{epsilon} {before}: {after}");
            }
            for adjacency in [Adjacency::Replace, Adjacency::AddRemove] {
                for (said, times) in odds(adjacency, epsilon, 0.0, "patient").iter().zip([1.0, 2.0]) {
                    let exact = (times * epsilon).exp();
                    let factor = said.split(" = ").nth(1).and_then(|rest| rest.split(", and").next());
                    match factor.expect("a factor").parse::<f64>() {
                        Ok(factor) => assert!(factor >= exact && factor < exact * 1.00002, "{said} {exact}"),
                        Err(_) => assert!(exact > 9e8 && said.contains("more than a billion"), "{said}"),
                    }
                }
            }
        }
        assert_eq!(beliefs(60.0)[0].1, "practically 100");
    }

    /// With a delta the sentence is that of the corollary: the factor is doubled, and may be exceeded.
    #[test]
    fn odds_with_a_delta_may_be_exceeded() {
        let said = odds(Adjacency::Replace, 1.0, 1e-9, "record");
        assert_eq!(said.len(), 1);
        assert!(
            said[0].contains("more than 2 e^epsilon = 5.43657 with a probability of at most 2e-9."),
            "{said:?}"
        );
        let said = odds(Adjacency::AddRemove, 1.0, 1e-9, "record");
        assert!(said[0].contains("on whether one record is in the data"), "{said:?}");
        assert!(said[1].contains("2 e^(2 epsilon) = 14.7782"), "{said:?}");
        assert!(said[1].contains("at most 7.43657e-9"), "{said:?}");
    }

    #[test]
    fn known_beliefs() {
        for (epsilon, shown) in
            [(0.1, "52.5"), (1.0, "73.2"), (2.0, "88.1"), (3.0, "95.3"), (10.0, "99.9955")]
        {
            assert_eq!(percent_up(epsilon, 0.0).as_deref(), Some(shown));
        }
        assert_eq!(percent_up(40.0, 0.0), None);
        assert_eq!(percent_up(1.0, 1.0), None);
    }

    /// Randomised response, the worst mechanism, reaches the belief by Bayes' rule, so no smaller bound holds.
    #[test]
    fn randomised_response_reaches_the_belief() {
        for epsilon in [0.01_f64, 0.5, 1.0, 4.0] {
            let truth = epsilon.exp() / (1.0 + epsilon.exp());
            let after = 0.5 * truth / (0.5 * truth + 0.5 * (1.0 - truth));
            assert!((after - belief(epsilon, 0.0)).abs() < 1e-15);
        }
        // With probability delta the mechanism tells everything, and otherwise randomised response answers.
        let (epsilon, delta) = (0.7_f64, 0.03);
        let right = delta + (1.0 - delta) * epsilon.exp() / (1.0 + epsilon.exp());
        assert!((right - belief(epsilon, delta)).abs() < 1e-15);
    }

    #[test]
    fn sentences_name_the_unit() {
        assert!(for_one(1.0, 0.0, "patient").contains("of one patient,"));
        assert!(
            for_one(1.0, 0.0, "patient")
                .starts_with("An observer who knows the records of every other patient, and")
        );
        assert!(for_presence(1.0, 0.0, "record").starts_with("An observer who knows all other records, and"));
        assert!(for_one(1.0, 1e-6, "patient").contains("guess right with a probability of at most 73.2 %"));
        assert!(for_one(50.0, 0.0, "record").contains("practically certain"));
        assert!(not_promised(Adjacency::Replace, "patient")[2].starts_with("Patients that depend"));
        assert!(warning(11.0).expect("large").contains("99.9984 % sure"));
        assert_eq!(
            of_several(10, 0.1, "record"),
            "10 such releases about the same records add up to epsilon 1: then the observer can be at most 73.2 % sure."
        );
    }
}
