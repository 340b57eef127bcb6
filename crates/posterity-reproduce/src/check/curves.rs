//! Checks of the shape of curves. A curve is the rows of one series in one panel.

use super::finding::{Finding, Part, named, place};
use super::outcome::{Gap, Outcome, slack};
use super::word::ALIKE;
use crate::table::{ResultRow, ResultTable};
use posterity::number::brief;

/// Whether the largest value of each curve is at the x that its quantity `at_of` says.
pub(super) fn maximum_at(of: &str, table: &ResultTable, rows: &[&ResultRow], at_of: &str) -> Finding {
    let all = curves(rows).into_iter().filter_map(|curve| {
        let most = curve.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value))?;
        let wanted = table
            .rows()
            .iter()
            .find(|row| row.quantity == at_of && row.panel == most.panel && row.series == most.series);
        let there = wanted.and_then(|wanted| curve.iter().find(|row| row.x == Some(wanted.value)));
        // Several x may share the maximum.
        let holds = there.is_some_and(|row| row.value >= most.value * (1.0 - 1e-12));
        let outcome = if holds { Outcome::Holds } else { Outcome::Fails };
        let evidence = format!(
            "{}the largest {of} is {} at {}, and {} at the {at_of} {}",
            if most.panel.is_empty() { String::new() } else { format!("{}: ", most.panel) },
            brief(most.value),
            most.x.map(brief).unwrap_or_default(),
            there.map(|row| brief(row.value)).unwrap_or_default(),
            wanted.map(|row| brief(row.value)).unwrap_or_default(),
        );
        Some((outcome, most.value, evidence, vec![whole(most, outcome)]))
    });
    together(all)
}

/// A comparison of a whole curve.
fn whole(row: &ResultRow, outcome: Outcome) -> Part {
    Part { x: None, ..Part::at(row, outcome) }
}

/// Whether values fall with x.
pub(super) fn falling(of: &str, rows: &[&ResultRow]) -> Finding {
    monotone(of, rows, -1.0, "falls")
}

/// Whether values rise with x.
pub(super) fn rising(of: &str, rows: &[&ResultRow]) -> Finding {
    monotone(of, rows, 1.0, "rises")
}

/// Whether the values of each curve differ by at most `tolerance` times the largest.
pub(super) fn constant(of: &str, rows: &[&ResultRow], tolerance: f64) -> Finding {
    spread(of, rows, |spread, slack| Gap { over: spread - tolerance, slack }.outcome())
}

/// Whether the values of each curve are not alike.
pub(super) fn varies(of: &str, rows: &[&ResultRow]) -> Finding {
    spread(of, rows, |spread, slack| Gap { over: ALIKE - spread, slack }.strict_outcome())
}

/// Judges each curve by the largest difference of its values, over the largest of them.
fn spread(of: &str, rows: &[&ResultRow], judge: impl Fn(f64, f64) -> Outcome) -> Finding {
    let all = curves(rows).into_iter().filter_map(|curve| {
        let least = curve.iter().copied().min_by(|a, b| a.value.total_cmp(&b.value))?;
        let most = curve.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value))?;
        let largest = most.value.abs();
        let outcome = judge((most.value - least.value) / largest, slack(most).hypot(slack(least)) / largest);
        let evidence = format!(
            "the {} lies between {} {}and {} {}",
            named(of, &most.series),
            brief(least.value),
            place(least),
            brief(most.value),
            place(most).trim_end()
        );
        Some((outcome, least.value, evidence.trim_end().to_owned(), vec![whole(least, outcome)]))
    });
    together(all)
}

fn monotone(of: &str, rows: &[&ResultRow], sign: f64, word: &str) -> Finding {
    // A step in the wrong direction that rounding explains does not count.
    let step = |pair: &[&ResultRow]| Gap {
        over: sign * (pair[0].value - pair[1].value) - 1e-9 * pair[0].value.abs(),
        slack: slack(pair[0]).hypot(slack(pair[1])),
    };
    let all = curves(rows).into_iter().filter_map(|mut curve| {
        curve.sort_by(|a, b| a.x.unwrap_or(0.0).total_cmp(&b.x.unwrap_or(0.0)));
        let outcome = curve.windows(2).map(|pair| step(pair).outcome()).min().unwrap_or(Outcome::Holds);
        let exception = curve.windows(2).find(|pair| step(pair).outcome() != Outcome::Holds);
        let (first, last) = (curve.first()?, curve.last()?);
        let evidence = match exception {
            Some(pair) => format!(
                "the {} {}: {} {}and {} {}",
                named(of, &first.series),
                if outcome == Outcome::Fails { "does not" } else { "may not" },
                brief(pair[0].value),
                place(pair[0]),
                brief(pair[1].value),
                place(pair[1]).trim_end()
            ),
            None => format!(
                "the {} {word} from {} {}to {} {}",
                named(of, &first.series),
                brief(first.value),
                place(first),
                brief(last.value),
                place(last).trim_end()
            ),
        };
        let value = exception.map_or(last.value, |pair| pair[1].value);
        // A step belongs to the x that it leads to.
        let parts = curve.windows(2).map(|pair| Part::at(pair[1], step(pair).outcome())).collect();
        Some((outcome, value, evidence.trim_end().to_owned(), parts))
    });
    together(all)
}

/// All curves, with the words of the first of those that say the worst.
fn together(all: impl Iterator<Item = Curve>) -> Finding {
    let all: Vec<Curve> = all.collect();
    let outcomes: Vec<Outcome> = all.iter().map(|one| one.0).collect();
    let Some((_, value, evidence, _)) = all.iter().min_by_key(|one| one.0) else {
        return Finding::nothing(String::new());
    };
    let mut found = Finding::many(&outcomes, Some(*value), evidence.clone());
    if found.comparisons > 1 {
        let curves = format!(" ({} of {} curves hold)", found.holding, found.comparisons);
        found.evidence.push_str(&curves);
    }
    found.with(all.into_iter().flat_map(|one| one.3).collect())
}

/// What a curve says, the number that decides it, its words, and where it holds.
type Curve = (Outcome, f64, String, Vec<Part>);

/// The rows by panel and series.
fn curves<'t>(rows: &[&'t ResultRow]) -> Vec<Vec<&'t ResultRow>> {
    let mut curves: Vec<Vec<&ResultRow>> = Vec::new();
    for &row in rows {
        let mine =
            |curve: &&mut Vec<&ResultRow>| curve[0].panel == row.panel && curve[0].series == row.series;
        match curves.iter_mut().find(mine) {
            Some(curve) => curve.push(row),
            None => curves.push(vec![row]),
        }
    }
    curves
}
