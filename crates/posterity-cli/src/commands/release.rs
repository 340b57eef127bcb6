//! `posterity release`

use std::io::{self, Write};
use std::path::Path;

use posterity::{Certificate, PublishError, Randomness, Release, Request, publish};
use posterity_core::decode::{DecodeError, Decoder};
use posterity_core::model::Categories;

use crate::args::{Format, ReleaseArgs};
use crate::failure::Failure;
use crate::output::{Table, csv_cell, short, write_json};
use crate::plot::{PlotFile, PosteriorPlot};
use crate::progress::Progress;
use crate::resolve::{ResolvedData, note_unused, request, resolve_mechanism, too_large};

/// Draws one release and prints its document.
pub(crate) fn release(args: &ReleaseArgs) -> Result<(), Failure> {
    let resolved = ResolvedData::new(&args.inputs.data)?;
    let chosen = &args.inputs.mechanism;
    note_unused(chosen.mechanism, &chosen.parameters);
    let categories = match &args.categories {
        Some(names) => Categories::new(names.iter().map(|name| name.trim().to_owned()).collect()),
        None => Categories::numbered(resolved.counts.len()),
    }
    .map_err(|error| Failure::usage("--categories", error))?;
    let names = categories.names().len();
    if names != resolved.counts.len() {
        let why =
            format!("there are {names} names for {} counts; give one name per count", resolved.counts.len());
        return Err(Failure::usage("--categories", why));
    }
    let (spec, calibration) = resolve_mechanism(chosen.mechanism, &chosen.parameters, &resolved.setting)?;
    let certificate = args.certificate.as_deref().map(read_certificate).transpose()?;
    let decoder = args.inputs.decode.unwrap_or(Decoder::default_for(spec.name));
    let request = Request {
        categories,
        decoder,
        level: args.level,
        allow_unproven: args.not_private,
        certificate,
        ..request(resolved.setting, spec, calibration)?
    };
    let randomness = args.seed.map_or(Randomness::System, Randomness::Seed);
    let progress = Progress::spinner("auditing: data sets");
    let release =
        publish(&request, &resolved.counts, randomness, &|done| progress.add(done)).map_err(refusal)?;
    drop(progress);
    if !release.private {
        eprintln!("note: this release is not private; do not publish it as such");
    }
    // The release is made and its budget spent: the document comes first, and neither failure takes the other along.
    let printed = print(args.inputs.data.format, &release);
    let drawn = args.plot.as_ref().map_or(Ok(()), |file| draw(file, &request, &release));
    match printed.map_err(Failure::from) {
        Ok(()) | Err(Failure::Closed) => drawn,
        failed => failed,
    }
}

fn print(format: Format, release: &Release) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match format {
        Format::Json => write_json(&mut out, release)?,
        Format::Csv => write_csv(&mut out, release)?,
        Format::Table => write_table(&mut out, release)?,
    }
    out.flush()
}

fn draw(file: &PlotFile, request: &Request, release: &Release) -> Result<(), Failure> {
    PosteriorPlot::new(request, release)?.write(file)?;
    eprintln!("note: wrote {file}");
    Ok(())
}

fn read_certificate(path: &Path) -> Result<Certificate, Failure> {
    let file = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::refused(format!("--certificate: {file} cannot be read: {error}")))?;
    Certificate::from_json(&text).map_err(|error| Failure::refused(format!("--certificate {file}: {error}")))
}

fn refusal(error: PublishError) -> Failure {
    match error {
        PublishError::Unproven { mechanism, .. } => Failure::refused(format!(
            "{error}; nothing was released. Choose another mechanism (lattice, geometric, lshist, lsdim, lszhang, ehds or ehd), \
             calibrate it by audit with --calibration tight, cite an audit with --certificate, or add --not-private to \
             release {mechanism} as an experiment"
        )),
        PublishError::Calibration(error) => too_large(error),
        PublishError::Certificate(error) => {
            Failure::refused(format!("--certificate: {error}; nothing was released"))
        }
        PublishError::Decode(DecodeError::NoEvidence { .. }) => Failure::usage("--decode", error),
        other => Failure::refused(other),
    }
}

fn write_table(out: &mut impl Write, release: &Release) -> io::Result<()> {
    let posterior = &release.posterior;
    let level = format!("{} % interval", 100.0 * posterior.level);
    let mut table = Table::new(&["category", "mean", &level, "parameter"]);
    let (mean, intervals) = release.best_summary();
    for (i, name) in posterior.categories.names().iter().enumerate() {
        let [low, high] = intervals[i];
        table.row(vec![
            name.clone(),
            format!("{:.4}", mean[i]),
            format!("{low:.4} to {high:.4}"),
            short(posterior.parameters.parameters()[i]),
        ]);
    }
    table.write(out)?;
    let kind = if posterior.mean.len() == 2 { "Beta" } else { "Dirichlet" };
    let private = if release.private { "private" } else { "NOT PRIVATE" };
    writeln!(
        out,
        "\n{kind} posterior, {private}: {}, epsilon {}, n {}",
        release.mechanism, release.epsilon, release.n
    )?;
    writeln!(out, "Promise: {}", release.guarantee.statement)?;
    if let Some(distance) = release.expected_distance {
        writeln!(
            out,
            "Accuracy: the released posterior is expected at a Hellinger distance of {distance:.4} from the true one (0 is \
             equal, 1 is disjoint)."
        )?;
    }
    for note in &release.notes {
        writeln!(out, "Note: {note}")?;
    }
    Ok(())
}

fn write_csv(out: &mut impl Write, release: &Release) -> io::Result<()> {
    writeln!(out, "category,parameter,mean,low,high,level,private")?;
    let posterior = &release.posterior;
    let (mean, intervals) = release.best_summary();
    for (i, name) in posterior.categories.names().iter().enumerate() {
        let [low, high] = intervals[i];
        let (parameter, mean) = (posterior.parameters.parameters()[i], mean[i]);
        writeln!(
            out,
            "{},{parameter},{mean},{low},{high},{},{}",
            csv_cell(name),
            posterior.level,
            release.private
        )?;
    }
    Ok(())
}
