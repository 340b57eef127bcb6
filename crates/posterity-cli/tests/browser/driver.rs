//! A small client of WebDriver (<https://www.w3.org/TR/webdriver2/>), and the server under test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything on a page may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with one window and an empty profile.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts chromedriver and chromium.
    pub(crate) fn start() -> Self {
        // A port that is free now. If another process takes it first, the test fails and says so.
        let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is not installed; on Debian: apt-get install chromium chromium-driver");
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < PATIENCE, "chromedriver does not answer on port {port}");
            std::thread::sleep(Duration::from_millis(20));
        }
        let profile = tempfile::tempdir().expect("a folder");
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,900",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let mut browser = Self { driver, port, session: String::new(), _profile: profile };
        let wanted = json!({
            "browserName": "chrome",
            // A page on a busy machine may be there before its fields can be used.
            "timeouts": {"implicit": PATIENCE.as_secs() * 1000},
            "goog:chromeOptions": {"args": arguments},
        });
        let made = browser.send("POST", "/session", &json!({"capabilities": {"alwaysMatch": wanted}}));
        browser.session = made["sessionId"].as_str().expect("a session").to_owned();
        browser
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let (status, text) = http(
            self.port,
            &format!(
                "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n{body}",
                self.port,
                body.len()
            ),
        );
        let answer: Value = serde_json::from_str(&text).expect("WebDriver answers JSON");
        assert_eq!(status, 200, "{method} {path}: {}", answer["value"]["message"]);
        answer["value"].clone()
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.send(method, &format!("/session/{}{path}", self.session), body)
    }

    /// Loads an address.
    pub(crate) fn go(&self, address: &str) {
        self.ask("POST", "/url", &json!({"url": address}));
    }

    /// The address of the page.
    pub(crate) fn address(&self) -> String {
        self.ask("GET", "/url", &Value::Null).as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn reload(&self) {
        self.ask("POST", "/refresh", &json!({}));
    }

    pub(crate) fn back(&self) {
        self.ask("POST", "/back", &json!({}));
    }

    /// Runs a script with `return`.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.ask("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs a script that awaits something and returns it.
    pub(crate) fn run_async(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then(done, (error) => done('failed: ' + error));"
        );
        self.ask("POST", "/execute/async", &json!({"script": script, "args": []}))
    }

    /// Asks until a page is loaded and a script returns true.
    pub(crate) fn wait(&self, script: &str) {
        let start = Instant::now();
        let loaded = "return document.readyState === 'complete'";
        while self.run(loaded) != json!(true) || self.run(script) != json!(true) {
            assert!(
                start.elapsed() < PATIENCE,
                "{script} stays false at {}: {}",
                self.address(),
                self.text("body")
            );
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn element(&self, selector: &str) -> String {
        let found = self.ask("POST", "/element", &json!({"using": "css selector", "value": selector}));
        let found = found.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        found.expect("an element").to_owned()
    }

    /// The text of an element as it is seen.
    pub(crate) fn text(&self, selector: &str) -> String {
        let path = format!("/element/{}/text", self.element(selector));
        self.ask("GET", &path, &Value::Null).as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn click(&self, selector: &str) {
        let path = format!("/element/{}/click", self.element(selector));
        self.ask("POST", &path, &json!({}));
    }

    /// Presses keys in an element, after what is there was removed.
    pub(crate) fn fill(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.ask("POST", &format!("/element/{element}/clear"), &json!({}));
        self.ask("POST", &format!("/element/{element}/value"), &json!({"text": text}));
    }

    /// Opens a part of the page that is folded, as one does with the keyboard.
    #[allow(dead_code, reason = "not every test that uses this file opens one")]
    pub(crate) fn unfold(&self, details: &str) {
        self.press(&format!("{details} > summary"), "\n");
        self.wait(&format!("return document.querySelector('{details}').open"));
    }

    /// Presses keys in an element.
    pub(crate) fn press(&self, selector: &str, keys: &str) {
        let path = format!("/element/{}/value", self.element(selector));
        self.ask("POST", &path, &json!({"text": keys}));
    }

    /// Presses keys where the cursor is.
    #[allow(dead_code, reason = "not every test that uses this file goes by keyboard")]
    pub(crate) fn keys(&self, keys: &str) {
        let active = self.ask("GET", "/element/active", &Value::Null);
        let active = active.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        let path = format!("/element/{}/value", active.expect("an element"));
        self.ask("POST", &path, &json!({"text": keys}));
    }

    /// Moves the cursor by the tab key alone until it is in an element that follows, and presses keys there.
    #[allow(dead_code, reason = "not every test that uses this file goes by keyboard")]
    pub(crate) fn tab_to(&self, selector: &str, keys: &str) {
        // What the tab key should stop at on the way. Of radio buttons it stops at the chosen one.
        let stops = self.run(&format!(
            "const all = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex=\"0\"]')]\
             .filter((one) => one.checkVisibility() && (one.type !== 'radio' || one.checked)); \
             return all.indexOf(document.querySelector({})) - all.indexOf(document.activeElement)",
            json!(selector)
        ));
        let stops = stops.as_u64().expect("an element that follows") as usize;
        if stops > 0 {
            self.keys(&"\u{e004}".repeat(stops));
        }
        let there = format!("return document.activeElement.matches({})", json!(selector));
        assert_eq!(
            self.run(&there),
            json!(true),
            "{stops} times the tab key leads elsewhere than {selector}"
        );
        if !keys.is_empty() {
            self.keys(keys);
        }
    }

    /// Opens another tab, shows it, and returns the names of the old and the new one.
    pub(crate) fn new_tab(&self) -> (String, String) {
        let old = self.ask("GET", "/window", &Value::Null).as_str().unwrap_or_default().to_owned();
        let new = self.ask("POST", "/window/new", &json!({"type": "tab"}));
        let new = new["handle"].as_str().unwrap_or_default().to_owned();
        self.show_tab(&new);
        (old, new)
    }

    pub(crate) fn show_tab(&self, name: &str) {
        self.ask("POST", "/window", &json!({"handle": name}));
    }

    /// The whole page as PNG, or its first this many pixels.
    #[allow(dead_code, reason = "not every test that uses this file takes pictures")]
    pub(crate) fn picture(&self, height: Option<u32>) -> Vec<u8> {
        let mut how = json!({"captureBeyondViewport": true});
        if let Some(height) = height {
            let width = self.run("return document.documentElement.clientWidth");
            how["clip"] = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
        }
        let taken =
            self.ask("POST", "/goog/cdp/execute", &json!({"cmd": "Page.captureScreenshot", "params": how}));
        decoded(taken["data"].as_str().expect("a picture"))
    }

    /// Sets the width of the page and the colour scheme that the reader prefers.
    pub(crate) fn emulate(&self, width: u32, scheme: &str) {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600});
        for (command, parameters) in
            [("Emulation.setEmulatedMedia", features), ("Emulation.setDeviceMetricsOverride", size)]
        {
            self.ask("POST", "/goog/cdp/execute", &json!({"cmd": command, "params": parameters}));
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let request = format!(
            "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            self.session, self.port
        );
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _ = stream.write_all(request.as_bytes());
            // The first byte of the answer says that the browser is closed. The connection may stay open.
            let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
            let _ = stream.read(&mut [0; 1]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The bytes of a text in base 64.
#[allow(dead_code, reason = "not every test that uses this file takes pictures")]
fn decoded(text: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').collect();
    let bytes = letters.chunks(4).flat_map(|four| {
        let joined = four.iter().fold(0_u32, |sum, letter| sum << 6 | u32::from(digit(*letter)));
        let joined = joined << (6 * (4 - four.len()));
        joined.to_be_bytes()[1..four.len()].to_vec()
    });
    bytes.collect()
}

/// Sends a request, and returns the status and the body of the answer.
fn http(port: u16, request: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a timeout");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("an answer");
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).expect("a header");
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    (status, String::from_utf8(body).expect("UTF-8"))
}

/// The first line that a program prints.
fn first_line(process: &mut Child) -> String {
    let mut line = String::new();
    let mut out = BufReader::new(process.stdout.take().expect("piped"));
    out.read_line(&mut line).expect("a line");
    line.trim().to_owned()
}

/// `posterity web`, running.
pub(crate) struct Web {
    process: Child,
    /// The address that opens the pages.
    pub(crate) opening: String,
}

impl Web {
    /// Starts it in the folder of the project.
    pub(crate) fn start(data: &Path, ledger: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_posterity"))
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
            .args(["web", "--no-open", "--data"])
            .arg(data)
            .arg("--ledger")
            .arg(ledger)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("posterity web");
        let opening = first_line(&mut process);
        Self { process, opening }
    }

    /// Starts it with a browser that does nothing, and returns the file that this browser was given.
    #[allow(dead_code, reason = "not every test that uses this file opens one")]
    pub(crate) fn start_by_file(folder: &Path) -> (Self, PathBuf) {
        let (browser, said) = (folder.join("xdg-open"), folder.join("said"));
        // To read a pipe waits for whoever writes it.
        assert!(Command::new("mkfifo").arg(&said).status().expect("mkfifo").success());
        std::fs::write(&browser, format!("#!/bin/sh\nprintf '%s' \"$1\" > '{}'\n", said.display()))
            .expect("written");
        assert!(Command::new("chmod").arg("+x").arg(&browser).status().expect("chmod").success());
        let mut process = Command::new(env!("CARGO_BIN_EXE_posterity"))
            .arg("web")
            .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("posterity web");
        let opening = first_line(&mut process);
        let page = std::fs::read_to_string(&said).expect("the file");
        (Self { process, opening }, PathBuf::from(page))
    }

    /// An address of the pages.
    pub(crate) fn at(&self, path: &str) -> String {
        let root = self.opening.split("/start").next().unwrap_or_default();
        format!("{root}{path}")
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
