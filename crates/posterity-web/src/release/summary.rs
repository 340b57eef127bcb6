//! What will be spent and promised, before anything is read.

use std::fmt::Display;
use std::sync::atomic::AtomicU64;

use axum::extract::Path;
use posterity::Ledger;
use posterity::data::Column;
use posterity::meaning::uncounted;
use posterity::number::{left, spent};
use posterity::table::Ways;
use posterity_present::intervals::{Shown, choice};

use super::asked::{Asked, ReleaseForm};
use super::command::command;
use super::{form, job};
use crate::adjacency::in_words;
use crate::chosen::ChosenFile;
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

/// Checks the form, and leads to the summary.
pub(crate) fn check(site: &Site, Form(typed): Form<ReleaseForm>) -> Answer {
    match Asked::new(site.folder(), site.ledger().is_some(), typed.clone()) {
        Ok(asked) => Ok(Reply::Redirect(format!("/release/draft/{}", site.releases().add(asked)?))),
        Err(why) => Ok(Reply::Html(form::with(site, &typed, Some(&why)))),
    }
}

/// The summary of a draft.
pub(crate) fn draft(site: &Site, Path(id): Path<String>) -> Answer {
    let (asked, result) = site.releases().draft(&id).ok_or(GONE)?;
    let Spending { said: spending, button } = spending(site, &asked);
    let act = match (&result, button) {
        (Some(result), _) => format!(
            "<p class=\"notice\">{} <a href=\"/release/result/{}\">See what came of it.</a></p>",
            became(site, result),
            html::text(result)
        ),
        (None, None) => {
            format!(
                "<p class=\"act\"><a href=\"/release?draft={}\">Back to the form</a></p>",
                html::text(&id)
            )
        }
        (None, Some(button)) => format!(
            "<form action=\"/release/confirm\" method=\"post\">{0}<input type=\"hidden\" name=\"draft\" value=\"{1}\">\
             <p class=\"act\"><button id=\"confirm\">{2}</button> <a href=\"/release?draft={1}\">No, back to the form</a></p>\
             <p class=\"help\">This cannot be undone: noise that was drawn is drawn.</p></form>",
            site.token_field(),
            html::text(&id),
            button
        ),
    };
    let body = format!(
        "<div class=\"intro\"><p class=\"kicker\">{}</p><h1>Release this?</h1></div>{}\
         <section class=\"card\"><h2>What this spends</h2>{spending}</section>\
         <section class=\"card\"><h2>What is promised</h2>{}{}</section>{act}{}",
        if result.is_none() { "Nothing has been read or charged" } else { "This was confirmed" },
        facts(&asked),
        promise(&asked),
        meaning(asked.terms.adjacency, asked.price.to_f64(), 0.0, None, asked.unit()),
        html::command(&command(site.ledger(), &asked))
    );
    Ok(Reply::Html(layout::page("Release this?", Section::Release, &body)))
}

fn facts(asked: &Asked) -> String {
    let question = &asked.question;
    let mut rows = vec![("File", asked.file.name.clone()), ("Question", asked.columns_in_words())];
    rows.splice(1..1, asked.typed.file.edition.get().map(|edition| ("Edition", edition.to_owned())));
    rows.extend(how_written(&asked.file));
    rows.push(("Number of people", in_words(question.adjacency).to_owned()));
    rows.push(("Protected", protected(question)));
    rows.extend(question.filter.iter().map(|filter| ("Only records where", filter.clone())));
    rows.extend(undeclared(asked, |column| &column.other).map(|other| ("Other values count as", other)));
    rows.extend(
        undeclared(asked, |column| &column.missing).map(|missing| ("Missing values count as", missing)),
    );
    rows.push(("Prior", asked.typed.prior.or("uniform").to_owned()));
    rows.push(("Mechanism", asked.terms.spec.to_string()));
    rows.push(("Intervals", intervals(asked.terms.ways())));
    let readings = asked.readings.readings.iter().map(ToString::to_string);
    let readings = readings.chain(asked.readings.comparisons.iter().map(ToString::to_string));
    let readings: Vec<String> = readings.collect();
    if !readings.is_empty() {
        rows.push(("Read from it, at no cost", readings.join("; ")));
    }
    html::facts(&rows)
}

/// What stands between the fields of a file, and how its text is encoded, if that was chosen.
pub(crate) fn how_written(file: &ChosenFile) -> Vec<(&'static str, String)> {
    let delimiter =
        file.source.delimiter().map(|one| if one == '\t' { "a tab".to_owned() } else { one.to_string() });
    let encoding = file.source.encoding().map(|encoding| encoding.to_string());
    let rows = [("Between its fields", delimiter), ("Its text is", encoding)];
    rows.into_iter().filter_map(|(what, value)| Some((what, value?))).collect()
}

/// The category of each column for other or for missing values; none if no column has one.
fn undeclared(asked: &Asked, of: impl Fn(&Column) -> &Option<String>) -> Option<String> {
    let said = |column: &Column| of(column).as_ref().map(|label| format!("{label} (of {})", column.name));
    let said: Vec<String> = asked.question.columns.iter().filter_map(said).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// Which intervals are shown, and of what.
pub(crate) fn intervals(ways: Ways) -> String {
    let Ways { interval: kind, level, about, simultaneous } = ways;
    let shown = Shown { kind, level, simultaneous, without_noise: false };
    format!("{}s, about {}", shown.head(), choice(about))
}

/// What came of a draft that was confirmed.
fn became(site: &Site, result: &str) -> &'static str {
    match site.releases().job(result).as_ref().and_then(|job| job.outcome()) {
        None => "This is being released.",
        Some(Ok(_)) => "This was released.",
        Some(Err(_)) => "This was not released.",
    }
}

/// What a release spends, in HTML, and the button that releases it; none if it would be refused.
pub(crate) struct Spending {
    pub(crate) said: String,
    pub(crate) button: Option<&'static str>,
}

impl Spending {
    pub(crate) fn refused(why: impl Display) -> Self {
        Self { said: html::wrong(sentence(why)), button: None }
    }
}

/// Said of an account that has less than a release costs.
const NOT_ENOUGH: &str = "<strong>That is not enough to draw an answer: the release will be refused, unless the ledger holds its answer \
                          already.</strong>";

/// What the account has before and after.
fn spending(site: &Site, asked: &Asked) -> Spending {
    let epsilon = html::text(&asked.price);
    let (Some(path), Some(name)) = (site.ledger(), &asked.account) else {
        let said = format!("<p>ε = {epsilon}. {}</p>", html::text(uncounted()));
        return Spending { said, button: Some("Yes, release") };
    };
    match Ledger::open(path).and_then(|ledger| ledger.account(name)) {
        Ok(account) => {
            let (unit, adjacency) = (asked.question.unit.as_deref(), asked.terms.adjacency);
            let price = match price(&account, unit, adjacency, &asked.price) {
                Ok(price) => price,
                Err(why) => return Spending::refused(why),
            };
            // Whether the ledger holds the answer is known when the records are counted.
            let (after, button) = match payer::after(&account, &price) {
                Some(after) => (after, "Yes, charge and release"),
                None => (NOT_ENOUGH.to_owned(), "Look for the answer in the ledger"),
            };
            let said = format!(
                "<p>ε = {} of account <strong>{}</strong>, which has spent {} and has {} left.{} {} If the ledger holds the answer \
                 to this very question, nothing is charged.</p>",
                html::text(spent(&price)),
                html::text(name),
                html::text(spent(&account.spent_epsilon)),
                html::text(left(&account.remaining_epsilon)),
                payer::dearer(&account, adjacency, "twice its epsilon"),
                after
            );
            Spending { said, button: Some(button) }
        }
        Err(error) => Spending::refused(error),
    }
}

fn promise(asked: &Asked) -> String {
    let question = &asked.question;
    let changed = html::text(changed(question.adjacency, question.unit.as_deref()));
    let several = if question.unit.is_some() {
        ""
    } else {
        " If people have several records, go back and name the column that tells them apart."
    };
    format!(
        "<p>{changed} changes the probability of every possible release by a factor of at most e<sup>ε</sup>. {}{several}</p>",
        html::text(published(question.adjacency, "filter"))
    )
}

/// Releases a draft, once.
pub(crate) fn confirm(site: &Site, Form(Confirmation { draft }): Form<Confirmation>) -> Answer {
    let ledger = site.ledger().map(std::path::Path::to_owned);
    let run = move |asked: &Asked, rows: &AtomicU64| job::run(asked, ledger.as_deref(), rows);
    Ok(Reply::Redirect(format!("/release/result/{}", site.releases().confirm(&draft, "release", run)?)))
}
