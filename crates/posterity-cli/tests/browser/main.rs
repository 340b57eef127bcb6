//! The pages of `posterity web` in a real browser.
//!
//! These tests need chromium and chromedriver, and the last needs axe-core, which `tools/browser-tests` installs with
//! npm below `target/`. They are ignored unless asked for; `./test` asks for them if the browser is there, and says so
//! if it is not.

#![cfg(feature = "web")]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod driver;
mod in_a_browser;
mod people_in_a_browser;
