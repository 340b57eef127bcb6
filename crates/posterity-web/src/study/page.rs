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
            h2 { "Carry out a plan" }
            (form(site, &folder.plans(), &folder.name(), typed))
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

fn form(site: &Site, plans: &[String], folder: &str, typed: &StudyForm) -> Markup {
    let help = "A plan that names an account is charged to that one. One with tables of many columns ([[margins]]) needs an account \
                with a delta.";
    html! {
        form.release action="/study/check" method="post" autocomplete="off" {
            (site.token_field())
            fieldset {
                legend { "The plan" }
                @if plans.is_empty() {
                    p.notice { "The folder " (folder) " has no plan yet." }
                } @else {
                    p {
                        label for="plan" { "Plan of the folder" }
                        select id="plan" name="plan" {
                            option value="" { "Choose a plan" }
                            (html::options(plans, |name| *typed.plan == *name || plans.len() == 1 && typed.text.is_empty()))
                        }
                    }
                }
                details open[plans.is_empty() || !typed.text.is_empty()] {
                    summary { "Or paste a plan" }
                    p {
                        label for="text" { "The text of a plan, in TOML or JSON" }
                        textarea id="text" name="text" rows="8" spellcheck="false" aria-describedby="text-help" { (typed.text) }
                        span.help id="text-help" {
                            "A plan of a release, of a study, of a colleague, or of " code { "posterity plan" }
                            ". Its source is a file of the folder. It comes before the plan that is chosen above."
                        }
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
