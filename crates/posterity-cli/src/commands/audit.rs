//! `posterity audit`

use std::path::PathBuf;

use clap::Args;
use posterity::new_file;
use posterity::number::{bound, count};
use posterity::plan::Field;
use posterity::{Adjacency, Certificate, Counts, Request, Terms};
use posterity_advice::{AuditReport, ProfilePoint, WitnessView, profile_epsilon};
use posterity_core::audit::{AuditError, Scope};
use posterity_core::mechanism::Mechanism;
use posterity_core::model::Setting;

use crate::counts::{RawCounts, counts_under, parse_counts, wrong_counts};
use crate::failure::{Failure, not_written};
use crate::fields::Asks;
use crate::force::ForceArgs;
use crate::marked;
use crate::notice::note;
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value, print};
use crate::progress::Progress;
use crate::terms::{Public, build, number, request, wrong_terms};
use posterity_present::Mark;
use posterity_present::words::list;

const EXAMPLES: &str = "\
Examples:
  posterity audit --prior 1,1 --n 100 --epsilon 1 --mechanism ehds

  # What is lost at one data set: less than at others, and no promise
  posterity audit --counts 50,50 --epsilon 1 --mechanism ehds

  # Does not hold: exit code 1
  posterity audit --prior 0.05,0.05 --n 300 --epsilon 0.1 --mechanism ehdl

  # A certificate, which `posterity release --certificate` takes
  posterity audit --k 2 --n 90 --epsilon 1 --mechanism mh --certificate mh-90.json";

/// Find the exact privacy loss of a mechanism over all data sets of size n.
///
/// The largest log ratio of probabilities over all adjacent data sets and all outcomes, with the pair that shows it.
/// With --adjacency add-remove the data sets are those of at most n records, of which one has a record more. Touches no data.
/// Exit code 1 if the loss exceeds epsilon.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AuditArgs {
    /// Number of records
    #[arg(long, value_name = "N", required_unless_present = "counts")]
    n: Option<u64>,

    /// Compare only this data set with its neighbours, and not all data sets of the size. This promises nothing, and
    /// the result shows the counts: for published or invented data
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with_all = ["n", "k", "certificate"])]
    counts: Option<RawCounts>,

    #[command(flatten)]
    public: Public<Audited>,

    /// Number of categories; not needed where --counts or a prior has one number for each
    #[arg(long, value_name = "K")]
    k: Option<usize>,

    /// Also bound delta at these epsilons, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_profile, allow_hyphen_values = true)]
    profile: Vec<f64>,

    /// Write the result as a certificate, which `posterity release --certificate` checks and cites
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    /// Refuse to compute more probabilities than this
    #[arg(long, value_name = "N", default_value_t = posterity::AUDIT_LIMIT)]
    max_probabilities: f64,
}

/// What an audit has of the fields of a plan.
#[derive(Debug)]
struct Audited;

impl Asks for Audited {
    const NEEDED: &'static [&'static str] = &["epsilon"];

    fn has(field: &Field) -> Option<bool> {
        ["epsilon", "adjacency", "prior", "mechanism"].contains(&field.name).then_some(true)
    }
}

/// Audits, prints, and fails if the claim does not hold.
pub(crate) fn audit(args: &AuditArgs) -> Result<(), Failure> {
    let (_, terms) = args.public.terms()?;
    let (setting, counts) = audited(args, &terms)?;
    let request = request(&terms, &setting)?;
    let mechanism = build(&request)?;
    let report = match counts {
        Some(counts) => at(args, &request, &*mechanism, &counts)?,
        None => everywhere(args, &request, &*mechanism)?,
    };
    match report.counts {
        Some(_) => marked::print(&args.public.printing, &report, Mark::Data)?,
        None => print(&args.public.printing, &report)?,
    }
    let AuditReport { mechanism, loss, claimed, holds, .. } = report;
    if holds {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "{mechanism} loses {}, more than epsilon {claimed}: it is not private at that budget",
        bound(loss)
    )))
}

/// The public inputs of an audit, and the data set that is audited if only one is.
fn audited(args: &AuditArgs, terms: &Terms) -> Result<(Setting, Option<Counts>), Failure> {
    let counts = args.counts.as_ref().map(|counts| parse_counts(&counts.0, terms.adjacency)).transpose()?;
    let counts = counts.map(counts_under(terms.adjacency)).transpose().map_err(wrong_counts)?;
    let (k, n, named) = match &counts {
        Some(counts) => (Some(counts.len()), counts.total(), ["--counts", "--counts"]),
        None => (args.k, args.n.unwrap_or(0), ["--k", "--n"]),
    };
    // A record more than there are is adjacent, too.
    let most = if counts.is_some() { n + 1 } else { n };
    let setting = Terms { most, ..terms.clone() }.setting_without_data(k, n);
    Ok((setting.map_err(|error| wrong_terms(error, args.public.prior_flag_or(named[0]), named[1]))?, counts))
}

/// All data sets of the size, and the certificate if one is asked for.
fn everywhere(
    args: &AuditArgs,
    request: &Request,
    mechanism: &dyn Mechanism,
) -> Result<AuditReport, Failure> {
    if let Some(path) = &args.certificate {
        new_file::check(path, args.force.force).map_err(|error| not_written("--certificate", &error))?;
    }
    let scope = Scope::of(mechanism);
    note(format!("{} data sets, {} outcomes each", count(scope.data_sets), count(scope.outcomes)));
    let progress = Progress::bar("auditing", scope.data_sets as u64);
    let found = posterity_advice::audit(request, mechanism, &args.profile, args.max_probabilities, &|done| {
        progress.add(done);
    });
    drop(progress);
    let (report, found) = found.map_err(too_large)?;
    if let Some(path) = &args.certificate {
        let certificate = Certificate::new(request, &found);
        certificate.save(path, args.force.force).map_err(|error| not_written("--certificate", &error))?;
    }
    Ok(report)
}

/// One data set and its neighbours.
fn at(
    args: &AuditArgs,
    request: &Request,
    mechanism: &dyn Mechanism,
    counts: &Counts,
) -> Result<AuditReport, Failure> {
    note("this is about this data set only");
    posterity_advice::audit_at(request, mechanism, counts, &args.profile, args.max_probabilities)
        .map_err(too_large)
}

fn parse_profile(text: &str) -> Result<f64, String> {
    profile_epsilon(number(text)?).map_err(|error| error.to_string())
}

fn too_large(error: AuditError) -> Failure {
    match error {
        AuditError::TooLarge { .. } => Failure::refused(format!(
            "{error} (--max-probabilities). `posterity release` and `posterity advise` do not need an audit"
        )),
        other => Failure::refused(other),
    }
}

impl Report for AuditReport {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["mechanism", "n", "epsilon", "loss", "holds"].map(Column::text).into();
        let row = vec![
            Value::text(self.mechanism.to_string()),
            Value::Whole(self.n),
            Value::Real(self.epsilon),
            Value::Real(self.loss),
            Value::Truth(self.holds),
        ];
        let sheet = Sheet::new(columns, [row]);
        if self.counts.is_some() { Mark::Data.on(sheet) } else { sheet }
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        let (name, n, epsilon) = (self.mechanism, self.n, self.epsilon);
        let size = match self.adjacency {
            Adjacency::Replace => n.to_string(),
            Adjacency::AddRemove => format!("at most {n}"),
        };
        let data =
            self.counts.as_ref().map(|counts| format!(", counts {}", list(counts))).unwrap_or_default();
        page.say(format!("{name} with prior {}, n {size}{data}, epsilon {epsilon}", list(&self.prior)));
        page.sheet(quantities(self));
        if !self.profile.is_empty() {
            page.sheet(deltas(self));
        }
        let (share, claimed) = (share(self), self.claimed);
        if claimed != epsilon {
            page.say(format!("Given epsilon {epsilon}, {name} promises {claimed} and is charged {claimed}."));
        }
        page.say(if self.counts.is_some() && self.holds {
            Paragraph::from(format!(
                "{name} stays within epsilon {claimed} at this data set and its neighbours. Other data sets may lose more: only an \
                 audit with --n, of all data sets, says what is promised."
            ))
        } else if self.holds && is_unresolved(self) {
            Paragraph::from(format!(
                "{name} stays within epsilon {claimed} by its proof. The audit itself cannot show it, because its rounding error is too \
                 large beside epsilon."
            ))
        } else if self.holds {
            Paragraph::from(format!(
                "{name} stays within epsilon {claimed} at every data set of {size} records."
            ))
        } else {
            Paragraph::default().alarm("NOT PRIVATE").plain(format!(
                " at epsilon {claimed}: {name} loses {share} of it at some data set of {size} records."
            ))
        });
        if self.counts.is_some() {
            page.mark(Mark::Data);
        }
        let WitnessView { from, to, outcome } = &self.witness;
        page.say(format!(
            "It loses most where {} is released: counts {} against {}.",
            list(outcome),
            list(from),
            list(to)
        ));
        page.explain(Paragraph::led(
            "Loss:",
            if self.counts.is_some() {
                "the largest log ratio of the probabilities of a release at this data set and at one that differs from it in one \
                 record, over all such data sets and all releases."
            } else {
                "the largest log ratio of the probabilities of a release at two data sets that differ in one record, over all such \
                 data sets and all releases. A smaller loss is more private. No data was read."
            },
        ));
        page.explain(Paragraph::led(
            "Rounding:",
            format!(
                "the computed loss is at most {:.0e} above the true one, and this table rounds it up.",
                self.slack
            ),
        ));
        if !self.profile.is_empty() {
            page.explain(Paragraph::led(
                "Delta:",
                "for each epsilon, the mechanism is (epsilon, delta)-differentially private with this delta.",
            ));
        }
        page
    }
}

fn quantities(report: &AuditReport) -> Sheet<'_> {
    let within = if report.holds { Value::text("yes") } else { Value::Warning("NO".into()) };
    let rows = [
        ("privacy loss, at most", Value::text(bound(report.loss))),
        ("share of epsilon", Value::text(share(report))),
        ("within epsilon", within),
    ];
    let rows = rows.map(|(name, value)| vec![Value::text(name), value]);
    Sheet::new(vec![Column::text("quantity"), Column::number("value")], rows)
}

fn deltas(report: &AuditReport) -> Sheet<'_> {
    let rows = report.profile.iter().map(|ProfilePoint { epsilon, delta }| {
        vec![Value::text(epsilon.to_string()), Value::text(bound(*delta))]
    });
    Sheet::new(vec![Column::number("at epsilon"), Column::number("delta, at most")], rows)
}

/// The share of the budget that is lost, in percent, rounded up to a tenth.
fn share(report: &AuditReport) -> String {
    if report.holds && is_unresolved(report) {
        return "not known".into();
    }
    format!("{:.1} %", (1000.0 * report.loss / report.claimed).ceil() / 10.0)
}

/// Whether the bound on the loss is above epsilon only because of rounding, and by more than the table rounds.
fn is_unresolved(report: &AuditReport) -> bool {
    report.loss > report.claimed && report.slack > 0.01 * report.claimed
}
