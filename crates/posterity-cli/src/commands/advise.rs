//! `posterity advise`

use std::io::{self, Write};

use posterity::{AdviceError, Calibration};
use posterity_core::accuracy::Metric;

use super::compare::{comparison_failure, write_notes, write_table};
use crate::args::{AdviseArgs, Format};
use crate::failure::Failure;
use crate::output::write_json;
use crate::progress::Progress;
use crate::resolve::resolve_size;

/// Ranks the private mechanisms at a data set of the expected shape.
pub(crate) fn advise(args: &AdviseArgs) -> Result<(), Failure> {
    let setting = resolve_size(&args.size)?;
    let progress = Progress::spinner("advising: steps");
    let advice = posterity::advise(&setting, args.shape.as_ref(), &|done| progress.add(done));
    drop(progress);
    let advice = advice.map_err(|error| match error {
        AdviceError::Shape { .. } => Failure::usage("--shape", error),
        AdviceError::Counts(_) => Failure::usage("--n", error),
        AdviceError::Comparison(error) => comparison_failure(error),
        other => Failure::refused(other),
    })?;
    write_notes(&advice.rows);
    let mut out = io::stdout().lock();
    match args.size.format {
        Format::Json => write_json(&mut out, &advice)?,
        Format::Csv => {
            writeln!(out, "mechanism,calibration,expected_distance,median,method,decoder")?;
            for row in &advice.rows {
                let calibration = if row.calibration == Calibration::Tight { "tight" } else { "proven" };
                writeln!(
                    out,
                    "{},{calibration},{},{},{},{}",
                    row.mechanism, row.expected_distance, row.median, row.method, row.decoder
                )?;
            }
        }
        Format::Table => {
            writeln!(out, "Use {}{}.\n{}\n", advice.mechanism, advice.flags(), advice.reason)?;
            write_table(&mut out, &advice.rows, Metric::Hellinger)?;
            writeln!(
                out,
                "\nAt counts {:?}, prior {:?}, epsilon {}; no data was read.",
                advice.assumed_counts,
                advice.prior,
                setting.epsilon()
            )?;
        }
    }
    Ok(())
}
