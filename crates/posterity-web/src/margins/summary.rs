//! What a release of many tables will spend and promise, before anything is read.

use std::sync::atomic::AtomicU64;

use axum::extract::Path;
use posterity::meaning::uncounted;
use posterity::number::{left, spent};
use posterity::{Ledger, LedgerError, MarginsTerms, charge_for};
use posterity_advice::margins::margins_levels;

use super::asked::{Asked, MarginsForm};
use super::command::command;
use super::noise::{noise_table, of_columns};
use super::{form, job};
use crate::adjacency::in_words;
use crate::drafts::{Confirmation, GONE};
use crate::extract::Form;
use crate::html;
use crate::layout::{self, Section};
use crate::payer;
use crate::people;
use crate::plan::meaning;
use crate::release::{Spending, how_written, intervals};
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;
use crate::units::{changed, protected, published};

/// Checks the form, and leads to the summary.
pub(crate) fn check(site: &Site, Form(typed): Form<MarginsForm>) -> Answer {
    match Asked::new(site.folder(), site.ledger().is_some(), typed.clone()) {
        Ok(asked) => Ok(Reply::Redirect(format!("/margins/draft/{}", site.margins().add(asked)?))),
        Err(why) => Ok(Reply::Html(form::with(site, &typed, Some(&why)))),
    }
}

/// The summary of a draft.
pub(crate) fn draft(site: &Site, Path(id): Path<String>) -> Answer {
    let (asked, result) = site.margins().draft(&id).ok_or(GONE)?;
    let Spending { said: spending, button } = spending(site, &asked);
    let (id, back) = (html::text(&id), format!("/margins?draft={}", html::text(&id)));
    let act = match (&result, button) {
        (Some(result), _) => format!(
            "<p class=\"notice\">This was confirmed. <a href=\"/margins/result/{}\">See what came of it.</a></p>",
            html::text(result)
        ),
        (None, None) => format!("<p class=\"act\"><a href=\"{back}\">Back to the form</a></p>"),
        (None, Some(button)) => format!(
            "<form action=\"/margins/confirm\" method=\"post\">{}{}\
             <p class=\"act\"><button id=\"confirm\">{button}</button> <a href=\"{back}\">No, back to the form</a></p>\
             <p class=\"help\">This cannot be undone: noise that was drawn is drawn.</p></form>",
            site.token_field(),
            html::hidden("draft", &id),
        ),
    };
    let line = site.folder().map(|folder| command(folder.path(), site.ledger(), &asked));
    let body = format!(
        "<div class=\"intro\"><p class=\"kicker\">{}</p><h1>Release these tables?</h1></div>{}{}\
         <section class=\"card\"><h2>What this spends</h2>{spending}</section>\
         <section class=\"card\"><h2>What is promised</h2>{}</section>{act}{}",
        if result.is_none() { "Nothing has been read or charged" } else { "This was confirmed" },
        facts(&asked),
        tables(&asked),
        promise(&asked),
        html::command(&line.unwrap_or_default())
    );
    Ok(Reply::Html(layout::page("Release these tables?", Section::Release, &body)))
}

fn facts(asked: &Asked) -> String {
    let (typed, question, terms) = (&asked.typed, asked.planned.question(), &asked.terms);
    let columns: Vec<&str> = question.columns.iter().map(|column| column.name.as_str()).collect();
    let mut rows = vec![("File", asked.file.name.clone())];
    rows.extend(typed.file.edition.get().map(|edition| ("Edition", edition.to_owned())));
    rows.extend(how_written(&asked.file));
    rows.push(("Columns", format!("{}: {}", columns.len(), columns.join(", "))));
    rows.push(("Declared by", asked.schema.clone()));
    rows.push(("Number of people", in_words(terms.adjacency).to_owned()));
    rows.push(("Protected", protected(question)));
    rows.extend(question.filter.iter().map(|filter| ("Only records where", filter.clone())));
    rows.extend(typed.other.get().map(|other| ("Other values count as", other.to_owned())));
    rows.extend(typed.missing.get().map(|missing| ("Missing values count as", missing.to_owned())));
    rows.push(("Intervals", intervals(terms.ways)));
    let readings = terms.readings.iter().map(ToString::to_string);
    let readings: Vec<String> = readings.chain(terms.comparisons.iter().map(ToString::to_string)).collect();
    if !readings.is_empty() {
        rows.push(("Read from it, at no cost", readings.join("; ")));
    }
    html::facts(&rows)
}

/// The tables with their noise, and what to expect of them if the number of records was typed.
fn tables(asked: &Asked) -> String {
    let plan = asked.planned.plan();
    let workload = plan.workload();
    let of_size = |columns: usize| {
        let tables = workload.sets().iter().filter(|set| set.len() == columns).count();
        of_columns(tables, columns)
    };
    let sizes: Vec<String> = (1..=workload.order()).map(of_size).collect();
    let level = asked.terms.ways.level;
    let levels = asked.n.filter(|n| *n > 0).and_then(|n| margins_levels(plan, n as f64, level).ok());
    let noise = match levels {
        Some(levels) => noise_table(&levels, level),
        None => people::unknown(),
    };
    let warning = asked.n.filter(|n| *n > 0).and_then(|n| MarginsTerms::mostly_noise(plan, n as f64));
    let warning = warning.map(|text| {
        format!("<p class=\"notice\"><strong>Warning:</strong> {}</p>", html::text(sentence(text)))
    });
    format!(
        "<section id=\"tables\"><h2>The tables</h2><p>{}.</p>{}{noise}</section>",
        html::text(sizes.join(", ")),
        warning.unwrap_or_default()
    )
}

/// What the account pays, or why it cannot.
fn spending(site: &Site, asked: &Asked) -> Spending {
    let (rho, epsilon, delta) = (spent(&asked.rho), &asked.terms.epsilon, spent(&asked.terms.delta));
    let by_itself = format!("(ε = {epsilon} at δ = {delta} by itself)");
    let (Some(path), Some(name)) = (site.ledger(), &asked.account) else {
        let said = format!("<p>ρ = {rho} {by_itself}. {}</p>", html::text(uncounted()));
        return Spending { said, button: Some("Yes, release") };
    };
    let account = match Ledger::open(path).and_then(|ledger| ledger.account(name)) {
        Ok(account) => account,
        Err(error) => return Spending::refused(error),
    };
    let unit = asked.planned.question().unit.as_deref();
    let charge = match charge_for("any", None, Some(asked.rho.clone()), unit, asked.terms.adjacency) {
        Ok(charge) => charge,
        Err(error) => return Spending::refused(error),
    };
    match account.affords(&charge) {
        Ok(price) => Spending {
            said: format!(
                "<p>ρ = {} {by_itself} of account <strong>{}</strong>, which can pay ρ = {} now. Of its ε = {} at δ = {}, {} is left \
                 for another release before this one.{} If the ledger holds the answer to this very question, nothing is charged.</p>",
                html::text(price.rho().map_or(rho, spent)),
                html::text(name),
                html::text(left(&account.affordable_rho(charge.promise().adjacency))),
                html::text(left(&account.epsilon)),
                html::text(left(&account.delta)),
                html::text(left(&account.remaining_epsilon)),
                payer::dearer(&account, asked.terms.adjacency, "four times its rho")
            ),
            button: Some("Yes, charge and release"),
        },
        // The ledger may hold the answer, which costs nothing.
        Err(error @ LedgerError::Exceeded(_)) => {
            let Spending { said, .. } = Spending::refused(error);
            Spending { said, button: Some("Look for the answer in the ledger") }
        }
        Err(error) => Spending::refused(error),
    }
}

fn promise(asked: &Asked) -> String {
    let (question, terms) = (asked.planned.question(), &asked.terms);
    let changed = html::text(changed(terms.adjacency, question.unit.as_deref()));
    let (epsilon, delta) = (terms.epsilon.to_f64(), terms.delta.to_f64_shown());
    let several = if question.unit.is_some() {
        ""
    } else {
        " If people have several records, go back and name the column that tells them apart."
    };
    format!(
        "<p>{changed} changes the probability of every set of possible releases by a factor of at most e<sup>ε</sup>, but for a probability \
         of at most δ, for all tables together. {}{several}</p>{}",
        html::text(published(terms.adjacency, "filter")),
        meaning(terms.adjacency, epsilon, delta, asked.n, asked.unit())
    )
}

/// Releases a draft, once.
pub(crate) fn confirm(site: &Site, Form(Confirmation { draft }): Form<Confirmation>) -> Answer {
    let ledger = site.ledger().map(std::path::Path::to_owned);
    let run = move |asked: &Asked, rows: &AtomicU64| job::run(asked, ledger.as_deref(), rows);
    Ok(Reply::Redirect(format!("/margins/result/{}", site.margins().confirm(&draft, "margins", run)?)))
}
