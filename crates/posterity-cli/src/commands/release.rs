//! `posterity release`

use std::io::{self, Write};
use std::path::Path;

use posterity::ledger::{Ledger, now_utc};
use posterity::{
    Budget, Certificate, Payment, PublishError, Published, Randomness, Release, Request, publish, read_text,
};
use posterity_core::decode::{DecodeError, Decoder};
use posterity::number::short;
use posterity_plot::{PlotFile, PosteriorPlot};

use crate::args::{Format, ReleaseArgs};
use crate::failure::Failure;
use crate::input::input;
use crate::output::{self, Table, csv_cell, write_json};
use crate::progress::Progress;
use crate::resolve::{note_unused, resolve_mechanism, resolve_setting, uncalibrated};

/// Draws one release and prints its document.
pub(crate) fn release(args: &ReleaseArgs) -> Result<(), Failure> {
    let chosen = &args.mechanism;
    note_unused(chosen.mechanism, &chosen.parameters);
    // What can be refused is refused before the data is read, and all of it before anything is charged.
    let certificate = args.certificate.as_deref().map(read_certificate).transpose()?;
    let mut ledger =
        args.ledger.as_deref().map(|path| Ledger::open(path).map_err(Failure::refused)).transpose()?;
    if let (Some(ledger), Some(account)) = (&ledger, &args.account) {
        ledger.account(account).map_err(Failure::account)?;
    }
    if let Some(file) = &args.plot {
        file.check().map_err(Failure::plot)?;
    }
    let randomness = args.seed.map_or(Randomness::System, Randomness::Seed);
    let input = input(args, randomness)?;
    let setting = resolve_setting(&args.public, input.categories().names().len(), input.n())?;
    let (spec, calibration) = resolve_mechanism(chosen.mechanism, &chosen.parameters, &setting)?;
    let decoder = args.decode.unwrap_or(Decoder::default_for(spec.name));
    let request = Request {
        decoder,
        level: args.level,
        allow_unproven: args.not_private,
        certificate,
        ..Request::new(setting, spec, calibration)
    };
    if ledger.is_some() {
        // What is charged should reach somebody.
        output::check()?;
    }
    let budget = match (&mut ledger, &args.account) {
        (Some(ledger), Some(account)) => Some(Budget { ledger, account, again: args.again, now: now_utc() }),
        _ => None,
    };
    let progress = Progress::spinner("auditing: data sets");
    let Published { release, payment } =
        publish(&request, &input, randomness, budget, &|done| progress.add(done)).map_err(refusal)?;
    drop(progress);
    match payment {
        Payment::Nothing => {}
        Payment::Recalled => {
            eprintln!(
                "note: the ledger holds the answer to this question; nothing was charged (--again draws and pays anew). The data \
                 may have changed since"
            )
        }
        Payment::Charged { epsilon, remaining } => {
            eprintln!("note: charged epsilon {epsilon}; {remaining} is left");
        }
    }
    if !release.private {
        eprintln!("note: this release is not private; do not publish it as such");
    }
    // The release is made and its budget spent: the document comes first, and neither failure takes the other along.
    let printed = print(args.public.format, &release);
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
    let picture = PosteriorPlot::new(request, release).map_err(Failure::plot)?;
    picture.write(file).map_err(Failure::plot)?;
    if picture.simplifies_names(file.format()) {
        eprintln!(
            "note: some names have letters that PNG pictures lack, and are written without accents or as numbers; an SVG \
             file shows them as they are"
        );
    }
    eprintln!("note: wrote {file}");
    Ok(())
}

fn read_certificate(path: &Path) -> Result<Certificate, Failure> {
    let file = path.display();
    let text = read_text(path).map_err(|error| Failure::refused(format!("--certificate: {error}")))?;
    Certificate::from_json(&text).map_err(|error| Failure::refused(format!("--certificate {file}: {error}")))
}

fn refusal(error: PublishError) -> Failure {
    match error {
        PublishError::Unproven { mechanism, .. } => Failure::refused(format!(
            "{error}; nothing was released. Choose another mechanism (lattice, geometric, lshist, lsdim, lszhang, ehds or ehd), \
             calibrate it by audit with --calibration tight, cite an audit with --certificate, or add --not-private to \
             release {mechanism} as an experiment"
        )),
        PublishError::Calibration(error) => uncalibrated(error),
        PublishError::Certificate(error) => {
            Failure::refused(format!("--certificate: {error}; nothing was released"))
        }
        PublishError::SeedWithLedger => Failure::usage("--seed", error),
        PublishError::Decode(DecodeError::NoEvidence { .. }) => Failure::usage("--decode", error),
        other => Failure::refused(other),
    }
}

fn write_table(out: &mut impl Write, release: &Release) -> io::Result<()> {
    let posterior = &release.posterior;
    let level = format!("{} % interval", posterior.percent());
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
    let parameter =
        release.epsilon_parameter.map(|given| format!(" (parameter of {}: {given})", release.mechanism));
    writeln!(
        out,
        "\n{kind} posterior, {private}: {}, epsilon {}{}, n {}",
        release.mechanism,
        release.epsilon,
        parameter.unwrap_or_default(),
        release.n
    )?;
    writeln!(out, "About: {}", release.about.in_words())?;
    if let Some(rule) = &release.per_unit {
        writeln!(out, "Units: {rule}.")?;
    } else if release.about.source.is_some() {
        writeln!(out, "Per record: if people have several records, use --unit.")?;
    }
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
    writeln!(out, "category,parameter,mean,low,high,level,private,epsilon,n,about,promise")?;
    let posterior = &release.posterior;
    let (mean, intervals) = release.best_summary();
    let about = csv_cell(&release.about.in_words());
    let promise = csv_cell(&release.guarantee.statement);
    for (i, name) in posterior.categories.names().iter().enumerate() {
        let [low, high] = intervals[i];
        let (parameter, mean) = (posterior.parameters.parameters()[i], mean[i]);
        writeln!(
            out,
            "{},{parameter},{mean},{low},{high},{},{},{},{},{about},{promise}",
            csv_cell(name),
            posterior.level,
            release.private,
            release.epsilon,
            release.n
        )?;
    }
    Ok(())
}
