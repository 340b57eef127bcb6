//! `posterity audit`

use std::io::{self, Write};

use posterity::core::audit::{AuditError, Scope};
use posterity::{AuditReport, Certificate, ProfilePoint, Request, WitnessView};

use crate::args::{AuditArgs, Format};
use crate::failure::Failure;
use crate::output::{Table, write_json};
use crate::progress::Progress;
use crate::resolve::{build, note_unused, resolve_mechanism, resolve_size};

/// Audits, prints, and fails if the claim does not hold.
pub(crate) fn audit(args: &AuditArgs) -> Result<(), Failure> {
    let setting = resolve_size(&args.size)?;
    let chosen = &args.mechanism;
    note_unused(chosen.mechanism, &chosen.parameters);
    let (spec, calibration) = resolve_mechanism(chosen.mechanism, &chosen.parameters, &setting)?;
    let request = Request::new(setting, spec, calibration);
    let mechanism = build(&request)?;
    let scope = Scope::of(&*mechanism);
    eprintln!("note: {:.4e} data sets, {:.4e} outcomes each", scope.data_sets, scope.outcomes);
    let progress = Progress::bar("auditing", scope.data_sets as u64);
    let found = posterity::audit(&request, &*mechanism, &args.profile, args.max_probabilities, &|done| {
        progress.add(done);
    });
    drop(progress);
    let (report, found) = found.map_err(|error| match error {
        AuditError::TooLarge { .. } => Failure::refused(format!(
            "{error} (--max-probabilities). `posterity release` and `posterity advise` do not need an audit"
        )),
        other => Failure::refused(other),
    })?;
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
    let AuditReport { mechanism, loss, claimed, holds, .. } = report;
    if holds {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "{mechanism} loses {loss:.6}, more than epsilon {claimed}: it is not private at that budget"
    )))
}

fn write_table(out: &mut impl Write, report: &AuditReport) -> io::Result<()> {
    let AuditReport { mechanism, prior, n, epsilon, .. } = report;
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
        for ProfilePoint { epsilon, delta } in &report.profile {
            table.row(vec![epsilon.to_string(), format!("{delta:.6e}")]);
        }
        table.write(out)?;
    }
    Ok(())
}

fn write_csv(out: &mut impl Write, report: &AuditReport) -> io::Result<()> {
    writeln!(out, "mechanism,n,epsilon,loss,holds")?;
    writeln!(out, "{},{},{},{},{}", report.mechanism, report.n, report.epsilon, report.loss, report.holds)
}
