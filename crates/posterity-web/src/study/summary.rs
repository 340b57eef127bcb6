//! What a study will spend and promise, before anything is read.

use axum::extract::Path;
use posterity::Ledger;
use posterity::meaning::uncounted;
use posterity::number::{bound, left, spent};
use posterity_present::words::quoted;

use super::asked::{Asked, StudyForm};
use super::progress::Progress;
use super::{job, page};
use crate::adjacency::in_words;
use crate::drafts::{Confirmation, GONE};
use crate::extract::Form;
use crate::html;
use crate::layout::{self, Section};
use crate::payer;
use crate::plan::meaning;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;
use crate::units::{changed, price, protected, published};

/// Checks the plan, and leads to the summary.
pub(crate) fn check(site: &Site, Form(typed): Form<StudyForm>) -> Answer {
    match Asked::new(site.folder(), site.ledger(), &typed) {
        Ok(asked) => Ok(Reply::Redirect(format!("/study/draft/{}", site.studies().add(asked)?))),
        Err(why) => Ok(Reply::Html(page::with(site, &typed, Some(&why)))),
    }
}

/// The summary of a plan.
pub(crate) fn draft(site: &Site, Path(id): Path<String>) -> Answer {
    let (asked, result) = site.studies().draft(&id).ok_or(GONE)?;
    let (spending, recalled) = spending(site, &asked);
    let kicker =
        if result.is_none() { "No data has been read, and nothing charged" } else { "This was confirmed" };
    let act = match result {
        Some(result) => format!(
            "<p class=\"notice\">This was confirmed. <a href=\"/study/result/{}\">See what came of it.</a></p>",
            html::text(result)
        ),
        None => format!(
            "<form action=\"/study/confirm\" method=\"post\">{0}<input type=\"hidden\" name=\"draft\" value=\"{1}\">\
             <p class=\"act\"><button id=\"confirm\">{2}</button> <a href=\"{4}\">No, back to the plan</a></p>\
             <p class=\"help\">{3}</p></form>",
            site.token_field(),
            html::text(&id),
            match (&asked.account, recalled) {
                (_, true) => "Yes, read the answers again",
                (Some(_), false) => "Yes, charge and carry it out",
                (None, false) => "Yes, carry it out",
            },
            if recalled {
                "This draws nothing and costs nothing."
            } else {
                "This cannot be undone: noise that was drawn is drawn."
            },
            back(&asked)
        ),
    };
    let plan = asked.study.plan();
    let about =
        plan.about().map(|about| format!("<p class=\"lead\">{}</p>", html::text(about))).unwrap_or_default();
    let body = format!(
        "<div class=\"intro\"><p class=\"kicker\">{kicker}</p><h1>{}</h1>{about}</div>{}{}\
         <section class=\"card\"><h2>What this spends</h2>{spending}</section>\
         <section class=\"card\"><h2>What is promised</h2>{}{}</section>{act}{}",
        html::text(plan.title()),
        facts(&asked),
        questions(&asked),
        promise(&asked),
        meaning(asked.adjacency(), plan.epsilon().to_f64(), asked.unit()),
        command(site, &asked)
    );
    Ok(Reply::Html(layout::page("Carry out this study?", Section::Study, &body)))
}

/// Where the plan was chosen or made.
fn back(asked: &Asked) -> String {
    match asked.made.get() {
        Some(made) => format!("/study/make?{}", html::text(made)),
        None => "/study".to_owned(),
    }
}

fn facts(asked: &Asked) -> String {
    let plan = asked.study.plan();
    let mut rows = vec![("Plan", asked.name.clone()), ("Source", plan.source().to_owned())];
    // All questions of a plan protect the same, and have the same filters.
    if let Some(question) = plan.asked().first().map(|one| one.question()) {
        rows.push(("Number of people", in_words(question.adjacency).to_owned()));
        rows.push(("Protected", protected(question)));
        rows.extend(question.filter.iter().map(|filter| ("Only records where", filter.clone())));
        rows.extend(question.within.iter().map(|within| ("About those for which", within.clone())));
    }
    html::facts(&rows)
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
            html::text(bound(one.epsilon().to_f64_shown())),
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
            let price = match price(&account, asked.unit_column(), asked.adjacency(), epsilon) {
                Ok(price) => price,
                Err(why) => return (format!("<p class=\"wrong\">{}</p>", html::text(sentence(why))), false),
            };
            let said = format!(
                "<p>ε = {} for all questions together, in one charge to account <strong>{}</strong>, which protects each {}, has spent {} \
                 and has {} left.{} {}</p>",
                html::text(spent(&price)),
                html::text(name),
                html::text(asked.unit()),
                html::text(spent(&account.spent_epsilon)),
                html::text(left(&account.remaining_epsilon)),
                payer::dearer(&account, asked.adjacency()),
                payer::after(&account, &price, "study")
            );
            (said, false)
        }
        Err(error) => (format!("<p class=\"wrong\">{}</p>", html::text(sentence(error))), false),
    }
}

fn promise(asked: &Asked) -> String {
    format!(
        "<p>{} changes the probability of every possible set of answers by a factor of at most e<sup>ε</sup>, for all questions \
         together. {}</p>",
        html::text(changed(asked.adjacency(), asked.unit_column())),
        html::text(published(asked.adjacency(), "filters"))
    )
}

/// The same as a command, where the plan says who pays.
fn command(site: &Site, asked: &Asked) -> String {
    if site.ledger().is_some() && asked.study.plan().ledger().is_none() {
        return "<p class=\"small\">To carry it out by command, add <code>ledger</code> and <code>account</code> to the plan.</p>".to_owned();
    }
    match &asked.path {
        Some(path) => html::command(&format!("posterity study {}", quoted(&path.to_string_lossy()))),
        None => String::new(),
    }
}

/// Carries out a plan, once.
pub(crate) fn confirm(site: &Site, Form(Confirmation { draft }): Form<Confirmation>) -> Answer {
    let ledger = site.ledger().map(std::path::Path::to_owned);
    let run = move |asked: &Asked, progress: &Progress| job::run(asked, ledger.as_deref(), progress);
    Ok(Reply::Redirect(format!("/study/result/{}", site.studies().confirm(&draft, "study", run)?)))
}
