//! What will be spent and promised, before anything is read.

use std::sync::Arc;

use posterity::Ledger;
use posterity::meaning::uncounted;
use posterity::number::{left, spent};

use super::asked::Asked;
use super::command::command;
use super::form;
use super::job::Job;
use crate::drafts::GONE;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::plan::{meaning, sentence};
use crate::site::{Reply, Site};
use crate::units::refusal;

/// Checks the form, and leads to the summary.
pub(crate) fn check(site: &Arc<Site>, form: &Fields) -> Result<Reply, Failure> {
    match Asked::new(site.folder(), site.ledger().is_some(), form) {
        Ok(asked) => Ok(Reply::Redirect(format!("/release/draft/{}", site.releases().add(asked)?))),
        Err(why) => Ok(Reply::Html(form::with(site, form, Some(&why)))),
    }
}

/// The summary of a draft.
pub(crate) fn draft(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    let id = fields.text("id");
    let (asked, result) = site.releases().draft(id).ok_or(GONE)?;
    let act = match result {
        Some(result) => format!(
            "<p class=\"notice\">This was released. <a href=\"/release/result/{}\">See the result.</a></p>",
            html::text(result)
        ),
        None => format!(
            "<form action=\"/release/confirm\" method=\"post\">{0}<input type=\"hidden\" name=\"draft\" value=\"{1}\">\
             <p class=\"act\"><button id=\"confirm\">{2}</button> <a href=\"/release?draft={1}\">No, back to the form</a></p>\
             <p class=\"help\">This cannot be undone: noise that was drawn is drawn.</p></form>",
            site.token_field(),
            html::text(id),
            if asked.account.is_some() { "Yes, charge and release" } else { "Yes, release" }
        ),
    };
    let body = format!(
        "<div class=\"intro\"><p class=\"kicker\">Nothing has been read or charged</p><h1>Release this?</h1></div>{}\
         <section class=\"card\"><h2>What this spends</h2>{}</section>\
         <section class=\"card\"><h2>What is promised</h2>{}{}</section>{act}\
         <section class=\"lines\"><h2>The same as a command</h2><div class=\"line\"><pre id=\"line-command\" tabindex=\"0\"><code>{}</code></pre>\
         <button type=\"button\" class=\"copy\" data-copy=\"line-command\" hidden>Copy</button></div></section>",
        facts(&asked),
        spending(site, &asked),
        promise(&asked),
        meaning(asked.terms.epsilon.to_f64(), asked.unit()),
        html::text(command(site.ledger(), &asked))
    );
    Ok(Reply::Html(layout::page("Release this?", Section::Release, &body)))
}

fn facts(asked: &Asked) -> String {
    let question = &asked.question;
    let mut rows = vec![("File", asked.file.clone()), ("Question", asked.columns_in_words())];
    rows.push((
        "Protected",
        match &question.unit {
            Some(unit) => format!("each value of {unit:?}: {}", question.per_unit.in_words(unit)),
            None => "each record by itself".to_owned(),
        },
    ));
    rows.extend(question.filter.iter().map(|filter| ("Only records where", filter.clone())));
    rows.extend(question.other.iter().map(|other| ("Other values count as", other.clone())));
    rows.extend(question.missing.iter().map(|missing| ("Missing values count as", missing.clone())));
    let prior = if asked.prior_typed.is_empty() { "uniform" } else { &asked.prior_typed };
    rows.push(("Prior", prior.to_owned()));
    rows.push(("Mechanism", asked.terms.spec.to_string()));
    let readings = asked.readings.readings.iter().map(ToString::to_string);
    let readings = readings.chain(asked.readings.comparisons.iter().map(ToString::to_string));
    let readings: Vec<String> = readings.collect();
    if !readings.is_empty() {
        rows.push(("Read from it, at no cost", readings.join("; ")));
    }
    let rows: String = rows
        .iter()
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>", html::text(value)))
        .collect();
    format!("<dl class=\"facts\">{rows}</dl>")
}

/// What the account has before and after.
fn spending(site: &Site, asked: &Asked) -> String {
    let epsilon = html::text(&asked.terms.epsilon);
    let (Some(path), Some(name)) = (site.ledger(), &asked.account) else {
        return format!("<p>ε = {epsilon}. {}</p>", html::text(uncounted()));
    };
    match Ledger::open(path).and_then(|ledger| ledger.account(name)) {
        Ok(account) => {
            if let Some(why) = refusal(&account, asked.question.unit.as_deref()) {
                return format!("<p class=\"wrong\">{}</p>", html::text(sentence(why)));
            }
            let price = posterity::Amount::from_rational(asked.terms.epsilon.rational().clone());
            let after = price.ok().and_then(|price| account.remaining_epsilon.minus(&price));
            let after = match after {
                Some(after) => format!(
                    "{} will be left of {}.",
                    html::text(left(&after)),
                    html::text(left(&account.epsilon))
                ),
                None => "<strong>That is not enough, and the release will be refused.</strong>".to_owned(),
            };
            format!(
                "<p>ε = {epsilon} of account <strong>{}</strong>, which has spent {} and has {} left. {after} If the ledger holds the answer \
                 to this very question, nothing is charged.</p>",
                html::text(name),
                html::text(spent(&account.spent_epsilon)),
                html::text(left(&account.remaining_epsilon))
            )
        }
        Err(error) => format!("<p class=\"wrong\">{}</p>", html::text(sentence(error))),
    }
}

fn promise(asked: &Asked) -> String {
    let whom = match &asked.question.unit {
        Some(unit) => format!("all records of any one {}", html::text(unit)),
        None => "any one record".to_owned(),
    };
    let several = if asked.question.unit.is_some() {
        ""
    } else {
        " If people have several records, go back and name the column that tells them apart."
    };
    format!(
        "<p>Replacing {whom} changes the probability of every possible release by a factor of at most e<sup>ε</sup>. The number of records, \
         the values, the filter and the names are published and not protected.{several}</p>"
    )
}

/// Releases a draft, once.
pub(crate) fn confirm(site: &Arc<Site>, form: &Fields) -> Result<Reply, Failure> {
    let ledger = site.ledger().map(Into::into);
    let result = site.releases().confirm(form.text("draft"), |asked| Job::begin(asked, ledger))?;
    Ok(Reply::Redirect(format!("/release/result/{result}")))
}
