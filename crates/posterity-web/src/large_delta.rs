//! The tick box for a delta that is refused otherwise.

use maud::{Markup, html};
use posterity::meaning::LargeDelta;

use crate::sentence::sentence;
use crate::typed::Typed;

/// What stands beside the box.
const LABEL: &str = "I mean a delta above 0.001";

/// The field.
pub(crate) fn field(ticked: &Typed) -> Markup {
    html! {
        p {
            label {
                input type="checkbox" id="allow_large_delta" name="allow_large_delta" value="yes"
                    checked[ticked.get().is_some()];
                " " (LABEL) ": with a probability of up to delta everything about a person may be told"
            }
        }
    }
}

/// Why a delta is refused, with the box that allows it.
pub(crate) fn remedy(error: &LargeDelta) -> String {
    sentence(format!("delta {error} (tick \"{LABEL}\")"))
}
