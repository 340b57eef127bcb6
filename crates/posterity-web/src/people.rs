//! The number of people, as it is known from public sources. It is for forecasts only.

use maud::{Markup, html};

/// The field that asks for it.
pub(crate) fn field(typed: &str) -> Markup {
    html! {
        p {
            label for="n" { "Number of people, if it is known from public sources" }
            input id="n" name="n" value=(typed) inputmode="numeric" aria-describedby="n-help";
            span.help id="n-help" { "With it the summary says how wide the intervals will be." }
        }
    }
}

/// Said in a summary where it was not given.
pub(crate) fn unknown() -> Markup {
    html! {
        p.small {
            "Go back and give the number of people, from public sources, to see how wide the intervals will be."
        }
    }
}
