//! What will be spent and promised, before anything is read.

use std::path::Path as FilePath;
use std::sync::atomic::AtomicU64;

use axum::extract::Path;
use maud::{Markup, html};
use posterity::data::Column;
use posterity::meaning::uncounted;
use posterity::table::Ways;
use posterity::{Amount, Ledger, LedgerError};
use posterity_present::intervals::{Shown, choice};

use super::asked::{Asked, Facts, ReleaseForm};
use super::command::command;
use super::outcome::run;
use crate::adjacency::in_words;
use crate::chosen::ChosenFile;
use crate::drafts::{Confirmation, GONE};
use crate::extract::Form;
use crate::html;
use crate::layout::{self, Section};
use crate::plan::meaning;
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::spending::{DraftOf, FOR_GOOD, Spending};
use crate::units::{changed, protected, published};

/// Checks a form, and leads to the summary.
pub(crate) fn check<F: ReleaseForm>(site: &Site, Form(typed): Form<F>) -> Answer {
    let desk = site.desk();
    match typed.checked(&desk) {
        Ok(asked) => Ok(Reply::Redirect(format!("/release/draft/{}", site.releases().add(asked)?))),
        Err(why) => Ok(Reply::Html(typed.page(&desk, Some(&why)))),
    }
}

/// The summary of a draft.
pub(crate) fn draft(site: &Site, Path(id): Path<String>) -> Answer {
    let (asked, result) = site.releases().draft(&id).ok_or(GONE)?;
    let spending = spending(site.ledger(), &asked);
    let (title, back) = (asked.title, format!("/{}?draft={id}", asked.word));
    let result = result.as_deref().map(|result| (result, became(site, result)));
    let draft = DraftOf { section: "/release", id: &id, result, back: (&back, "form") };
    let kicker = if result.is_none() { "Nothing has been read or charged" } else { "This was confirmed" };
    let body = html! {
        div.intro {
            p.kicker { (kicker) }
            h1 { (title) }
        }
        (facts(&asked))
        (asked.forecast)
        section.card { h2 { "What this spends" } (spending.said) }
        section.card { h2 { "What is promised" } (promise(&asked)) }
        (spending.way_on(&draft, FOR_GOOD, &site.token_field()))
        (html::command(&command(site.ledger(), &asked)))
    };
    Ok(Reply::Html(layout::page(title, Section::Release, &body)))
}

fn facts(asked: &Asked) -> Markup {
    let question = &asked.question;
    let mut rows = vec![("File", asked.file.name.clone())];
    rows.extend(asked.edition.iter().map(|edition| ("Edition", edition.clone())));
    rows.extend(how_written(&asked.file));
    rows.extend(asked.facts.clone());
    rows.push(("Number of people", in_words(question.adjacency).to_owned()));
    rows.push(("Protected", protected(question)));
    rows.extend(question.filter.iter().map(|filter| ("Only records where", filter.clone())));
    let columns = &question.columns;
    rows.extend(undeclared(columns, |one| &one.other).map(|other| ("Other values count as", other)));
    rows.extend(undeclared(columns, |one| &one.missing).map(|missing| ("Missing values count as", missing)));
    rows.extend(asked.terms.clone());
    rows.push(("Intervals", intervals(asked.ways)));
    let readings = asked.readings.words();
    if !readings.is_empty() {
        rows.push(("Read from it, at no cost", readings.join("; ")));
    }
    html::facts(&rows)
}

/// What stands between the fields of a file, and how its text is encoded, if that was chosen.
fn how_written(file: &ChosenFile) -> Facts {
    let delimiter =
        file.source.delimiter().map(|one| if one == '\t' { "a tab".to_owned() } else { one.to_string() });
    let encoding = file.source.encoding().map(|encoding| encoding.to_string());
    let rows = [("Between its fields", delimiter), ("Its text is", encoding)];
    rows.into_iter().filter_map(|(what, value)| Some((what, value?))).collect()
}

/// The category of other or of missing values: one for all columns, or that of each; none if no column has one.
fn undeclared(columns: &[Column], of: impl Fn(&Column) -> &Option<String>) -> Option<String> {
    let first = of(columns.first()?);
    if columns.len() > 1 && columns.iter().all(|column| of(column) == first) {
        return first.clone();
    }
    let said = |column: &Column| of(column).as_ref().map(|label| format!("{label} (of {})", column.name));
    let said: Vec<String> = columns.iter().filter_map(said).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// Which intervals are shown, and of what.
fn intervals(ways: Ways) -> String {
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

/// What the account has before and after. Whether the ledger holds the answer, which costs nothing then, is known when the
/// records are counted.
fn spending(ledger: Option<&FilePath>, asked: &Asked) -> Spending {
    const LOOK: &str = "Look for the answer in the ledger";
    let (Some(path), Some(name)) = (ledger, &asked.account) else {
        let said = html! { p { (asked.draw.price()) ". " (uncounted()) } };
        return Spending { said, button: Some("Yes, release") };
    };
    let account = Ledger::open(path).and_then(|ledger| ledger.account(name));
    match account.and_then(|account| asked.draw.spends(asked, &account)) {
        Ok((said, is_enough)) => Spending {
            said: html! {
                p { (said) " If the ledger holds the answer to this very question, nothing is charged." }
            },
            button: Some(if is_enough { "Yes, charge and release" } else { LOOK }),
        },
        Err(error @ LedgerError::Exceeded(_)) => Spending { button: Some(LOOK), ..Spending::refused(error) },
        Err(error) => Spending::refused(error),
    }
}

fn promise(asked: &Asked) -> Markup {
    let Asked { question, epsilon, delta, n, .. } = asked;
    let unit = question.unit.as_deref();
    let (releases, but) = match delta {
        None => ("possible release", ""),
        Some(_) => {
            ("set of possible releases", ", but for a probability of at most δ, for all tables together")
        }
    };
    let delta = delta.as_ref().map(Amount::to_f64_shown).unwrap_or_default();
    html! {
        p {
            (changed(question.adjacency, unit)) " changes the probability of every " (releases) " by a factor of at most e"
            sup { "ε" } (but) ". " (published(question.adjacency, "filter"))
            @if unit.is_none() {
                " If people have several records, go back and name the column that tells them apart."
            }
        }
        (meaning(question.adjacency, epsilon.to_f64(), delta, *n, unit.unwrap_or("record")))
    }
}

/// Releases a draft, once.
pub(crate) fn confirm(site: &Site, Form(Confirmation { draft }): Form<Confirmation>) -> Answer {
    let ledger = site.ledger().map(FilePath::to_owned);
    let run = move |asked: &Asked, rows: &AtomicU64| run(asked, ledger.as_deref(), rows);
    Ok(Reply::Redirect(format!("/release/result/{}", site.releases().confirm(&draft, "release", run)?)))
}
