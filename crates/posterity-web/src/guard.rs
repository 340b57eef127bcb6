//! The checks that every request passes before a page sees it.
//!
//! Other pages that are open in the same browser, and other programs of the same machine, can reach a local port. So:
//!
//! - the host must be this machine's, by number or as localhost, with our port: a name of somebody else that resolves
//!   to this machine (DNS rebinding) is refused;
//! - the origin, where the browser states one, must be ours, and must be stated with every form;
//! - every address is below a path that only our own pages contain, and the cookie is for that path: so a browser does
//!   not send it to other ports of this machine, where other people may listen;
//! - every request has the cookie that only the opened address gives, once;
//! - every form has the token that only our own pages contain.

use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};

use crate::failure::Failure;
use crate::root::Root;
use crate::secret::Secret;

/// Where the pages are opened, below the root.
pub(crate) const START: &str = "/start";

/// The name of the cookie.
const COOKIE: &str = "posterity";

/// The secrets of one run of the server.
#[derive(Debug)]
pub(crate) struct Guard {
    port: u16,
    root: Root,
    opening: Secret,
    opened: AtomicBool,
    session: Secret,
    form: Secret,
}

impl Guard {
    pub(crate) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let [opening, session, form] = [Secret::new()?, Secret::new()?, Secret::new()?];
        Ok(Self { port, root: Root::new()?, opening, opened: AtomicBool::new(false), session, form })
    }

    /// The address that opens the pages, once.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{}{START}?token={}", self.port, self.root.path(), self.opening.as_str())
    }

    /// The path that all pages are below.
    pub(crate) fn root(&self) -> &Root {
        &self.root
    }

    /// The token of forms.
    pub(crate) fn form_token(&self) -> &str {
        self.form.as_str()
    }

    /// The cookie of the session. Cookies do not tell ports apart, so its path does.
    pub(crate) fn cookie(&self) -> String {
        let (value, path) = (self.session.as_str(), self.root.path());
        format!("{COOKIE}={value}; Path={path}; HttpOnly; SameSite=Strict")
    }

    /// Checks the host, the origin, the path, and the cookie unless this is the opening.
    pub(crate) fn check(&self, request: &Parts) -> Result<(), Failure> {
        self.check_host(request)?;
        self.check_origin(request)?;
        let within = self.root.within(request.uri.path());
        if within == Some(START) || (within.is_some() && self.has_cookie(&request.headers)) {
            return Ok(());
        }
        Err(Failure::Forbidden(
            "This page belongs to whoever started it. Open the address that `posterity web` printed.",
        ))
    }

    fn check_host(&self, request: &Parts) -> Result<(), Failure> {
        let ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let mut hosts = request.headers.get_all(header::HOST).iter();
        let ours = |host: &str| ours.iter().any(|one| one == host);
        let host = hosts.next().and_then(|host| host.to_str().ok());
        // A request line with a whole address must agree with the header.
        let authority = request.uri.authority().is_none_or(|authority| ours(authority.as_str()));
        if host.is_some_and(ours) && hosts.next().is_none() && authority {
            return Ok(());
        }
        Err(Failure::Forbidden("This address is not the one that these pages have."))
    }

    fn check_origin(&self, request: &Parts) -> Result<(), Failure> {
        let host = request.headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let mut origins = request.headers.get_all(header::ORIGIN).iter();
        let ours = format!("http://{host}");
        let stated = origins.next().map(|origin| origin.as_bytes() == ours.as_bytes());
        let right = match (stated, origins.next()) {
            (Some(right), None) => right,
            // Nothing is changed without a form, and a browser states the origin of a form.
            (None, _) => request.method == Method::GET || request.method == Method::HEAD,
            (Some(_), Some(_)) => false,
        };
        if right { Ok(()) } else { Err(Failure::Forbidden("This request comes from another page.")) }
    }

    /// Whether a request has the cookie of the session.
    pub(crate) fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        all.flat_map(|value| value.split(';')).any(|pair| {
            let (one, value) = pair.trim().split_once('=').unwrap_or_default();
            one == COOKIE && self.session.is(value)
        })
    }

    /// Whether the opening address may open the pages: it is the right one and is used for the first time, or this
    /// browser has the cookie already.
    pub(crate) fn opens(&self, headers: &HeaderMap, token: &str) -> bool {
        self.has_cookie(headers) || (self.opening.is(token) && !self.opened.swap(true, Ordering::SeqCst))
    }

    /// Checks the token of a form.
    pub(crate) fn check_form(&self, token: &str) -> Result<(), Failure> {
        if self.form.is(token) {
            return Ok(());
        }
        Err(Failure::Forbidden(
            "This form is not from these pages, or from an earlier run of them. Load the page again.",
        ))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn guard() -> Guard {
        Guard::new(8000).expect("random bits")
    }

    fn parts(method: Method, path: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).expect("valid").into_parts().0
    }

    /// An address below the root.
    fn at(guard: &Guard, path: &str) -> String {
        format!("{}{path}", guard.root().path())
    }

    #[test]
    fn hosts() {
        let guard = guard();
        let (cookie, plan) = (guard.cookie(), at(&guard, "/plan"));
        let check =
            |host: &str| guard.check(&parts(Method::GET, &plan, &[("host", host), ("cookie", &cookie)]));
        for host in ["127.0.0.1:8000", "localhost:8000"] {
            assert_eq!(check(host), Ok(()), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:8001",
            "localhost",
            "evil.example:8000",
            "127.0.0.1:8000.evil.example",
        ] {
            assert!(check(host).is_err(), "{host}");
        }
        let twice = [("host", "127.0.0.1:8000"), ("host", "evil.example"), ("cookie", &*cookie)];
        assert!(guard.check(&parts(Method::GET, &plan, &twice)).is_err());
        let whole = [("host", "127.0.0.1:8000"), ("cookie", &*cookie)];
        assert!(guard.check(&parts(Method::GET, &format!("http://evil.example{plan}"), &whole)).is_err());
        assert!(guard.check(&parts(Method::GET, &plan, &[("cookie", &cookie)])).is_err());
    }

    #[test]
    fn origins() {
        let guard = guard();
        let (cookie, plan) = (guard.cookie(), at(&guard, "/plan"));
        let check = |method: Method, origin: Option<&str>| {
            let mut headers = vec![("host", "localhost:8000"), ("cookie", &*cookie)];
            headers.extend(origin.map(|origin| ("origin", origin)));
            guard.check(&parts(method, &plan, &headers)).is_ok()
        };
        assert!(check(Method::GET, None) && check(Method::HEAD, None));
        assert!(check(Method::POST, Some("http://localhost:8000")));
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            assert!(!check(method, None));
        }
        for origin in
            ["null", "http://127.0.0.1:8000", "https://localhost:8000", "http://localhost:8000/", ""]
        {
            assert!(!check(Method::GET, Some(origin)) && !check(Method::POST, Some(origin)), "{origin}");
        }
    }

    #[test]
    fn cookies_and_the_opening() {
        let guard = guard();
        let (ours, attributes) =
            guard.cookie().split_once(';').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("attributes");
        assert!(attributes.contains(&format!("Path={};", guard.root().path())), "{attributes}");
        let check = |path: &str, cookie: &str| {
            guard.check(&parts(Method::GET, path, &[("host", "localhost:8000"), ("cookie", cookie)])).is_ok()
        };
        let (plan, start) = (at(&guard, "/plan"), at(&guard, "/start"));
        assert!(check(&plan, &ours) && check(&plan, &format!("a=b; {ours}")));
        for path in ["/", "/plan", "/start", "/00000000000000000000000000000000/start", "/assets/style.css"] {
            assert!(!check(path, &ours), "{path} is not below the root");
        }
        for cookie in ["", "posterity=", "posterity", "posterity-8000=0", &ours[..ours.len() - 1]] {
            assert!(!check(&plan, cookie), "{cookie}");
            assert!(check(&start, cookie));
        }
        let token = guard.address().rsplit_once('=').expect("a token").1.to_owned();
        assert_eq!(guard.address(), format!("http://127.0.0.1:8000{start}?token={token}"));
        let (none, mut with) = (HeaderMap::new(), HeaderMap::new());
        with.insert(header::COOKIE, ours.parse().expect("valid"));
        assert!(!guard.opens(&none, "") && !guard.opens(&none, guard.form_token()));
        assert!(guard.opens(&none, &token), "the first use");
        assert!(!guard.opens(&none, &token), "the second use, by another browser");
        assert!(guard.opens(&with, &token), "the same browser again");
    }

    #[test]
    fn forms() {
        let guard = guard();
        assert_eq!(guard.check_form(guard.form_token()), Ok(()));
        for token in ["", "0", guard.address().rsplit_once('=').expect("a token").1] {
            assert!(guard.check_form(token).is_err());
        }
    }
}
