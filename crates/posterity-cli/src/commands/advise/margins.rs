//! `posterity advise --sets`

use posterity::margins::{MarginsError, MarginsTerms, Which};
use posterity::number::{brief, count, decimal, percent, points};
use posterity::plan::Stated;
use posterity::table::{Subject, Ways};
use posterity::{Adjacency, meaning};
use posterity_advice::margins::{
    MarginsAdvice, MarginsAdviceError, MarginsLevel, MarginsPlan, advise_margins,
};

use super::arguments::AdviseArgs;
use crate::commands::margins::{columns, wrong_margins};
use crate::failure::Failure;
use crate::notice::{note, warn};
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value, print};
use crate::progress::Progress;

/// Forecasts a release of many tables, beside smaller and larger ones.
pub(super) fn advise(args: &AdviseArgs, stated: &Stated, which: &Which) -> Result<(), Failure> {
    let terms = terms(args, stated, which)?;
    let columns = args.columns_of(which)?;
    let progress = Progress::spinner("planning the noise of all tables");
    let advice = advise_margins(&columns, args.n, &terms);
    drop(progress);
    let advice = advice.map_err(wrong)?;
    advice.left_out.iter().for_each(note);
    advice.warning.iter().for_each(warn);
    meaning::warnings(advice.adjacency, advice.epsilon, advice.delta, Some(advice.n)).iter().for_each(warn);
    Ok(print(&args.public.printing, &advice)?)
}

/// The terms, or which flag has no meaning here.
fn terms(args: &AdviseArgs, stated: &Stated, which: &Which) -> Result<MarginsTerms, Failure> {
    let unused = [
        ("--k", args.k.is_some()),
        ("--prior", args.public.states_prior()),
        ("--mechanisms", args.mechanisms.is_some()),
        ("--read", !stated.readings().is_empty()),
        ("--shape", args.public.fields.get("shape").is_some()),
        ("--shape-from", args.shape_from.is_some()),
        ("--plot", args.plot().is_some()),
    ];
    if let Some((flag, _)) = unused.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(flag, "this does not go with --sets; leave it out"));
    }
    let goals = [("--half-width", args.half_width.is_some()), ("--distance", args.distance.is_some())];
    if let Some((flag, _)) = goals.into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage(
            flag,
            "tables of many columns are planned for a budget; give --epsilon instead",
        ));
    }
    let budget = || Failure::usage("--epsilon", "give the budget of all tables");
    let epsilon = stated.epsilon().cloned().ok_or_else(budget)?;
    let delta = stated.delta().cloned().ok_or_else(|| Failure::usage("--delta", MarginsError::Delta))?;
    meaning::check_delta(&delta, stated.allows_large_delta())
        .map_err(|error| Failure::large_delta(&error))?;
    let usual = MarginsTerms::new(which.clone(), epsilon, delta);
    let ways = Ways { level: stated.level(), ..usual.ways };
    Ok(MarginsTerms { adjacency: stated.adjacency(), ways, ..usual })
}

fn wrong(error: MarginsAdviceError) -> Failure {
    match error {
        MarginsAdviceError::Records { .. } => Failure::usage("--n", error),
        MarginsAdviceError::Level(_) => Failure::usage("--level", error),
        MarginsAdviceError::Margins(error) => wrong_margins(error),
        other => Failure::refused(other),
    }
}

impl Report for MarginsAdvice {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = [
            "margins",
            "price",
            "gap",
            "columns",
            "tables",
            "deviation",
            "largest_deviation",
            "expected_l1",
            "share",
            "about",
            "half_width",
            "widest",
        ];
        let rows = levels(self).flat_map(|(plan, level)| {
            level.half_widths.iter().map(move |width| {
                vec![
                    Value::text(plan.margins.as_str()),
                    Value::Real(plan.price.rho),
                    Value::Real(plan.price.gap),
                    Value::Whole(level.columns as u64),
                    Value::Whole(level.tables as u64),
                    Value::Real(level.deviation),
                    Value::Real(level.largest_deviation),
                    Value::Real(level.expected_l1),
                    Value::Real(width.share),
                    Value::text(subject(width.about)),
                    Value::Real(width.half_width),
                    Value::Real(width.widest),
                ]
            })
        });
        Sheet::new(columns.map(Column::text).into(), rows)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        page.say(format!(
            "Tables of {} columns at epsilon {}, delta {:e}: rho {}. {}",
            self.columns.len(),
            self.epsilon,
            self.delta,
            brief(self.rho),
            price(&self.plans[0])
        ));
        page.pause();
        page.say(format!(
            "Expected {} % confidence intervals of the share of a cell, ± percentage points, about the records / about the population:",
            percent(self.level)
        ));
        page.sheet(forecasts(self));
        page.say(sampling(self));
        for reason in &self.reasons {
            page.say(reason.as_str());
        }
        page.say(format!(
            "Assumed: n {}{}. No data was read.",
            count(self.n as f64),
            guessed(self.adjacency)
        ));
        explain(self, &mut page);
        page
    }
}

/// Every plan with each of its levels.
fn levels(advice: &MarginsAdvice) -> impl Iterator<Item = (&MarginsPlan, &MarginsLevel)> {
    advice.plans.iter().flat_map(|plan| plan.levels.iter().map(move |level| (plan, level)))
}

fn subject(about: Subject) -> &'static str {
    match about {
        Subject::Records => "records",
        Subject::Population => "population",
    }
}

/// One line for the tables of each size, in each plan.
fn forecasts(advice: &MarginsAdvice) -> Sheet<'_> {
    let mut headings = vec![
        Column::text("margins"),
        Column::text("tables"),
        Column::number("noise"),
        Column::number("L1 error"),
    ];
    let shares = advice.without_privacy.iter().map(|one| one.share);
    headings.extend(shares.clone().map(|share| Column::number(format!("at {} %", percent(share)))));
    let rows = levels(advice).map(move |(plan, level)| {
        let mut row = vec![
            Value::text(plan.margins.as_str()),
            Value::text(format!("{} of {}", level.tables, columns(level.columns))),
            Value::text(brief(level.deviation)),
            Value::text(decimal(level.expected_l1)),
        ];
        row.extend(shares.clone().map(|share| Value::text(both(level, share))));
        row
    });
    Sheet::new(headings, rows)
}

/// The half-widths of a share about the records and about the population: `0.527 / 1.57`.
fn both(level: &MarginsLevel, share: f64) -> String {
    let widths = level.half_widths.iter().filter(|width| width.share == share);
    widths.map(|width| points(width.half_width)).collect::<Vec<_>>().join(" / ")
}

/// What the plan costs, and how sure that is.
fn price(plan: &MarginsPlan) -> String {
    if plan.price.exact {
        return "The price of the noise is exact.".to_owned();
    }
    format!(
        "The price of the noise is a bound, at most {} % above what the worst pair of records costs that was found.",
        brief(100.0 * plan.price.gap)
    )
}

fn sampling(advice: &MarginsAdvice) -> String {
    let one = |width: &posterity_advice::margins::WithoutPrivacy| {
        format!("± {} at {} %", points(width.half_width), percent(width.share))
    };
    let all: Vec<String> = advice.without_privacy.iter().map(one).collect();
    format!("Without privacy, about the population: {}.", all.join(", "))
}

fn guessed(adjacency: Adjacency) -> &'static str {
    match adjacency {
        Adjacency::Replace => "",
        Adjacency::AddRemove => ", a guess, because n is private",
    }
}

fn explain(advice: &MarginsAdvice, page: &mut Page<'_>) {
    page.explain(Paragraph::led(
        "Columns:",
        "noise is the standard deviation of one cell, in records; the L1 error is the mean, over the tables, of the expected sum of \
         the errors of all shares. Noise and intervals are those of the table in the middle: half of the tables have less \
         (--format json also has the widest). Intervals about records hold the noise only, and those about the population also \
         the error of sampling.",
    ));
    if let Some(within) = advice.plans[0].within {
        let more = 100.0 * (within - 1.0).max(0.0);
        let how = format!(
            "the mean variance is at most {} % above the least that any plan of this kind can have.",
            brief(more)
        );
        page.explain(Paragraph::led("Plan:", how));
    }
    page.explain(Paragraph::led(
        "Meaning:",
        meaning::under(advice.adjacency, advice.epsilon, advice.delta, "record"),
    ));
}
