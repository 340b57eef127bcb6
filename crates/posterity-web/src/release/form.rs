//! The page on which a release is asked for.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::asked::ReleaseForm;
use crate::extract::Query;
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::typed::Typed;

/// What a form begins with: the draft of a summary, or what was typed before.
#[derive(Default, Deserialize)]
#[serde(default, bound = "F: Default + DeserializeOwned")]
pub(crate) struct Beginning<F> {
    draft: Typed,
    #[serde(flatten)]
    form: F,
}

/// The page of a form, empty or with what was typed before. Whoever comes back from a summary finds what they typed.
pub(crate) fn page<F: ReleaseForm>(
    site: &Site,
    Query(Beginning { draft, mut form }): Query<Beginning<F>>,
) -> Answer {
    let desk = site.desk();
    Ok(Reply::Html(match site.releases().draft(&draft) {
        Some((asked, _)) => asked.form.page(&desk, None),
        None => {
            form.begin(&desk);
            form.page(&desk, None)
        }
    }))
}
