//! The accounts of the ledger.

use std::sync::Arc;

use posterity::About;
use posterity::ledger::{Account, Amount, HistoryLine, Ledger, Status, now_utc};
use posterity::number::{left, spent};

use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::plan::sentence;
use crate::site::{Reply, Site};

/// All accounts with their histories.
pub(crate) fn page(site: &Arc<Site>, _: &Fields) -> Result<Reply, Failure> {
    Ok(Reply::Html(with(site, "")))
}

/// Creates an account.
pub(crate) fn create(site: &Arc<Site>, form: &Fields) -> Result<Reply, Failure> {
    let created = || -> Result<(), String> {
        let path = site.ledger().ok_or("There is no ledger. Start with --ledger FILE.")?;
        let epsilon: Amount =
            form.get("epsilon").ok_or("Give the whole budget, such as 2.")?.parse().map_err(sentence)?;
        let name = form.get("name").ok_or("Give the account a name.")?;
        let mut ledger = Ledger::open_or_create(path).map_err(sentence)?;
        ledger.create_account(name, &epsilon, &Amount::ZERO, &now_utc()).map_err(sentence)?;
        Ok(())
    };
    match created() {
        Ok(()) => Ok(Reply::Redirect("/budget".to_owned())),
        Err(why) => {
            Ok(Reply::Html(with(site, &format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(why)))))
        }
    }
}

/// Verifies the chain of entries.
pub(crate) fn verify(site: &Arc<Site>, _: &Fields) -> Result<Reply, Failure> {
    let verified = match site.ledger() {
        None => Err("There is no ledger. Start with --ledger FILE.".to_owned()),
        Some(path) => Ledger::open(path).and_then(|ledger| ledger.verify()).map_err(sentence),
    };
    let said = match verified {
        Ok(verified) => format!(
            "<section class=\"card\" role=\"status\"><h2>The chain holds</h2><p>{}, {}, {}. Nothing was changed after \
             it was written. Note the head elsewhere: it shows later whether anything before it was changed \
             (<code>posterity budget verify --head</code>).</p><pre tabindex=\"0\"><code>{}</code></pre></section>",
            counted(verified.accounts, "account"),
            counted(verified.charges, "charge"),
            counted(verified.releases, "release"),
            html::text(verified.head)
        ),
        Err(why) => format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(why)),
    };
    Ok(Reply::Html(with(site, &said)))
}

fn with(site: &Site, said: &str) -> String {
    let intro = "<div class=\"intro\"><h1>Budget</h1><p class=\"lead\">Every release about the same people spends some of one budget. The ledger \
                 adds up what was spent, and refuses more than was allowed.</p></div>";
    let Some(path) = site.ledger() else {
        let body = format!(
            "{intro}<p>There is no ledger yet. Start Posterity with the file that holds your budgets, or that shall hold them:</p>\
             <pre tabindex=\"0\"><code>posterity web --data FOLDER --ledger study.ledger</code></pre>"
        );
        return layout::page("Budget", Section::Budget, &body);
    };
    let accounts = if path.exists() { read(path) } else { Ok(Vec::new()) };
    let (shown, verify) = match &accounts {
        Ok(accounts) if accounts.is_empty() => (String::new(), ""),
        Ok(accounts) => (
            accounts.iter().map(|(account, history)| section(account, history)).collect(),
            "<p><a class=\"button\" href=\"/budget/verify\">Verify the ledger</a></p>",
        ),
        Err(why) => (format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(why)), ""),
    };
    let body = format!("{intro}{said}{shown}{verify}{}", create_form(site));
    layout::page("Budget", Section::Budget, &body)
}

fn read(path: &std::path::Path) -> Result<Vec<(Account, Vec<HistoryLine>)>, String> {
    let ledger = Ledger::open(path).map_err(sentence)?;
    let accounts = ledger.accounts().map_err(sentence)?;
    accounts
        .into_iter()
        .map(|account| {
            let history = ledger.history(&account.name).map_err(sentence)?;
            Ok((account, history))
        })
        .collect()
}

fn section(account: &Account, history: &[HistoryLine]) -> String {
    let number = |amount: &Amount| amount.rational().to_f64().value();
    let (whole, gone) = (number(&account.epsilon), number(&account.spent_epsilon));
    let share = if whole > 0.0 { (100.0 * gone / whole).min(100.0) } else { 100.0 };
    let remaining = html::text(left(&account.remaining_epsilon));
    let allows = if account.remaining_epsilon.is_zero() {
        "Nothing more can be released from this account.".to_owned()
    } else {
        let rest = number(&account.remaining_epsilon);
        let each = posterity::number::brief(rest / 5.0);
        format!(
            "That allows one more question at ε = {remaining}, or five at about {} each. <a href=\"/plan?e={remaining}\">Plan with what is \
             left.</a>",
            html::text(each)
        )
    };
    format!(
        "<section class=\"account\"><h2>{}</h2>\
         <svg class=\"meter\" viewBox=\"0 0 100 2\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{share:.0} % of {0} is spent\">\
         <rect width=\"100\" height=\"2\" class=\"meter-all\"/><rect width=\"{share:.1}\" height=\"2\" class=\"meter-spent\"/></svg>\
         <p><strong>{remaining}</strong> of ε = {} is left; {} is spent on {}. {allows}</p>{}</section>",
        html::text(&account.name),
        html::text(left(&account.epsilon)),
        html::text(spent(&account.spent_epsilon)),
        counted(account.charges, "charge"),
        table(history)
    )
}

fn table(history: &[HistoryLine]) -> String {
    if history.is_empty() {
        return String::new();
    }
    let rows = history.iter().rev().map(|line| {
        let status = match line.status {
            Status::Released { .. } => format!("<a href=\"/budget/entry/{0}\">released<span class=\"unseen\"> as entry {0}</span></a>", line.entry),
            _ => "not released".to_owned(),
        };
        format!(
            "<tr><td>{}</td><td class=\"time\">{}</td><td>{}</td><td>{status}</td><td class=\"prose\">{}</td></tr>",
            line.entry,
            html::text(&line.at),
            html::text(spent(&line.epsilon)),
            html::text(About::of_charge(&line.question))
        )
    });
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"History\"><table><thead><tr><th scope=\"col\">entry</th>\
         <th scope=\"col\">time</th><th scope=\"col\">ε</th><th scope=\"col\">document</th><th scope=\"col\">question</th></tr></thead>\
         <tbody>{}</tbody></table></div>",
        rows.collect::<String>()
    )
}

/// How many there are of something: "1 charge", "2 charges".
fn counted(number: u64, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

fn create_form(site: &Site) -> String {
    format!(
        "<form class=\"create card\" action=\"/budget/create\" method=\"post\" autocomplete=\"off\"><h2>Create an account</h2>{}\
         <p><label for=\"name\">Name</label><input id=\"name\" name=\"name\" required></p>\
         <p><label for=\"epsilon\">Whole budget ε</label><input id=\"epsilon\" name=\"epsilon\" inputmode=\"decimal\" required \
         aria-describedby=\"epsilon-help\"><span class=\"help\" id=\"epsilon-help\">It never changes. One account for one group of people.\
         </span></p><p class=\"act\"><button>Create</button></p></form>",
        site.token_field()
    )
}
