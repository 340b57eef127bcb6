//! What a study will spend and promise, before anything is read.

use axum::extract::Path;
use posterity::data::Column;
use posterity::ledger::Price;
use posterity::meaning::uncounted;
use posterity::number::{bound, left, spent};
use posterity::plan::Plan;
use posterity::{Amount, Ledger};
use posterity_present::words::quoted;

use super::asked::{Asked, StudyForm};
use super::forecast::forecast;
use super::progress::Progress;
use super::{job, page};
use crate::adjacency::in_words;
use crate::drafts::{Confirmation, GONE};
use crate::extract::Form;
use crate::html;
use crate::layout::{self, Section};
use crate::payer;
use crate::people;
use crate::plan::meaning;
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::spending::{DraftOf, FOR_GOOD, Spending};
use crate::units::{changed, protected, published};

/// Checks the plan, and leads to the summary.
pub(crate) fn check(site: &Site, Form(typed): Form<StudyForm>) -> Answer {
    match Asked::new(site.folder(), site.ledger(), typed.clone()) {
        Ok(asked) => Ok(Reply::Redirect(format!("/study/draft/{}", site.studies().add(asked)?))),
        Err(why) => Ok(Reply::Html(page::with(site, &typed, Some(&why)))),
    }
}

/// The summary of a plan.
pub(crate) fn draft(site: &Site, Path(id): Path<String>) -> Answer {
    let (asked, result) = site.studies().draft(&id).ok_or(GONE)?;
    let spending = spending(site, &asked);
    let kicker =
        if result.is_none() { "No data has been read, and nothing charged" } else { "This was confirmed" };
    let back = back(&asked);
    let became = result.as_deref().map(|result| (result, "This was confirmed."));
    let draft = DraftOf { section: "/study", id: &id, result: became, back: (&back, "plan") };
    let undo =
        if spending.button == Some(RECALL) { "This draws nothing and costs nothing." } else { FOR_GOOD };
    let plan = asked.study.plan();
    let delta = plan.delta().map(Amount::to_f64_shown).unwrap_or_default();
    let about = plan
        .description()
        .map(|about| format!("<p class=\"lead\">{}</p>", html::text(about)))
        .unwrap_or_default();
    let body = format!(
        "<div class=\"intro\"><p class=\"kicker\">{kicker}</p><h1>{}</h1>{about}</div>{}{}{}\
         <section class=\"card\"><h2>What this spends</h2>{}</section>\
         <section class=\"card\"><h2>What is promised</h2>{}{}</section>{}{}",
        html::text(plan.title()),
        facts(&asked),
        questions(&asked),
        asked.n.map_or_else(people::unknown, |n| forecast(plan, n)),
        spending.said,
        promise(&asked),
        meaning(asked.adjacency(), plan.epsilon().to_f64(), delta, asked.n, asked.unit()),
        spending.way_on(&draft, undo, &site.token_field()),
        command(site, &asked)
    );
    Ok(Reply::Html(layout::page("Carry out this study?", Section::Study, &body)))
}

/// Where the plan was chosen or made.
fn back(asked: &Asked) -> String {
    match asked.typed.made.get() {
        Some(made) => format!("/study/make?{}", html::text(made)),
        None => "/study".to_owned(),
    }
}

fn facts(asked: &Asked) -> String {
    let plan = asked.study.plan();
    let mut rows = vec![("Plan", asked.name.clone()), ("Source", plan.source().to_owned())];
    let records = plan.records();
    rows.push(("Number of people", in_words(records.adjacency).to_owned()));
    rows.push(("Protected", protected(records)));
    rows.extend(records.filter.iter().map(|filter| ("Only records where", filter.clone())));
    rows.extend(records.within.iter().map(|within| ("About those for which", within.clone())));
    html::facts(&rows)
}

fn questions(asked: &Asked) -> String {
    let names =
        |columns: &[Column]| columns.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ");
    let row = |title: &str, columns: String, cells: String, share: String, read: usize, mechanism: String| {
        format!(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"number\">{cells}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{read}</td><td>{}</td></tr>",
            html::text(title),
            html::text(columns),
            html::text(share),
            html::text(mechanism)
        )
    };
    let plan = asked.study.plan();
    let questions = plan.asked().iter().map(|one| {
        row(
            one.title(),
            names(&one.question().columns),
            one.cells().to_string(),
            bound(one.epsilon().to_f64_shown()),
            one.readings().len() + one.comparisons().len(),
            one.terms().spec.to_string(),
        )
    });
    let margins = plan.margins().iter().map(|one| {
        let (columns, terms) = (&one.question().columns, one.terms());
        row(
            one.title(),
            format!("{} tables of {} columns: {}", one.tables(), columns.len(), names(columns)),
            one.cells().to_string(),
            bound(terms.epsilon.to_f64_shown()),
            one.readings().len() + one.comparisons().len(),
            format!("margins, with δ = {}", spent(&terms.delta)),
        )
    });
    format!(
        "<h2>What is asked</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Questions\"><table><thead><tr>\
         <th scope=\"col\">question</th><th scope=\"col\">columns</th><th scope=\"col\" class=\"number\">cells</th>\
         <th scope=\"col\" class=\"number\">its share, ε</th><th scope=\"col\" class=\"number\">readings</th><th scope=\"col\">mechanism</th></tr>\
         </thead><tbody>{}</tbody></table></div>",
        questions.chain(margins).collect::<String>()
    )
}

/// What all answers promise together: `ε = 1`, or `ε = 1 and δ = 1e-9`.
pub(super) fn budget(plan: &Plan) -> String {
    let delta = plan.delta().map(|delta| format!(" and δ = {}", spent(delta)));
    html::text(format!("ε = {}{}", bound(plan.epsilon().to_f64_shown()), delta.unwrap_or_default()))
}

/// The button if the ledger holds the answers.
const RECALL: &str = "Yes, read the answers again";

/// What the account has before and after, or that the ledger holds the answers, or why it cannot pay.
fn spending(site: &Site, asked: &Asked) -> Spending {
    let plan = asked.study.plan();
    let (Some(path), Some(name)) = (site.ledger(), &asked.account) else {
        let rho =
            plan.rho().map(|rho| format!(" (with ρ = {})", html::text(spent(&rho)))).unwrap_or_default();
        let said =
            format!("<p>{}{rho} for all questions together. {}</p>", budget(plan), html::text(uncounted()));
        return Spending { said, button: Some("Yes, carry it out") };
    };
    let charge = match asked.study.price() {
        Ok(charge) => charge,
        Err(error) => return Spending::refused(error),
    };
    let looked = Ledger::open(path)
        .and_then(|ledger| Ok((ledger.account(name)?, ledger.find(name, charge.question())?.is_some())));
    let account = match looked {
        Ok((account, false)) => account,
        Ok((account, true)) => {
            let said = format!(
                "<p>Nothing. The ledger holds the answers to this plan, which account <strong>{}</strong> paid for. They are read again.</p>",
                html::text(&account.name)
            );
            return Spending { said, button: Some(RECALL) };
        }
        Err(error) => return Spending::refused(error),
    };
    match account.affords(&charge) {
        Ok(price) => Spending {
            said: format!(
                "<p>{} for all questions together, in one charge to account <strong>{}</strong>, which protects each {}, has spent {} \
                 and has {} left.{} {}</p>",
                html::text(payer::named(&price)),
                html::text(name),
                html::text(asked.unit()),
                html::text(spent(&account.spent_epsilon)),
                html::text(left(&account.remaining_epsilon)),
                payer::dearer(&account, asked.adjacency(), dearer(&price)),
                (price.epsilon().and_then(|epsilon| payer::after(&account, epsilon))).unwrap_or_else(
                    || format!("It can pay that. All answers together promise {}.", budget(plan))
                )
            ),
            button: Some("Yes, charge and carry it out"),
        },
        Err(error) => Spending::refused(error),
    }
}

/// How much more an account pays for answers with a private n.
fn dearer(price: &Price) -> &'static str {
    match price {
        Price::Epsilon { .. } => "twice its epsilon",
        Price::Rho { parts: None, .. } => "four times its rho",
        Price::Rho { parts: Some(_), .. } => "twice its epsilon and four times its rho",
    }
}

fn promise(asked: &Asked) -> String {
    let but = if asked.study.plan().delta().is_some() { ", but for a probability of at most δ" } else { "" };
    format!(
        "<p>{} changes the probability of every possible set of answers by a factor of at most e<sup>ε</sup>{but}, for all questions \
         together. {}</p>",
        html::text(changed(asked.adjacency(), asked.unit_column())),
        html::text(published(asked.adjacency(), "filters"))
    )
}

/// The same as a command, where the plan says who pays.
fn command(site: &Site, asked: &Asked) -> String {
    if site.ledger().is_some() && asked.study.file().ledger().is_none() {
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
