//! The form that asks for other readings of a release.

use crate::fields::Fields;
use crate::html;

use super::asked::fields;

/// The form, for a release that is `of` a kind and has this name there. `token` is the hidden field of every form.
pub(crate) fn form(token: &str, of: &str, id: &str, typed: &Fields, wrong: Option<&str>) -> String {
    let said = wrong.map(|why| format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(why)));
    let open = if wrong.is_some() || typed.get("read").is_some() || typed.get("compare").is_some() {
        " open"
    } else {
        ""
    };
    format!(
        "<details class=\"card ask\" id=\"ask\"{open}><summary>Read something else from this release, at no cost</summary>{}\
         <form action=\"/reading\" method=\"post\" autocomplete=\"off\">{token}<input type=\"hidden\" name=\"of\" value=\"{}\">\
         <input type=\"hidden\" name=\"id\" value=\"{}\">{}<p class=\"act\"><button>Read</button></p></form></details>",
        said.unwrap_or_default(),
        html::text(of),
        html::text(id),
        fields(typed)
    )
}
