//! The choice of a plan.

use maud::{Markup, html};

use super::asked::StudyForm;
use crate::html;
use crate::layout::{self, Section};
use crate::payer;
use crate::people;
use crate::reply::{Answer, Reply};
use crate::site::Site;

const LEAD: &str = "Ask many questions of one file under one budget, with one charge.";

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
pub(super) fn with(site: &Site, typed: &StudyForm, wrong: Option<&str>) -> Markup {
    let body = match site.folder() {
        None => html! {
            p { "There is no folder of data yet. Start Posterity with the folder that holds your files and plans:" }
            (html::shell("posterity web --data FOLDER"))
        },
        Some(folder) => html! {
            (html::maybe_wrong(wrong))
            (make())
            h2 { "A plan of the folder" }
            @let plans = folder.plans();
            @if plans.is_empty() {
                p.notice { "The folder " (folder.name()) " has no plan yet." }
            } @else {
                (form(site, &plans, typed))
            }
        },
    };
    layout::page("Study", Section::Study, &html! { (html::intro("Study", LEAD)) (body) (example()) })
}

/// The way to a study that is made here.
fn make() -> Markup {
    html! {
        section.card {
            h2 { "Make a study" }
            p {
                "Add one question after the other, and see what each costs and gives. "
                a id="make" href="/study/make" { "Begin with a question" }
            }
        }
    }
}

fn form(site: &Site, plans: &[String], typed: &StudyForm) -> Markup {
    let help = "A plan that names an account is charged to that one. One with tables of many columns ([[margins]]) needs an account \
                with a delta.";
    html! {
        form.release action="/study/check" method="post" autocomplete="off" {
            (site.token_field())
            fieldset {
                legend { "The plan" }
                p {
                    label for="plan" { "Plan" }
                    select id="plan" name="plan" required {
                        option value="" { "Choose a plan" }
                        (html::options(plans, |name| *typed.plan == *name || plans.len() == 1))
                    }
                }
                (people::field(&typed.n))
                (payer::field(site.ledger(), &typed.account, false, Some(help)))
            }
            p.act {
                button { "Look at the summary" }
                " "
                span.help { "No data is read or charged yet." }
            }
        }
    }
}

fn example() -> Markup {
    let said = html! {
        h2 { "A plan to begin with" }
        p {
            "Save it as " code { "plan.toml" } " beside your data. Values are declared, never read from the data."
        }
    };
    html::lines(&said, "line-plan", EXAMPLE)
}
