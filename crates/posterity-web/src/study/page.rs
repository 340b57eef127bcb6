//! The choice of a plan.

use std::sync::Arc;

use posterity::Ledger;

use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::payer;
use crate::plan::sentence;
use crate::site::{Reply, Site};

const INTRO: &str = "<div class=\"intro\"><h1>Study</h1><p class=\"lead\">Ask many questions of one file under one budget, with one charge. The \
                     questions stand in a plan, a file of your folder.</p></div>";

/// A plan to begin with.
const EXAMPLE: &str = "title = \"Cured by ward\"\nsource = \"visits.csv\"\nepsilon = 1          # for all questions together\nunit = \"patient\"     # \
                       who is protected\n\n[columns]\nward = [\"A\", \"B\", \"C\"]\ncured = [\"yes\", \"no\"]\n\n[[question]]\ncolumns = [\"ward\", \
                       \"cured\"]\nread = [\"cured | ward\"]\ncompare = [\"cured=yes | ward: A - B\"]\n";

/// The page with the plans of the folder.
pub(crate) fn page(site: &Arc<Site>, _: &Fields) -> Result<Reply, Failure> {
    Ok(Reply::Html(with(site, &Fields::default(), None)))
}

/// The page with what was chosen, and what is wrong with it.
pub(super) fn with(site: &Site, typed: &Fields, wrong: Option<&str>) -> String {
    let wrong = wrong
        .map(|why| format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(why)))
        .unwrap_or_default();
    let example = format!(
        "<section class=\"lines\"><h2>A plan to begin with</h2><p>Save it as <code>plan.toml</code> beside your data. Values are declared, \
         never read from the data.</p><div class=\"line\"><pre id=\"line-plan\" tabindex=\"0\"><code>{}</code></pre>\
         <button type=\"button\" class=\"copy\" data-copy=\"line-plan\" hidden>Copy</button></div></section>",
        html::text(EXAMPLE)
    );
    let Some(folder) = site.folder() else {
        let body = format!(
            "{INTRO}<p>There is no folder of data yet. Start Posterity with the folder that holds your files and plans:</p>\
             <pre tabindex=\"0\"><code>posterity web --data FOLDER</code></pre>{example}"
        );
        return layout::page("Study", Section::Study, &body);
    };
    let plans = folder.plans();
    let form = if plans.is_empty() {
        format!("<p class=\"notice\">The folder {} has no plan yet.</p>", html::text(folder.name()))
    } else {
        let options = plans.iter().map(|name| {
            let chosen = if typed.get("plan") == Some(name) || plans.len() == 1 { " selected" } else { "" };
            format!("<option{chosen}>{}</option>", html::text(name))
        });
        format!(
            "<form class=\"release\" action=\"/study/check\" method=\"post\" autocomplete=\"off\">{}<fieldset><legend>The plan</legend>\
             <p><label for=\"plan\">Plan</label><select id=\"plan\" name=\"plan\" required><option value=\"\">Choose a plan</option>{}</select>\
             </p>{}</fieldset><p class=\"act\"><button>Look at the summary</button> <span class=\"help\">No data is read or charged yet.\
             </span></p></form>",
            site.token_field(),
            options.collect::<String>(),
            account(site, typed)
        )
    };
    layout::page("Study", Section::Study, &format!("{INTRO}{wrong}{form}{example}"))
}

/// The account that pays, for plans that name none.
fn account(site: &Site, typed: &Fields) -> String {
    let Some(path) = site.ledger() else { return payer::no_ledger() };
    let accounts = match Ledger::open(path).and_then(|ledger| ledger.accounts()) {
        Ok(accounts) => accounts,
        Err(error) => return payer::no_account(&sentence(error)),
    };
    format!(
        "<p><label for=\"account\">Account that pays</label><select id=\"account\" name=\"account\" aria-describedby=\"account-help\">{}\
         </select><span class=\"help\" id=\"account-help\">A plan that names an account is charged to that one.</span></p>",
        payer::options(&accounts, typed)
    )
}
