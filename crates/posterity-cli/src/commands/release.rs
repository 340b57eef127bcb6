//! `posterity release`

use std::path::Path;

use posterity::ledger::{Ledger, now_utc};
use posterity::number::{bound, left, parameter, spent, to_width};
use posterity::{
    Budget, Certificate, Payment, PublishError, Published, Randomness, Release, Request, publish, read_text,
};
use posterity_core::decode::{DecodeError, Decoder};
use posterity_plot::{PlotFile, PosteriorPlot};

use crate::args::ReleaseArgs;
use crate::failure::Failure;
use crate::input::input;
use crate::notice::{note, warn};
use crate::output::{self, Column, Page, Paragraph, Report, Sheet, Value, is_read_as_table};
use crate::progress::Progress;
use crate::resolve::{note_unused, resolve_mechanism, resolve_setting, uncalibrated};

/// Draws one release and prints its document.
pub(crate) fn release(args: &ReleaseArgs) -> Result<(), Failure> {
    let chosen = &args.mechanism;
    note_unused(chosen.mechanism, &chosen.parameters);
    // Refuse as much as possible before the data is read, and everything before anything is charged.
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
        // Nothing is charged if the release could not be printed.
        output::check()?;
    }
    let budget = match (&mut ledger, &args.account) {
        (Some(ledger), Some(account)) => Some(Budget { ledger, account, again: args.again, now: now_utc() }),
        _ => None,
    };
    let progress = Progress::spinner("releasing: data sets audited");
    let published = publish(&request, &input, randomness, budget, &|done| progress.add(done));
    drop(progress);
    let Published { release, payment } = published.map_err(refusal)?;
    report_payment(&payment, &release);
    let printing = &args.public.printing;
    if !release.private && !is_read_as_table(printing.format) {
        warn("this release is not private; do not publish it as such");
    }
    // The budget is spent, so the document is printed first, and a picture that fails does not prevent it, nor it the picture.
    let printed = output::print(printing, &release);
    let drawn = args.plot.as_ref().map_or(Ok(()), |file| draw(file, &request, &release));
    match printed.map_err(Failure::from) {
        Ok(()) | Err(Failure::Closed) => drawn,
        failed => failed,
    }
}

/// Says what the release cost. The exact amounts are in the ledger.
fn report_payment(payment: &Payment, release: &Release) {
    match payment {
        Payment::Nothing => {}
        Payment::Recalled => note(
            "the ledger holds the answer to this question; nothing was charged (--again draws and pays anew). The data may have \
             changed since",
        ),
        Payment::Charged { epsilon, remaining } => {
            note(format!("charged epsilon {}; {} is left", spent(epsilon), left(remaining)));
            if release.about.source.is_none() {
                note(
                    "counts have no name by which the ledger could recognise them: they are charged again each time",
                );
            }
        }
    }
}

fn draw(file: &PlotFile, request: &Request, release: &Release) -> Result<(), Failure> {
    let picture = PosteriorPlot::new(request, release).map_err(Failure::plot)?;
    picture.write(file).map_err(Failure::plot)?;
    if picture.simplifies_names(file.format()) {
        note(
            "some names have letters that PNG pictures lack, and are written without accents or as numbers; an SVG \
             file shows them as they are",
        );
    }
    note(format!("wrote {file}"));
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

impl Report for Release {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = [
            "category",
            "parameter",
            "mean",
            "low",
            "high",
            "level",
            "private",
            "epsilon",
            "n",
            "about",
            "promise",
        ];
        let (mean, intervals) = self.best_summary();
        let about = self.about.in_words();
        let rows = self.posterior.categories.names().iter().enumerate().map(move |(i, name)| {
            let [low, high] = intervals[i];
            vec![
                Value::text(name),
                Value::Real(self.posterior.parameters.parameters()[i]),
                Value::Real(mean[i]),
                Value::Real(low),
                Value::Real(high),
                Value::Real(self.posterior.level),
                Value::Truth(self.private),
                Value::Real(self.epsilon),
                Value::Whole(self.n),
                Value::text(about.clone()),
                Value::text(&self.guarantee.statement),
            ]
        });
        Sheet::new(columns.map(Column::text).into(), rows)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        page.sheet(categories(self));
        page.say(what_it_is(self));
        promise_in_short(self, &mut page);
        page.explain(Paragraph::led("Promise:", &self.guarantee.statement));
        if let Some(rule) = &self.per_unit {
            page.explain(Paragraph::led("Units:", format!("{rule}.")));
        } else if self.about.source.is_some() {
            page.explain(Paragraph::led(
                "Units:",
                "each record counts by itself. If people have several records, use --unit.",
            ));
        }
        if let Some(distance) = self.expected_distance {
            page.explain(Paragraph::led(
                "Accuracy:",
                format!(
                    "the released posterior is expected at a Hellinger distance of {} from the true one (0 is equal, 1 is \
                     disjoint).",
                    posterity::number::decimal(distance)
                ),
            ));
        }
        for note in &self.notes {
            page.explain(Paragraph::led("Note:", note));
        }
        page
    }
}

/// The mean, the interval and the parameter of each category.
fn categories(release: &Release) -> Sheet<'_> {
    let posterior = &release.posterior;
    // Intervals that leave the noise out are too narrow, which the reader must not miss.
    let noise = if release.noise_aware.is_some() { "" } else { " without noise" };
    let columns = vec![
        Column::text("category"),
        Column::number("mean"),
        Column::number(format!("{} % interval{noise}", posterior.percent())),
        Column::number("parameter"),
    ];
    let (mean, intervals) = release.best_summary();
    let narrowest = intervals.iter().map(|[low, high]| high - low).fold(f64::INFINITY, f64::min);
    let rows = posterior.categories.names().iter().enumerate().map(move |(i, name)| {
        let [low, high] = intervals[i];
        // All rows have as many decimals as the narrowest interval needs, unless that is tiny.
        let width = if narrowest > 1e-9 { narrowest } else { high - low };
        vec![
            Value::text(name),
            Value::text(to_width(mean[i], width)),
            Value::text(format!("{} to {}", to_width(low, width), to_width(high, width))),
            Value::text(parameter(posterior.parameters.parameters()[i])),
        ]
    });
    Sheet::new(columns, rows)
}

/// What the release is, whether it is private, and what it is about.
fn what_it_is(release: &Release) -> Paragraph {
    let kind = if release.posterior.mean.len() == 2 { "Beta" } else { "Dirichlet" };
    let given =
        release.epsilon_parameter.map(|given| format!(" (parameter of {}: {given})", release.mechanism));
    let seed = release.seed.map(|seed| format!(", seed {seed}"));
    let begin = Paragraph::from(format!("{kind} posterior, "));
    let begin = if release.private { begin.plain("private") } else { begin.alarm("NOT PRIVATE") };
    begin.plain(format!(
        ": {}, epsilon {}{}, n {}{}. About: {}",
        release.mechanism,
        bound(release.epsilon),
        given.unwrap_or_default(),
        release.n,
        seed.unwrap_or_default(),
        release.about.in_words()
    ))
}

/// Adds what is promised to whom, or the warning that nothing is.
fn promise_in_short(release: &Release, page: &mut Page<'_>) {
    let unit = release.per_unit.as_ref().map(|rule| format!(" Units: {rule}.")).unwrap_or_default();
    let recalled = release.recalled.as_ref().map(|recalled| {
        format!(" Recalled: it was drawn at {}, and the data may have changed since.", recalled.drawn)
    });
    let more = format!("{unit}{}", recalled.unwrap_or_default());
    let why = match (release.guarantee.epsilon, release.seed) {
        (Some(epsilon), None) => {
            let asked = release.about.source.is_some() && release.per_unit.is_none();
            let several = if asked { "; if people have several records, use --unit" } else { "" };
            let (epsilon, per) = (bound(epsilon), &release.guarantee.unit);
            let promise = format!("{epsilon}-differential privacy per {per} (--explain){several}.{more}");
            page.say_in_short(Paragraph::led("Promise:", promise));
            return;
        }
        (_, Some(seed)) => format!("anyone can repeat the noise of seed {seed}"),
        (None, None) => format!("{} has no proven guarantee", release.mechanism),
    };
    page.say(Paragraph::warning(format!("{why}: do not publish this as private.{more}")));
}
