//! `posterity advise`

use std::io::{self, Write};

use posterity::Calibration;
use posterity_core::accuracy::Metric;
use posterity_core::audit::Scope;
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Name, Spec};
use posterity_core::model::{Counts, Setting};
use serde::Serialize;

use super::compare::{Contender, Measure, Row, write_table};
use crate::args::{AdviseArgs, Format};
use crate::failure::Failure;
use crate::output::write_json;
use crate::resolve::{build, request, resolve_size};

/// Private mechanisms, as they are published and as they are best decoded, in the order in which ties are broken.
const PRIVATE: [(Name, Decoder); 8] = [
    (Name::Lattice, Decoder::Best),
    (Name::Geometric, Decoder::Best),
    (Name::Geometric, Decoder::None),
    (Name::Lshist, Decoder::None),
    (Name::Lsdim, Decoder::None),
    (Name::Lszhang, Decoder::None),
    (Name::Ehds, Decoder::None),
    (Name::Ehd, Decoder::None),
];

/// More outcomes than this are simulated, so that an answer comes within seconds.
const LISTED: u64 = 1_000_000;

/// Simulated releases of a mechanism with too many outcomes.
const RUNS: usize = 2_000;

/// Outcomes that are decoded, or simulated releases if there are more.
const DECODED: usize = 300;

/// An audit beyond this many probabilities takes too long for advice.
const AUDITED: f64 = 3e5;

#[derive(Debug, Serialize)]
struct Advice<'a> {
    prior: &'a [f64],
    n: u64,
    epsilon: f64,
    assumed_counts: &'a [u64],
    mechanism: Name,
    decoder: Decoder,
    calibration: Calibration,
    reason: &'a str,
    rows: Vec<Row>,
}

/// Ranks the private mechanisms at a data set of the expected shape.
pub(crate) fn advise(args: &AdviseArgs) -> Result<(), Failure> {
    let setting = resolve_size(&args.size)?;
    let shape = match &args.shape {
        Some(shape) if shape.0.len() != setting.k() => {
            let why = format!(
                "there are {} proportions for {} categories; give one per category",
                shape.0.len(),
                setting.k()
            );
            return Err(Failure::usage("--shape", why));
        }
        Some(shape) => shape.0.clone(),
        None => vec![1.0; setting.k()],
    };
    let counts = Counts::new(apportion(&shape, setting.n())).map_err(|error| Failure::usage("--n", error))?;
    let mut rows = Vec::new();
    for (name, decoder) in PRIVATE {
        rows.push(evaluate(&setting, Spec::new(name), Calibration::Proven, decoder, &counts)?);
        if name.is_exponential()
            && Scope::of(&*Spec::new(name).build(setting.clone()).map_err(Failure::refused)?).probabilities
                <= AUDITED
        {
            rows.push(evaluate(&setting, Spec::new(name), Calibration::Tight, decoder, &counts)?);
        }
    }
    // A stable sort: among equals the simpler mechanism comes first.
    rows.sort_by(|a, b| a.expected_distance.total_cmp(&b.expected_distance));
    let best = rows[0].clone();
    let reason = reason(&best, &rows);
    let mut out = io::stdout().lock();
    match args.size.format {
        Format::Json => write_json(
            &mut out,
            &Advice {
                prior: setting.prior().parameters(),
                n: setting.n(),
                epsilon: setting.epsilon().to_f64(),
                assumed_counts: counts.as_slice(),
                mechanism: best.mechanism,
                decoder: best.decoder,
                calibration: best.calibration,
                reason: &reason,
                rows,
            },
        )?,
        Format::Csv => {
            writeln!(out, "mechanism,calibration,expected_distance,median,method,decoder")?;
            for row in &rows {
                let calibration = if row.calibration == Calibration::Tight { "tight" } else { "proven" };
                writeln!(
                    out,
                    "{},{calibration},{},{},{},{}",
                    row.mechanism, row.expected_distance, row.median, row.method, row.decoder
                )?;
            }
        }
        Format::Table => {
            writeln!(out, "Use {}{}.\n{reason}\n", best.mechanism, flags(&best))?;
            write_table(&mut out, &rows, Metric::Hellinger)?;
            writeln!(
                out,
                "\nAt counts {:?}, prior {:?}, epsilon {}; no data was read.",
                counts.as_slice(),
                setting.prior().parameters(),
                setting.epsilon()
            )?;
        }
    }
    Ok(())
}

fn evaluate(
    setting: &Setting,
    spec: Spec,
    calibration: Calibration,
    decoder: Decoder,
    counts: &Counts,
) -> Result<Row, Failure> {
    let mechanism = build(&request(setting.clone(), spec, calibration))?;
    let contender = Contender { mechanism, calibration, decoder };
    let measure = Measure {
        metric: Metric::Hellinger,
        runs: None,
        seed: 1,
        max_outcomes: LISTED,
        decoded: DECODED,
        decoded_runs: DECODED,
    };
    let found = match contender.law(counts, measure)? {
        Some(found) => Some(found),
        None => contender.law(counts, Measure { runs: Some(RUNS), ..measure })?,
    };
    // A simulation always has a law.
    found
        .map(|(law, method)| contender.row(&law, method))
        .ok_or_else(|| Failure::refused("no releases could be simulated"))
}

fn flags(row: &Row) -> &'static str {
    match (row.calibration, row.decoder) {
        (Calibration::Tight, _) => " with --calibration tight",
        // What `release` does by itself.
        (Calibration::Proven, decoder) if decoder == Decoder::default_for(row.mechanism) => "",
        (Calibration::Proven, _) => " with --decode best",
    }
}

fn reason(best: &Row, rows: &[Row]) -> String {
    let mean = best.expected_distance;
    let mut text = format!(
        "Its release is expected at a Hellinger distance of {mean:.4} from the true posterior, and within {:.4} three times out of four.",
        best.q3
    );
    if let Some(next) = rows.iter().find(|row| row.mechanism != best.mechanism) {
        text += &format!(
            " The next best, {}{}, is at {:.4}.",
            next.mechanism,
            flags(next),
            next.expected_distance
        );
    }
    if mean > 0.5 {
        text += " That is far: at this size and budget any private release says little. Collect more records or raise epsilon.";
    }
    text
}

/// Whole counts in the given proportions that sum to n: the largest remainders are rounded up.
fn apportion(shape: &[f64], n: u64) -> Vec<u64> {
    let total: f64 = shape.iter().sum();
    let exact: Vec<f64> = shape.iter().map(|part| part / total * n as f64).collect();
    let mut counts: Vec<u64> = exact.iter().map(|share| share.floor() as u64).collect();
    let mut order: Vec<usize> = (0..shape.len()).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let missing = n.saturating_sub(counts.iter().sum());
    order.into_iter().cycle().take(missing as usize).for_each(|category| counts[category] += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apportionment_keeps_the_total() {
        assert_eq!(apportion(&[1.0, 1.0], 731), [366, 365]);
        assert_eq!(apportion(&[6.0, 1.0, 3.0], 90), [54, 9, 27]);
        assert_eq!(apportion(&[1.0, 0.0], 5), [5, 0]);
        assert_eq!(apportion(&[1.0; 3], 1_000_000_000_000).iter().sum::<u64>(), 1_000_000_000_000);
    }
}
