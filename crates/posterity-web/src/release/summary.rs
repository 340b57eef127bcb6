//! What will be spent and promised, before anything is read.

use std::path::Path as FilePath;
use std::sync::atomic::AtomicU64;

use axum::extract::Path;
use maud::{Markup, html};
use posterity::data::Column;
use posterity::ledger::{Account, Charge, Price};
use posterity::meaning::uncounted;
use posterity::number::{left, spent};
use posterity::plan::{Field, Node, PlannedDiscovery, PlannedMargins, PlannedQuestion, PlannedTable, Value};
use posterity::table::{IntervalKind, Ways};
use posterity::{Amount, Ledger, LedgerError};
use posterity_present::intervals::{Shown, choice};

use super::asked::{Asked, forecast};
use super::elsewhere::{elsewhere, plan_of};
use super::kinds::FormOf;
use super::outcome::run;
use super::{fieldsets, nodes};
use crate::adjacency::in_words;
use crate::answers::Answers;
use crate::chosen::ChosenFile;
use crate::drafts::{Confirmation, GONE};
use crate::extract::Form;
use crate::html;
use crate::inputs::label;
use crate::layout::{self, Section};
use crate::payer;
use crate::plan::meaning;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;
use crate::spending::{DraftOf, FOR_GOOD, Promised, Spending};
use crate::units::{changed, protected, published};

/// Checks a form, and leads to the summary.
pub(crate) fn check(of: &'static FormOf, site: &Site, Form(answers): Form<Answers>) -> Answer {
    let desk = site.desk();
    match Asked::new(of, &desk, answers.clone()) {
        Ok(asked) => Ok(Reply::Redirect(format!("/release/draft/{}", site.releases().add(asked)?))),
        Err(wrong) => Ok(Reply::Html(fieldsets::page(of, &desk, &answers, Some(&wrong)))),
    }
}

/// The summary of a draft.
pub(crate) fn draft(site: &Site, Path(id): Path<String>) -> Answer {
    let (asked, result) = site.releases().draft(&id).ok_or(GONE)?;
    Ok(Reply::Html(page(site, &id, &asked, result.as_deref(), &[])))
}

/// The summary, with what has changed since it was shown before.
fn page(site: &Site, id: &str, asked: &Asked, result: Option<&str>, differs: &[String]) -> Markup {
    let spending = spending(site.ledger(), asked);
    let (title, back) = (asked.of.question, format!("/{}?draft={id}", asked.of.word));
    let result = result.map(|result| (result, became(site, result)));
    let draft =
        DraftOf { section: "/release", id, result, back: (&back, "form"), promised: promised(site, asked) };
    let kicker = if result.is_none() { "Nothing has been read or charged" } else { "This was confirmed" };
    let body = html! {
        div.intro {
            p.kicker { (kicker) }
            h1 { (title) }
        }
        (html::differs(differs))
        (facts(asked))
        (forecast(asked))
        section.card { h2 { "What this spends" } (spending.said) }
        section.card { h2 { "What is promised" } (promise(asked)) }
        (spending.way_on(&draft, FOR_GOOD, &site.token_field()))
        (elsewhere(site, asked, &format!("/release/draft/{id}")))
    };
    layout::page(title, Section::Release, &body)
}

/// The plan of a draft, as a file.
pub(crate) fn plan_file(site: &Site, Path(id): Path<String>) -> Answer {
    let (asked, _) = site.releases().draft(&id).ok_or(GONE)?;
    Ok(plan_of(&asked))
}

/// What is told by hand of a plan.
const TOLD: [&str; 25] = [
    "edition",
    "delimiter",
    "encoding",
    "adjacency",
    "unit",
    "per-unit",
    "one-record-per-person",
    "where",
    "within",
    "other",
    "missing",
    "prior",
    "mechanism",
    "epsilon",
    "delta",
    "allow-large-delta",
    "interval-kind",
    "about",
    "level",
    "simultaneous",
    "read",
    "compare",
    "test",
    "sets",
    "columns",
];

type Facts = Vec<(String, String)>;

fn facts(asked: &Asked) -> Markup {
    let (plan, records) = (&asked.plan, asked.plan.records());
    let mut rows: Facts = vec![("File".to_owned(), asked.file.name.clone())];
    let mut tell = |what: &str, value: String| rows.push((what.to_owned(), value));
    if let Some(edition) = plan.edition() {
        tell("Edition", edition.to_owned());
    }
    for (what, how) in how_written(&asked.file) {
        tell(what, how);
    }
    let (table, margins, discovery) = of_kinds(asked);
    let columns: &[Column] = match (table, margins) {
        (Some(one), _) => {
            tell("Question", question(&one.question().columns));
            &one.question().columns
        }
        (None, Some(one)) => {
            let names: Vec<&str> = one.question().columns.iter().map(|column| column.name.as_str()).collect();
            tell("Columns", format!("{}: {}", names.len(), names.join(", ")));
            &one.question().columns
        }
        (None, None) => {
            let names = asked.question().map(PlannedQuestion::columns).unwrap_or_default();
            tell("The values of", names.join(", "));
            &[]
        }
    };
    if let Some(Value::Text(schema)) = asked.node.get("schema").map(Node::value) {
        tell("Declared by", schema.clone());
    }
    tell("Number of people", in_words(records.adjacency).to_owned());
    tell("Protected", protected(records));
    for (what, filter) in
        [("Only records where", &records.filter), ("About those for which", &records.within)]
    {
        if let Some(filter) = filter {
            tell(what, filter.clone());
        }
    }
    for (what, of) in [
        ("Other values count as", undeclared(columns, |one| &one.other)),
        ("Missing values count as", undeclared(columns, |one| &one.missing)),
    ] {
        if let Some(label) = of {
            tell(what, label);
        }
    }
    match (table, margins, discovery) {
        (Some(one), ..) => {
            tell("Prior", asked.node.get("prior").map_or_else(|| "uniform".to_owned(), written));
            tell("Mechanism", one.terms().spec.to_string());
            tell("Intervals", intervals(one.terms().ways()));
        }
        (_, Some(one), _) => tell("Intervals", intervals(one.terms().ways)),
        (.., Some(one)) => {
            if let Some(missing) = &one.values().missing {
                tell("Missing values count as", missing.clone());
            }
            let (kind, level) = (IntervalKind::default(), one.terms().level);
            tell("Intervals", Shown { kind, level, simultaneous: false, without_noise: false }.head());
        }
        _ => {}
    }
    let read = asked.question().map(|one| {
        let readings = match (table, margins) {
            (Some(one), _) => one.asked_readings(),
            (None, Some(one)) => &one.terms().readings,
            (None, None) => &[],
        };
        let readings = readings.iter().map(ToString::to_string);
        readings.chain(one.comparisons().iter().map(ToString::to_string)).collect::<Vec<_>>().join("; ")
    });
    if let Some(read) = read.filter(|read| !read.is_empty()) {
        tell("Read from it, at no cost", read);
    }
    for (field, node) in said(asked) {
        tell(&label(field), written(node));
    }
    html! {
        dl.facts { @for (name, value) in &rows { div { dt { (name) } dd { (value) } } } }
    }
}

/// The question of a draft as one of a kind that has something of its own to tell.
fn of_kinds(asked: &Asked) -> (Option<&PlannedTable>, Option<&PlannedMargins>, Option<&PlannedDiscovery>) {
    let Some(one) = asked.question() else { return (None, None, None) };
    (one.as_a(), one.as_a(), one.as_a())
}

/// What the plan says by fields that are not told by hand.
fn said(asked: &Asked) -> Vec<(&'static Field, &Node)> {
    let question = asked.node.get(asked.of.key).and_then(|list| match list.value() {
        Value::List(items) => items.first(),
        _ => None,
    });
    let others = nodes::fields(asked.of.kind).filter(|field| !TOLD.contains(&field.name));
    let find = |field: &'static Field| {
        let node = asked.node.get(field.name).or_else(|| question?.get(field.name))?;
        Some((field, node))
    };
    others.filter_map(find).collect()
}

/// A value as it is written.
fn written(node: &Node) -> String {
    match node.value() {
        Value::Text(text) | Value::Number(text) => text.clone(),
        Value::List(items) => items.iter().map(written).collect::<Vec<_>>().join(", "),
        Value::Truth(true) => "yes".to_owned(),
        _ => node.to_json(),
    }
}

/// The columns in words: "cured (yes, no)".
fn question(columns: &[Column]) -> String {
    let column = |column: &Column| format!("{} ({})", column.name, column.domain.names().join(", "));
    columns.iter().map(column).collect::<Vec<_>>().join(" and ")
}

/// What stands between the fields of a file, and how its text is encoded, if that was chosen.
fn how_written(file: &ChosenFile) -> Vec<(&'static str, String)> {
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

/// What its account pays for a release, and that account; nothing if nobody counts it.
fn price(ledger: Option<&FilePath>, asked: &Asked) -> Result<Option<(Account, Charge, Price)>, LedgerError> {
    let (Some(path), Some(name), Ok(charge)) = (ledger, &asked.account, asked.price()) else {
        return Ok(None);
    };
    let account = Ledger::open(path).and_then(|ledger| ledger.account(name))?;
    let price = account.price_of(&charge)?;
    Ok(Some((account, charge, price)))
}

/// What the page of a draft promises: what is asked, and what it costs whom.
fn promised(site: &Site, asked: &Asked) -> Promised {
    let price = match price(site.ledger(), asked) {
        Ok(Some((account, _, price))) => format!("{price} of {}", account.name),
        Ok(None) => "nothing that is counted".to_owned(),
        Err(error) => error.to_string(),
    };
    Promised { plan: asked.plan.digest(), price }
}

/// Said of an account that has less than a release costs.
const NOT_ENOUGH: &str = "That is not enough to draw an answer: the release will be refused, unless the ledger holds its answer already.";

/// What the account has before and after. Whether the ledger holds the answer, which costs nothing then, is known when the
/// records are counted.
fn spending(ledger: Option<&FilePath>, asked: &Asked) -> Spending {
    const LOOK: &str = "Look for the answer in the ledger";
    let (account, charge, price) = match price(ledger, asked) {
        Ok(Some(found)) => found,
        Ok(None) => {
            let said = html! { p { (by_itself(asked)) ". " (uncounted()) } };
            return Spending { said, button: Some("Yes, release") };
        }
        Err(error) => return Spending::refused(error),
    };
    let (is_enough, why) = match account.affords(&charge) {
        Ok(_) => (true, None),
        Err(LedgerError::Exceeded(_)) if price.epsilon().is_some() => (false, None),
        Err(error @ LedgerError::Exceeded(_)) => (false, Some(sentence(error))),
        Err(error) => return Spending::refused(error),
    };
    let after = price.epsilon().and_then(|epsilon| payer::after(&account, epsilon));
    let said = html! {
        p {
            (payer::named(&price)) (in_epsilon(asked)) " of account " strong { (account.name) } ", which has spent "
            (spent(&account.spent_epsilon)) " and has " (left(&account.remaining_epsilon)) " left."
            (payer::dearer(&account, asked.plan.records().adjacency, payer::how_much_dearer(&price)))
            " "
            @match (&after, is_enough) {
                (_, false) => { @if let Some(why) = why { (why) " " } strong { (NOT_ENOUGH) } },
                (Some(after), true) => { (after) },
                (None, true) => { "It can pay that." },
            }
            " If the ledger holds the answer to this very question, nothing is charged."
        }
    };
    Spending { said, button: Some(if is_enough { "Yes, charge and release" } else { LOOK }) }
}

/// The budget of a release that is charged in rho.
fn in_epsilon(asked: &Asked) -> String {
    let Some(delta) = asked.plan.delta().filter(|_| asked.plan.rho().is_some()) else { return String::new() };
    format!(" (ε = {} at δ = {} by itself)", asked.plan.epsilon(), spent(delta))
}

/// What a release costs that nobody counts.
fn by_itself(asked: &Asked) -> String {
    match (asked.plan.rho(), asked.plan.delta()) {
        (Some(rho), _) => format!("ρ = {}{}", spent(&rho), in_epsilon(asked)),
        (None, Some(delta)) => format!("ε = {} and δ = {}", asked.plan.epsilon(), spent(delta)),
        (None, None) => format!("ε = {}", asked.plan.epsilon()),
    }
}

fn promise(asked: &Asked) -> Markup {
    let Asked { plan, n, .. } = asked;
    let records = plan.records();
    let unit = records.unit.as_deref();
    let (releases, but) = match (plan.delta(), of_kinds(asked).1) {
        (None, _) => ("possible release", ""),
        (Some(_), Some(_)) => {
            ("set of possible releases", ", but for a probability of at most δ, for all tables together")
        }
        (Some(_), None) => ("set of possible releases", ", but for a probability of at most δ"),
    };
    let delta = plan.delta().map(Amount::to_f64_shown).unwrap_or_default();
    html! {
        p {
            (changed(records.adjacency, unit)) " changes the probability of every " (releases) " by a factor of at most e"
            sup { "ε" } (but) ". " (published(records.adjacency, "filter"))
            @if unit.is_none() {
                " If people have several records, go back and name the column that tells them apart."
            }
        }
        (meaning(records.adjacency, plan.epsilon().to_f64(), delta, *n, unit.unwrap_or("record")))
    }
}

/// Releases a draft, once, if it is still what its page promised.
pub(crate) fn confirm(site: &Site, Form(confirmation): Form<Confirmation>) -> Answer {
    let Confirmation { draft: id, .. } = &confirmation;
    let (asked, result) = site.releases().draft(id).ok_or(GONE)?;
    if result.is_none() {
        let differs = confirmation.differs(&promised(site, &asked));
        if !differs.is_empty() {
            return Ok(Reply::Html(page(site, id, &asked, None, &differs)));
        }
    }
    let (ledger, key) = (site.ledger().map(FilePath::to_owned), site.key().cloned());
    let run = move |asked: &Asked, rows: &AtomicU64| run(asked, ledger.as_deref(), key.clone(), rows);
    Ok(Reply::Redirect(format!("/release/result/{}", site.releases().confirm(id, "release", run)?)))
}
