//! Pictures of every page of `posterity web`, to be looked at: `tools/screenshots` makes them.

#![cfg(feature = "web")]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

#[allow(dead_code, reason = "pictures need less of it than tests")]
#[path = "../browser/driver.rs"]
mod driver;

use std::path::{Path, PathBuf};

use driver::{Browser, Web};

/// Where the pictures are written.
fn folder() -> PathBuf {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/browser/pictures");
    let folder = std::env::var_os("POSTERITY_PICTURES").map_or_else(usual, PathBuf::from);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

struct Camera {
    browser: Browser,
    web: Web,
}

impl Camera {
    /// The page that is open, wide and as on a phone, light and dark.
    fn take(&self, name: &str) {
        for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
            self.browser.emulate(width, scheme);
            std::thread::sleep(std::time::Duration::from_millis(150));
            let picture = self.browser.picture(None);
            std::fs::write(folder().join(format!("{name}-{width}-{scheme}.png")), picture).expect("written");
        }
        self.browser.emulate(1280, "light");
    }

    fn go(&self, path: &str) {
        self.browser.go(&self.web.at(path));
    }

    fn account(&self, name: &str, epsilon: &str, more: &[(&str, &str)]) {
        self.go("/budget");
        // Behind the first account the form is folded.
        self.browser.run("for (const one of document.querySelectorAll('details')) one.open = true");
        for (field, text) in [("#name", name), ("#epsilon", epsilon)].iter().chain(more) {
            self.browser.fill(field, text);
        }
        self.browser.click("form.create button");
        self.browser.wait("return !!document.querySelector('section.account')");
    }

    fn settled(&self) {
        self.browser.wait(
            "return location.pathname.includes('/result/') && !document.querySelector('[data-progress]')",
        );
    }
}

#[test]
#[ignore = "pictures: needs chromium and chromedriver; see tools/screenshots"]
fn pictures_in_a_browser() {
    let home = tempfile::tempdir().expect("a folder");
    let camera = Camera {
        web: Web::start(Path::new("examples"), &home.path().join("study.ledger")),
        browser: Browser::start(),
    };
    let browser = &camera.browser;
    browser.go(&camera.web.opening);
    browser.wait("return location.pathname.endsWith('/home')");

    camera.take("home");
    camera.go("/help");
    camera.take("help");
    camera.go("/look?file=rand-health.csv");
    camera.take("look");
    browser.click("button[value=look]");
    browser.wait("return !!document.getElementById('categories1')");
    camera.take("look-found");
    camera.go("/ask");
    camera.take("ask");
    let question = "file=rand-health.csv&column0=coinsurance&column1=visits&value=0&n=20190&sizes=11000,5000,2000,1600,590&w=6";
    for kind in ["share", "rate", "difference", "table"] {
        camera.go(&format!("/ask?kind={kind}&{question}"));
        camera.take(&format!("ask-{kind}"));
    }
    camera.go(&format!("/ask?kind=difference&{question}&go=plan"));
    camera.take("ask-wrong");
    camera.go(&format!("/ask?kind=rate&{question}&go=plan"));
    browser.wait(
        "return !!document.getElementById('use') && !document.querySelector('#curves .waiting') && \
         !document.querySelector('#table .waiting')",
    );
    camera.take("plan-question");
    browser.click("#use");
    browser.wait("return !!document.getElementById('column0')");
    camera.take("release-from-question");

    // Without any account.
    camera.go("/budget");
    camera.take("budget-empty");
    camera.go("/nowhere");
    camera.take("not-found");

    // Plans.
    camera.go("/plan?n=1000&k=3&e=0.5");
    browser.wait("return !document.querySelector('#curves .waiting')");
    camera.take("plan");
    browser.emulate(1280, "light");
    std::fs::write(folder().join("web-plan.png"), browser.picture(Some(1120))).expect("written");
    camera.go("/plan?n=4526&k=2+x+2+x+6&e=0.5&curves=1");
    camera.take("plan-table");
    camera.go("/plan?n=0");
    camera.take("plan-wrong");
    camera.go("/plan?n=90&k=2&w=5");
    camera.take("plan-out-of-reach");
    camera.go("/plan?n=1000000&k=10&w=0.2");
    camera.take("plan-searching");
    camera.go("/plan?n=90&k=2&w=12");
    browser.wait(
        "return !!document.getElementById('width-private') && !document.querySelector('#curves .waiting')",
    );
    camera.take("plan-from-error");
    camera.go("/plan?n=1000&k=3&e=12");
    camera.take("plan-large");

    // A release with readings.
    camera.account("applicants", "3", &[]);
    camera.go("/release");
    camera.take("release-empty");
    browser.run("document.getElementById('file').value = 'admissions.csv'; for (const one of document.querySelectorAll('details')) one.open = true");
    for (field, text) in [
        ("#column0", "admitted"),
        ("#categories0", "yes, no"),
        ("#column1", "gender"),
        ("#categories1", "female, male"),
        ("#epsilon", "0.5"),
        ("#read", "admitted | gender"),
        ("#compare", "admitted=yes | gender: female - male"),
    ] {
        browser.fill(field, text);
    }
    camera.take("release-filled");
    browser.click("form.release button");
    browser.wait("return location.pathname.includes('/release/draft/')");
    camera.take("release-summary");
    browser.click("#confirm");
    camera.settled();
    camera.take("release-result");
    browser.run("scrollTo(0, 0)");
    std::fs::write(folder().join("web-release.png"), browser.picture(Some(1180))).expect("written");
    browser.click("#sheet");
    browser.wait("return location.pathname.endsWith('/sheet.html')");
    camera.take("release-sheet");
    browser.run("history.back()");
    browser.wait("return !!document.getElementById('ask')");
    browser.run("document.getElementById('ask').open = true");
    browser.fill("#read", "gender | admitted=yes");
    browser.fill("#compare", "independence(admitted, gender)");
    browser.click("#ask button");
    browser.wait("return location.pathname.includes('/reading/')");
    camera.take("reading");
    browser.fill("#read", "nobody");
    browser.click("#ask button");
    browser.wait("return !!document.querySelector('#ask .wrong')");
    camera.take("reading-wrong");

    // A study.
    camera.go("/study");
    camera.take("study-empty");
    let made = "epsilon=0.6&n=20190&s0=2&q0=kind%3Drate%26file%3Drand-health.csv%26column0%3Dhealth%26values0%3Dexcellent%2Cgood%2Cfair%2Cpoor%26column1%3Dlimitation%26values1%3Dno%2Cyes%2Cunknown&q1=kind%3Dshare%26file%3Drand-health.csv%26column0%3Ddeductible%26values0%3Dno%2Cyes";
    camera.go(&format!("/study/make?{made}"));
    camera.take("study-made");
    camera.go("/study");
    browser.run("document.getElementById('plan').value = 'admissions-study.toml'");
    browser.click("form.release button");
    browser.wait("return location.pathname.includes('/study/draft/')");
    camera.take("study-summary");
    browser.click("#confirm");
    browser.wait("return location.pathname.includes('/study/result/')");
    camera.take("study-progress");
    camera.settled();
    camera.take("study-result");
    browser.click("#sheet");
    browser.wait("return location.pathname.endsWith('/sheet.html')");
    camera.take("study-sheet");
    browser.run("history.back()");
    browser.wait("return !!document.getElementById('report')");
    browser.click("#report");
    browser.wait("return location.pathname.endsWith('/report')");
    camera.take("study-report");

    // Refusals, and the budget.
    camera.go("/release");
    browser.run("document.getElementById('file').value = 'cryotherapy.csv'");
    browser.fill("#column0", "cured");
    browser.fill("#categories0", "yes, maybe");
    browser.fill("#epsilon", "0.1");
    browser.click("form.release button");
    browser.wait("return location.pathname.includes('/release/draft/')");
    browser.click("#confirm");
    camera.settled();
    camera.take("release-refused");
    camera.go("/budget");
    camera.take("budget");
    camera.go("/budget/verify");
    camera.take("budget-verified");
    camera.go("/budget/entry/2");
    camera.take("budget-entry");

    // Tables of many columns.
    camera.account("wide", "3", &[("#population", "all who took part"), ("#delta", "1e-6")]);
    camera.go("/margins");
    browser.run("document.getElementById('file').value = 'rand-health.csv'; document.getElementById('account').value = 'wide'");
    browser.fill("#n", "20190");
    camera.take("margins-filled");
    browser.click("form.release button");
    browser.wait("return location.pathname.includes('/release/draft/')");
    camera.take("margins-summary");
    browser.click("#confirm");
    camera.settled();
    camera.take("margins-result");
}
