//! What a budget means for one person, in the words of the library.

use posterity::document::Promised;
use posterity::{Adjacency, meaning};
use posterity_present::Mark;

use crate::html;
use crate::sentence::sentence;

/// How many releases are added up, to show that budgets do.
const SEVERAL: u64 = 3;

/// What a budget means for one record, or for one unit, and what is not promised. n is the number of records or units, if
/// it is public.
pub(crate) fn meaning(adjacency: Adjacency, epsilon: f64, delta: f64, n: Option<u64>, unit: &str) -> String {
    let delta_means =
        meaning::of_delta(delta).map(|said| format!("<p>{}</p>", html::text(said))).unwrap_or_default();
    let not: String = meaning::not_promised(adjacency, unit)
        .iter()
        .map(|one| format!("<li>{}</li>", html::text(one)))
        .collect();
    // Epsilons add up by themselves. With a delta, less than their sum is spent.
    let several = if delta > 0.0 {
        String::new()
    } else {
        format!(" {}", html::text(meaning::of_several(SEVERAL, epsilon, unit)))
    };
    format!(
        "{}<p>{}{several}</p>{delta_means}<details><summary>What is not promised</summary><ul>{not}</ul></details>",
        warnings(adjacency, epsilon, delta, n),
        html::text(meaning::under(adjacency, epsilon, delta, unit)),
    )
}

/// The warnings for a large budget; nothing for others. n is the number of records or units, if it is public.
pub(crate) fn warnings(adjacency: Adjacency, epsilon: f64, delta: f64, n: Option<u64>) -> String {
    let all = meaning::warnings(adjacency, epsilon, delta, n);
    all.into_iter().map(|why| format!("<p class=\"wrong\">{}</p>", html::text(sentence(why)))).collect()
}

/// What a reader of a document must not miss: that it is not private, or that its budget is large.
pub(crate) fn warnings_of(mark: Mark, promise: &Promised, n: Option<u64>) -> String {
    if let Some(line) = mark.line() {
        return format!("<p class=\"wrong\">{}.</p>", html::text(line));
    }
    let (Some(epsilon), Some(delta)) = (promise.epsilon(), promise.delta()) else { return String::new() };
    warnings(promise.adjacency(), epsilon.to_f64_shown(), delta.to_f64_shown(), n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_library() {
        let said = meaning(Adjacency::Replace, 1.0, 0.0, None, "patient");
        assert!(said.contains(&html::text(meaning::for_one(1.0, 0.0, "patient"))), "{said}");
        assert!(said.contains("73.2 %") && said.contains("Patients that depend"), "{said}");
        assert!(!said.contains("wrong"));
        let wide = meaning(Adjacency::Replace, 1.0, 0.1, None, "patient");
        assert!(wide.contains(&html::text(meaning::for_one(1.0, 0.1, "patient"))), "{wide}");
        assert!(!wide.contains("such releases"), "{wide}");
        assert!(
            wide.contains("<p class=\"wrong\">Delta 0.1 is above")
                && wide.contains("Delta is the probability")
        );
        let private = meaning(Adjacency::AddRemove, 1.0, 0.0, None, "patient");
        assert!(private.contains("whether one patient is in the data"), "{private}");
        assert!(
            meaning(Adjacency::Replace, 10.5, 0.0, None, "record")
                .contains("<p class=\"wrong\">Epsilon 10.5 is so large")
        );
    }
}
