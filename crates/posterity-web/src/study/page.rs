//! The choice of a plan.

use super::asked::StudyForm;
use crate::html;
use crate::layout::{self, Section};
use crate::payer;
use crate::people;
use crate::reply::{Answer, Reply};
use crate::site::Site;

const INTRO: &str = "<div class=\"intro\"><h1>Study</h1><p class=\"lead\">Ask many questions of one file under one budget, with one charge.</p>\
                     </div>";

/// A plan to begin with.
const EXAMPLE: &str = "title = \"Cured by ward\"\nsource = \"visits.csv\"\nepsilon = 1          # for all questions together\nunit = \"patient\"     # \
                       who is protected\n# adjacency = \"add-remove\"  # if the number of people is private, too\n\n[columns]\nward = [\"A\", \"B\", \"C\"]\ncured = [\"yes\", \"no\"]\n\n[[question]]\ncolumns = [\"ward\", \
                       \"cured\"]\nread = [\"cured | ward\"]\ncompare = [\"cured=yes | ward: A - B\"]\n\n# [[margins]]        # tables of many \
                       columns; then add delta = 1e-9 below epsilon\n# sets = 2           # every pair of columns, and every column by itself\n";

/// The page with the plans of the folder.
pub(crate) fn page(site: &Site, (): ()) -> Answer {
    Ok(Reply::Html(with(site, &StudyForm::default(), None)))
}

/// The page with what was chosen, and what is wrong with it.
pub(super) fn with(site: &Site, typed: &StudyForm, wrong: Option<&str>) -> String {
    let wrong = wrong.map(html::wrong).unwrap_or_default();
    let said = "<h2>A plan to begin with</h2><p>Save it as <code>plan.toml</code> beside your data. Values are declared, never read from the \
                data.</p>";
    let example = html::lines(said, "line-plan", EXAMPLE);
    let Some(folder) = site.folder() else {
        let body = format!(
            "{INTRO}<p>There is no folder of data yet. Start Posterity with the folder that holds your files and plans:</p>\
             <pre tabindex=\"0\"><code>posterity web --data FOLDER</code></pre>{example}"
        );
        return layout::page("Study", Section::Study, &body);
    };
    let make = "<section class=\"card\"><h2>Make a study</h2><p>Add one question after the other, and see what each costs and gives. \
                <a id=\"make\" href=\"/study/make\">Begin with a question</a></p></section>";
    let plans = folder.plans();
    let form = if plans.is_empty() {
        format!("<p class=\"notice\">The folder {} has no plan yet.</p>", html::text(folder.name()))
    } else {
        format!(
            "<form class=\"release\" action=\"/study/check\" method=\"post\" autocomplete=\"off\">{}<fieldset><legend>The plan</legend>\
             <p><label for=\"plan\">Plan</label><select id=\"plan\" name=\"plan\" required><option value=\"\">Choose a plan</option>{}</select>\
             </p>{}{}</fieldset><p class=\"act\"><button>Look at the summary</button> <span class=\"help\">No data is read or charged yet.\
             </span></p></form>",
            site.token_field(),
            html::options(&plans, |name| *typed.plan == *name || plans.len() == 1),
            people::field(&typed.n),
            payer::field(
                site.ledger(),
                &typed.account,
                "aria-describedby=\"account-help\"",
                "<span class=\"help\" id=\"account-help\">A plan that names an account is charged to that one. One with tables of \
                 many columns ([[margins]]) needs an account with a delta.</span>"
            )
        )
    };
    layout::page(
        "Study",
        Section::Study,
        &format!("{INTRO}{wrong}{make}<h2>A plan of the folder</h2>{form}{example}"),
    )
}
