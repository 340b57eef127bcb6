//! The addresses of the pages, and how a request becomes an answer.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, header};
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use axum::routing::{self, MethodRouter};
use maud::html;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::connections::Visitor;
use crate::extract::{Form, Query};
use crate::failure::Failure;
use crate::guard::START;
use crate::layout;
use crate::release::{self, FormOf};
use crate::reply::{Answer, Reply, response};
use crate::site::Site;
use crate::{ask, assets, budget, document, headers, help, home, look, plan, reread, study};

/// How long a request waits for its turn to compute.
const TURN_PATIENCE: Duration = Duration::from_secs(20);

type Shared = State<Arc<Site>>;

/// All addresses. Nothing is answered that is not below the root.
pub(crate) fn router(site: Arc<Site>) -> Router {
    let guarded = middleware::from_fn_with_state(Arc::clone(&site), guarded);
    Router::new().nest(site.guard().root().path(), pages()).layer(guarded).with_state(site)
}

/// The form of each kind of releases, at the word of its command.
fn forms() -> Router<Arc<Site>> {
    FormOf::all().iter().fold(Router::new(), |router, of| {
        let address = format!("/{}", of.word);
        let page = get(move |site: &Site, query| release::page(of, site, query));
        let check = post(move |site: &Site, form| release::check(of, site, form));
        router.route(&address, page).route(&format!("{address}/check"), check)
    })
}

fn pages() -> Router<Arc<Site>> {
    forms()
        .route("/", routing::get(async |s: Shared| response(&s, Ok(Reply::Redirect("/home".into())))))
        // Programs that look at links send HEAD, and would use the address up.
        .route(START, routing::get(start).head(not_allowed))
        .route("/assets/{name}", routing::get(asset))
        .route("/home", get(home::page))
        .route("/help", get(help::page))
        .route("/ask", get(ask::page))
        .route("/look", get(look::page).merge(post(look::look)))
        .route("/plan", get(plan::page))
        .route("/plan/now", get(plan::now))
        .route("/plan/curves", get(plan::curves))
        .route("/plan/table", get(plan::table))
        .route("/plan/search", get(plan::search))
        .route("/release/confirm", post(release::confirm))
        .route("/release/draft/{id}", get(release::draft))
        .route("/release/draft/{id}/plan.toml", get(release::plan_file))
        .route("/release/result/{id}", get(release::result))
        .route("/release/result/{id}/progress", get(release::progress))
        .route("/release/result/{id}/{file}", get(release::download))
        .route("/document", get(document::choice))
        .route("/document/open", post(document::open))
        .route("/reading", post(reread::ask))
        .route("/reading/{id}", get(reread::page))
        .route("/reading/{id}/{file}", get(reread::download))
        .route("/study", get(study::page))
        .route("/study/make", get(study::make).merge(post(study::pressed)))
        .route("/study/plan.toml", get(study::plan_file))
        .route("/study/check", post(study::check))
        .route("/study/confirm", post(study::confirm))
        .route("/study/draft/{id}", get(study::draft))
        .route("/study/result/{id}", get(study::result))
        .route("/study/result/{id}/progress", get(study::progress))
        .route("/study/result/{id}/report", get(study::report))
        .route("/study/result/{id}/{file}", get(study::download))
        .route("/study/result/{id}/answer/{name}", get(study::answer))
        .route("/study/result/{id}/answer/{name}/{file}", get(study::answer_file))
        .route("/budget", get(budget::page))
        .route("/budget/create", post(budget::create))
        .route("/budget/verify", get(budget::verify))
        .route("/budget/entry/{id}", get(budget::entry))
        .route("/budget/entry/{id}/{file}", get(budget::download))
        .fallback(async |s: Shared| response(&s, Err(Failure::NotFound("There is no such page."))))
        .method_not_allowed_fallback(not_allowed)
}

/// What computes the answer to a request, of which it takes `T`.
trait Page<T>: Fn(&Site, T) -> Answer + Copy + Send + Sync + 'static {}

impl<T, P: Fn(&Site, T) -> Answer + Copy + Send + Sync + 'static> Page<T> for P {}

/// A page to look at, which takes `T` from a request.
fn get<T, Via>(page: impl Page<T>) -> MethodRouter<Arc<Site>>
where
    T: FromRequest<Arc<Site>, Via, Rejection: Into<Failure>> + Send + 'static,
    Via: 'static,
{
    routing::get(move |site: Shared, request: Request| answer(site, request, page))
}

/// A page that a form is sent to.
fn post<T>(page: impl Page<Form<T>>) -> MethodRouter<Arc<Site>>
where
    T: DeserializeOwned + Send + 'static,
{
    routing::post(move |site: Shared, request: Request| answer(site, request, page))
}

/// Takes from a request what its page needs, and computes the answer when it is its turn, in a thread that may take its
/// time.
async fn answer<T, Via>(State(site): Shared, request: Request, page: impl Page<T>) -> Response<Body>
where
    T: FromRequest<Arc<Site>, Via, Rejection: Into<Failure>> + Send + 'static,
{
    let shared = Arc::clone(&site);
    let computed = async move {
        let asked = T::from_request(request, &shared).await.map_err(Into::into)?;
        let Ok(Ok(_turn)) = timeout(TURN_PATIENCE, shared.turns().acquire()).await else {
            return Err(Failure::Busy);
        };
        let site = Arc::clone(&shared);
        spawn_blocking(move || page(&site, asked)).await.unwrap_or(Err(Failure::Broken))
    };
    response(&site, computed.await)
}

async fn not_allowed(site: Shared) -> Response<Body> {
    response(&site, Err(Failure::Method))
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
        Err(failure) => failure.into_response(),
    };
    known |= response.headers().contains_key(header::SET_COOKIE);
    if !known {
        // One answer for each connection of a stranger, so that they cannot ask on without reading.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    headers::add(response)
}

/// What the opening address has.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Opening {
    token: String,
}

/// The first page: gives the cookie to whoever has the token, and leads on. It is not a redirect, because a browser
/// that comes from elsewhere does not send a strict cookie along a redirect.
async fn start(
    State(site): Shared,
    headers: HeaderMap,
    opening: Result<Query<Opening>, Failure>,
) -> Response<Body> {
    let token = opening.map(|Query(opening)| opening.token).unwrap_or_default();
    if !site.guard().opens(&headers, &token) {
        let wrong = "This address opens the pages once, and was used or is wrong. Start `posterity web` again for a new one.";
        return response(&site, Err(Failure::Forbidden(wrong)));
    }
    site.opening().remove();
    let body = html! { h1 { "Posterity" } p.lead { a href="/home" { "Go to the start page" } } };
    let page = layout::leading("Posterity", &body, &format!("{}/home", site.guard().root().path()));
    ([(header::SET_COOKIE, site.guard().cookie())], response(&site, Ok(Reply::Html(page)))).into_response()
}

async fn asset(State(site): Shared, Path(name): Path<String>) -> Response<Body> {
    match assets::find(&name) {
        Some(found) => ([(header::CONTENT_TYPE, found.kind)], found.content).into_response(),
        None => response(&site, Err(Failure::NotFound("There is no such file."))),
    }
}
