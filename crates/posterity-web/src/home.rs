//! The start: what to do first.

use posterity::Ledger;

use crate::ask;
use crate::html;
use crate::layout::{self, Section};
use crate::reply::{Answer, Reply};
use crate::site::Site;

/// The first page.
pub(crate) fn page(site: &Site, (): ()) -> Answer {
    let body = format!(
        "<div class=\"intro\"><h1>What do you want to know?</h1><p class=\"lead\">Posterity answers questions about many people with noise \
         that protects every one of them. Begin with a question.</p></div>{}\
         <h2>The way from there</h2><ol class=\"way\"><li>{}</li>\
         <li><strong>Ask.</strong> No record is read for that.</li>\
         <li><strong>See what to expect.</strong> Choose epsilon by the error that you can bear.</li>\
         <li><strong>Look at the summary, and release.</strong> One button charges the account and draws the noise, once.</li>\
         <li><strong>Take the sheet to the committee.</strong> It says in words what was asked, answered and promised, and how to \
         verify it.</li></ol>\
         <p>For many questions at once there are <a href=\"/study\">studies</a>, and for every pair of many columns <a href=\"/margins\">tables of \
         many columns</a>. A release that you have as a file is <a href=\"/document\">opened</a> here. What was released before is in the history of the \
         <a href=\"/budget\">budget</a>, to be read again at no cost. The words are explained in the <a href=\"/help\">help</a>.</p>",
        if site.folder().is_some() { ask::kinds() } else { without_data() },
        first(site)
    );
    Ok(Reply::Html(layout::page("Start", Section::None, &body)))
}

fn without_data() -> String {
    "<p class=\"notice\">There is no folder of data yet. Start with <code>posterity web --data FOLDER</code>, or \
     <a href=\"/plan\">plan</a> without any data.</p>"
        .to_owned()
}

/// The first step: the account that pays.
fn first(site: &Site) -> String {
    let Some(path) = site.ledger() else {
        return "<strong>Keep a budget.</strong> Nobody adds up what is released now. Start with <code>--ledger FILE</code>.".to_owned();
    };
    let accounts = Ledger::open(path).and_then(|ledger| ledger.accounts()).unwrap_or_default();
    let names: Vec<String> = accounts.iter().map(|account| html::text(&account.name)).collect();
    if names.is_empty() {
        return "<strong><a href=\"/budget\">Open an account</a></strong> for the people whom the data are about. Everything that is ever \
                released about them is charged to it."
            .to_owned();
    }
    format!("<strong>An account pays.</strong> There is <a href=\"/budget\">{}</a>.", names.join(", "))
}
