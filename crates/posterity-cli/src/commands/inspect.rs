//! `posterity inspect`

use std::io::{self, BufWriter, Write};

use posterity::Calibration;
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{LawError, Name, OutputLaw, mh_beta};
use posterity_core::model::PriorError;
use posterity_core::sensitivity::{beta_smooth, gamma_smooth, global, local};
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};

use crate::args::{Format, InspectArgs};
use crate::failure::Failure;
use crate::output::{Table, write_json};
use crate::resolve::{ResolvedData, build, note_unused, request, resolve_mechanism};

/// Everything exact about one mechanism at one data set.
#[derive(Debug, Serialize)]
struct Inspection<'a> {
    mechanism: Name,
    prior: &'a [f64],
    counts: &'a [u64],
    n: u64,
    epsilon: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<f64>,
    calibration: Calibration,
    decoder: Decoder,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<f64>,
    private: bool,
    sensitivity: Sensitivity,
    expected_distance: f64,
    probability_exact: f64,
    #[serde(serialize_with = "outcomes")]
    outcomes: &'a OutputLaw,
}

#[derive(Debug, Serialize)]
struct Sensitivity {
    global: f64,
    local: f64,
    /// beta-smooth for mh, gamma-smooth for all others.
    smooth: f64,
}

/// Prints an [`Inspection`].
pub(crate) fn inspect(args: &InspectArgs) -> Result<(), Failure> {
    let resolved = ResolvedData::new(&args.inputs.data)?;
    let chosen = &args.inputs.mechanism;
    note_unused(chosen.mechanism, &chosen.parameters);
    let (spec, calibration) = resolve_mechanism(chosen.mechanism, &chosen.parameters, &resolved.setting)?;
    let mechanism = build(&request(resolved.setting.clone(), spec.clone(), calibration))?;
    let law = mechanism.law(&resolved.counts, args.max_outcomes).map_err(|error| match error {
        LawError::TooLarge { .. } => Failure::refused(format!(
            "{error} (--max-outcomes). `posterity release` draws from the same law without listing it"
        )),
        LawError::Setting(error) => Failure::refused(error),
    })?;
    let decoder = args.inputs.decode.unwrap_or(Decoder::default_for(spec.name));
    let law = if decoder == Decoder::None {
        law
    } else {
        if law.len() > DECODED {
            return Err(Failure::refused(format!(
                "there are {} outcomes, more than the {DECODED} that may be decoded one by one. Take them as they are with \
                 --decode none, or see `posterity compare`, which decodes the likely ones",
                law.len()
            )));
        }
        law.decoded(&*mechanism, decoder).map_err(|error| Failure::usage("--decode", error))?
    };
    let (setting, counts) = (&resolved.setting, &resolved.counts);
    let beta = (spec.name == Name::Mh).then(|| mh_beta(setting, spec.delta));
    let mismatch = |error: PriorError| Failure::usage("--prior", error);
    let smooth = match beta {
        Some(beta) => beta_smooth(setting.prior(), counts, beta),
        None => gamma_smooth(setting.prior(), counts, spec.gamma),
    };
    let inspection = Inspection {
        mechanism: spec.name,
        prior: setting.prior().parameters(),
        counts: counts.as_slice(),
        n: setting.n(),
        epsilon: setting.epsilon().to_f64(),
        gamma: spec.gamma_used(),
        calibration,
        decoder,
        delta: spec.delta_used(),
        beta,
        private: false,
        sensitivity: Sensitivity {
            global: global(setting.prior(), setting.n()),
            local: local(setting.prior(), counts).map_err(mismatch)?,
            smooth: smooth.map_err(mismatch)?,
        },
        expected_distance: law.expected_distance(),
        probability_exact: law.probability_exact(),
        outcomes: &law,
    };
    eprintln!("note: this shows the data and exact probabilities; it is not a private release");
    let mut out = BufWriter::new(io::stdout().lock());
    match args.inputs.data.public.format {
        Format::Json => write_json(&mut out, &inspection)?,
        Format::Csv => write_csv(&mut out, &law, counts.len())?,
        Format::Table => write_table(&mut out, &inspection)?,
    }
    out.flush()?;
    Ok(())
}

/// A decoder takes milliseconds.
const DECODED: usize = 20_000;

/// How many outcomes a table shows.
const SHOWN: usize = 12;

fn write_table(out: &mut impl Write, inspection: &Inspection<'_>) -> io::Result<()> {
    let Inspection { mechanism, epsilon, sensitivity, outcomes: law, .. } = inspection;
    writeln!(
        out,
        "{mechanism} at counts {:?}, prior {:?}, epsilon {epsilon}\n",
        inspection.counts, inspection.prior
    )?;
    let mut table = Table::new(&["quantity", "value"]);
    let smooth =
        if inspection.beta.is_some() { "beta-smooth sensitivity" } else { "gamma-smooth sensitivity" };
    for (name, value) in [
        ("global sensitivity", sensitivity.global),
        ("local sensitivity", sensitivity.local),
        (smooth, sensitivity.smooth),
        ("expected distance", inspection.expected_distance),
        ("P(exact answer)", inspection.probability_exact),
    ] {
        table.row(vec![name.to_owned(), format!("{value:.6}")]);
    }
    table.write(out)?;
    let mut likely: Vec<_> = law.outcomes().collect();
    likely.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.counts.cmp(b.counts)));
    writeln!(out, "\n{} of {} outcomes, the likeliest first:", likely.len().min(SHOWN), likely.len())?;
    let mut table = Table::new(&["counts", "probability", "distance"]);
    for outcome in likely.iter().take(SHOWN) {
        let counts: Vec<String> = outcome.counts.iter().map(ToString::to_string).collect();
        table.row(vec![
            counts.join(","),
            format!("{:.6}", outcome.probability),
            format!("{:.6}", outcome.distance),
        ]);
    }
    table.write(out)
}

fn write_csv(out: &mut impl Write, law: &OutputLaw, k: usize) -> io::Result<()> {
    let header: Vec<String> = (1..=k).map(|i| format!("count_{i}")).collect();
    writeln!(out, "{},probability,distance", header.join(","))?;
    for outcome in law.outcomes() {
        for count in outcome.counts {
            write!(out, "{count},")?;
        }
        writeln!(out, "{},{}", outcome.probability, outcome.distance)?;
    }
    Ok(())
}

fn outcomes<S: Serializer>(law: &&OutputLaw, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Line<'a> {
        counts: &'a [u64],
        probability: f64,
        distance: f64,
    }
    let mut list = serializer.serialize_seq(Some(law.len()))?;
    for outcome in law.outcomes() {
        list.serialize_element(&Line {
            counts: outcome.counts,
            probability: outcome.probability,
            distance: outcome.distance,
        })?;
    }
    list.end()
}
