//! Requests that no browser of ours sends.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod client;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use client::{Client, Folder, RELEASE, STUDY};
use posterity::ledger::Ledger;
use posterity_core::sampler::SeededBits;
use posterity_testkit::trials;

/// What is outside the folder, and must not be seen.
const OUTSIDE: &str = "OUTSIDE-THE-FOLDER";

/// Requests of all kinds: no crash, no answer above 499, nothing charged, nothing read outside the folder.
/// POSTERITY_TRIALS says how many.
#[test]
fn hostile_requests() {
    let folder = Folder::new(OUTSIDE);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let mut random = SeededBits::new(20);
    let mut kinds = [0_u32; 8];
    for index in 0..trials(1_000_u32) {
        let kind = (index % 8) as usize;
        let request = client::hostile(kind, &client, &mut random);
        let answer = client.raw(&request);
        if let Some(answer) = answer {
            let text = String::from_utf8_lossy(&answer);
            assert!(!text.contains(OUTSIDE) && !text.contains("root:x:0"), "{request:?}");
            let status: u32 = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
            assert!((200..500).contains(&status), "{status}: {:?}", String::from_utf8_lossy(&request));
            kinds[kind] += 1;
        }
    }
    assert!(
        kinds.iter().all(|answered| *answered > 0),
        "every kind is answered at least sometimes: {kinds:?}"
    );
    let page = client.get("/plan?n=90&k=2");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("Plan a release"));
    assert_eq!(folder.account().charges, 0, "nothing was charged");
}

/// Clients that send a byte now and then, or nothing, keep nobody else waiting and are dropped.
#[test]
fn slow_clients_do_not_hold_up_others() {
    let client = Client::start(None, None);
    let slow: Vec<TcpStream> = (0..100)
        .map(|i| {
            let mut stream = client.connect();
            let part = if i % 2 == 0 { "GET /plan HTTP/1.1\r\nHost: 127" } else { "" };
            stream.write_all(part.as_bytes()).expect("sent");
            stream
        })
        .collect();
    let body_comes_late = format!(
        "POST {}/release/check HTTP/1.1\r\n{}Origin: {}\r\nContent-Length: 1000\r\n\r\ntoken=",
        client.root(),
        client.headers(),
        client.origin()
    );
    let mut late = client.connect();
    late.write_all(body_comes_late.as_bytes()).expect("sent");
    let start = Instant::now();
    assert!(client.get("/plan?n=90&k=2&e=1").starts_with("HTTP/1.1 200"));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // All are dropped within the time for the head of a request, and the late form is told so.
    let mut answer = String::new();
    late.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    late.read_to_string(&mut answer).expect("an answer, then the end");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    for mut stream in slow {
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).expect("the connection is closed");
    }
}

/// Clients that ask and never read keep nobody else waiting, whether they know the cookie or not.
#[test]
fn clients_that_never_read_do_not_hold_up_others() {
    let client = Client::start(None, None);
    let request = |kind: usize| match kind {
        0 => format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", client.port()),
        1 => format!("GET {}/start HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", client.root(), client.port()),
        _ => String::new(),
    };
    let silent: Vec<TcpStream> = (0..300)
        .map(|index| {
            let mut stream = client.connect();
            // Far more than anybody answers without being listened to. The server may hang up before all is sent.
            let _ = stream.write_all(request(index % 3).repeat(1_000).as_bytes());
            stream
        })
        .collect();
    let start = Instant::now();
    assert!(client.get("/plan?n=90&k=2&e=1").starts_with("HTTP/1.1 200"));
    println!("the owner waited {:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    drop(silent);
}

/// A stranger has one answer for each connection, so none can ask on without reading.
#[test]
fn strangers_are_answered_once() {
    let client = Client::start(None, None);
    let request = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", client.port());
    let answer = client.raw(request.repeat(10).as_bytes()).expect("answered");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert_eq!(answer.matches("HTTP/1.1 403").count(), 1, "{answer}");
    let known = format!(
        "GET {}/assets/mark.svg HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\n\r\n",
        client.root(),
        client.port(),
        client.cookie()
    );
    let answer = client.raw(known.repeat(10).as_bytes()).expect("answered");
    assert_eq!(String::from_utf8_lossy(&answer).matches("HTTP/1.1 200").count(), 10);
}

/// A program that looks where a link leads does not use it up.
#[test]
fn a_head_does_not_open_the_pages() {
    let mut client = Client::stranger(None, None);
    let start = format!("{}/start?token={}", client.root(), client.opening_token());
    for method in ["HEAD", "POST", "OPTIONS", "PUT"] {
        let request = format!(
            "{method} {start} HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\nConnection: close\r\n\r\n",
            client.port()
        );
        let answer = String::from_utf8_lossy(&client.raw(request.as_bytes()).expect("answered")).into_owned();
        assert!(answer.starts_with("HTTP/1.1 405") && !answer.contains("set-cookie"), "{method}: {answer}");
    }
    client.open();
    assert!(client.get("/plan").starts_with("HTTP/1.1 200"));
}

/// The cookie is for the secret path alone, and every address of every page is below that path. If this fails, a
/// browser sends the cookie to other servers of this machine, or a page leads to none.
#[test]
fn all_addresses_are_below_the_secret_path() {
    let folder = Folder::new(OUTSIDE);
    let mut client = Client::stranger(Some(folder.data()), Some(folder.ledger()));
    let root = client.root().to_owned();
    let get = |client: &Client, path: &str| {
        let request = format!("GET {root}{path} HTTP/1.1\r\n{}\r\n", client.headers());
        String::from_utf8_lossy(&client.raw(request.as_bytes()).expect("answered")).into_owned()
    };
    let opening = get(&client, &format!("/start?token={}", client.opening_token()));
    assert!(opening.contains(&format!("; Path={root}; HttpOnly; SameSite=Strict")), "{opening}");
    assert!(opening.contains(&format!("content=\"0; url={root}/home\"")), "{opening}");
    let cookie = opening.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    client.take_cookie(cookie);
    let mut addresses = 0;
    let asked = "/ask?kind=rate&file=people.csv";
    for path in [
        "/home",
        "/help",
        "/ask",
        asked,
        "/plan",
        "/release",
        "/study",
        "/budget",
        "/nowhere",
        "/plan/now?n=90&k=2",
    ] {
        let page = get(&client, path);
        for part in page.split("=\"/").skip(1) {
            assert!(part.starts_with(&format!("{}/", &root[1..])), "{path}: {part}");
            addresses += 1;
        }
    }
    assert!(addresses > 40, "{addresses}");
    let answer = get(&client, "");
    assert!(answer.contains(&format!("location: {root}/home\r\n")), "{answer}");
}

#[test]
fn every_answer_has_the_headers_of_a_guarded_page() {
    let folder = Folder::new(OUTSIDE);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    for path in [
        "/home",
        "/help",
        "/ask?kind=rate&file=people.csv",
        "/plan",
        "/release",
        "/study",
        "/budget",
        "/assets/style.css",
        "/nowhere",
        "/plan/now",
        "/plan?n=0",
        "/reading/0",
        "/study/result/0/report",
    ] {
        let answer = client.get(path);
        let head = answer.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
            "x-content-type-options: nosniff",
            "referrer-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        for inline in ["<style", " style=", " onclick=", "javascript:", "<script>"] {
            assert!(path.contains("assets") || !body.contains(inline), "{path} has {inline}");
        }
    }
}

/// Without the cookie, with other hosts or origins, or without the token of a form, nothing is shown or done.
#[test]
fn strangers_see_nothing() {
    let folder = Folder::new(OUTSIDE);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let (port, root) = (client.port(), client.root());
    let ask = |request: String| {
        String::from_utf8_lossy(&client.raw(request.as_bytes()).expect("answered")).into_owned()
    };
    let cookie = client.cookie();
    let get =
        |path: &str, headers: &str| format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
    let ours = format!("Host: 127.0.0.1:{port}\r\n");
    let budget = format!("{root}/budget");
    let strangers = [
        get(&budget, &ours),
        get(&budget, &format!("Host: evil.example:{port}\r\nCookie: {cookie}\r\n")),
        get(&budget, &format!("{ours}Origin: http://evil.example\r\nCookie: {cookie}\r\n")),
        // The right cookie, which another server of this machine may have got hold of, but not the path.
        get("/budget", &format!("{ours}Cookie: {cookie}\r\n")),
        get(&format!("/{}/budget", "0".repeat(32)), &format!("{ours}Cookie: {cookie}\r\n")),
        get(&format!("{root}/start?token=0123456789abcdef0123456789abcdef"), &ours),
        get(&format!("/start?token={}", client.opening_token()), &ours),
        // The address that opened the pages works once.
        get(&format!("{root}/start?token={}", client.opening_token()), &ours),
    ];
    for request in strangers {
        let answer = ask(request.clone());
        assert!(answer.starts_with("HTTP/1.1 403") && !answer.contains("survey"), "{request}{answer}");
        assert!(
            request.contains(root) || !answer.contains(&root[1..]),
            "nobody is told the path: {request}{answer}"
        );
    }
    let form = client.form_token();
    for body in ["name=mine&epsilon=9".to_owned(), format!("token={}&name=mine&epsilon=9", "0".repeat(32))] {
        let answer = client.post("/budget/create", &body, &client.origin());
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }
    let right = format!("token={form}&name=mine&epsilon=9");
    for origin in ["http://evil.example", "null"] {
        assert!(client.post("/budget/create", &right, origin).starts_with("HTTP/1.1 403"));
    }
    assert_eq!(
        Ledger::open(folder.ledger()).and_then(|ledger| ledger.accounts()).expect("accounts").len(),
        1
    );
    assert!(client.post("/budget/create", &right, &client.origin()).starts_with("HTTP/1.1 303"));
    assert_eq!(
        Ledger::open(folder.ledger()).and_then(|ledger| ledger.accounts()).expect("accounts").len(),
        2
    );
    let huge = format!("token={form}&name={}", "x".repeat(200_000));
    assert!(client.post("/budget/create", &huge, &client.origin()).starts_with("HTTP/1.1 413"));
}

/// Files outside the folder are not found, whatever the name; what a record holds is never shown.
#[test]
fn no_file_outside_the_folder_is_released() {
    let folder = Folder::new(OUTSIDE);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let form = client.form_token();
    for name in client::PATHS {
        let body = format!("token={form}&file={name}&column0=x&categories0=a,b&epsilon=0.1&account=survey");
        let answer = client.post("/release/check", &body, &client.origin());
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.contains("There is no such file"),
            "{name}: {answer}"
        );
        assert!(!answer.contains(OUTSIDE));
    }
    // A script in a name is text.
    let body = format!(
        "token={form}&file=people.csv&column0=%3Cscript%3Ealert(1)%3C/script%3E&epsilon=0.1&account=survey"
    );
    let answer = client.post("/release/check", &body, &client.origin());
    assert!(answer.contains("&lt;script&gt;alert(1)") && !answer.contains("<script>alert"), "{answer}");
    // A release from the folder works, and shows no true count.
    let draft = client.draft(
        "/release/check",
        &RELEASE.map(|(name, value)| match name {
            "epsilon" => (name, "0.001"),
            _ => (name, value),
        }),
    );
    let result = client.confirm(&draft);
    assert_eq!(client.confirm(&draft), result, "a draft is released once");
    let page = client.settled(&result);
    assert!(page.contains("Private release") && page.contains("Charged"), "{page}");
    for (number, shown) in [("13926", true), ("7919", false), ("6007", false)] {
        assert_eq!(
            client::shows(&page, number),
            shown,
            "true counts are never shown, but n: {number}: {page}"
        );
    }
    assert_eq!(folder.account().charges, 1);
}

/// Plans outside the folder are not found, and plans of the folder that lead outside are not carried out.
#[test]
fn no_plan_leads_outside_the_folder() {
    let folder = Folder::new(OUTSIDE);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let page = client.get("/study");
    assert!(page.contains(">plan.toml</option>") && !page.contains("link.toml"), "{page}");
    let plans = [
        "link.toml",
        "up/secret.toml",
        "../secret.toml",
        "people.csv",
        "/etc/passwd",
        "plan.toml/../../secret.toml",
    ];
    for (plan, expected) in plans
        .map(|plan| (plan, "There is no such plan"))
        .into_iter()
        .chain(["escaping.toml", "linked.toml"].map(|plan| (plan, "no file of the folder")))
    {
        let answer = client.submit("/study/check", &[("plan", plan), ("account", "survey")]);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(expected), "{plan}: {answer}");
        assert!(!answer.contains(OUTSIDE) && !answer.contains("root:x:0"));
    }
}

/// A file that was in the folder when it was asked for, and is a link out of it when it is to be read, is not read.
/// Nothing is charged.
#[cfg(unix)]
#[test]
fn what_becomes_a_link_is_not_released() {
    let folder = Folder::new(OUTSIDE);
    let outside = folder.data().join("../people.csv");
    std::fs::copy(folder.data().join("people.csv"), &outside).expect("copied");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let drafts = [client.draft("/release/check", &RELEASE), client.draft("/study/check", &STUDY)];
    std::fs::remove_file(folder.data().join("people.csv")).expect("removed");
    std::os::unix::fs::symlink(&outside, folder.data().join("people.csv")).expect("linked");
    for draft in drafts {
        let page = client.settled(&client.confirm(&draft));
        assert!(page.contains("is not in the folder that may be read"), "{page}");
        assert!(page.contains("nothing was charged or released"), "{page}");
    }
    assert_eq!(folder.account().charges, 0);
}

/// Strangers can neither carry out a study nor read a release.
#[test]
fn strangers_ask_for_nothing() {
    let folder = Folder::new(OUTSIDE);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let draft = client.draft("/study/check", &STUDY).rsplit('/').next().unwrap().to_owned();
    let right = format!("token={}&draft={draft}&of=entry&id=2&read=cured", client.form_token());
    for path in ["/study/check", "/study/confirm", "/reading"] {
        for body in [format!("draft={draft}"), format!("token={}&draft={draft}", "0".repeat(32))] {
            assert!(client.post(path, &body, &client.origin()).starts_with("HTTP/1.1 403"), "{path}");
        }
        for origin in ["http://evil.example", "null", ""] {
            assert!(client.post(path, &right, origin).starts_with("HTTP/1.1 403"), "{path} {origin}");
        }
        let huge = format!("{right}&read={}", "x".repeat(200_000));
        assert!(client.post(path, &huge, &client.origin()).starts_with("HTTP/1.1 413"), "{path}");
        assert!(client.get(path).starts_with("HTTP/1.1 405"), "{path}");
    }
    assert_eq!(folder.account().charges, 0);
}
