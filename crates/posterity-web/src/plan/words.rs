//! What a budget means for one person, in the words of the library.

use posterity::{Adjacency, meaning};

use crate::html;
use crate::sentence::sentence;

/// How many releases are added up, to show that budgets do.
const SEVERAL: u64 = 3;

/// What a budget means for one record, or for one unit, and what is not promised.
pub(crate) fn meaning(adjacency: Adjacency, epsilon: f64, delta: f64, unit: &str) -> String {
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
        "{}<p>{}{several}</p><details><summary>What is not promised</summary><ul>{not}</ul></details>",
        warning(epsilon),
        html::text(meaning::under(adjacency, epsilon, delta, unit)),
    )
}

/// The warning for a large budget; nothing for others.
pub(crate) fn warning(epsilon: f64) -> String {
    meaning::warning(epsilon)
        .map(|why| format!("<p class=\"wrong\">{}</p>", html::text(sentence(why))))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_library() {
        let said = meaning(Adjacency::Replace, 1.0, 0.0, "patient");
        assert!(said.contains(&html::text(meaning::for_one(1.0, 0.0, "patient"))), "{said}");
        assert!(said.contains("73.2 %") && said.contains("Patients that depend"), "{said}");
        assert!(!said.contains("wrong"));
        let wide = meaning(Adjacency::Replace, 1.0, 0.1, "patient");
        assert!(wide.contains(&html::text(meaning::for_one(1.0, 0.1, "patient"))), "{wide}");
        assert!(!wide.contains("such releases"), "{wide}");
        let private = meaning(Adjacency::AddRemove, 1.0, 0.0, "patient");
        assert!(private.contains("whether one patient is in the data"), "{private}");
        assert!(
            meaning(Adjacency::Replace, 10.5, 0.0, "record")
                .contains("<p class=\"wrong\">Epsilon 10.5 is so large")
        );
    }
}
