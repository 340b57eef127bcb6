//! A server in this process, and a client that sends what it likes.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use posterity::ledger::{Account, Amount, Ledger, now_utc};
use posterity_core::sampler::BitSource;
use posterity_web::{Options, Server};

/// A folder of data with a secret beside it, links to it, and a ledger.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new(outside: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        fs::create_dir(&data).expect("made");
        let people: String =
            std::iter::repeat_n("yes\n", 7919).chain(std::iter::repeat_n("no\n", 6007)).collect();
        fs::write(data.join("people.csv"), format!("cured\n{people}")).expect("written");
        fs::write(data.join("plan.toml"), PLAN).expect("written");
        fs::write(folder.path().join("secret.toml"), format!("# {outside}\n{PLAN}")).expect("written");
        fs::write(data.join("escaping.toml"), PLAN.replace("people.csv", "../secret.csv")).expect("written");
        fs::write(data.join("linked.toml"), PLAN.replace("people.csv", "link.csv")).expect("written");
        fs::write(folder.path().join("secret.csv"), format!("x\n{outside}\n")).expect("written");
        #[cfg(unix)]
        for (to, from) in [
            (folder.path().join("secret.csv"), "link.csv"),
            (folder.path().join("secret.toml"), "link.toml"),
            (folder.path().to_owned(), "up"),
        ] {
            std::os::unix::fs::symlink(to, data.join(from)).expect("linked");
        }
        let mut ledger = Ledger::create(folder.path().join("study.ledger")).expect("a ledger");
        ledger
            .create_account("survey", &"1".parse().unwrap(), &Amount::ZERO, &now_utc())
            .expect("an account");
        Self(folder)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    pub(crate) fn ledger(&self) -> PathBuf {
        self.0.path().join("study.ledger")
    }

    /// The account that pays.
    pub(crate) fn account(&self) -> Account {
        Ledger::open(self.ledger()).and_then(|ledger| ledger.account("survey")).expect("the account")
    }
}

/// A form that asks for a release.
pub(crate) const RELEASE: [(&str, &str); 5] = [
    ("file", "people.csv"),
    ("column0", "cured"),
    ("categories0", "yes,no"),
    ("epsilon", "0.1"),
    ("account", "survey"),
];

/// A form that asks for a study.
pub(crate) const STUDY: [(&str, &str); 2] = [("plan", "plan.toml"), ("account", "survey")];

/// A plan of a study.
pub(crate) const PLAN: &str = r#"title = "Cured <script>alert(1)</script>"
source = "people.csv"
epsilon = 0.5
columns = { cured = ["yes", "no"] }
[[question]]
columns = ["cured"]
read = ["cured"]
compare = ["cured: yes - no"]
"#;

/// Names of files that are not in the folder, as a form sends them.
pub(crate) const PATHS: [&str; 13] = [
    "../secret.csv",
    "..%2Fsecret.csv",
    "%2Fetc%2Fpasswd",
    "/etc/passwd",
    "link.csv",
    "up/secret.csv",
    "people.csv/../../secret.csv",
    "./people.csv",
    "..%5Csecret.csv",
    "people.csv%00.csv",
    "*.csv",
    "%252e%252e/secret.csv",
    "file:///etc/passwd",
];

/// A client with the cookie of the server. Addresses are given to it, and its answers are shown, as if there were no
/// secret path.
pub(crate) struct Client {
    port: u16,
    root: String,
    token: String,
    cookie: String,
    form: String,
}

impl Client {
    /// Starts a server in a thread, which ends with this process.
    pub(crate) fn start(data: Option<PathBuf>, ledger: Option<PathBuf>) -> Self {
        let mut client = Self::stranger(data, ledger);
        client.open();
        client
    }

    /// The same, before the address was opened.
    pub(crate) fn stranger(data: Option<PathBuf>, ledger: Option<PathBuf>) -> Self {
        Self::of(&Options { data, ledger, ..Options::default() })
    }

    /// The same with these options.
    pub(crate) fn of(options: &Options) -> Self {
        let server = Server::bind(options).expect("a port");
        let address = server.address();
        std::thread::spawn(move || server.run());
        Self::at(&address)
    }

    /// A client of the server with this address, before it was opened.
    pub(crate) fn at(address: &str) -> Self {
        let parts: Vec<&str> = address.split([':', '/', '?', '=']).collect();
        let ["http", "", "", "127.0.0.1", port, root, "start", "token", token] = parts[..] else {
            unreachable!("{address}")
        };
        let port = port.parse().expect("a port");
        Self {
            port,
            root: format!("/{root}"),
            token: token.to_owned(),
            cookie: String::new(),
            form: String::new(),
        }
    }

    /// Opens the address.
    pub(crate) fn open(&mut self) {
        let opening = self.get(&format!("/start?token={}", self.token));
        let cookie = opening.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        self.take_cookie(cookie);
        // Every page with a form has its token.
        let page = self.get("/budget") + &self.get("/release");
        let form = page.split("name=\"token\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        self.form = form.unwrap_or_default().to_owned();
    }

    pub(crate) fn take_cookie(&mut self, cookie: &str) {
        self.cookie = cookie.split(';').next().unwrap().to_owned();
    }

    /// The secret path.
    pub(crate) fn root(&self) -> &str {
        &self.root
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn cookie(&self) -> &str {
        &self.cookie
    }

    pub(crate) fn form_token(&self) -> &str {
        &self.form
    }

    pub(crate) fn opening_token(&self) -> &str {
        &self.token
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).expect("a connection")
    }

    /// The headers of an honest request.
    pub(crate) fn headers(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\nCookie: {}\r\nConnection: close\r\n", self.port, self.cookie)
    }

    pub(crate) fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {}{path} HTTP/1.1\r\n{}\r\n", self.root, self.headers()))
    }

    /// What is answered to a request, as if there were no secret path.
    fn ask(&self, request: &str) -> String {
        let answer = self.raw(request.as_bytes()).expect("an answer");
        String::from_utf8(answer).expect("UTF-8").replace(&self.root, "")
    }

    pub(crate) fn post(&self, path: &str, body: &str, origin: &str) -> String {
        let request = format!(
            "POST {}{path} HTTP/1.1\r\n{}Origin: {origin}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            self.root,
            self.headers(),
            body.len()
        );
        self.ask(&request)
    }

    /// Sends bytes and reads what comes back; nothing if the server just hangs up.
    pub(crate) fn raw(&self, request: &[u8]) -> Option<Vec<u8>> {
        let mut stream = self.connect();
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
        // The server may answer and hang up before it has read everything.
        let _ = stream.write_all(request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        (!answer.is_empty()).then_some(answer)
    }
}

impl Client {
    /// The page of a job once it is done.
    pub(crate) fn settled(&self, address: &str) -> String {
        let start = std::time::Instant::now();
        loop {
            let page = self.get(address);
            if !page.contains("data-progress") {
                return page;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{page}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asks for a release or a study with an honest form, and returns the address of its draft.
    pub(crate) fn draft(&self, check: &str, fields: &[(&str, &str)]) -> String {
        let answer = self.submit(check, fields);
        location(&answer).unwrap_or_else(|| unreachable!("no draft: {answer}"))
    }

    /// Confirms a draft, and returns the address of its result.
    pub(crate) fn confirm(&self, draft: &str) -> String {
        let (section, id) = draft.split_once("/draft/").expect("a draft");
        let promised = promised(&self.get(draft));
        location(&self.submit_confirmation(section, id, &promised)).expect("a result")
    }

    /// Presses the button of a draft, with what its page promised.
    pub(crate) fn submit_confirmation(&self, section: &str, id: &str, promised: &[String; 2]) -> String {
        let [plan, price] = promised;
        self.submit(&format!("{section}/confirm"), &[("draft", id), ("plan", plan), ("price", price)])
    }

    /// Where a button of the page of a plan leads.
    pub(crate) fn press(&self, address: &str, button: &str) -> String {
        let page = self.settled(address);
        let seen = page.split(&format!("name=\"{button}\" value=\"")).nth(1).expect("a button");
        let seen = seen.split('"').next().expect("a value").replace("&amp;", "&");
        let seen: String = seen.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let answer = self.get(&format!("{address}&{button}={seen}"));
        location(&answer).unwrap_or_else(|| unreachable!("{answer}"))
    }

    /// Sends an honest form.
    pub(crate) fn submit(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let mut body = format!("token={}", self.form);
        for (name, value) in fields {
            let value: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
            body += &format!("&{name}={value}");
        }
        self.post(path, &body, &self.origin())
    }
}

/// Whether a page shows a number as such. Random names, the digits of other numbers and the coordinates of pictures may
/// hold the same digits.
pub(crate) fn shows(page: &str, number: &str) -> bool {
    let page = without_coordinates(page).replace(',', "");
    page.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '.'))
        .any(|word| word.trim_end_matches('.') == number)
}

/// A page with the words of its pictures only.
fn without_coordinates(page: &str) -> String {
    let mut parts = page.split("<svg");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (picture, rest) = part.split_once("</svg>").unwrap_or((part, ""));
        text.extend(picture.split('<').filter_map(|tag| tag.split_once('>')).map(|(_, words)| words));
        text += rest;
    }
    text
}

/// What the page of a draft promises: the plan and its price, as its form sends them. Both are empty if it has no button.
pub(crate) fn promised(page: &str) -> [String; 2] {
    ["plan", "price"].map(|name| {
        let value = page.split(&format!("name=\"{name}\" value=\"")).nth(1);
        value.and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
    })
}

/// Where an answer leads. The place on the page is for browsers, which do not send it.
pub(crate) fn location(answer: &str) -> Option<String> {
    let to = answer.lines().find_map(|line| line.strip_prefix("location: "))?;
    Some(to.trim().split('#').next()?.to_owned())
}

fn number(random: &mut dyn BitSource, below: u64) -> u64 {
    random.next_u64().expect("bits") % below
}

/// A request of one of eight kinds.
pub(crate) fn hostile(kind: usize, client: &Client, random: &mut dyn BitSource) -> Vec<u8> {
    let bytes = |random: &mut dyn BitSource, most: u64| -> Vec<u8> {
        let length = number(random, most);
        (0..length).map(|_| number(random, 256) as u8).collect()
    };
    let pick =
        |random: &mut dyn BitSource, of: &[&str]| of[number(random, of.len() as u64) as usize].to_owned();
    let (port, root, cookie, form) = (client.port, &client.root, &client.cookie, &client.form);
    let paths = [
        "/home",
        "/help",
        "/ask",
        "/plan",
        "/plan/now",
        "/plan/curves",
        "/plan/table",
        "/release",
        "/release/check",
        "/release/confirm",
        "/budget/create",
        "/budget",
        "/study",
        "/study/check",
        "/study/confirm",
        "/reading",
        "/margins",
        "/margins/check",
        "/document",
        "/document/open",
        "/plan/search",
    ];
    match kind {
        // Random bytes, alone or after the beginning of a request.
        0 => [
            pick(random, &["", "GET / HTTP/1.1\r\n", "GET ", "POST /release/confirm HTTP/1.1\r\nHost: "])
                .into_bytes(),
            bytes(random, 300),
        ]
        .concat(),
        // Wrong cookies and tokens.
        1 => {
            let wrong: String =
                (0..32).map(|_| char::from(b"0123456789abcdef"[number(random, 16) as usize])).collect();
            let path = pick(random, &paths);
            format!(
                "POST {root}{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: posterity={wrong}\r\n\
                 Content-Length: 38\r\nConnection: close\r\n\r\ntoken={wrong}"
            )
            .into_bytes()
        }
        // Other hosts and origins, with the right cookie.
        2 => {
            let host = pick(
                random,
                &[
                    "evil.example",
                    "127.0.0.1",
                    "localhost.evil.example:80",
                    "[::1]",
                    "127.0.0.1:80",
                    "0.0.0.0",
                    "",
                ],
            );
            let origin = pick(random, &["null", "http://evil.example", "file://", "http://127.0.0.1"]);
            let path = pick(random, &paths);
            format!("GET {root}{path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n").into_bytes()
        }
        // Paths that lead elsewhere.
        3 => {
            let before = pick(
                random,
                &[
                    "/assets/",
                    "/release/result/",
                    "/release/draft/",
                    "/budget/entry/",
                    "/study/result/",
                    "/study/result/0/",
                    "/study/result/0/answer/",
                    "/study/draft/",
                    "/reading/",
                    "/",
                    "//",
                    "/plan/../",
                ],
            );
            let after = pick(random, &PATHS);
            let root = if number(random, 4) == 0 { "" } else { root.as_str() };
            format!("GET {root}{before}{after} HTTP/1.1\r\n{}\r\n", client.headers()).into_bytes()
        }
        // Forms with the right token and wrong content.
        4 => {
            let path = pick(
                random,
                &[
                    "/release/check",
                    "/release/confirm",
                    "/study/check",
                    "/study/confirm",
                    "/reading",
                    "/margins/check",
                    "/document/open",
                ],
            );
            let name = pick(random, &PATHS);
            let strange: String = bytes(random, 60).iter().map(|byte| format!("%{byte:02x}")).collect();
            let body = format!(
                "token={form}&file={name}&column0={strange}&categories0={strange}&epsilon={strange}&draft={strange}&account=survey\
                 &plan={name}&of=entry&id={strange}&read={strange}&compare={strange}&menu_of={strange}&delimiter={strange}&encoding={strange}\
                 &schema={name}&sets={strange}&delta={strange}&document={name}"
            );
            format!(
                "POST {root}{path} HTTP/1.1\r\n{}Origin: http://127.0.0.1:{port}\r\nContent-Length: {}\r\n\r\n{body}",
                client.headers(),
                body.len()
            )
            .into_bytes()
        }
        // Bodies that are huge, or said to be.
        5 => {
            let length = pick(random, &["100000", "99999999999999999999", "-1", "70000", "1e9"]);
            let body = "x".repeat(number(random, 80_000) as usize);
            format!(
                "POST {root}/release/check HTTP/1.1\r\n{}Origin: http://127.0.0.1:{port}\r\nContent-Length: {length}\r\n\r\n{body}",
                client.headers()
            )
            .into_bytes()
        }
        // Plans that make no sense.
        6 => {
            let field = pick(
                random,
                &[
                    "n",
                    "k",
                    "e",
                    "prior",
                    "shape",
                    "w",
                    "kind",
                    "file",
                    "categories0",
                    "sizes",
                    "value",
                    "delimiter",
                    "encoding",
                ],
            );
            let value = pick(
                random,
                &[
                    "-1",
                    "0",
                    "1e999",
                    "NaN",
                    "inf",
                    "99999999999999999999",
                    "1,,1",
                    "%00",
                    "%ff%fe",
                    "1e-300",
                    "x",
                    "<script>",
                    "1x1x1x1x",
                ],
            );
            let path =
                pick(random, &["/plan", "/plan/now", "/plan/search", "/plan/curves", "/plan/table", "/ask"]);
            let asked = pick(
                random,
                &["", "&kind=share&file=people.csv&header=yes&column0=cured&categories0=yes,no&go=plan"],
            );
            format!("GET {root}{path}?{field}={value}&n=20&k=2{asked} HTTP/1.1\r\n{}\r\n", client.headers())
                .into_bytes()
        }
        // Strange methods and heads.
        _ => {
            let method =
                pick(random, &["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "HEAD", "BREW"]);
            let path = pick(random, &paths);
            let extra = match number(random, 3) {
                0 => format!("X-Long: {}\r\n", "a".repeat(40_000)),
                1 => "X: y\r\n".repeat(200),
                _ => "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n".to_owned(),
            };
            format!("{method} {root}{path} HTTP/1.1\r\n{extra}{}\r\n0\r\n\r\n", client.headers()).into_bytes()
        }
    }
}
