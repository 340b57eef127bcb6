//! The record of a release for the public registry of deployments of differential privacy
//! (`opendp/deployments-registry-data` on GitHub, `schemas/deployments-schema.yaml`).

use posterity::document::Promise;
use posterity::hidden::shown;
use posterity::ledger::Rule;
use posterity::{Adjacency, Publication};
use thiserror::Error;

use super::answer::questions;
use super::case::Case;
use super::label::{bounds, mechanisms};
use super::sheet::promise;
use super::words::{counted, protected, public, subjects};
use crate::words::capital;

/// A record for the registry.
#[derive(Clone, Debug)]
pub struct Registered {
    /// The record in YAML.
    pub yaml: String,
    /// The fields that only people can fill in. They are empty, or left out where the registry allows it.
    pub empty: Vec<&'static str>,
}

/// Why a document has no place in the registry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// Nothing is promised.
    #[error("the registry lists deployments of differential privacy, and this document promises nothing")]
    NotPrivate,
    /// There is no date.
    #[error(
        "the registry needs a date, and this document has none, because it was not charged to a ledger; release with a ledger"
    )]
    NoDate,
}

/// The fields that only people can fill in.
const HUMAN: [&str; 11] = [
    "url_slug",
    "deployment.basic.name",
    "deployment.basic.data_curators",
    "deployment.basic.intended_use",
    "deployment.basic.data_product_region",
    "deployment.basic.data_product_sector",
    "deployment.deployment_model.actors",
    "deployment.deployment_model.data_source_type",
    "deployment.implementation.justification",
    "deployment.administrative.sources",
    "deployment.administrative.registry_authors",
];

/// A record for the registry, with what the documents say. It is a draft of tier 2: most of tier 3 is filled in, and the
/// rest is for people.
///
/// # Errors
/// [`RegistryError`].
pub fn registry(case: &Case<'_>) -> Result<Registered, RegistryError> {
    if !case.is_private() {
        return Err(RegistryError::NotPrivate);
    }
    let date = case.drawn().and_then(|drawn| drawn.get(..10)).ok_or(RegistryError::NoDate)?;
    let mut yaml = Yaml::default();
    yaml.text(0, "url_slug", "");
    yaml.line(0, "status", "Draft");
    yaml.line(0, "tier", "2");
    yaml.open(0, "deployment");
    basic(&mut yaml, case, date);
    privacy(&mut yaml, case);
    model(&mut yaml, case);
    yaml.open(1, "accounting");
    yaml.text(2, "post_processing", &post_processing(case));
    yaml.text(2, "composition", &composition(case));
    yaml.open(1, "implementation");
    yaml.text(2, "preprocessing_and_hyperparameter_tuning", &preprocessing(case));
    yaml.text(2, "mechanisms", &implementation(case));
    yaml.open(1, "administrative");
    yaml.text(2, "notes", &notes(case));
    yaml.list(2, "registry_authors", &[""]);
    let named = case.study.is_some();
    let empty = HUMAN.into_iter().filter(|field| !(named && *field == "deployment.basic.name")).collect();
    Ok(Registered { yaml: yaml.0, empty })
}

fn basic(yaml: &mut Yaml, case: &Case<'_>, date: &str) {
    let asked = case.answers.iter().flat_map(|one| questions(one, &one.document.first()));
    let asked: Vec<String> = asked.collect();
    yaml.open(1, "basic");
    yaml.text(2, "name", case.study.map_or("", |(title, _)| title));
    yaml.list(2, "data_curators", &[""]);
    yaml.text(2, "intended_use", "");
    yaml.line(2, "data_product_type", "Summary statistics");
    yaml.text(2, "data_product_region", "");
    yaml.text(2, "description", &format!("{} The data: {}.", asked.join(" "), subjects(case)));
    yaml.text(2, "publication_date", date);
}

fn privacy(yaml: &mut Yaml, case: &Case<'_>) {
    yaml.open(1, "dp_variant");
    yaml.line(2, "variant_name", variant(case));
    yaml.text(2, "data_domain", &counted(case).join(" "));
    yaml.text(2, "unprotected_quantities", &format!("{}.", capital(&public(case))));
    yaml.open(1, "privacy_loss");
    yaml.text(2, "privacy_unit", &unit(case));
    yaml.text(2, "privacy_unit_details", &format!("{} {}", protected(case).join(" "), adjacent(case)));
    yaml.open(2, "privacy_parameters");
    for (name, value) in bounds(case) {
        yaml.line(3, name, &number(&value));
    }
    yaml.text(2, "privacy_parameters_details", &promise(case));
}

fn variant(case: &Case<'_>) -> &'static str {
    let kinds = || case.answers.iter().map(|one| one.document.guarantee().kind);
    if kinds().all(|kind| kind == Promise::Concentrated) {
        return "Zero-concentrated DP";
    }
    if kinds().all(|kind| kind == Promise::Pure) { "Pure DP" } else { "Approximate DP" }
}

/// The granularity of protection.
fn unit(case: &Case<'_>) -> String {
    match (&case.about().unit, case.about().assumption()) {
        (Some(unit), Some(assumption)) => {
            format!("{unit} (all rows with the same value of this column, {assumption})")
        }
        (Some(unit), None) => format!("{unit} (all records with the same value of this column)"),
        (None, _) => "record".to_owned(),
    }
}

/// Which data sets are adjacent.
fn adjacent(case: &Case<'_>) -> String {
    let one = match &case.about().unit {
        Some(unit) => format!("all records of one {unit}"),
        None => "one record".to_owned(),
    };
    let filter =
        if case.about().filter.is_some() { " Only those that pass the filter are data here." } else { "" };
    match case.adjacency() {
        Adjacency::Replace => format!(
            "Two data sets are adjacent if one comes from the other by replacing {one} by others, at the same number of those that \
             count.{filter}"
        ),
        Adjacency::AddRemove => {
            format!("Two data sets are adjacent if one comes from the other by adding or removing {one}.")
        }
    }
}

fn model(yaml: &mut Yaml, case: &Case<'_>) {
    yaml.open(1, "deployment_model");
    yaml.line(2, "model_name", "Central");
    yaml.text(2, "model_name_details", "The program has the data as they are, and adds the noise.");
    yaml.line(2, "release_type", "One release");
    let account = case.standing.as_ref().map(|standing| {
        format!(
            "It was charged to an account that admits {} in all, and is never filled up again.",
            standing.budget()
        )
    });
    if let Some(account) = account {
        yaml.text(2, "release_type_details", &account);
    }
    yaml.line(2, "access_type", "Non-interactive");
}

/// What follows from the draw.
fn post_processing(case: &Case<'_>) -> String {
    format!("{} None of it uses the data again.", case.first().follows())
}

fn composition(case: &Case<'_>) -> String {
    let several = case.answers.len();
    let within = if several > 1 {
        format!("{several} releases of the same data, whose bounds add up (sequential composition).")
    } else {
        case.first().composition().to_owned()
    };
    let account = case.standing.as_ref().map(|standing| match standing.account().rule {
        Rule::Renyi(_) => {
            " In the account of these people a Renyi filter adds up the charges of all releases."
        }
        _ => " In the account of these people the charges of all releases are added up.",
    });
    within + account.unwrap_or_default()
}

fn preprocessing(case: &Case<'_>) -> String {
    let learned = match case.first() {
        Publication::Discovered(_) => "The values are named by the mechanism itself.",
        _ => "The categories were declared, and not learned from the data by the program.",
    };
    format!(
        "{learned} Whether anybody looked at the data before, and how epsilon was chosen, the program does not know: people must say."
    )
}

fn implementation(case: &Case<'_>) -> String {
    format!(
        "{}. Posterity, version {}. Noise is drawn from the random bits of the operating system by exact arithmetic on whole numbers and \
         fractions, not by floating point.",
        mechanisms(case),
        case.first().version()
    )
}

fn notes(case: &Case<'_>) -> String {
    let digests = case
        .answers
        .iter()
        .filter_map(|one| Some(format!("{} has the digest {}", one.file, one.document.provenance()?.digest)));
    format!("Made from release documents: {}.", digests.collect::<Vec<_>>().join("; "))
}

/// A number as every reader of YAML takes it for one: an exponent stands behind a point.
fn number(text: &str) -> String {
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text.to_owned(),
    }
}

/// A record that is written line by line.
#[derive(Default)]
struct Yaml(String);

impl Yaml {
    fn line(&mut self, depth: usize, name: &str, value: &str) {
        self.0 += &format!("{}{name}: {value}\n", "  ".repeat(depth));
    }

    fn open(&mut self, depth: usize, name: &str) {
        self.0 += &format!("{}{name}:\n", "  ".repeat(depth));
    }

    fn text(&mut self, depth: usize, name: &str, text: &str) {
        self.line(depth, name, &quoted(text));
    }

    fn list(&mut self, depth: usize, name: &str, texts: &[&str]) {
        self.open(depth, name);
        for text in texts {
            self.0 += &format!("{}- {}\n", "  ".repeat(depth + 1), quoted(text));
        }
    }
}

/// A text in double quotes, in which hidden characters are seen.
fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(text).replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_those_of_yaml() {
        assert_eq!(quoted("say \"so\"\n"), r#""say \"so\"\\n""#);
        assert_eq!(["1", "1e-9", "2.5e-9", "0.333334"].map(number), ["1", "1.0e-9", "2.5e-9", "0.333334"]);
    }
}
