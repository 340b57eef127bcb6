//! The addresses of the pages, and how a request becomes an answer.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::{self, Next};
use axum::routing::{get, post};

use crate::failure::Failure;
use crate::fields::Fields;
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

/// All addresses.
pub(crate) fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(async || to_response(Ok(Reply::Redirect("/plan".into())))))
        .route("/start", get(start))
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
        .fallback(async || Failure::NotFound("There is no such page.").page())
        .method_not_allowed_fallback(async || Failure::Method.page())
        .layer(middleware::from_fn_with_state(Arc::clone(&site), guarded))
        .with_state(site)
}

/// Checks a request before anything else looks at it, and adds the headers of every answer.
async fn guarded(State(site): Shared, request: Request, next: Next) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let response = match site.guard().check(&parts) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(failure) => failure.page(),
    };
    headers::add(response)
}

/// The first page: gives the cookie to whoever has the token, and leads on. It is no redirect, because a browser that comes from
/// elsewhere does not send a strict cookie along a redirect.
async fn start(State(site): Shared, headers: HeaderMap, request: Request) -> Response<Body> {
    if !site.guard().opens(&headers, query(&request).text("token")) {
        return Failure::Forbidden(
            "This address opens the pages once, and was used or is wrong. Start `posterity web` again for a new one.",
        )
        .page();
    }
    let body = "<h1>Posterity</h1><p class=\"lead\"><a href=\"/plan\">Go to the plan</a></p>";
    let page = layout::page("Posterity", Section::None, body).replacen(
        "<title>",
        "<meta http-equiv=\"refresh\" content=\"0; url=/plan\"><title>",
        1,
    );
    let mut response = to_response(Ok(Reply::Html(page)));
    // A cookie is plain ASCII.
    if let Ok(cookie) = HeaderValue::from_str(&site.guard().cookie()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

async fn asset(Path(name): Path<String>) -> Response<Body> {
    match assets::find(&name) {
        Some(found) => {
            let mut response = Response::new(Body::from(found.content));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(found.kind));
            response
        }
        None => Failure::NotFound("There is no such file.").page(),
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
        return Failure::Busy.page();
    };
    let shared = Arc::clone(&site);
    let done = tokio::task::spawn_blocking(move || page(&shared, &fields)).await;
    to_response(done.unwrap_or(Err(Failure::Broken)))
}

/// Reads a form, checks its token, and computes an answer.
async fn submit(site: Shared, request: Request, page: fn(&Arc<Site>, &Fields) -> Answer) -> Response<Body> {
    if request.method() != Method::POST {
        return Failure::Method.page();
    }
    let body = axum::body::to_bytes(request.into_body(), FORM_BYTES);
    let form = match tokio::time::timeout(FORM_TIME, body).await {
        Ok(Ok(body)) => Fields::new(&body),
        Ok(Err(_)) => return Failure::TooLarge.page(),
        Err(_) => return Failure::TooSlow.page(),
    };
    if let Err(failure) = site.guard().check_form(&form) {
        return failure.page();
    }
    answer(site, form, page).await
}

fn to_response(answer: Answer) -> Response<Body> {
    let with = |content: String, kind: &str| {
        let mut response = Response::new(Body::from(content));
        if let Ok(kind) = HeaderValue::from_str(kind) {
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
        }
        response
    };
    match answer {
        Ok(Reply::Html(content)) => with(content, "text/html; charset=utf-8"),
        Ok(Reply::Foreign(content)) => {
            let mut response = with(content, "text/html; charset=utf-8");
            headers::make_foreign(&mut response);
            response
        }
        Ok(Reply::Redirect(to)) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::SEE_OTHER;
            if let Ok(to) = HeaderValue::from_str(&to) {
                response.headers_mut().insert(header::LOCATION, to);
            }
            response
        }
        Ok(Reply::File { name, kind, content }) => {
            let mut response = with(content, kind);
            if let Ok(name) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
                response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
            }
            response
        }
        Err(failure) => failure.page(),
    }
}
