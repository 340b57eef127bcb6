//! `posterity inspect`

use clap::Args;
use posterity::plan::Field;
use posterity_advice::{Inspection, InspectionError, Measure};
use posterity_core::mechanism::LawError;

use crate::counts::{CountsArgs, ResolvedData};
use crate::failure::Failure;
use crate::fields::Asks;
use crate::marked;
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value};
use crate::progress::Progress;
use crate::terms::{request, uncalibrated};
use posterity_present::Mark;
use posterity_present::words::list;

const EXAMPLES: &str = "\
Examples:
  posterity inspect --counts 4,4 --epsilon 1 --mechanism ehds

  # All outcomes with their probabilities
  posterity inspect --counts 20,20,20 --epsilon 1 --mechanism lshist --format csv > law.csv";

/// Show everything exact about one mechanism at one data set. Not private.
///
/// Sensitivities, the probability and the distance of every possible outcome, and the expected distance. The result
/// depends on the data without protection: it is for choosing a mechanism on data that may be seen.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    data: CountsArgs<Inspected>,

    /// List at most this many outcomes; refuse if there are more
    #[arg(long, value_name = "N", default_value_t = Measure::MAX_OUTCOMES, value_parser = clap::value_parser!(u64).range(1..=Measure::MOST))]
    max_outcomes: u64,
}

/// What an inspection has of the fields of a plan.
#[derive(Debug)]
struct Inspected;

impl Asks for Inspected {
    const NEEDED: &'static [&'static str] = &["epsilon"];

    fn has(field: &Field) -> Option<bool> {
        let all = ["epsilon", "adjacency", "most", "prior", "mechanism", "decode"];
        all.contains(&field.name).then_some(true)
    }
}

/// Prints an [`Inspection`].
pub(crate) fn inspect(args: &InspectArgs) -> Result<(), Failure> {
    let resolved = ResolvedData::new(&args.data)?;
    let request = request(&resolved.terms, &resolved.setting)?;
    let progress = Progress::spinner("inspecting: data sets audited");
    let inspection =
        posterity_advice::inspect(&request, &resolved.counts, args.max_outcomes, &|done| progress.add(done));
    drop(progress);
    let inspection = inspection.map_err(failure)?;
    let printing = &args.data.public.printing;
    Ok(marked::print(printing, &inspection, Mark::Data)?)
}

/// Why there is no inspection, with the flags that help.
fn failure(error: InspectionError) -> Failure {
    match error {
        InspectionError::Mechanism(error) => uncalibrated(error),
        InspectionError::Law(LawError::TooLarge { .. }) => Failure::refused(format!(
            "{error} (--max-outcomes). `posterity release` draws from the same law without listing it"
        )),
        InspectionError::TooManyToDecode { .. } => Failure::refused(format!(
            "{error}. Take them as they are with --decode none, or see `posterity compare`, which decodes the likely ones"
        )),
        InspectionError::Decode(_) => Failure::usage("--decode", error),
        InspectionError::Prior(_) => Failure::usage("--prior", error),
        other => Failure::refused(other),
    }
}

/// How many outcomes a table shows.
const SHOWN: usize = 12;

impl Report for Inspection {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let counts = (1..=self.counts.len()).map(|index| Column::number(format!("count_{index}")));
        let columns = counts.chain(["probability", "distance"].map(Column::number)).collect();
        let rows = self.outcomes.outcomes().map(|outcome| {
            let counts = outcome.counts.iter().map(|&count| Value::Whole(count));
            counts.chain([Value::Real(outcome.probability), Value::Real(outcome.distance)]).collect()
        });
        Mark::Data.on(Sheet::new(columns, rows))
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        page.say(format!(
            "{} at counts {}, prior {}, epsilon {}",
            self.score.as_ref().map_or_else(
                || self.mechanism.to_string(),
                |score| format!("{}(score={score})", self.mechanism)
            ),
            list(&self.counts),
            list(&self.prior),
            self.epsilon
        ));
        page.sheet(quantities(self));
        let (shown, all) = (self.outcomes.len().min(SHOWN), self.outcomes.len());
        page.say(match shown == all {
            true => format!("All {all} outcomes, the likeliest first:"),
            false => format!("{shown} of {all} outcomes, the likeliest first (--format csv lists all):"),
        });
        page.sheet(likeliest(self));
        page.mark(Mark::Data);
        if self.sensitivity.is_some() {
            page.explain(Paragraph::led(
            "Sensitivity:",
            match &self.score {
                None => "the Hellinger distance by which the posterior can move when one record changes. Global: at the worst data \
                         set. Local: at these counts. Smooth: an upper bound on the local one that changes little between \
                         neighbouring data sets."
                    .to_owned(),
                Some(score) => format!(
                    "how much the score {score} of any candidate can change when one record changes. Global: at the worst data \
                     set. Local: at these counts. Smooth: an upper bound on the local one that changes little between \
                     neighbouring data sets."
                ),
            },
        ));
        }
        page.explain(Paragraph::led(
            "Distance:",
            "the Hellinger distance between the released and the true posterior (0 is equal, 1 is disjoint).",
        ));
        page
    }
}

fn quantities(found: &Inspection) -> Sheet<'_> {
    let smooth = if found.beta.is_some() { "beta-smooth sensitivity" } else { "gamma-smooth sensitivity" };
    let sensitivities = found.sensitivity.as_ref().map(|found| {
        [("global sensitivity", found.global), ("local sensitivity", found.local), (smooth, found.smooth)]
    });
    let others =
        [("expected distance", found.expected_distance), ("P(exact answer)", found.probability_exact)];
    let rows = sensitivities.into_iter().flatten().chain(others);
    let rows = rows.map(|(name, value)| vec![Value::text(name), Value::Real(value)]).collect::<Vec<_>>();
    Sheet::new(vec![Column::text("quantity"), Column::number("value")], rows)
}

fn likeliest(found: &Inspection) -> Sheet<'_> {
    let mut likely: Vec<_> = found.outcomes.outcomes().collect();
    likely.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.counts.cmp(b.counts)));
    let rows = likely.into_iter().take(SHOWN).map(|outcome| {
        vec![
            Value::text(list(outcome.counts)),
            Value::Real(outcome.probability),
            Value::Real(outcome.distance),
        ]
    });
    let columns = vec![Column::text("counts"), Column::number("probability"), Column::number("distance")];
    Sheet::new(columns, rows)
}
