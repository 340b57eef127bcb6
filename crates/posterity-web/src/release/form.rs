//! The page on which a release is asked for.

use serde::Deserialize;

use super::fieldsets;
use super::kinds::FormOf;
use crate::answers::Answers;
use crate::extract::Query;
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::typed::Typed;

/// What a form begins with: the draft of a summary, or what was typed before.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Beginning {
    draft: Typed,
    #[serde(flatten)]
    answers: Answers,
}

/// The page of a form, empty or with what was typed before. Whoever comes back from a summary finds what they typed.
pub(crate) fn page(
    of: &'static FormOf,
    site: &Site,
    Query(Beginning { draft, answers }): Query<Beginning>,
) -> Answer {
    let drafted = site.releases().draft(&draft);
    let (of, answers) = drafted.as_ref().map_or((of, &answers), |(asked, _)| (asked.of, &asked.answers));
    Ok(Reply::Html(fieldsets::page(of, &site.desk(), answers, None)))
}
