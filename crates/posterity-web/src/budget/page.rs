//! The accounts of the ledger.

use std::path::Path;
use std::sync::Arc;

use posterity::Ledger;
use posterity::ledger::{Account, Amount, HistoryLine};
use posterity::meaning::outside_the_ledger;
use posterity_present::words::counted;

use super::account::section;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::plan::sentence;
use crate::site::{Reply, Site};

/// The epsilon of the releases that are counted unless told otherwise.
const TENTH: &str = "0.1";

/// All accounts with their histories.
pub(crate) fn page(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    Ok(Reply::Html(with(site, fields, "")))
}

/// Verifies the chain of entries.
pub(crate) fn verify(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
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
    Ok(Reply::Html(with(site, fields, &said)))
}

/// The page with something said above the accounts, and what was typed into its forms.
pub(super) fn with(site: &Site, typed: &Fields, said: &str) -> String {
    let intro = "<div class=\"intro\"><h1>Budget</h1><p class=\"lead\">Every release about the same people spends some of one budget. The ledger \
                 adds up what was spent, and refuses more than was allowed.</p></div>";
    let Some(path) = site.ledger() else {
        let body = format!(
            "{intro}<p>There is no ledger yet. Start Posterity with the file that holds your budgets, or that shall hold them:</p>\
             <pre tabindex=\"0\"><code>posterity web --data FOLDER --ledger study.ledger</code></pre>"
        );
        return layout::page("Budget", Section::Budget, &body);
    };
    let (of, wrong_of) = releases_of(typed);
    let accounts = if path.exists() { read(path) } else { Ok(Vec::new()) };
    let (shown, after) = match &accounts {
        Ok(accounts) if accounts.is_empty() => (String::new(), String::new()),
        Ok(accounts) => {
            let sections = accounts.iter().map(|(account, history)| section(account, history, &of));
            (sections.collect(), after(&of, &wrong_of))
        }
        Err(why) => (format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(why)), String::new()),
    };
    let body = format!("{intro}{said}{shown}{after}{}", create_form(site, typed));
    layout::page("Budget", Section::Budget, &body)
}

/// The epsilon of the releases to count, and what is wrong with what was typed.
fn releases_of(typed: &Fields) -> (Amount, String) {
    let usual = || TENTH.parse().unwrap_or(Amount::ZERO);
    let Some(text) = typed.get("of") else { return (usual(), String::new()) };
    match text.parse::<Amount>() {
        Ok(of) if !of.is_zero() => (of, String::new()),
        Ok(_) => (usual(), "Choose a positive number such as 0.1.".to_owned()),
        Err(error) => (usual(), sentence(error)),
    }
}

/// What follows the accounts: how many more releases fit, what the accounts do not see, and verification.
fn after(of: &Amount, wrong: &str) -> String {
    let wrong = if wrong.is_empty() {
        String::new()
    } else {
        format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(wrong))
    };
    format!(
        "<form class=\"inline-form\" action=\"/budget\" method=\"get\" autocomplete=\"off\">{wrong}<label for=\"of\">Count how many more releases fit, \
         each of ε =</label> <input id=\"of\" name=\"of\" value=\"{}\" inputmode=\"decimal\"> <button>Count</button></form>\
         <p class=\"small\">{}</p><p><a class=\"button\" href=\"/budget/verify\">Verify the ledger</a></p>",
        html::text(of),
        html::text(outside_the_ledger())
    )
}

fn read(path: &Path) -> Result<Vec<(Account, Vec<HistoryLine>)>, String> {
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

fn create_form(site: &Site, typed: &Fields) -> String {
    let value = |name: &str| html::text(typed.text(name));
    let open = if typed.get("delta").is_some() || typed.get("population").is_some() { " open" } else { "" };
    format!(
        "<form class=\"create card\" action=\"/budget/create\" method=\"post\" autocomplete=\"off\"><h2>Create an account</h2>{}\
         <p><label for=\"name\">Name</label><input id=\"name\" name=\"name\" value=\"{}\" required></p>\
         <p><label for=\"epsilon\">Whole budget ε</label><input id=\"epsilon\" name=\"epsilon\" value=\"{}\" inputmode=\"decimal\" required \
         aria-describedby=\"epsilon-help\"><span class=\"help\" id=\"epsilon-help\">It never changes. One account for one group of people.\
         </span></p>\
         <p><label for=\"unit\">Protects each</label><input id=\"unit\" name=\"unit\" value=\"{}\" placeholder=\"record\" \
         aria-describedby=\"unit-help\"><span class=\"help\" id=\"unit-help\">The column that tells people apart, such as patient. Leave it empty \
         if every person has one record.</span></p>\
         <details{open}><summary>Population, and a delta</summary>\
         <p><label for=\"population\">Population, in words</label><input id=\"population\" name=\"population\" value=\"{}\" \
         placeholder=\"all patients of 2026\"></p>\
         <p><label for=\"delta\">Delta δ</label><input id=\"delta\" name=\"delta\" value=\"{}\" placeholder=\"0\" inputmode=\"decimal\" \
         aria-describedby=\"delta-help\"><span class=\"help\" id=\"delta-help\">With a small δ, such as 1e-6, many small releases add up to less \
         than their sum.</span></p></details><p class=\"act\"><button>Create</button></p></form>",
        site.token_field(),
        value("name"),
        value("epsilon"),
        value("unit"),
        value("population"),
        value("delta")
    )
}
