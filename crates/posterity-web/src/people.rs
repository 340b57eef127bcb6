//! The number of people, as it is known from public sources. It is for forecasts only.

use crate::html;
use crate::typed::Typed;

/// The field that asks for it.
pub(crate) fn field(typed: &Typed<u64>) -> String {
    format!(
        "<p><label for=\"n\">Number of people, if it is known from public sources</label><input id=\"n\" name=\"n\" value=\"{}\" \
         inputmode=\"numeric\" aria-describedby=\"n-help\"><span class=\"help\" id=\"n-help\">With it the summary says how wide the \
         intervals will be.</span></p>",
        html::text(typed)
    )
}

/// Said in a summary where it was not given.
pub(crate) fn unknown() -> String {
    "<p class=\"small\">Go back and give the number of people, from public sources, to see how wide the intervals will be.</p>".to_owned()
}
