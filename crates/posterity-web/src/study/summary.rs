//! What a study will spend and promise, before anything is read.

use std::sync::Arc;

use posterity::Ledger;
use posterity::meaning::uncounted;
use posterity::number::{bound, left, spent};

use super::asked::Asked;
use super::job::Job;
use super::page;
use crate::drafts::GONE;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::plan::{meaning, sentence};
use crate::release::quoted;
use crate::site::{Reply, Site};
use crate::units::refusal;

/// Checks the plan, and leads to the summary.
pub(crate) fn check(site: &Arc<Site>, form: &Fields) -> Result<Reply, Failure> {
    match Asked::new(site.folder(), site.ledger(), form) {
        Ok(asked) => Ok(Reply::Redirect(format!("/study/draft/{}", site.studies().add(asked)?))),
        Err(why) => Ok(Reply::Html(page::with(site, form, Some(&why)))),
    }
}

/// The summary of a plan.
pub(crate) fn draft(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    let id = fields.text("id");
    let (asked, result) = site.studies().draft(id).ok_or(GONE)?;
    let (spending, recalled) = spending(site, &asked);
    let act = match result {
        Some(result) => format!(
            "<p class=\"notice\">This was carried out. <a href=\"/study/result/{}\">See the results.</a></p>",
            html::text(result)
        ),
        None => format!(
            "<form action=\"/study/confirm\" method=\"post\">{0}<input type=\"hidden\" name=\"draft\" value=\"{1}\">\
             <p class=\"act\"><button id=\"confirm\">{2}</button> <a href=\"/study\">No, back to the plans</a></p>\
             <p class=\"help\">{3}</p></form>",
            site.token_field(),
            html::text(id),
            match (&asked.account, recalled) {
                (_, true) => "Yes, read the answers again",
                (Some(_), false) => "Yes, charge and carry it out",
                (None, false) => "Yes, carry it out",
            },
            if recalled {
                "This draws nothing and costs nothing."
            } else {
                "This cannot be undone: noise that was drawn is drawn."
            }
        ),
    };
    let plan = asked.study.plan();
    let about =
        plan.about().map(|about| format!("<p class=\"lead\">{}</p>", html::text(about))).unwrap_or_default();
    let body = format!(
        "<div class=\"intro\"><p class=\"kicker\">No data has been read, and nothing charged</p><h1>{}</h1>{about}</div>{}{}\
         <section class=\"card\"><h2>What this spends</h2>{spending}</section>\
         <section class=\"card\"><h2>What is promised</h2>{}{}</section>{act}{}",
        html::text(plan.title()),
        facts(&asked),
        questions(&asked),
        promise(&asked),
        meaning(plan.epsilon().to_f64(), asked.unit()),
        command(site, &asked)
    );
    Ok(Reply::Html(layout::page("Carry out this study?", Section::Study, &body)))
}

fn facts(asked: &Asked) -> String {
    let plan = asked.study.plan();
    let mut rows = vec![("Plan", asked.name.clone()), ("Source", plan.source().to_owned())];
    let first = plan.asked().first().map(|one| one.question());
    rows.push((
        "Protected",
        match first.and_then(|question| Some((question, question.unit.as_ref()?))) {
            Some((question, unit)) => format!("each value of {unit:?}: {}", question.per_unit.in_words(unit)),
            None => "each record by itself".to_owned(),
        },
    ));
    for (name, value) in [
        ("Only records where", first.and_then(|question| question.filter.clone())),
        ("About those for which", first.and_then(|question| question.within.clone())),
    ] {
        rows.extend(value.map(|value| (name, value)));
    }
    let rows: String = rows
        .iter()
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>", html::text(value)))
        .collect();
    format!("<dl class=\"facts\">{rows}</dl>")
}

fn questions(asked: &Asked) -> String {
    let rows = asked.study.plan().asked().iter().map(|one| {
        let columns: Vec<&str> = one.question().columns.iter().map(|column| column.name.as_str()).collect();
        format!(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td>{}</td></tr>",
            html::text(one.title()),
            html::text(columns.join(", ")),
            one.cells(),
            html::text(bound(one.terms().epsilon.to_f64_shown())),
            one.readings().len() + one.comparisons().len(),
            html::text(&one.terms().spec)
        )
    });
    format!(
        "<h2>What is asked</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Questions\"><table><thead><tr>\
         <th scope=\"col\">question</th><th scope=\"col\">columns</th><th scope=\"col\" class=\"number\">cells</th>\
         <th scope=\"col\" class=\"number\">its share, ε</th><th scope=\"col\" class=\"number\">tables</th><th scope=\"col\">mechanism</th></tr>\
         </thead><tbody>{}</tbody></table></div>",
        rows.collect::<String>()
    )
}

/// What the account has before and after, and whether the ledger holds the answers.
fn spending(site: &Site, asked: &Asked) -> (String, bool) {
    let epsilon = asked.study.plan().epsilon();
    let shown = html::text(bound(epsilon.to_f64_shown()));
    let (Some(path), Some(name)) = (site.ledger(), &asked.account) else {
        return (
            format!("<p>ε = {shown} for all questions together. {}</p>", html::text(uncounted())),
            false,
        );
    };
    let question = asked.study.question().map_err(sentence);
    let looked = Ledger::open(path).and_then(|ledger| {
        let held = match &question {
            Ok(question) => ledger.find(name, question)?.is_some(),
            Err(_) => false,
        };
        Ok((ledger.account(name)?, held))
    });
    match looked {
        Ok((account, true)) => (
            format!(
                "<p>Nothing. The ledger holds the answers to this plan, which account <strong>{}</strong> paid for. They are read again.</p>",
                html::text(&account.name)
            ),
            true,
        ),
        Ok((account, false)) => {
            if let Some(why) = refusal(&account, asked.unit_column()) {
                return (format!("<p class=\"wrong\">{}</p>", html::text(sentence(why))), false);
            }
            let price = posterity::Amount::from_rational(epsilon.rational().clone());
            let after = price.ok().and_then(|price| account.remaining_epsilon.minus(&price));
            let after = match after {
                Some(after) => {
                    format!(
                        "{} will be left of {}.",
                        html::text(left(&after)),
                        html::text(left(&account.epsilon))
                    )
                }
                None => "<strong>That is not enough, and the study will be refused.</strong>".to_owned(),
            };
            let said = format!(
                "<p>ε = {shown} for all questions together, in one charge to account <strong>{}</strong>, which protects each {}, has spent {} \
                 and has {} left. {after}</p>",
                html::text(name),
                html::text(asked.unit()),
                html::text(spent(&account.spent_epsilon)),
                html::text(left(&account.remaining_epsilon))
            );
            (said, false)
        }
        Err(error) => (format!("<p class=\"wrong\">{}</p>", html::text(sentence(error))), false),
    }
}

fn promise(asked: &Asked) -> String {
    let whom = match asked.unit_column() {
        None => "any one record".to_owned(),
        Some(unit) => format!("all records of any one {}", html::text(unit)),
    };
    format!(
        "<p>Replacing {whom} changes the probability of every possible set of answers by a factor of at most e<sup>ε</sup>, for all questions \
         together. The number of records, the values, the filters and the names are published and not protected.</p>"
    )
}

/// The same as a command, where the plan says who pays.
fn command(site: &Site, asked: &Asked) -> String {
    if site.ledger().is_some() && asked.study.plan().ledger().is_none() {
        return "<p class=\"small\">To carry it out by command, add <code>ledger</code> and <code>account</code> to the plan.</p>".to_owned();
    }
    format!(
        "<section class=\"lines\"><h2>The same as a command</h2><div class=\"line\"><pre id=\"line-command\" tabindex=\"0\"><code>posterity study \
         {}</code></pre><button type=\"button\" class=\"copy\" data-copy=\"line-command\" hidden>Copy</button></div></section>",
        html::text(quoted(&asked.path.to_string_lossy()))
    )
}

/// Carries out a plan, once.
pub(crate) fn confirm(site: &Arc<Site>, form: &Fields) -> Result<Reply, Failure> {
    let ledger = site.ledger().map(Into::into);
    let result = site.studies().confirm(form.text("draft"), |asked| Job::begin(asked, ledger))?;
    Ok(Reply::Redirect(format!("/study/result/{result}")))
}
