//! What to expect at all budgets: curves, and a budget that is split over several questions.

use maud::{Markup, html};
use posterity::Epsilon;
use posterity::number::points;
use posterity_advice::plan::{ErrorCurves, Expectation, error_curves};

use super::cache::Curves;
use super::outlook;
use super::search::Aim;
use super::state::{PlanForm, State};
use crate::extract::Query;
use crate::pictures;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// The budgets of the curve of half-widths: five in each decade.
const WIDTHS: [&str; 16] = [
    "0.01", "0.016", "0.025", "0.04", "0.063", "0.1", "0.16", "0.25", "0.4", "0.63", "1", "1.6", "2.5", "4",
    "6.3", "10",
];
/// The budgets of the curves of errors: three in each decade.
const ERRORS: [&str; 10] = ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10"];

/// The curves, alone.
pub(crate) fn curves(site: &Site, Query(typed): Query<PlanForm>) -> Answer {
    let state = Aim::new(&site.plans().searches, &typed)?.ready();
    Ok(Reply::Html(state.map(|state| section(site, &state)).unwrap_or_default()))
}

/// Whether the curves are known already, so that a page can show them at once.
pub(super) fn are_known(site: &Site, state: &State) -> bool {
    site.plans().curves.known(&state.key())
}

/// The curves with the chosen budget marked.
pub(super) fn section(site: &Site, state: &State) -> Markup {
    match site.plans().curves.get(&state.key(), || compute(state)) {
        Ok(curves) => drawn(state, &curves),
        Err(wrong) => html! { p.wrong { (wrong) } },
    }
}

fn compute(state: &State) -> Result<Curves, String> {
    let quick = |list: &[&str]| -> Result<Vec<Epsilon>, String> {
        let all: Result<Vec<Epsilon>, _> = list.iter().map(|text| text.parse().map_err(sentence)).collect();
        Ok(all?.into_iter().filter(|epsilon| state.is_quick_at(epsilon)).collect())
    };
    let (mut widths, mut without) = (Vec::new(), 0.0);
    for epsilon in quick(if state.table.is_some() { &ERRORS } else { &WIDTHS })? {
        let widths_at = outlook::widths(state, &epsilon)?;
        without = widths_at.without;
        widths.push((epsilon.to_f64(), widths_at.private));
    }
    let errors = if state.n_is_private() {
        None
    } else {
        let curves = error_curves(&state.prior_or_uniform()?, state.n, &state.shape, &quick(&ERRORS)?);
        Some(curves.map_err(sentence)?)
    };
    Ok(Curves { widths, without, errors })
}

/// A value of a curve between its points, which are joined by straight lines in logarithms.
fn between(curve: &[(f64, f64)], epsilon: f64) -> Option<f64> {
    let after = curve.iter().position(|point| point.0 >= epsilon * (1.0 - 1e-12))?;
    let (x1, y1) = curve[after];
    let (x0, y0) = curve[after.saturating_sub(1)];
    if epsilon < x0 * (1.0 - 1e-12) || after == 0 {
        return ((epsilon / x1 - 1.0).abs() < 1e-9).then_some(y1);
    }
    let share = (epsilon / x0).ln() / (x1 / x0).ln();
    Some(y0 * (y1 / y0).powf(share))
}

fn drawn(state: &State, curves: &Curves) -> Markup {
    let epsilon = state.epsilon.to_f64();
    let chosen = between(&curves.widths, epsilon).unwrap_or(curves.without);
    html! {
        h2 { "Over the whole range of budgets" }
        div.pair {
            figure {
                figcaption {
                    h3 { "Width against epsilon" }
                    p.small {
                        "Expected half-width of the widest interval, in percentage points. The dotted line is without privacy."
                    }
                }
                (pictures::widths(&curves.widths, curves.without, (epsilon, chosen)))
            }
            @if let Some(errors) = &curves.errors { (errors_drawn(errors, epsilon)) }
        }
        (split(state, curves))
    }
}

/// The error of all mechanisms, with what the lines are.
fn errors_drawn(errors: &ErrorCurves, epsilon: f64) -> Markup {
    let over = match (errors.over, errors.limit.is_some()) {
        (Expectation::Prior, true) => {
            "On average over data drawn from the prior, exactly. The dashed line is the least error that any private mechanism onto \
             possible counts can have. A decoded release, as lattice makes it, need not be possible counts and can be below it."
        }
        (Expectation::Prior, false) => "On average over data drawn from the prior, exactly.",
        (Expectation::Data, _) => {
            "At the made-up data, simulated. The limit of all mechanisms is drawn for small numbers of records only (about 30 in two \
             categories): it takes too long for more."
        }
    };
    html! {
        figure {
            figcaption {
                h3 { "Error of all mechanisms" }
                p.small {
                    "Expected Hellinger distance from the true posterior: 0 is equal, 1 has nothing in common. " (over)
                }
            }
            (pictures::errors(errors, epsilon))
            (legend(errors))
        }
    }
}

fn legend(errors: &ErrorCurves) -> Markup {
    html! {
        ul.legend {
            @for (index, curve) in errors.curves.iter().enumerate() {
                li {
                    span class={ "key k" (index % pictures::COLOURS) } {}
                    (curve.mechanism.name)
                    @if curve.mechanism.name == "lattice" { " " small { "(the default)" } }
                }
            }
            @if errors.limit.is_some() {
                li { span.key.limit-key {} "the limit of all mechanisms" }
            }
        }
    }
}

/// What remains of the precision if the budget is split evenly over several questions.
fn split(state: &State, curves: &Curves) -> Markup {
    html! {
        section.card.split {
            h3 { "One budget, several questions" }
            p.small {
                "Every question about the same people spends. This is what each gets if ε = " (state.epsilon) " is split \
                 evenly (read off the curve above)."
            }
            table {
                thead {
                    tr {
                        th scope="col" { "questions" }
                        th scope="col" { "ε each" }
                        th scope="col" { "half-width each, about" }
                    }
                }
                // Every budget has all rows, so that nothing on the page moves.
                tbody { @for questions in [1, 2, 3, 5, 10] { (share(state, curves, questions)) } }
            }
        }
    }
}

/// What each of so many questions gets.
fn share(state: &State, curves: &Curves, questions: u32) -> Markup {
    let each = state.epsilon.to_f64() / f64::from(questions);
    let width = match between(&curves.widths, each) {
        Some(width) => format!("± {} points", points(width)),
        None => "not on the curve".to_owned(),
    };
    let each = posterity::number::brief(each);
    let each = if each.contains('.') { each.trim_end_matches('0').trim_end_matches('.') } else { &each };
    html! { tr { th scope="row" { (questions) } td { (each) } td { (width) } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_the_points_of_a_curve() {
        let curve = [(0.1, 0.4), (1.0, 0.04), (10.0, 0.04)];
        for (epsilon, expected) in
            [(0.1, Some(0.4)), (1.0, Some(0.04)), (10.0, Some(0.04)), (0.01, None), (20.0, None)]
        {
            let found = between(&curve, epsilon);
            assert_eq!(found.is_some(), expected.is_some(), "{epsilon}: {found:?}");
            if let (Some(found), Some(expected)) = (found, expected) {
                assert!((found / expected - 1.0).abs() < 1e-9, "{epsilon}: {found}");
            }
        }
        let middle = between(&curve, 0.1 * 10_f64.sqrt()).expect("within");
        assert!((middle / (0.4 / 10_f64.sqrt()) - 1.0).abs() < 1e-9, "{middle}");
    }
}
