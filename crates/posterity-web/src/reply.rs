//! What pages answer, and how that is sent.

use axum::body::Body;
use axum::http::{Response, header};
use axum::response::{Html, IntoResponse, Redirect};
use maud::Markup;
use posterity_present::html::visible;

use crate::failure::Failure;
use crate::headers::FOREIGN_POLICY;
use crate::root::Root;
use crate::site::Site;

/// What a page answers.
pub(crate) enum Reply {
    /// A page, or a part of one.
    Html(Markup),
    /// Another page.
    Redirect(String),
    /// Something to download.
    File { name: String, kind: &'static str, content: String },
    /// A page that this program did not write line by line, such as the report of a study. It may have a style of its
    /// own, but runs no script and reaches nothing.
    Foreign(String),
}

/// What a page answers, or why it does not.
pub(crate) type Answer = Result<Reply, Failure>;

/// An answer as it is sent, with addresses below the root.
pub(crate) fn response(site: &Site, answer: Answer) -> Response<Body> {
    let root = site.guard().root();
    match answer {
        Ok(Reply::Html(page)) => sent(root, page).into_response(),
        Ok(Reply::Redirect(to)) => Redirect::to(&format!("{}{to}", root.path())).into_response(),
        Ok(Reply::File { name, kind, content }) => {
            let saved = format!("attachment; filename=\"{name}\"");
            ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, &saved)], content).into_response()
        }
        Ok(Reply::Foreign(page)) => {
            ([(header::CONTENT_SECURITY_POLICY, FOREIGN_POLICY)], Html(page)).into_response()
        }
        Err(failure) => (failure.status(), sent(root, failure.page())).into_response(),
    }
}

/// A page as it is sent: hidden characters are seen, and addresses are below the root.
fn sent(root: &Root, page: Markup) -> Html<String> {
    Html(root.page(&visible(page).into_string()))
}
