//! `posterity advise --half-width` and `posterity advise --distance`

use posterity::number::{brief, decimal, points};
use posterity::plan::Stated;
use posterity::{Adjacency, Decoder, meaning};
use posterity_advice::least::{Goal, LeastEpsilon, LeastError, Situation, least_epsilon};
use posterity_plot::{Axis, Content, Figure, Lines, Panel, Rule, Series, Style, write};
use posterity_present::words::list;

use super::arguments::AdviseArgs;
use crate::failure::Failure;
use crate::notice::{note, warn_of_large};
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value, print};
use crate::progress::Progress;

/// Finds the least epsilon for an error.
pub(super) fn least(args: &AdviseArgs, stated: &Stated, goal: Goal) -> Result<(), Failure> {
    if let Some(file) = &args.plot() {
        file.check().map_err(Failure::plot)?;
    }
    // The budget is what is searched for; any one makes the prior and checks the size.
    let any = "1".parse().map_err(|_| Failure::refused("1 is no budget"))?;
    let setting = args.setting(stated, &any)?;
    let situation = Situation {
        prior: setting.prior().clone(),
        n: setting.n(),
        shape: args.shape()?,
        level: stated.level(),
    };
    let progress = Progress::spinner("searching: epsilons tried");
    let found = least_epsilon(&situation, goal, args.plot().is_some(), &|done| progress.add(done));
    drop(progress);
    let found = found.map_err(|error| match error {
        LeastError::HalfWidth { .. } => Failure::usage("--half-width", error),
        LeastError::Distance { .. } => Failure::usage("--distance", error),
        LeastError::Shape { .. } => Failure::usage("--shape", error),
        LeastError::TooMany { .. } => Failure::usage("--k", format!("{error} (--epsilon)")),
        other => Failure::refused(other),
    })?;
    if let Some(file) = &args.plot() {
        write(&picture(&found), file).map_err(Failure::plot)?;
        note(format!("wrote {file}"));
    }
    warn_of_large(stated.adjacency(), found.epsilon);
    Ok(print(&args.public.printing, &Answer(found))?)
}

/// The answer as it is printed.
struct Answer(LeastEpsilon);

impl Report for Answer {
    type Document = LeastEpsilon;

    fn document(&self) -> &LeastEpsilon {
        &self.0
    }

    fn records(&self) -> Sheet<'_> {
        let found = &self.0;
        let columns = [
            "goal",
            "wanted",
            "epsilon",
            "mechanism",
            "expected",
            "standard_error",
            "without_privacy",
            "records_at_epsilon_1",
        ];
        let goal = match found.goal {
            Goal::Distance(_) => "distance",
            _ => "half_width",
        };
        let records = found.records.and_then(|records| records.at_epsilon_1);
        let row = vec![
            Value::text(goal),
            Value::Real(found.goal.wanted()),
            Value::optional(found.epsilon),
            found.mechanism.map_or(Value::Missing, |one| Value::text(one.to_string())),
            Value::optional(found.expected),
            Value::optional(found.standard_error),
            Value::Real(found.without_privacy),
            records.map_or(Value::Missing, Value::Whole),
        ];
        Sheet::new(columns.map(Column::text).into(), [row])
    }

    fn page(&self) -> Page<'_> {
        let found = &self.0;
        let mut page = Page::default();
        match (found.epsilon, found.mechanism) {
            (Some(epsilon), Some(mechanism)) => page.say(format!("Use epsilon {epsilon} with {mechanism}.")),
            _ if found.records.is_some() => page.say("No epsilon reaches that."),
            _ => {}
        }
        page.say(found.reason.as_str());
        if let Some(epsilon) = found.epsilon {
            page.say(Paragraph::led("Meaning:", meaning::for_one(epsilon, 0.0, "record")));
            page.explain(Paragraph::led("Several:", meaning::of_several(10, epsilon, "record")));
            for text in meaning::not_promised(Adjacency::Replace, "record") {
                page.explain(Paragraph::led("It does not promise:", text));
            }
        }
        if !found.others.is_empty() {
            page.pause();
            page.say("Other mechanisms at this epsilon:");
            let (unit, shown): (_, fn(f64) -> String) = match found.goal {
                Goal::Distance(_) => ("distance", decimal),
                _ => ("points to each side", points),
            };
            let mut columns = vec![Column::text("mechanism"), Column::number(unit)];
            // Numbers that are computed exactly have no error to show.
            let simulated = found.others.iter().any(|other| other.standard_error > 0.0);
            columns.extend(simulated.then(|| Column::number("error")));
            let rows = found.others.iter().map(move |other| {
                let decoder = match other.decoder {
                    Decoder::None => String::new(),
                    decoder => format!(" + {decoder}"),
                };
                let mut row = vec![
                    Value::text(format!("{}{decoder}", other.mechanism.name)),
                    Value::text(shown(other.expected)),
                ];
                row.extend(simulated.then(|| Value::text(shown(other.standard_error))));
                row
            });
            page.sheet(Sheet::new(columns, rows.collect::<Vec<_>>()));
        }
        page.say(format!(
            "Assumed: counts {}, n {}, prior {}. No data was read.",
            list(&found.assumed_counts),
            found.n,
            list(&found.prior)
        ));
        page.explain(Paragraph::led(
            "Method:",
            match found.standard_error {
                Some(0.0) => "exact, from all possible releases.".to_owned(),
                Some(error) => format!(
                    "a mean over made-up data and noise, with a standard error of {}.",
                    decimal(error)
                ),
                None => "the numbers of records are rounded up to three digits.".to_owned(),
            },
        ));
        page
    }
}

/// The error against epsilon, with the limit that no epsilon passes.
fn picture(found: &LeastEpsilon) -> Figure {
    let (label, factor, y) = match found.goal {
        Goal::Distance(_) => ("expected distance", 1.0, "expected Hellinger distance"),
        _ => ("half of the interval", 100.0, "percentage points to each side"),
    };
    let series = Series {
        label: label.to_owned(),
        style: found.mechanism.map_or_else(|| Style::plain(0), Style::mechanism),
        points: found.curve.iter().map(|[epsilon, error]| (*epsilon, factor * error)).collect(),
    };
    let shown = |error: f64| brief(factor * error);
    let wanted = found.goal.wanted();
    let mut series = vec![series];
    if let (Some([first, _]), Some([last, _]), true) =
        (found.curve.first(), found.curve.last(), found.without_privacy > 0.0)
    {
        let limit = factor * found.without_privacy;
        series.push(Series {
            label: format!("without privacy: {}", shown(found.without_privacy)),
            style: Style::plain(1).unmarked(),
            points: vec![(*first, limit), (*last, limit)],
        });
    }
    let label = format!("what you can bear: {}", shown(wanted));
    let mut rules = vec![Rule::Across { label, at: factor * wanted }];
    if let Some(epsilon) = found.epsilon {
        rules.push(Rule::Upright { label: format!("epsilon {epsilon}"), at: epsilon });
    }
    let panel = Panel {
        title: String::new(),
        x: Axis::log("epsilon"),
        y: Axis::linear(y).including(0.0),
        content: Content::Lines(Lines { series, rules }),
    };
    Figure {
        title: "Error against privacy budget".to_owned(),
        subtitle: format!("n = {}, counts {}", found.n, list(&found.assumed_counts)),
        rows: vec![vec![panel]],
    }
}
