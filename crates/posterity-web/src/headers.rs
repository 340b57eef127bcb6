//! The headers of every answer.

use axum::body::Body;
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, Response};

/// Nothing from elsewhere, nothing inline, no frames, and forms come back here only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// For a page that may have a style of its own: no script, no network, no forms, and an origin of its own.
pub(crate) const FOREIGN_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'; sandbox";

const ALWAYS: [(HeaderName, &str); 8] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // Addresses of plans go nowhere else. Forms still say where they come from.
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    // Releases are not left in the browser's files.
    (header::CACHE_CONTROL, "no-store"),
];

/// Adds them. A stricter policy that an answer has already stays.
pub(crate) fn add(mut response: Response<Body>) -> Response<Body> {
    for (name, value) in ALWAYS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
