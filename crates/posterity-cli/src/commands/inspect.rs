//! `posterity inspect`

use std::io::{self, BufWriter, Write};

use posterity::core::decode::Decoder;
use posterity::core::mechanism::{LawError, OutputLaw};
use posterity::{Inspection, InspectionError, Request};

use crate::args::{Format, InspectArgs};
use crate::failure::Failure;
use crate::output::{Table, write_json};
use crate::progress::Progress;
use crate::resolve::{ResolvedData, mechanism, note_unused, resolve_mechanism};

/// Prints an [`Inspection`].
pub(crate) fn inspect(args: &InspectArgs) -> Result<(), Failure> {
    let resolved = ResolvedData::new(&args.inputs.data)?;
    let chosen = &args.inputs.mechanism;
    note_unused(chosen.mechanism, &chosen.parameters);
    let (spec, calibration) = resolve_mechanism(chosen.mechanism, &chosen.parameters, &resolved.setting)?;
    let decoder = args.inputs.decode.unwrap_or(Decoder::default_for(spec.name));
    let request = Request { decoder, ..Request::new(resolved.setting, spec, calibration) };
    let progress = Progress::spinner("calibrating: data sets audited");
    let inspection =
        posterity::inspect(&request, &resolved.counts, args.max_outcomes, &|done| progress.add(done));
    drop(progress);
    let inspection = inspection.map_err(|error| match error {
        InspectionError::Mechanism(error) => mechanism(error),
        InspectionError::Law(LawError::TooLarge { .. }) => Failure::refused(format!(
            "{error} (--max-outcomes). `posterity release` draws from the same law without listing it"
        )),
        InspectionError::TooManyToDecode { .. } => Failure::refused(format!(
            "{error}. Take them as they are with --decode none, or see `posterity compare`, which decodes the likely ones"
        )),
        InspectionError::Decode(_) => Failure::usage("--decode", error),
        InspectionError::Prior(_) => Failure::usage("--prior", error),
        other => Failure::refused(other),
    })?;
    eprintln!("note: this shows the data and exact probabilities; it is not a private release");
    let mut out = BufWriter::new(io::stdout().lock());
    match args.inputs.data.public.format {
        Format::Json => write_json(&mut out, &inspection)?,
        Format::Csv => write_csv(&mut out, &inspection.outcomes, inspection.counts.len())?,
        Format::Table => write_table(&mut out, &inspection)?,
    }
    out.flush()?;
    Ok(())
}

/// How many outcomes a table shows.
const SHOWN: usize = 12;

fn write_table(out: &mut impl Write, inspection: &Inspection) -> io::Result<()> {
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
