//! `posterity audit`

use std::io::{self, Write};

use posterity::Certificate;
use posterity_core::audit::{AuditError, Scope, Witness, audit as run_audit};
use posterity_core::mechanism::{Guarantee, Name};
use serde::Serialize;

use crate::args::{AuditArgs, Format};
use crate::failure::Failure;
use crate::output::{Table, write_json};
use crate::progress::Progress;
use crate::resolve::{build, note_unused, request, resolve_mechanism, resolve_size};

/// What an audit found.
#[derive(Debug, Serialize)]
struct Report<'a> {
    mechanism: Name,
    prior: &'a [f64],
    n: u64,
    epsilon: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    calibration: posterity::Calibration,
    /// An upper bound.
    loss: f64,
    /// How far above the true value the bound may lie.
    slack: f64,
    claimed: f64,
    holds: bool,
    witness: WitnessView<'a>,
    profile: Vec<Point>,
}

#[derive(Debug, Serialize)]
struct WitnessView<'a> {
    from: &'a [u64],
    to: &'a [u64],
    outcome: &'a [u64],
}

#[derive(Debug, Serialize)]
struct Point {
    epsilon: f64,
    delta: f64,
}

/// Audits, prints, and fails if the claim does not hold.
pub(crate) fn audit(args: &AuditArgs) -> Result<(), Failure> {
    let setting = resolve_size(&args.size)?;
    let chosen = &args.mechanism;
    note_unused(chosen.mechanism, &chosen.parameters);
    let (spec, calibration) = resolve_mechanism(chosen.mechanism, &chosen.parameters, &setting)?;
    let request = request(setting, spec, calibration);
    let mechanism = build(&request)?;
    let scope = Scope::of(&*mechanism);
    eprintln!("note: {:.4e} data sets, {:.4e} outcomes each", scope.data_sets, scope.outcomes);
    let progress = Progress::bar("auditing", scope.data_sets as u64);
    let found = run_audit(&*mechanism, &args.profile, args.max_probabilities, &|done| progress.add(done));
    drop(progress);
    let found = found.map_err(|error| match error {
        AuditError::TooLarge { .. } => Failure::refused(format!(
            "{error} (--max-probabilities). `posterity release` and `posterity advise` do not need an audit"
        )),
        other => Failure::refused(other),
    })?;
    let (setting, spec) = (&request.setting, &request.spec);
    let claimed = setting.epsilon().to_f64();
    // A proof stands unless the audit refutes it beyond rounding; without a proof the audit itself has to show it.
    let holds = match mechanism.guarantee() {
        Guarantee::Pure { .. } => found.loss_down() <= claimed,
        Guarantee::None { .. } => found.loss_up() <= claimed,
    };
    let Witness { from, to, outcome } = found.witness();
    let report = Report {
        mechanism: spec.name,
        prior: setting.prior().parameters(),
        n: setting.n(),
        epsilon: claimed,
        gamma: spec.gamma_used(),
        delta: spec.delta_used(),
        calibration,
        loss: found.loss_up(),
        slack: 2.0 * found.rounding(),
        claimed,
        holds,
        witness: WitnessView { from, to, outcome },
        profile: found.profile_up().iter().map(|&(epsilon, delta)| Point { epsilon, delta }).collect(),
    };
    if let Some(path) = &args.certificate {
        let text =
            serde_json::to_string_pretty(&Certificate::new(&request, &found)).map_err(Failure::refused)?;
        std::fs::write(path, text + "\n").map_err(|error| {
            Failure::refused(format!("--certificate: {} cannot be written: {error}", path.display()))
        })?;
    }
    let mut out = io::stdout().lock();
    match args.size.format {
        Format::Json => write_json(&mut out, &report)?,
        Format::Csv => write_csv(&mut out, &report)?,
        Format::Table => write_table(&mut out, &report)?,
    }
    if holds {
        return Ok(());
    }
    let Report { mechanism, loss, .. } = report;
    Err(Failure::refused(format!(
        "{mechanism} loses {loss:.6}, more than epsilon {claimed}: it is not private at that budget"
    )))
}

fn write_table(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let Report { mechanism, prior, n, epsilon, .. } = report;
    writeln!(out, "{mechanism} with prior {prior:?}, n {n}, epsilon {epsilon}\n")?;
    let mut table = Table::new(&["quantity", "value"]);
    table.row(vec!["privacy loss, at most".to_owned(), format!("{:.9}", report.loss)]);
    table.row(vec![
        "share of the budget".to_owned(),
        format!("{:.1} %", 100.0 * report.loss / report.claimed),
    ]);
    table.row(vec!["within epsilon".to_owned(), if report.holds { "yes" } else { "NO" }.to_owned()]);
    table.write(out)?;
    let WitnessView { from, to, outcome } = &report.witness;
    writeln!(out, "\nLargest at outcome {outcome:?}: counts {from:?} against {to:?}")?;
    if !report.profile.is_empty() {
        writeln!(out)?;
        let mut table = Table::new(&["at epsilon", "delta, at most"]);
        for Point { epsilon, delta } in &report.profile {
            table.row(vec![epsilon.to_string(), format!("{delta:.6e}")]);
        }
        table.write(out)?;
    }
    Ok(())
}

fn write_csv(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    writeln!(out, "mechanism,n,epsilon,loss,holds")?;
    writeln!(out, "{},{},{},{},{}", report.mechanism, report.n, report.epsilon, report.loss, report.holds)
}
