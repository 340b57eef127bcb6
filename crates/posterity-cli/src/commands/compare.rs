//! `posterity compare`

use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;

use posterity::Calibration;
use posterity_core::accuracy::{DecodedError, DistanceLaw, Metric, decoded_law, simulate, simulate_decoded};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Guarantee, LawError, Mechanism, Name};
use posterity_core::model::{Counts, Setting};
use posterity_core::sampler::SeededBits;
use posterity_plot::{self as plot, Curve, PlotFile};
use serde::Serialize;

use crate::args::{CompareArgs, Format};
use crate::failure::Failure;
use crate::output::{Table, write_json};
use crate::progress::Progress;
use crate::resolve::{ResolvedData, build, request, resolve_mechanism};

/// One mechanism's distances.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) mechanism: Name,
    pub(super) decoder: Decoder,
    pub(super) private: bool,
    pub(super) calibration: Calibration,
    pub(super) expected_distance: f64,
    pub(super) median: f64,
    pub(super) q1: f64,
    pub(super) q3: f64,
    pub(super) probability_exact: f64,
    pub(super) method: Method,
    /// The mean distance over all data sets, which follow the prior, and how many times the limit that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prior_mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio_to_limit: Option<f64>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<f64>,
    rows: Vec<Row>,
}

/// A mechanism with what follows it.
pub(super) struct Contender {
    pub(super) mechanism: Box<dyn Mechanism>,
    pub(super) calibration: Calibration,
    pub(super) decoder: Decoder,
}

/// How the distances are found.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    pub(super) metric: Metric,
    /// Simulate this many releases.
    pub(super) runs: Option<usize>,
    pub(super) seed: u64,
    /// List at most this many outcomes.
    pub(super) max_outcomes: u64,
    /// A decoder takes milliseconds: decode at most this many outcomes, or else `decoded_runs` simulated ones.
    pub(super) decoded: usize,
    pub(super) decoded_runs: usize,
}

impl Contender {
    /// The law of the distance at these counts; nothing if there are too many outcomes to list and no simulation is asked for.
    pub(super) fn law(
        &self,
        counts: &Counts,
        measure: Measure,
    ) -> Result<Option<(DistanceLaw, Method)>, Failure> {
        let Measure { metric, runs, seed, max_outcomes, decoded, decoded_runs } = measure;
        let mechanism = &*self.mechanism;
        let simulated = |runs| {
            let bits = &mut SeededBits::new(seed);
            let law = match self.decoder {
                Decoder::None => simulate(mechanism, counts, metric, runs, bits).map_err(Failure::refused),
                decoder => {
                    simulate_decoded(mechanism, decoder, counts, metric, runs, bits).map_err(Failure::refused)
                }
            };
            law.map(|law| Some((law, Method::Simulated)))
        };
        if let Some(runs) = runs {
            return simulated(runs);
        }
        if self.decoder == Decoder::None {
            return match mechanism.law(counts, max_outcomes) {
                Ok(law) => DistanceLaw::new(&law, mechanism.setting().prior(), metric)
                    .map(|law| Some((law, Method::Exact)))
                    .map_err(Failure::refused),
                Err(LawError::TooLarge { .. }) => Ok(None),
                Err(LawError::Setting(error)) => Err(Failure::refused(error)),
            };
        }
        match decoded_law(mechanism, self.decoder, counts, metric, max_outcomes, decoded) {
            Ok(law) => Ok(Some((law, Method::Exact))),
            Err(DecodedError::TooMany { .. } | DecodedError::Law(LawError::TooLarge { .. })) => {
                simulated(decoded_runs)
            }
            Err(error) => Err(Failure::refused(error)),
        }
    }

    pub(super) fn row(&self, law: &DistanceLaw, method: Method) -> Row {
        Row {
            mechanism: self.mechanism.name(),
            decoder: self.decoder,
            private: matches!(self.mechanism.guarantee(), Guarantee::Pure { .. }),
            calibration: self.calibration,
            expected_distance: law.mean(),
            median: law.quantile(0.5),
            q1: law.quantile(0.25),
            q3: law.quantile(0.75),
            probability_exact: law.probability_exact(),
            method,
            prior_mean: None,
            ratio_to_limit: None,
        }
    }

    /// The mean distance over all data sets under the prior.
    #[cfg(feature = "limit")]
    fn prior_mean(&self) -> Result<f64, Failure> {
        use posterity_core::accuracy::{decoded_over_data, over_data};
        let mechanism = &*self.mechanism;
        if self.decoder == Decoder::None {
            return over_data(mechanism, posterity::AUDIT_LIMIT)
                .map(|found| found.mean)
                .map_err(Failure::refused);
        }
        let all = decoded_over_data(mechanism, posterity::AUDIT_LIMIT).map_err(Failure::refused)?;
        let mine = all.into_iter().find(|(decoder, _)| *decoder == self.decoder);
        mine.map(|(_, mean)| mean).ok_or_else(|| Failure::refused("this decoder has no mean over all data"))
    }
}

impl Row {
    /// What it is called in a table.
    pub(super) fn label(&self) -> String {
        let decoder =
            if self.decoder == Decoder::None { String::new() } else { format!(" + {}", self.decoder) };
        let tight = if self.calibration == Calibration::Tight { " (tight)" } else { "" };
        format!("{}{decoder}{tight}", self.mechanism)
    }
}

/// Prints one row per mechanism and decoder, the nearest first.
pub(crate) fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let ResolvedData { counts, setting } = ResolvedData::new(&args.data)?;
    let names = args.mechanisms.clone().unwrap_or_else(|| Name::ALL.to_vec());
    let measure = Measure {
        metric: args.distance,
        runs: args.runs.map(NonZeroUsize::get),
        seed: args.seed,
        max_outcomes: args.max_outcomes,
        decoded: 3_000,
        decoded_runs: 1_000,
    };
    let limit = limit(args, &setting)?;
    let mut rows = Vec::with_capacity(names.len());
    let progress = Progress::spinner("comparing: mechanisms");
    for name in names {
        let (spec, calibration) = resolve_mechanism(name, &args.parameters, &setting)?;
        for decoder in decoders(args.decode.as_deref(), name) {
            let mechanism = build(&request(setting.clone(), spec.clone(), calibration))?;
            let contender = Contender { mechanism, calibration, decoder };
            let Some((law, method)) = contender.law(&counts, measure)? else {
                eprintln!(
                    "note: {name} has more than {} outcomes and is left out; try --runs 1000",
                    args.max_outcomes
                );
                continue;
            };
            let row = against_limit(contender.row(&law, method), &contender, limit)?;
            // A law may have millions of points: kept only to be drawn.
            rows.push((row, args.plot.is_some().then_some(law)));
            progress.add(1);
        }
    }
    drop(progress);
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
    match args.data.public.format {
        Format::Table => {
            write_table(&mut out, &rows, args.distance)?;
            if let Some(limit) = limit {
                writeln!(
                    out,
                    "\nlimit {limit:.4}: no epsilon-DP mechanism onto the candidates has a smaller mean distance over data that follow \
                     the prior. A decoder may choose parameters that no data has, and fall below it."
                )?;
            }
        }
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
                limit,
                rows,
            },
        )?,
    }
    Ok(())
}

/// The decoders to show a mechanism with.
fn decoders(chosen: Option<&[Decoder]>, name: Name) -> Vec<Decoder> {
    match chosen {
        Some(chosen) if !name.is_exponential() => chosen.to_vec(),
        Some(_) => vec![Decoder::None],
        None => vec![Decoder::default_for(name)],
    }
}

#[cfg(feature = "limit")]
fn limit(args: &CompareArgs, setting: &Setting) -> Result<Option<f64>, Failure> {
    use posterity_core::accuracy::{MAX_VARIABLES, limit};
    if !args.limit {
        return Ok(None);
    }
    if args.distance != Metric::Hellinger {
        return Err(Failure::usage(
            "--limit",
            "the limit is known for --distance hellinger only; leave the other out",
        ));
    }
    let progress = Progress::spinner("solving for the limit");
    progress.add(0);
    limit(setting, MAX_VARIABLES)
        .map(|found| Some(found.value))
        .map_err(|error| Failure::usage("--limit", error))
}

#[cfg(not(feature = "limit"))]
fn limit(_: &CompareArgs, _: &Setting) -> Result<Option<f64>, Failure> {
    Ok(None)
}

#[cfg(feature = "limit")]
fn against_limit(row: Row, contender: &Contender, limit: Option<f64>) -> Result<Row, Failure> {
    let Some(limit) = limit else { return Ok(row) };
    let mean = contender.prior_mean()?;
    Ok(Row { prior_mean: Some(mean), ratio_to_limit: Some(mean / limit), ..row })
}

#[cfg(not(feature = "limit"))]
fn against_limit(row: Row, _: &Contender, _: Option<f64>) -> Result<Row, Failure> {
    Ok(row)
}

fn draw(
    file: &PlotFile,
    args: &CompareArgs,
    counts: &Counts,
    setting: &Setting,
    rows: &[(Row, Option<DistanceLaw>)],
) -> Result<(), Failure> {
    let drawn = rows.iter().filter_map(|(row, law)| {
        law.as_ref().map(|law| Curve { name: row.mechanism, decoder: row.decoder, private: row.private, law })
    });
    let picture = plot::Comparison {
        counts: counts.as_slice(),
        prior: setting.prior().parameters(),
        epsilon: setting.epsilon().to_f64(),
        metric: args.distance,
        simulated: args.runs.map(|runs| (runs.get(), args.seed)),
        curves: drawn.collect(),
    };
    picture.write(file).map_err(Failure::plot)?;
    eprintln!("note: wrote {file}");
    Ok(())
}

pub(super) fn write_table(out: &mut impl Write, rows: &[Row], metric: Metric) -> io::Result<()> {
    writeln!(out, "distance of the released from the true posterior ({metric}), the nearest first\n")?;
    let mut header = vec!["mechanism", "private", "mean", "q1", "median", "q3", "P(exact)", "how"];
    if rows.iter().any(|row| row.ratio_to_limit.is_some()) {
        header.extend(["over the prior", "times the limit"]);
    }
    let mut table = Table::new(&header);
    for row in rows {
        let number = |value: f64| format!("{value:.4}");
        let mut cells = vec![
            row.label(),
            if row.private { "yes" } else { "no" }.to_owned(),
            number(row.expected_distance),
            number(row.q1),
            number(row.median),
            number(row.q3),
            number(row.probability_exact),
            row.method.to_string(),
        ];
        cells.extend(row.prior_mean.map(number));
        cells.extend(row.ratio_to_limit.map(|ratio| format!("{ratio:.3}")));
        table.row(cells);
    }
    table.write(out)
}

fn write_csv(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    writeln!(
        out,
        "mechanism,private,expected_distance,median,q1,q3,probability_exact,method,decoder,prior_mean,ratio_to_limit"
    )?;
    for row in rows {
        let optional = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let Row {
            mechanism,
            private,
            expected_distance,
            median,
            q1,
            q3,
            probability_exact,
            method,
            decoder,
            ..
        } = row;
        writeln!(
            out,
            "{mechanism},{private},{expected_distance},{median},{q1},{q3},{probability_exact},{method},{decoder},{},{}",
            optional(row.prior_mean),
            optional(row.ratio_to_limit)
        )?;
    }
    Ok(())
}
