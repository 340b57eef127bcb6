//! Requests that are not answered as asked.

use std::convert::Infallible;

use axum::extract::rejection::PathRejection;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use maud::{Markup, html};
use posterity_present::html::visible;

use crate::layout::{self, Section};

/// Why there is no such page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The request is not one of ours.
    Forbidden(&'static str),
    /// There is no such page, or no longer.
    NotFound(&'static str),
    /// The method is not that of the page.
    Method,
    /// The body is too large.
    TooLarge,
    /// The body did not come in time.
    TooSlow,
    /// Something in a form is wrong.
    Bad(String),
    /// Too much is going on.
    Busy,
    /// A mistake in this program.
    Broken,
}

impl Failure {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Busy => StatusCode::TOO_MANY_REQUESTS,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Forbidden(why) | Self::NotFound(why) => (*why).to_owned(),
            Self::Method => "This address is not used that way.".to_owned(),
            Self::TooLarge => "What was sent is too large.".to_owned(),
            Self::TooSlow => "What was sent did not arrive in time.".to_owned(),
            Self::Bad(why) => why.clone(),
            Self::Broken => {
                "Something went wrong inside this program. If you released something, look at the budget's history before you \
                 try again."
                    .to_owned()
            }
            Self::Busy => "Too much is going on at once. Try again in a moment.".to_owned(),
        }
    }

    /// The page that says so. It says nothing about the request.
    pub(crate) fn page(&self) -> Markup {
        let title = match self {
            Self::NotFound(_) => "Not found",
            Self::Bad(_) => "That does not work",
            _ => "Not answered",
        };
        let body = html! {
            h1 { (title) }
            p.lead { (self.message()) }
            p { a href="/home" { "Back to the start" } }
        };
        layout::page(title, Section::None, &body)
    }
}

/// As it is sent to a stranger: without the root.
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status(), Html(visible(self.page()).into_string())).into_response()
    }
}

/// A name in an address that no page could have.
impl From<PathRejection> for Failure {
    fn from(_: PathRejection) -> Self {
        Self::NotFound("There is no such page.")
    }
}

/// A page that takes nothing from a request is never refused.
impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
