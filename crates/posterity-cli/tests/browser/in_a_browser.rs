//! What a reader does, and what must come of it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::driver::{Browser, Web};
use serde_json::{Value, json};

const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";

/// One browser at a time.
static TURN: Mutex<()> = Mutex::new(());

pub(crate) struct Visit {
    pub(crate) browser: Browser,
    pub(crate) web: Web,
    pub(crate) ledger: PathBuf,
    _folder: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// The folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Visit {
    /// Opens the pages with the examples as data and a new ledger.
    fn new() -> Self {
        Self::with(|_| PathBuf::from("examples"))
    }

    /// The same with the data that are put into a new folder.
    pub(crate) fn with(data: impl Fn(&Path) -> PathBuf) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a folder");
        let ledger = folder.path().join("study.ledger");
        let web = Web::start(&data(folder.path()), &ledger);
        let browser = Browser::start();
        browser.go(&web.opening);
        browser.wait("return location.pathname.endsWith('/home')");
        Self { browser, web, ledger, _folder: folder, _turn: turn }
    }

    fn account(&self, name: &str, epsilon: &str) {
        self.browser.go(&self.web.at("/budget"));
        // Behind the first account the form is folded.
        self.browser.run("for (const one of document.querySelectorAll('details')) one.open = true");
        self.browser.fill("#name", name);
        self.browser.fill("#epsilon", epsilon);
        self.browser.click("form.create button");
        self.browser.wait("return !!document.querySelector('section.account')");
    }

    /// Fills in the form of a release, up to the question whether to release.
    fn draft(&self, values: &str, epsilon: &str) {
        self.browser.go(&self.web.at("/release"));
        self.browser.run("document.getElementById('file').value = 'cryotherapy.csv'");
        self.browser.fill("#column0", "cured");
        self.browser.fill("#categories0", values);
        self.browser.fill("#epsilon", epsilon);
        self.browser.click("form.release button");
        self.browser.wait("return location.pathname.includes('/release/draft/')");
    }

    /// The same with a private n.
    fn private_draft(&self) {
        self.browser.go(&self.web.at("/release"));
        self.browser.run("document.getElementById('file').value = 'cryotherapy.csv'");
        for (field, text) in
            [("#edition", "2026"), ("#column0", "cured"), ("#categories0", "yes, no"), ("#epsilon", "0.5")]
        {
            self.browser.fill(field, text);
        }
        self.browser.click("input[value=add-remove]");
        self.browser.click("form.release button");
        self.browser.wait("return location.pathname.includes('/release/draft/')");
    }

    /// Opens an account that can pay in rho, and asks for every pair of a survey.
    fn margins_draft(&self) {
        let ledger = self.ledger.to_str().unwrap();
        let protects = ["--account", "wide", "--population", "all who took part"];
        let budget = ["--epsilon", "3", "--delta", "1e-6"];
        command(&[&["budget", "create", ledger], &protects[..], &budget].concat());
        self.browser.go(&self.web.at("/margins"));
        self.browser.run("document.getElementById('file').value = 'rand-health.csv'");
        self.browser.run("document.getElementById('account').value = 'wide'");
        self.browser.fill("#n", "20190");
        self.browser.click("form.release button");
        self.browser.wait("return location.pathname.includes('/release/draft/')");
    }

    pub(crate) fn confirm(&self) {
        self.browser.click("#confirm");
        self.settled();
    }

    /// Waits until a release or a study is done or refused.
    pub(crate) fn settled(&self) {
        self.browser.wait(
            "return location.pathname.includes('/result/') && document.querySelector('h1') !== null && \
             !document.querySelector('[data-progress]')",
        );
    }

    /// Chooses the plan of the examples, up to the question whether to carry it out.
    fn study(&self) {
        self.study_at(&self.web);
    }

    fn study_at(&self, web: &Web) {
        self.browser.go(&web.at("/study"));
        self.browser.run("document.getElementById('plan').value = 'admissions-study.toml'");
        self.browser.click("form.release button");
        self.browser.wait("return location.pathname.includes('/study/draft/')");
    }

    /// What the ledger says of an account, by the command.
    pub(crate) fn account_by_command(&self, name: &str) -> Value {
        let ledger = self.ledger.to_str().unwrap();
        let out = command(&["budget", "show", ledger, "--account", name, "--format", "json"]);
        let all: Value = serde_json::from_str(&out).expect("JSON");
        all[0].clone()
    }
}

/// What a command prints.
pub(crate) fn command(arguments: &[&str]) -> String {
    let mut posterity = Command::new(env!("CARGO_BIN_EXE_posterity"));
    let out = posterity.current_dir(root()).args(arguments).output().expect("posterity");
    assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("UTF-8")
}

/// Runs a line that a page shows, and returns what it prints.
fn line(text: &str) -> String {
    let words = words(text);
    assert_eq!(words[0], "posterity", "{text}");
    command(&words.iter().skip(1).map(String::as_str).collect::<Vec<_>>())
}

/// The words of a line, of which some stand in single quotes.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(ToOwned::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn a_plan_with_the_slider_has_the_digits_of_its_command() {
    let visit = Visit::new();
    let browser = &visit.browser;
    browser.go(&visit.web.at("/plan?n=400&k=3&e=1"));
    browser.wait("return !document.querySelector('#curves .waiting')");
    let places = "return JSON.stringify(['#now figure', '#now .card', '#line-command', '#curves', '#curves .split', 'footer']\
                  .map((one) => document.querySelector(one).getBoundingClientRect().top + scrollY))";
    let before = browser.run(places);
    let wide = browser.text("#width-private");
    // By keyboard alone.
    browser.press("#slider", &LEFT.repeat(31));
    let epsilon = browser.run("return document.getElementById('e').value");
    assert_eq!(epsilon, json!("0.093"));
    let loaded = "const asked = location.search.slice(1); return ['now', 'curves'].every((one) => \
                  document.getElementById(one).dataset.loaded === asked && !document.getElementById(one).matches('.stale'))";
    browser.wait(loaded);
    assert_ne!(browser.text("#width-private"), wide, "the slider moves the answer");
    assert_eq!(browser.run(places), before, "nothing moves on the page");
    let said = [browser.text("#width-private"), browser.text("#width-without")];
    let copied = browser.text("#line-command");
    browser.click("[data-copy=line-command]");
    browser.wait("return ['Copied', 'Selected'].includes(document.querySelector('[data-copy=line-command]').firstChild.nodeValue)");
    let printed = line(&copied);
    let expected = format!("± {} percentage points; without privacy, ± {}.", said[0], said[1]);
    assert!(printed.replace('\n', " ").contains(&expected), "{copied}\n{printed}\n{expected}");
    // The address is the plan.
    let address = browser.address();
    assert!(address.contains("e=0.093") && address.contains("n=400"), "{address}");
    browser.reload();
    assert_eq!([browser.text("#width-private"), browser.text("#width-without")], said);
    assert_eq!(browser.run("return document.getElementById('slider').value"), json!("29"));
    browser.press("#slider", RIGHT);
    browser.wait("return location.search.includes('e=0.1')");
    // The error to bear leads to the least epsilon that keeps it, which the command finds too.
    browser.fill("#w", "6");
    browser.press("#w", "\u{e007}");
    browser.wait("return location.search.includes('w=6') && !!document.getElementById('width-private')");
    let (epsilon, width) = (browser.text("#epsilon-now"), browser.text("#width-private"));
    assert!(width.parse::<f64>().expect("a number") <= 6.0, "{width}");
    let printed = line(&browser.text("#line-command")).replace('\n', " ");
    assert!(printed.starts_with(&format!("Use epsilon {epsilon} with lattice.")), "{printed}");
    assert!(printed.contains(&format!("reach {width} points to each side")), "{printed} {width}");
    assert_eq!(browser.run("return document.getElementById('e').value"), json!(epsilon));
    // The slider takes over again.
    browser.press("#slider", RIGHT);
    browser.wait("return !location.search.includes('w=') && document.getElementById('w').value === ''");
}

/// Each column of a table, and one given another, with the digits of the command.
#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn a_plan_of_a_table_has_the_digits_of_its_command() {
    let visit = Visit::new();
    let browser = &visit.browser;
    browser.go(&visit.web.at("/plan?n=600&k=2+x+3&e=1"));
    let rows = "return Array.from(document.querySelectorAll('#table tbody tr'), (row) => \
                Array.from(row.cells, (cell) => cell.textContent))";
    browser.wait("return document.querySelector('#table tbody') !== null");
    let wide = browser.run(rows);
    // Five readings, and how many times as wide they are as without privacy.
    assert_eq!(wide.as_array().expect("rows").len(), 6, "{wide}");
    // The slider moves the table too.
    browser.press("#slider", &LEFT.repeat(31));
    browser.wait(
        "return ['now', 'table'].every((one) => \
         document.getElementById(one).dataset.loaded === location.search.slice(1))",
    );
    let rows = browser.run(rows);
    assert_ne!(rows, wide);
    let printed = line(&browser.text("#line-command"));
    let lines: Vec<Vec<&str>> = printed.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in rows.as_array().expect("rows") {
        let cells: Vec<&str> = row.as_array().expect("cells").iter().filter_map(Value::as_str).collect();
        let (reading, widths) = cells.split_first().expect("a reading");
        let name: Vec<&str> = reading.split_whitespace().collect();
        let found = lines.iter().any(|line| line.starts_with(&name) && line.ends_with(widths));
        assert!(found, "{cells:?}\n{printed}");
    }
    let advice = browser.text("#table-advice");
    assert!(
        printed.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(&advice),
        "{advice}\n{printed}"
    );
    // Without a table there is nothing to say of one.
    browser.fill("#k", "6");
    browser.wait("return document.getElementById('table').textContent === ''");
}

/// The choice that n is private reaches the plan, the release and their commands. The ledger has the answer to the
/// release, so the command recalls it, with the same digits.
#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn a_private_n_is_that_of_the_commands() {
    let visit = Visit::new();
    let browser = &visit.browser;
    browser.go(&visit.web.at("/plan?n=600&k=3&e=1"));
    let public = browser.text("#width-private");
    browser.click("input[value=add-remove]");
    browser.wait(
        "return location.search.includes('adjacency=add-remove') && ['now', 'curves', 'table'].every((one) => \
         document.getElementById(one).dataset.loaded === location.search.slice(1))",
    );
    assert_ne!(browser.text("#width-private"), public);
    let (copied, advice) = (browser.text("#line-command"), browser.text("#table-advice"));
    let printed = line(&copied);
    assert!(
        printed.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(&advice),
        "{copied}\n{advice}\n{printed}"
    );
    browser.go(&visit.web.at("/budget"));
    browser.click("input[value=add-remove]");
    browser.fill("#name", "hospital");
    browser.fill("#epsilon", "2");
    browser.click("form.create button");
    browser.wait("return !!document.querySelector('section.account')");
    assert_eq!(visit.account_by_command("hospital")["adjacency"], json!("add-remove"));
    visit.private_draft();
    let command_line = browser.text("#line-command");
    assert!(command_line.contains("--edition 2026") && command_line.contains("--adjacency add-remove"));
    visit.confirm();
    let csv = browser.run_async(
        "return await (await fetch(document.querySelector('a[href$=\"release.csv\"]').href)).text()",
    );
    assert_eq!(json!(line(&format!("{command_line} --format csv"))), csv);
    assert_eq!(visit.account_by_command("hospital")["charges"], json!(1));
}

/// The whole page is small, and something is seen at once.
#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn the_page_is_small_and_quick() {
    let visit = Visit::new();
    let browser = &visit.browser;
    let mut paints = Vec::new();
    for n in 400..405 {
        browser.go(&visit.web.at(&format!("/plan?n={n}&k=3&e=1")));
        browser.wait("return !document.querySelector('#curves .waiting')");
        let all = browser.run(
            "const timed = performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')); \
             return [timed.reduce((sum, one) => sum + one.encodedBodySize, 0), \
             performance.getEntriesByName('first-contentful-paint')[0].startTime]",
        );
        let (bytes, paint) = (all[0].as_u64().expect("bytes"), all[1].as_f64().expect("milliseconds"));
        assert!(bytes > 20_000 && bytes < 500_000, "{bytes} bytes");
        paints.push(paint);
        println!("n {n}: {bytes} bytes, first paint after {paint:.0} ms");
    }
    // The best of five loads, because other work of the machine delays some.
    let best = paints.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(best < 300.0, "first paint after {paints:?} ms");
}

#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn a_release_is_read_as_the_command_reads_it() {
    let visit = Visit::new();
    let browser = &visit.browser;
    visit.account("applicants", "1");
    browser.go(&visit.web.at("/release"));
    browser.run(
        "document.getElementById('file').value = 'admissions.csv'; \
         for (const one of document.querySelectorAll('details')) one.open = true",
    );
    for (field, text) in [
        ("#column0", "admitted"),
        ("#categories0", "yes, no"),
        ("#column1", "gender"),
        ("#categories1", "female, male"),
        ("#epsilon", "0.5"),
        ("#read", "admitted | sex"),
        ("#compare", "admitted=yes | gender: female - male"),
    ] {
        browser.fill(field, text);
    }
    browser.click("form.release button");
    browser.wait("return !!document.querySelector('.wrong')");
    let wrong = browser.text(".wrong");
    assert_eq!(
        wrong,
        "The release has no column \"sex\"; its columns are \"admitted\", \"gender\". Go to “Readings, one on each line”"
    );
    browser.fill("#read", "admitted | gender");
    browser.click("form.release button");
    browser.wait("return location.pathname.includes('/release/draft/')");
    let command_line = browser.text("#line-command");
    visit.confirm();
    let tables = browser.text(".readings");
    assert!(tables.contains("P(first is larger)") && tables.contains("admitted | gender"), "{tables}");
    let csv = |selector: &str| {
        browser.run_async(&format!(
            "return await (await fetch(document.querySelector('{selector}').href)).text()"
        ))
    };
    // The command recalls the release, and reads the same.
    assert_eq!(json!(line(&format!("{command_line} --format csv"))), csv("a[href$=\"readings.csv\"]"));
    // Another reading, of the document that the ledger keeps; loading it again and going back costs nothing.
    browser.go(&visit.web.at("/budget/entry/2"));
    browser.unfold("#ask");
    browser.fill("#read", "gender | admitted=yes");
    browser.click("#ask button");
    browser.wait("return location.pathname.includes('/reading/')");
    let read = browser.text(".readings");
    assert!(read.contains("gender | admitted=yes"), "{read}");
    let document = visit.ledger.with_file_name("release.json");
    let json =
        browser.run_async("return await (await fetch(document.querySelector('#downloads a').href)).text()");
    std::fs::write(&document, json.as_str().expect("JSON")).expect("written");
    let printed =
        command(&["read", document.to_str().unwrap(), "--read", "gender | admitted=yes", "--format", "csv"]);
    assert_eq!(json!(printed), csv("a[href$=\"readings.csv\"]"));
    browser.reload();
    assert_eq!(browser.text(".readings"), read);
    browser.back();
    browser.wait("return location.pathname.endsWith('/budget/entry/2')");
    assert_eq!(visit.account_by_command("applicants")["charges"], json!(1));
}

#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn a_study_shows_its_progress_and_is_charged_once() {
    let visit = Visit::new();
    let browser = &visit.browser;
    visit.account("applicants", "1.5");
    // Two tabs ask for the same study.
    visit.study();
    assert!(browser.text("main").contains("0.5 will be left of 1.5"), "{}", browser.text("main"));
    let (first, second) = browser.new_tab();
    visit.study();
    for tab in [&first, &second] {
        browser.show_tab(tab);
        browser.run("setTimeout(() => document.getElementById('confirm').click(), 200)");
    }
    browser.wait("return location.pathname.includes('/study/result/')");
    // The words change while the page stays.
    let seen = browser.run_async(
        "const seen = new Set(); const start = Date.now(); while (Date.now() - start < 60000) { \
         const told = document.querySelector('[data-progress] [role=status]'); if (!told) break; seen.add(told.textContent); \
         await new Promise((go) => setTimeout(go, 20)); if (seen.size > 1) break; } return [...seen];",
    );
    let told = |words: &Value| {
        ["Counting", "Reading", "Drawing"].iter().any(|one| words.as_str().unwrap().starts_with(one))
    };
    assert!(seen.as_array().unwrap().iter().all(told), "{seen}");
    let mut paid = Vec::new();
    for tab in [&first, &second] {
        browser.show_tab(tab);
        visit.settled();
        paid.push(browser.text(".paid"));
    }
    paid.sort();
    assert!(paid[0].starts_with("Charged epsilon 1 for all questions; 0.5 is left"), "{paid:?}");
    assert!(
        paid[1].starts_with("The ledger holds the answers to this plan, drawn at")
            && paid[1].contains("nothing was charged."),
        "{paid:?}"
    );
    assert_eq!(visit.account_by_command("applicants")["charges"], json!(1));
    let tables = browser.text(".reading-grid");
    assert!(tables.contains("admitted=yes | gender: female - male"), "{tables}");
    // Loading again and going back does nothing again.
    browser.reload();
    assert_eq!(browser.text(".reading-grid"), tables);
    browser.back();
    browser.wait("return location.pathname.includes('/study/draft/')");
    browser.reload();
    assert!(browser.text("main").contains("This was confirmed"), "{}", browser.text("main"));
    // The report is styled, and nothing in it can run.
    browser.click(".notice a");
    browser.wait("return !!document.getElementById('report')");
    let report = browser.run("return document.getElementById('report').href");
    browser.go(report.as_str().expect("an address"));
    let title = browser.text("h1");
    assert_eq!(title, "Graduate admissions at Berkeley, autumn 1973");
    assert!(
        browser.run("return getComputedStyle(document.querySelector('main')).maxWidth") != json!("none"),
        "it has its style"
    );
    let ran = browser.run(
        "const script = document.createElement('script'); script.textContent = 'window.ran = 1'; document.body.append(script); \
         return [window.ran === undefined, self.origin]",
    );
    assert_eq!(ran, json!([true, "null"]), "no script, and an origin of its own");
    // Another server, as after this one was killed, finds the answers in the ledger.
    let again = Web::start(Path::new("examples"), &visit.ledger);
    browser.go(&again.opening);
    browser.wait("return location.pathname.endsWith('/home')");
    visit.study_at(&again);
    assert!(browser.text("main").contains("The ledger holds the answers"), "{}", browser.text("main"));
    browser.click("#confirm");
    visit.settled();
    assert_eq!(browser.text(".reading-grid"), tables);
    assert_eq!(visit.account_by_command("applicants")["charges"], json!(1));
}

#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn a_release_is_charged_once_and_can_be_taken_home() {
    let visit = Visit::new();
    let browser = &visit.browser;
    visit.account("hospital", "1");
    visit.draft("yes, no", "0.5");
    let body = browser.text("body");
    assert!(
        body.contains("0.5 will be left of 1") && body.contains("Nothing has been read or charged"),
        "{body}"
    );
    let command_line = browser.text("#line-command");
    assert_eq!(visit.account_by_command("hospital")["charges"], json!(0));
    visit.confirm();
    let table = browser.text("table.numbers");
    assert!(browser.text(".paid").contains("Charged epsilon 0.5"), "{}", browser.text(".paid"));
    let result = browser.address();
    let fetched = browser.run_async(
        "const all = {}; for (const link of document.querySelectorAll('#downloads a')) { const answer = await fetch(link.href); \
         all[link.href.split('.').pop()] = [answer.headers.get('content-disposition'), await answer.text()]; } return all;",
    );
    let document: Value =
        serde_json::from_str(fetched["json"][1].as_str().expect("JSON")).expect("a document");
    assert_eq!(
        (&document["private"], &document["n"], &document["epsilon"]),
        (&json!(true), &json!(90), &json!(0.5))
    );
    assert!(fetched["svg"][1].as_str().unwrap().contains("<svg"), "{fetched}");
    assert!(fetched["csv"][0].as_str().unwrap().contains("attachment"), "{fetched}");
    // The command recalls the same release, with the same digits, and charges nothing.
    let recalled = line(&format!("{command_line} --format csv"));
    assert_eq!(Some(recalled.as_str()), fetched["csv"][1].as_str());
    // Loading again, and going back and forth, releases nothing again.
    browser.reload();
    assert_eq!(browser.text("table.numbers"), table);
    browser.back();
    browser.wait("return location.pathname.includes('/release/draft/')");
    browser.reload();
    assert!(browser.text("body").contains("This was released"), "{}", browser.text("body"));
    browser.go(&result);
    assert_eq!(browser.text("table.numbers"), table);
    assert_eq!(visit.account_by_command("hospital")["charges"], json!(1));
    // The budget has it, too.
    browser.go(&visit.web.at("/budget"));
    browser.click("section.account table a");
    browser.wait("return location.pathname.includes('/budget/entry/')");
    assert_eq!(browser.text("table.numbers"), table);
    browser.go(&visit.web.at("/budget/verify"));
    assert!(browser.text("body").contains("1 account, 1 charge, 1 release"), "{}", browser.text("body"));
}

#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn a_budget_is_never_exceeded() {
    let visit = Visit::new();
    let browser = &visit.browser;
    visit.account("small", "1");
    visit.draft("yes, no", "1.5");
    assert!(browser.text("body").contains("not enough"), "{}", browser.text("body"));
    visit.confirm();
    let body = browser.text("main");
    assert!(
        body.contains("Not released") && body.contains("exceeds what remains of account \"small\""),
        "{body}"
    );
    assert_eq!(visit.account_by_command("small")["spent_epsilon"], json!("0"));
    // A value outside the declared ones is refused as the command refuses it, and says nothing that a record holds.
    visit.draft("yes, maybe", "0.1");
    visit.confirm();
    let body = browser.text("main");
    assert!(body.contains("Not released") && body.contains("nothing was charged or released"), "{body}");
    assert_eq!(visit.account_by_command("small")["charges"], json!(0));
    assert_eq!(
        browser.run("return document.getElementById('categories0').value"),
        json!("yes, maybe"),
        "what was typed stays"
    );
    // Wrong forms come back with what was typed.
    browser.go(&visit.web.at("/release"));
    browser.run("document.getElementById('file').value = 'cryotherapy.csv'");
    browser.fill("#column0", "cured");
    browser.click("form.release button");
    browser.wait("return !!document.querySelector('.wrong')");
    assert_eq!(browser.run("return document.getElementById('column0').value"), json!("cured"));
}

#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn of_two_tabs_that_spend_the_last_of_a_budget_one_succeeds() {
    let visit = Visit::new();
    let browser = &visit.browser;
    visit.account("shared", "1");
    // Two questions, of which each alone fits.
    visit.draft("yes, no", "0.8");
    let (first, second) = browser.new_tab();
    visit.draft("no, yes", "0.8");
    // Both buttons are pressed before either page is waited for.
    for tab in [&first, &second] {
        browser.show_tab(tab);
        browser.run("setTimeout(() => document.getElementById('confirm').click(), 300)");
    }
    let mut released = 0;
    for tab in [&first, &second] {
        browser.show_tab(tab);
        visit.settled();
        let body = browser.text("main");
        let refused = body.contains("exceeds what remains");
        assert!(refused != body.contains("Charged epsilon 0.8"), "{body}");
        released += u32::from(!refused);
    }
    assert_eq!(released, 1);
    let account = visit.account_by_command("shared");
    assert_eq!((&account["charges"], &account["spent_epsilon"]), (&json!(1), &json!("0.8")));
}

/// Every page in both colour schemes and both widths, by axe-core: WCAG 2.2, levels A and AA. Another server of this
/// machine, which somebody else may run, on a port of its own. It answers with a link to itself, and writes down what
/// it is sent.
fn neighbour() -> (String, Arc<Mutex<String>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let heard = Arc::new(Mutex::new(String::new()));
    let shared = Arc::clone(&heard);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
            shared.lock().unwrap_or_else(PoisonError::into_inner).push_str(&(head.join("\n") + "\n"));
            let page = "<!doctype html><title>x</title><a id=\"again\" href=\"/again\">again</a>";
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nSet-Cookie: theirs=1\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n{page}",
                page.len()
            );
        }
    });
    (address, heard)
}

/// A browser sends cookies to every port of a host. If this fails, whoever runs a server on this machine can read the
/// pages.
#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn other_servers_of_this_machine_do_not_get_the_cookie() {
    let visit = Visit::new();
    let browser = &visit.browser;
    let (address, heard) = neighbour();
    browser.go(&address);
    browser.click("#again");
    browser.wait("return location.pathname === '/again'");
    let heard = heard.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert!(heard.contains("GET /again") && heard.contains("theirs=1"), "cookies are sent there: {heard}");
    assert!(!heard.contains("posterity"), "{heard}");
    // These pages have their cookie still.
    browser.go(&visit.web.at("/budget"));
    assert!(browser.text("h1").contains("Budget"), "{}", browser.text("body"));
}

/// The file that a browser is started with leads to the start page.
#[test]
#[ignore = "browser: needs chromium and chromedriver; see tools/browser-tests"]
fn the_file_leads_to_the_pages() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a folder");
    let (web, page) = Web::start_by_file(folder.path());
    let browser = Browser::start();
    browser.go(&format!("file://{}", page.display()));
    browser.wait("return location.protocol === 'http:' && location.pathname.endsWith('/home')");
    assert!(browser.address().starts_with(&web.at("/home")) && !page.exists(), "{}", browser.address());
}

#[test]
#[ignore = "browser: needs chromium, chromedriver and axe-core; see tools/browser-tests"]
fn every_page_is_for_everyone() {
    let axe =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/browser/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("tools/browser-tests installs axe-core");
    let visit = Visit::new();
    let browser = &visit.browser;
    let mut pages = vec![visit.web.at("/budget")];
    visit.account("hospital", "4");
    visit.draft("yes, no", "0.5");
    pages.push(browser.address());
    visit.confirm();
    pages.push(browser.address());
    visit.draft("yes, maybe", "0.5");
    visit.confirm();
    pages.push(browser.address());
    visit.private_draft();
    pages.push(browser.address());
    visit.confirm();
    pages.push(browser.address());
    // A reading, and a study.
    browser.go(&visit.web.at("/budget/entry/2"));
    browser.unfold("#ask");
    browser.fill("#compare", "cured: yes - no");
    browser.click("#ask button");
    browser.wait("return location.pathname.includes('/reading/')");
    pages.push(browser.address());
    visit.study();
    pages.push(browser.address());
    visit.confirm();
    pages.push(browser.address());
    visit.margins_draft();
    pages.push(browser.address());
    visit.confirm();
    pages.push(browser.address());
    browser.run("for (const one of document.querySelectorAll('details')) one.open = true");
    browser.click("button[aria-label='Read coinsurance | visits']");
    browser.wait("return location.pathname.includes('/reading/')");
    pages.push(browser.address());
    browser.go(&pages[pages.len() - 4]);
    // No script runs in the report and in the sheet as they are served, so axe looks at files that are saved.
    for name in ["report.html", "sheet.html"] {
        let page = browser.run_async(&format!(
            "return await (await fetch(document.querySelector('a[href$=\"{name}\"]').href)).text()"
        ));
        let saved = visit.ledger.with_file_name(name);
        std::fs::write(&saved, page.as_str().expect("a page")).expect("written");
        pages.push(format!("file://{}", saved.display()));
    }
    let others = [
        "/home",
        "/help",
        "/ask?kind=difference&file=admissions.csv&column0=gender",
        "/plan?kind=rate&n=30&column0=ward&categories0=A,B&column1=cured&categories1=yes,no&sizes=2,1&curves=1",
        "/study/make?epsilon=1&n=300&q0=kind%3Dshare%26file%3Dadmissions.csv%26column0%3Dgender%26values0%3Dfemale%2Cmale",
        "/plan",
        "/plan?n=20&k=2&e=1",
        "/plan?n=30&k=2+x+2&e=1&curves=1",
        "/plan?n=30&k=3&e=1&adjacency=add-remove&curves=1",
        "/plan?n=0",
        "/plan?n=20&k=2&w=22",
        "/release",
        "/margins",
        "/document",
        "/study",
        "/budget",
        "/budget/verify",
        "/budget/entry/2",
        "/nowhere",
        // Last, because its search takes the processors from then on.
        "/plan?n=1000000&k=10&w=0.2",
    ];
    pages.extend(others.map(|path| visit.web.at(path)));
    // No script of the pages asks for the width, so a page that is made narrower is the page of a narrow window; and of
    // all rules only that of contrast depends on the colours.
    let all = "'wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'";
    for page in &pages {
        browser.emulate(1280, "light");
        browser.go(page);
        browser
            .wait("return !document.querySelector('#curves .waiting') || !!document.querySelector('.wrong')");
        // A page that waits for a search is looked at while it waits, and must not be loaded anew meanwhile.
        browser
            .run("if (document.querySelector('[data-progress]')) window.fetch = () => new Promise(() => {})");
        browser.run(&axe);
        for width in [1280, 390] {
            for (scheme, rules) in [("light", all), ("dark", "'color-contrast'")] {
                browser.emulate(width, scheme);
                let found = browser.run_async(&format!(
                    "const found = await axe.run({{ runOnly: [{rules}] }}); \
                     return found.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '));"
                ));
                assert_eq!(found, json!([]), "{page} {width} {scheme}");
            }
            let fits = browser.run("return document.documentElement.scrollWidth <= innerWidth");
            assert_eq!(fits, json!(true), "{page} is wider than {width}");
        }
    }
}
