//! The addresses of the pages, and how a request becomes an answer.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::{self, Next};
use axum::routing::{get, post};

use crate::connections::Visitor;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::guard::START;
use crate::layout::{self, Section};
use crate::site::{Reply, Site};
use crate::{assets, budget, headers, plan, release, reread, study};

/// The largest form.
const FORM_BYTES: usize = 64 * 1024;
/// How long a form may take to arrive.
const FORM_TIME: Duration = Duration::from_secs(5);
/// How long a request waits for its turn to compute.
const PATIENCE: Duration = Duration::from_secs(20);

type Shared = State<Arc<Site>>;
type Answer = Result<Reply, Failure>;

/// All addresses. Nothing is answered that is not below the root.
pub(crate) fn router(site: Arc<Site>) -> Router {
    let guarded = middleware::from_fn_with_state(Arc::clone(&site), guarded);
    Router::new().nest(site.guard().root().path(), pages()).layer(guarded).with_state(site)
}

fn pages() -> Router<Arc<Site>> {
    Router::new()
        .route("/", get(async |s: Shared| to_response(&s, Ok(Reply::Redirect("/plan".into())))))
        .route(START, get(start))
        .route("/assets/{name}", get(asset))
        .route("/plan", get(async |s: Shared, r: Request| answer(s, query(&r), plan::page).await))
        .route("/plan/now", get(async |s: Shared, r: Request| answer(s, query(&r), plan::now).await))
        .route("/plan/curves", get(async |s: Shared, r: Request| answer(s, query(&r), plan::curves).await))
        .route("/plan/table", get(async |s: Shared, r: Request| answer(s, query(&r), plan::table).await))
        .route("/plan/search", get(async |s: Shared, r: Request| answer(s, query(&r), plan::search).await))
        .route("/release", get(async |s: Shared, r: Request| answer(s, query(&r), release::page).await))
        .route("/release/check", post(async |s: Shared, r: Request| submit(s, r, release::check).await))
        .route("/release/confirm", post(async |s: Shared, r: Request| submit(s, r, release::confirm).await))
        .route(
            "/release/draft/{id}",
            get(async |s: Shared, p: Path<String>| answer(s, named(&p), release::draft).await),
        )
        .route(
            "/release/result/{id}",
            get(async |s: Shared, p: Path<String>| answer(s, named(&p), release::result).await),
        )
        .route(
            "/release/result/{id}/{file}",
            get(async |s: Shared, p: Path<(String, String)>| answer(s, filed(&p), release::download).await),
        )
        .route(
            "/release/result/{id}/progress",
            get(async |s: Shared, p: Path<String>| answer(s, named(&p), release::progress).await),
        )
        .route("/reading", post(async |s: Shared, r: Request| submit(s, r, reread::ask).await))
        .route(
            "/reading/{id}",
            get(async |s: Shared, p: Path<String>| answer(s, named(&p), reread::page).await),
        )
        .route(
            "/reading/{id}/{file}",
            get(async |s: Shared, p: Path<(String, String)>| answer(s, filed(&p), reread::download).await),
        )
        .route("/study", get(async |s: Shared, r: Request| answer(s, query(&r), study::page).await))
        .route("/study/check", post(async |s: Shared, r: Request| submit(s, r, study::check).await))
        .route("/study/confirm", post(async |s: Shared, r: Request| submit(s, r, study::confirm).await))
        .route(
            "/study/draft/{id}",
            get(async |s: Shared, p: Path<String>| answer(s, named(&p), study::draft).await),
        )
        .route(
            "/study/result/{id}",
            get(async |s: Shared, p: Path<String>| answer(s, named(&p), study::result).await),
        )
        .route(
            "/study/result/{id}/progress",
            get(async |s: Shared, p: Path<String>| answer(s, named(&p), study::progress).await),
        )
        .route(
            "/study/result/{id}/report",
            get(async |s: Shared, p: Path<String>| answer(s, named(&p), study::report).await),
        )
        .route(
            "/study/result/{id}/{file}",
            get(async |s: Shared, p: Path<(String, String)>| answer(s, filed(&p), study::download).await),
        )
        .route("/budget", get(async |s: Shared, r: Request| answer(s, query(&r), budget::page).await))
        .route("/budget/create", post(async |s: Shared, r: Request| submit(s, r, budget::create).await))
        .route(
            "/budget/verify",
            get(async |s: Shared, r: Request| answer(s, query(&r), budget::verify).await),
        )
        .route(
            "/budget/entry/{id}",
            get(async |s: Shared, p: Path<String>| answer(s, named(&p), budget::entry).await),
        )
        .route(
            "/budget/entry/{id}/{file}",
            get(async |s: Shared, p: Path<(String, String)>| answer(s, filed(&p), budget::download).await),
        )
        .fallback(async |s: Shared| to_response(&s, Err(Failure::NotFound("There is no such page."))))
        .method_not_allowed_fallback(async |s: Shared| to_response(&s, Err(Failure::Method)))
}

/// Checks a request before anything else looks at it, and adds the headers of every answer.
async fn guarded(State(site): Shared, request: Request, next: Next) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let mut known = site.guard().has_cookie(&parts.headers);
    if let (true, Some(visitor)) = (known, parts.extensions.get::<Arc<Visitor>>()) {
        visitor.set_known();
    }
    let mut response = match site.guard().check(&parts) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        // The page of a stranger does not tell the root.
        Err(failure) => html(failure.status(), failure.page()),
    };
    known |= response.headers().contains_key(header::SET_COOKIE);
    if !known {
        // One answer for each connection of a stranger, so that they cannot ask on without reading.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    headers::add(response)
}

/// The first page: gives the cookie to whoever has the token, and leads on. It is no redirect, because a browser that comes from
/// elsewhere does not send a strict cookie along a redirect.
async fn start(State(site): Shared, headers: HeaderMap, request: Request) -> Response<Body> {
    // Programs that look at links ask so, and would use the address up.
    if request.method() == Method::HEAD {
        return to_response(&site, Err(Failure::Method));
    }
    if !site.guard().opens(&headers, query(&request).text("token")) {
        let wrong = "This address opens the pages once, and was used or is wrong. Start `posterity web` again for a new one.";
        return to_response(&site, Err(Failure::Forbidden(wrong)));
    }
    site.opening().remove();
    let body = "<h1>Posterity</h1><p class=\"lead\"><a href=\"/plan\">Go to the plan</a></p>";
    let onward = format!(
        "<meta http-equiv=\"refresh\" content=\"0; url={}/plan\"><title>",
        site.guard().root().path()
    );
    let page = layout::page("Posterity", Section::None, body).replacen("<title>", &onward, 1);
    let mut response = to_response(&site, Ok(Reply::Html(page)));
    // A cookie is plain ASCII.
    if let Ok(cookie) = HeaderValue::from_str(&site.guard().cookie()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

async fn asset(State(site): Shared, Path(name): Path<String>) -> Response<Body> {
    match assets::find(&name) {
        Some(found) => {
            let mut response = Response::new(Body::from(found.content));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(found.kind));
            response
        }
        None => to_response(&site, Err(Failure::NotFound("There is no such file."))),
    }
}

/// The fields in an address.
fn query(request: &Request) -> Fields {
    Fields::new(request.uri().query().unwrap_or_default().as_bytes())
}

fn named(Path(id): &Path<String>) -> Fields {
    Fields::of(&[("id", id)])
}

fn filed(Path((id, file)): &Path<(String, String)>) -> Fields {
    Fields::of(&[("id", id), ("file", file)])
}

/// Computes an answer when it is its turn.
async fn answer(
    State(site): Shared,
    fields: Fields,
    page: fn(&Arc<Site>, &Fields) -> Answer,
) -> Response<Body> {
    let Ok(Ok(_turn)) = tokio::time::timeout(PATIENCE, site.turns().acquire()).await else {
        return to_response(&site, Err(Failure::Busy));
    };
    let shared = Arc::clone(&site);
    let done = tokio::task::spawn_blocking(move || page(&shared, &fields)).await;
    to_response(&site, done.unwrap_or(Err(Failure::Broken)))
}

/// Reads a form, checks its token, and computes an answer.
async fn submit(site: Shared, request: Request, page: fn(&Arc<Site>, &Fields) -> Answer) -> Response<Body> {
    if request.method() != Method::POST {
        return to_response(&site, Err(Failure::Method));
    }
    let body = axum::body::to_bytes(request.into_body(), FORM_BYTES);
    let form = match tokio::time::timeout(FORM_TIME, body).await {
        Ok(Ok(body)) => Fields::new(&body),
        Ok(Err(_)) => return to_response(&site, Err(Failure::TooLarge)),
        Err(_) => return to_response(&site, Err(Failure::TooSlow)),
    };
    if let Err(failure) = site.guard().check_form(&form) {
        return to_response(&site, Err(failure));
    }
    answer(site, form, page).await
}

/// An answer as it is sent, with addresses below the root.
fn to_response(site: &Site, answer: Answer) -> Response<Body> {
    let root = site.guard().root();
    match answer {
        Ok(Reply::Html(content)) => html(StatusCode::OK, root.page(&content)),
        Ok(Reply::Foreign(content)) => {
            let mut response = html(StatusCode::OK, content);
            headers::make_foreign(&mut response);
            response
        }
        Ok(Reply::Redirect(to)) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::SEE_OTHER;
            if let Ok(to) = HeaderValue::from_str(&format!("{}{to}", root.path())) {
                response.headers_mut().insert(header::LOCATION, to);
            }
            response
        }
        Ok(Reply::File { name, kind, content }) => {
            let mut response = Response::new(Body::from(content));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
            if let Ok(name) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
                response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
            }
            response
        }
        Err(failure) => html(failure.status(), root.page(&failure.page())),
    }
}

fn html(status: StatusCode, page: String) -> Response<Body> {
    let mut response = Response::new(Body::from(page));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
