//! The promise of a release in words.

use posterity_core::mechanism::Basis;
use posterity_core::model::{Adjacency, Epsilon};
use serde::Serialize;

use super::promised::Promised;
use crate::about::About;
use crate::facts::Facts;
use crate::meaning;
use crate::number::bound;

/// A promise, for programs and in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GuaranteeStatement {
    /// What kind of promise.
    pub kind: Promise,
    /// The bound epsilon, if anything is promised.
    pub epsilon: Option<f64>,
    /// The bound delta, if anything is promised.
    pub delta: Option<f64>,
    /// What is protected.
    pub unit: String,
    /// What is protected and whether n is public, in one sentence for the top of a document.
    pub protects: String,
    /// The promise in words.
    pub statement: String,
    /// What the promise means for one record or unit, and what is not promised; empty if nothing is promised.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub meaning: String,
}

/// The kinds of promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Promise {
    /// Pure differential privacy.
    Pure,
    /// Differential privacy with a delta.
    Approximate,
    /// Zero-concentrated differential privacy, from which an epsilon with a delta follows.
    Concentrated,
    /// Nothing is promised.
    None,
}

impl GuaranteeStatement {
    /// A promise in words, for what the release is about. If nothing is promised, `reason` says why.
    pub(crate) fn new(
        promised: &Promised,
        facts: &Facts,
        seed: Option<u64>,
        reason: impl FnOnce() -> String,
    ) -> Self {
        let statement = promised.epsilon().zip(promised.basis()).map(|(epsilon, basis)| match facts.n {
            Some(n) => promise(epsilon, basis, &facts.about, n),
            None => promise_of_private_n(epsilon, facts),
        });
        Self::of(promised, statement, &facts.about, seed, reason)
    }

    /// A promise with its statement.
    pub(crate) fn of(
        promised: &Promised,
        statement: Option<String>,
        about: &About,
        seed: Option<u64>,
        reason: impl FnOnce() -> String,
    ) -> Self {
        let unit = promised.unit().to_owned();
        let adjacency = promised.adjacency();
        let Some(((epsilon, delta), statement)) = promised.epsilon().zip(promised.delta()).zip(statement)
        else {
            let why = match seed {
                Some(seed) => format!("the draw is that of seed {seed}, which anyone can repeat"),
                None => reason(),
            };
            let statement = format!("No privacy is promised: {why}.");
            let (kind, meaning) = (Promise::None, String::new());
            let protects = "Nothing is protected.".to_owned();
            return Self { kind, epsilon: None, delta: None, unit, protects, statement, meaning };
        };
        let (shown, delta) = (epsilon.to_f64_shown(), delta.to_f64_shown());
        Self {
            kind: match promised.rho() {
                Some(_) => Promise::Concentrated,
                None if delta > 0.0 => Promise::Approximate,
                None => Promise::Pure,
            },
            epsilon: Some(shown),
            delta: Some(delta),
            meaning: format!(
                "{} {}",
                meaning::under(adjacency, shown, delta, &unit),
                meaning::not_promised_in_short(adjacency, &unit)
            ),
            protects: meaning::protects(adjacency, &unit) + &sentence_of_view(about),
            unit,
            statement: statement + not_covered(adjacency, about),
        }
    }
}

/// The promise in words where it is protected whether anyone is in the data at all.
fn promise_of_private_n(epsilon: &Epsilon, facts: &Facts) -> String {
    let about = &facts.about;
    let epsilon = bound(epsilon.to_f64_shown());
    let unit = about.unit.as_deref().unwrap_or("record");
    let adding = adding(about);
    let several = match facts.records_per_unit().get() {
        1 => String::new(),
        most => format!(
            " Each {unit} counts with at most {most} of its records, and the noise covers all of them together."
        ),
    };
    let filter = filter_is_protected(about);
    format!(
        "{epsilon}-differential privacy per {unit}, with or without it: {adding} changes the probability of \
         every possible release by a factor of at most exp({epsilon}). How many there are is private. These are assumed to be \
         public and are not protected: the categories; the prior; the question itself.{several}{filter}"
    )
}

/// What is added or removed, where n is private.
pub(crate) fn adding(about: &About) -> String {
    match &about.unit {
        None => "adding or removing any one record".to_owned(),
        Some(unit) => format!("adding or removing all records of any one {unit}{}", condition(about)),
    }
}

/// What is assumed of the source, between commas.
fn condition(about: &About) -> String {
    about.assumption().map(|condition| format!(", {condition},")).unwrap_or_default()
}

/// What the promise assumes of a view, in a sentence.
fn sentence_of_view(about: &About) -> String {
    about.assumption().map(|condition| format!(" This holds {condition}.")).unwrap_or_default()
}

/// What no promise covers where n is private: that a source cannot be read, which may be due to one record. Nothing
/// without a source.
fn not_covered(adjacency: Adjacency, about: &About) -> &'static str {
    if adjacency == Adjacency::Replace || about.columns.is_empty() {
        return "";
    }
    " A source that cannot be read is refused as a whole, which the promise does not cover: a damaged file, an array of JSON \
     with a mistake in it, a database that fails."
}

/// That nobody learns who passes a filter, where n is private; nothing if there is no filter.
pub(crate) fn filter_is_protected(about: &About) -> String {
    if about.filter.is_none() && about.within.is_none() {
        return String::new();
    }
    let unit = about.unit.as_deref().unwrap_or("record");
    format!(" Whether a {unit} passes the filter is protected like everything else about it.")
}

/// What is replaced by what, where n is public.
pub(crate) fn replacing(about: &About) -> String {
    match (&about.unit, &about.filter) {
        (None, None) => "any one record by any other".to_owned(),
        (None, Some(_)) => "any one counted record by any other that passes the filter".to_owned(),
        (Some(unit), None) => format!("all records of any one {unit} by any others{}", condition(about)),
        (Some(unit), Some(_)) => {
            format!(
                "all records of any one counted {unit} by any others, of which at least one passes the filter,{}",
                condition(about).trim_start_matches(',')
            )
        }
    }
}

/// The promise of pure differential privacy, with what it assumes.
fn promise(epsilon: &Epsilon, basis: Basis, about: &About, n: u64) -> String {
    // Rounded up, so it stays a bound. `promise.epsilon` of the document has the exact number.
    let epsilon = bound(epsilon.to_f64_shown());
    let unit = about.unit.as_deref().unwrap_or("record");
    let replacing = replacing(about);
    let audited = match basis {
        Basis::Proof => "",
        Basis::Audit => " An exact audit of all data sets of this size under this prior shows it.",
    };
    let outside = if about.within.is_some() {
        format!(" Whether a {unit} is within the private filter is protected like everything else about it.")
    } else {
        String::new()
    };
    format!(
        "{epsilon}-differential privacy per {unit}: replacing {replacing} changes the probability of every possible release by \
         a factor of at most exp({epsilon}). These are assumed to be public and are not protected: n = {n}, which is {}; the \
         categories; the prior.{outside}{audited}",
        about.n_in_words()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterity_core::mechanism::Guarantee;

    fn statement(about: &About, seed: Option<u64>) -> GuaranteeStatement {
        let epsilon = "0.5".parse().expect("positive");
        let pure = Guarantee::Pure { epsilon, basis: Basis::Proof };
        let promised = Promised::new(&pure, Adjacency::Replace, about.unit.as_deref(), seed);
        let categories = posterity_core::model::Categories::numbered(2).expect("two");
        let facts = Facts::of_about(categories, Some(17), about.clone());
        GuaranteeStatement::new(&promised, &facts, seed, || "nothing is proven".to_owned())
    }

    /// The filter is named, and what it makes of n and of those who are protected.
    #[test]
    fn a_filter_is_part_of_the_promise() {
        let about = About { filter: Some("hiv = 'pos'".into()), ..About::default() };
        let said = statement(&about, None).statement;
        assert!(
            said.contains("n = 17, which is the number of records for which hiv = 'pos', published exactly"),
            "{said}"
        );
        assert!(said.contains("that passes the filter"), "{said}");
        let unit = About { unit: Some("patient".into()), ..about };
        let said = statement(&unit, None);
        assert!(said.statement.contains("of which at least one passes the filter"), "{said:?}");
        assert_eq!(said.unit, "patient");
    }

    /// If this fails, a release of a view promises what nobody knows.
    #[test]
    fn a_view_is_a_condition_of_the_promise() {
        let condition =
            "if each row of the view depends on one patient only and never fails, changes the probability";
        let view = About { view: true, unit: Some("patient".into()), ..About::default() };
        let said = statement(&view, None);
        assert!(said.statement.contains(&format!("by any others, {condition}")), "{said:?}");
        let ending = "if each row of the view depends on one patient only and never fails.";
        assert!(said.protects.ends_with(ending), "{said:?}");
        let filtered = About { filter: Some("year = 2025".into()), ..view.clone() };
        let said = statement(&filtered, None).statement;
        assert!(said.contains(&format!("passes the filter, {condition}")), "{said}");
        let ending =
            "of any one patient, if each row of the view depends on one patient only and never fails,";
        assert!(adding(&view).ends_with(ending));
    }

    /// If this fails, a promise has digits that nobody reads, or says less than the exact number.
    #[test]
    fn a_long_epsilon_is_rounded_up() {
        let epsilon = Epsilon::from_f64(0.579_423_417_829_851_2).expect("positive");
        let audited = Guarantee::Pure { epsilon, basis: Basis::Audit };
        let promised = Promised::new(&audited, Adjacency::Replace, None, None);
        let categories = posterity_core::model::Categories::numbered(2).expect("two");
        let facts = Facts::of_about(categories, Some(17), About::default());
        let said = GuaranteeStatement::new(&promised, &facts, None, String::new).statement;
        assert!(said.starts_with("0.579424-differential privacy per record"), "{said}");
        assert!(said.contains("at most exp(0.579424)"), "{said}");
    }

    #[test]
    fn the_meaning_is_said_where_something_is_promised() {
        let unit = About { unit: Some("patient".into()), ..About::default() };
        let said = statement(&unit, None).meaning;
        assert!(said.contains("one patient, can be at most 62.3 % sure"), "{said}");
        assert_eq!(statement(&unit, Some(7)).meaning, "");
    }

    /// If this fails, a document with a private n says less or more than is true.
    #[test]
    fn with_a_private_n_presence_is_protected() {
        let about =
            About { unit: Some("patient".into()), per_unit: Some("all 3".into()), ..About::default() };
        let epsilon = "1".parse().expect("positive");
        let pure = Guarantee::Pure { epsilon, basis: Basis::Proof };
        let promised = Promised::new(&pure, Adjacency::AddRemove, about.unit.as_deref(), None);
        let categories = posterity_core::model::Categories::numbered(2).expect("two");
        let facts = Facts::of_about(categories, None, about);
        let said = GuaranteeStatement::new(&promised, &facts, None, String::new);
        assert!(said.protects.starts_with("Whether anyone is in the data at all is protected"), "{said:?}");
        assert!(said.statement.contains("adding or removing all records of any one patient"), "{said:?}");
        assert!(said.statement.contains("at most 3 of its records"), "{said:?}");
        // Two values of a record that is there are two steps apart.
        assert!(said.meaning.contains("73.2 %") && said.meaning.contains("88.1 %"), "{said:?}");
        assert!(!said.statement.contains("refused"), "counts that somebody typed are always read: {said:?}");
        let columns = vec![crate::about::AboutColumn::default()];
        let facts = Facts { about: About { columns, ..facts.about }, ..facts };
        let said = GuaranteeStatement::new(&promised, &facts, None, String::new);
        assert!(
            said.statement.ends_with("an array of JSON with a mistake in it, a database that fails."),
            "{said:?}"
        );
    }

    #[test]
    fn a_seed_promises_nothing() {
        let said = statement(&About::default(), Some(7));
        assert_eq!((said.kind, said.epsilon, said.delta), (Promise::None, None, None));
        assert!(said.statement.starts_with("No privacy is promised: the draw is that of seed 7"), "{said:?}");
    }
}
