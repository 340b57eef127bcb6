//! Whether the number of people is public: the question that forms ask, and what follows from the answer.

use maud::{Markup, html};
use posterity::Adjacency;

/// The question with its two answers. Nothing typed is the first of them, as it is for the command. `follows` says for
/// each what follows from it.
pub(crate) fn field(typed: &str, follows: [&str; 2]) -> Markup {
    let answers = [
        (Adjacency::Replace, "Yes: n is published exactly (replace)"),
        (Adjacency::AddRemove, "No: whether anyone is in the data at all is protected (add-remove)"),
    ];
    let chosen = if typed.is_empty() { Adjacency::default().name() } else { typed };
    html! {
        div.choice role="radiogroup" aria-labelledby="adjacency-label" {
            p id="adjacency-label" class="asked" { "Is the number of people public?" }
            @for ((one, words), follows) in answers.into_iter().zip(follows) {
                @let (one, help) = (one.name(), format!("{one}-help"));
                p.check {
                    label {
                        input type="radio" name="adjacency" value=(one) aria-describedby=(help) checked[chosen == one];
                        " " (words)
                    }
                    span.help id=(help) { (follows) }
                }
            }
        }
    }
}

/// The answer in the words of a summary.
pub(crate) fn in_words(adjacency: Adjacency) -> &'static str {
    match adjacency {
        Adjacency::Replace => "public: n is published exactly (replace)",
        Adjacency::AddRemove => "private: whether anyone is in the data at all is protected (add-remove)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_typed_is_what_the_command_does() {
        let field = |typed: &str| field(typed, ["a", "b"]).into_string();
        for (typed, chosen) in [("", "replace"), ("replace", "replace"), ("add-remove", "add-remove")] {
            let shown = field(typed);
            assert_eq!(shown.matches(" checked").count(), 1, "{shown}");
            assert!(
                shown.contains(&format!("value=\"{chosen}\" aria-describedby=\"{chosen}-help\" checked")),
                "{shown}"
            );
        }
    }
}
