//! What a budget means for one person, in the words of the library.

use maud::{Markup, html};
use posterity::document::Promised;
use posterity::{Adjacency, meaning};
use posterity_present::Mark;

use crate::sentence::sentence;

/// How many releases are added up, to show that budgets do.
const SEVERAL: u64 = 3;

/// What a budget means for one record, or for one unit, and what is not promised. n is the number of records or units, if
/// it is public.
pub(crate) fn meaning(adjacency: Adjacency, epsilon: f64, delta: f64, n: Option<u64>, unit: &str) -> Markup {
    html! {
        (warnings(adjacency, epsilon, delta, n))
        p {
            (meaning::under(adjacency, epsilon, delta, unit))
            // Epsilons add up by themselves. With a delta, less than their sum is spent.
            @if delta <= 0.0 { " " (meaning::of_several(SEVERAL, epsilon, unit)) }
        }
        @if let Some(said) = meaning::of_delta(delta) { p { (said) } }
        details {
            summary { "What is not promised" }
            ul { @for one in meaning::not_promised(adjacency, unit) { li { (one) } } }
        }
    }
}

/// The warnings for a large budget; nothing for others. n is the number of records or units, if it is public.
pub(crate) fn warnings(adjacency: Adjacency, epsilon: f64, delta: f64, n: Option<u64>) -> Markup {
    html! {
        @for why in meaning::warnings(adjacency, epsilon, delta, n) { p.wrong { (sentence(why)) } }
    }
}

/// What a reader of a document must not miss: that it is not private, or that its budget is large.
pub(crate) fn warnings_of(mark: Mark, promise: &Promised, n: Option<u64>) -> Markup {
    if let Some(line) = mark.line() {
        return html! { p.wrong { (line) "." } };
    }
    let (Some(epsilon), Some(delta)) = (promise.epsilon(), promise.delta()) else { return Markup::default() };
    warnings(promise.adjacency(), epsilon.to_f64_shown(), delta.to_f64_shown(), n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(adjacency: Adjacency, epsilon: f64, delta: f64, unit: &str) -> String {
        meaning(adjacency, epsilon, delta, None, unit).into_string()
    }

    fn text(text: String) -> String {
        html! { (text) }.into_string()
    }

    #[test]
    fn the_words_are_those_of_the_library() {
        let usual = said(Adjacency::Replace, 1.0, 0.0, "patient");
        assert!(usual.contains(&text(meaning::for_one(1.0, 0.0, "patient"))), "{usual}");
        assert!(usual.contains("73.2 %") && usual.contains("Patients that depend"), "{usual}");
        assert!(!usual.contains("wrong"));
        let wide = said(Adjacency::Replace, 1.0, 0.1, "patient");
        assert!(wide.contains(&text(meaning::for_one(1.0, 0.1, "patient"))), "{wide}");
        assert!(!wide.contains("such releases"), "{wide}");
        assert!(
            wide.contains("<p class=\"wrong\">Delta 0.1 is above")
                && wide.contains("Delta is the probability")
        );
        let private = said(Adjacency::AddRemove, 1.0, 0.0, "patient");
        assert!(private.contains("whether one patient is in the data"), "{private}");
        assert!(
            said(Adjacency::Replace, 10.5, 0.0, "record")
                .contains("<p class=\"wrong\">Epsilon 10.5 is so large")
        );
    }
}
