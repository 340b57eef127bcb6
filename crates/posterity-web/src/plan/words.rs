//! What a budget means for one person, in words.

use posterity::number::short;

use crate::html;

/// What epsilon bounds, without formulas. Whoever holds two values of one record for equally likely beforehand can be sure of one
/// of them with a probability of at most `exp(epsilon)/(1 + exp(epsilon))` afterwards, even if they know all other records: the
/// release changes the odds by a factor of at most `exp(epsilon)`.
pub(crate) fn meaning(epsilon: f64) -> String {
    let factor = epsilon.exp();
    let sure = 100.0 / (1.0 + (-epsilon).exp());
    let sure = if sure >= 99.95 { "more than 99.9".to_owned() } else { format!("{sure:.1}") };
    let factor =
        if factor < 100.0 { format!("{factor:.2}") } else { posterity::number::count(factor.ceil()) };
    let verdict = match epsilon {
        e if e <= 0.1 => "That is a very strong promise.",
        e if e <= 1.0 => "That is a strong promise.",
        e if e <= 3.0 => "That is a moderate promise.",
        _ => "That is a weak promise: it protects little against somebody who knows much.",
    };
    format!(
        "<p>Take one person, and somebody who knows everybody else’s answer. Before the release they hold two answers of that \
         person for equally likely: 50 %. After it they can be at most <strong>{sure} %</strong> sure of one. No release can \
         change the odds by more than a factor of <strong>{factor}</strong>, which is e<sup>ε</sup> at ε = {}. {verdict}</p>",
        html::text(short(epsilon))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_that_of_the_odds() {
        let text = meaning(1.0);
        assert!(text.contains("73.1 %") && text.contains("2.72"), "{text}");
        assert!(meaning(0.01).contains("50.2 %"));
        assert!(meaning(10.0).contains("more than 99.9 %") && meaning(10.0).contains("22,027"));
    }
}
