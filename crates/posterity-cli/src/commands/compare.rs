//! `posterity compare`

use std::fmt;
use std::io::{self, Write};

use posterity::Calibration;
use posterity_core::accuracy::{DistanceLaw, Metric, simulate};
use posterity_core::mechanism::{Guarantee, LawError, Mechanism, Name};
use posterity_core::model::{Counts, Setting};
use posterity_core::sampler::SeededBits;
use serde::Serialize;

use crate::args::{CompareArgs, Format};
use crate::failure::Failure;
use crate::output::{Table, write_json};
use crate::plot::{Curve, Plot, PlotFile};
use crate::resolve::{ResolvedData, build, request, resolve_mechanism};

/// One mechanism's distances.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) mechanism: Name,
    pub(super) private: bool,
    pub(super) calibration: Calibration,
    pub(super) expected_distance: f64,
    pub(super) median: f64,
    pub(super) q1: f64,
    pub(super) q3: f64,
    pub(super) probability_exact: f64,
    pub(super) method: Method,
}

/// Where the numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Method {
    Exact,
    Simulated,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Simulated => "simulated",
        })
    }
}

#[derive(Debug, Serialize)]
struct Comparison<'a> {
    prior: &'a [f64],
    counts: &'a [u64],
    n: u64,
    epsilon: f64,
    distance: String,
    private: bool,
    rows: Vec<Row>,
}

impl Row {
    fn new(mechanism: &dyn Mechanism, calibration: Calibration, law: &DistanceLaw, method: Method) -> Self {
        Self {
            mechanism: mechanism.name(),
            private: matches!(mechanism.guarantee(), Guarantee::Pure { .. }),
            calibration,
            expected_distance: law.mean(),
            median: law.quantile(0.5),
            q1: law.quantile(0.25),
            q3: law.quantile(0.75),
            probability_exact: law.probability_exact(),
            method,
        }
    }

    /// From the list of all outcomes, or nothing if there are too many.
    pub(super) fn exact(
        mechanism: &dyn Mechanism,
        calibration: Calibration,
        counts: &Counts,
        metric: Metric,
        limit: u64,
    ) -> Result<Option<Self>, Failure> {
        let law = listed(mechanism, counts, metric, limit)?;
        Ok(law.map(|law| Self::new(mechanism, calibration, &law, Method::Exact)))
    }

    /// From seeded releases.
    pub(super) fn simulated(
        mechanism: &dyn Mechanism,
        calibration: Calibration,
        counts: &Counts,
        metric: Metric,
        runs: usize,
        seed: u64,
    ) -> Result<Self, Failure> {
        let law = drawn(mechanism, counts, metric, runs, seed)?;
        Ok(Self::new(mechanism, calibration, &law, Method::Simulated))
    }
}

/// The law of the distance from the list of all outcomes, or nothing if there are too many.
fn listed(
    mechanism: &dyn Mechanism,
    counts: &Counts,
    metric: Metric,
    limit: u64,
) -> Result<Option<DistanceLaw>, Failure> {
    match mechanism.law(counts, limit) {
        Ok(law) => {
            DistanceLaw::new(&law, mechanism.setting().prior(), metric).map(Some).map_err(Failure::refused)
        }
        Err(LawError::TooLarge { .. }) => Ok(None),
        Err(LawError::Setting(error)) => Err(Failure::refused(error)),
    }
}

/// The law of the distance in seeded releases.
fn drawn(
    mechanism: &dyn Mechanism,
    counts: &Counts,
    metric: Metric,
    runs: usize,
    seed: u64,
) -> Result<DistanceLaw, Failure> {
    simulate(mechanism, counts, metric, runs, &mut SeededBits::new(seed)).map_err(Failure::refused)
}

/// Prints one row per mechanism, the nearest first.
pub(crate) fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let ResolvedData { counts, setting } = ResolvedData::new(&args.data)?;
    let names = args.mechanisms.clone().unwrap_or_else(|| Name::ALL.to_vec());
    let mut rows = Vec::with_capacity(names.len());
    for name in names {
        let (spec, calibration) = resolve_mechanism(name, &args.parameters, &setting)?;
        let mechanism = build(&request(setting.clone(), spec, calibration)?)?;
        let (law, method) = match args.runs {
            Some(runs) => {
                (Some(drawn(&*mechanism, &counts, args.distance, runs.get(), args.seed)?), Method::Simulated)
            }
            None => (listed(&*mechanism, &counts, args.distance, args.max_outcomes)?, Method::Exact),
        };
        match law {
            Some(law) => {
                let row = Row::new(&*mechanism, calibration, &law, method);
                // A law may have millions of points: kept only to be drawn.
                rows.push((row, args.plot.is_some().then_some(law)));
            }
            None => eprintln!(
                "note: {name} has more than {} outcomes and is left out; try --runs 1000",
                args.max_outcomes
            ),
        }
    }
    if rows.is_empty() {
        let why = "every mechanism has more outcomes than --max-outcomes allows; simulate with --runs 1000";
        return Err(Failure::refused(why));
    }
    rows.sort_by(|(a, _), (b, _)| a.expected_distance.total_cmp(&b.expected_distance));
    if let Some(file) = &args.plot {
        draw(file, args, &counts, &setting, &rows)?;
    }
    let rows: Vec<Row> = rows.into_iter().map(|(row, _)| row).collect();
    eprintln!("note: this depends on the data without protection; it is not a private release");
    let mut out = io::stdout().lock();
    match args.data.format {
        Format::Table => write_table(&mut out, &rows, args.distance)?,
        Format::Csv => write_csv(&mut out, &rows)?,
        Format::Json => write_json(
            &mut out,
            &Comparison {
                prior: setting.prior().parameters(),
                counts: counts.as_slice(),
                n: setting.n(),
                epsilon: setting.epsilon().to_f64(),
                distance: args.distance.to_string(),
                private: false,
                rows,
            },
        )?,
    }
    Ok(())
}

fn draw(
    file: &PlotFile,
    args: &CompareArgs,
    counts: &Counts,
    setting: &Setting,
    rows: &[(Row, Option<DistanceLaw>)],
) -> Result<(), Failure> {
    let drawn = rows.iter().filter_map(|(row, law)| {
        law.as_ref().map(|law| Curve { name: row.mechanism, private: row.private, law })
    });
    let plot = Plot {
        counts: counts.as_slice(),
        prior: setting.prior().parameters(),
        epsilon: setting.epsilon().to_f64(),
        metric: args.distance,
        simulated: args.runs.map(|runs| (runs.get(), args.seed)),
        curves: drawn.collect(),
    };
    plot.write(file)?;
    eprintln!("note: wrote {file}");
    Ok(())
}

pub(super) fn write_table(out: &mut impl Write, rows: &[Row], metric: Metric) -> io::Result<()> {
    writeln!(out, "distance of the released from the true posterior ({metric}), the nearest first\n")?;
    let mut table = Table::new(&["mechanism", "private", "mean", "q1", "median", "q3", "P(exact)", "how"]);
    for row in rows {
        let number = |value: f64| format!("{value:.4}");
        let tight = if row.calibration == Calibration::Tight { " (tight)" } else { "" };
        table.row(vec![
            format!("{}{tight}", row.mechanism),
            if row.private { "yes" } else { "no" }.to_owned(),
            number(row.expected_distance),
            number(row.q1),
            number(row.median),
            number(row.q3),
            number(row.probability_exact),
            row.method.to_string(),
        ]);
    }
    table.write(out)
}

fn write_csv(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    writeln!(out, "mechanism,private,expected_distance,median,q1,q3,probability_exact,method")?;
    for row in rows {
        let Row { mechanism, private, expected_distance, median, q1, q3, probability_exact, method, .. } =
            row;
        writeln!(
            out,
            "{mechanism},{private},{expected_distance},{median},{q1},{q3},{probability_exact},{method}"
        )?;
    }
    Ok(())
}
