//! What pages take from a request: the fields of an address, or of a form.

use std::sync::Arc;
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::failure::Failure;
use crate::fields::fields;
use crate::site::Site;

/// The largest form.
const MAX_FORM_BYTES: usize = 64 * 1024;
/// How long a form may take to arrive.
const FORM_PATIENCE: Duration = Duration::from_secs(5);

/// The fields of an address, after its question mark.
pub(crate) struct Query<T>(pub(crate) T);

/// The fields of a form that has the token of our pages.
pub(crate) struct Form<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<Site>> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Site>) -> Result<Self, Failure> {
        fields(parts.uri.query().unwrap_or_default().as_bytes()).map(Self)
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<Site>> for Form<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, site: &Arc<Site>) -> Result<Self, Failure> {
        let body = timeout(FORM_PATIENCE, to_bytes(request.into_body(), MAX_FORM_BYTES)).await;
        let body = body.map_err(|_| Failure::TooSlow)?.map_err(|_| Failure::TooLarge)?;
        let Token { token } = fields(&body)?;
        site.guard().check_form(&token)?;
        fields(&body).map(Self)
    }
}

/// The token that a form has.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Token {
    token: String,
}
