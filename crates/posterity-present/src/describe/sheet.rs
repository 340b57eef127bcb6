//! The sheet for a committee.

use posterity::ReadingTable;
use posterity::meaning::{beliefs, odds, of_delta, uncounted, under, warnings};
use posterity::number::{bound, grouped, spent};
use posterity::table::Statistic;
use posterity::{Adjacency, Publication};

use super::answer::{answer, questions};
use super::case::{Answered, Case, Together};
use super::page::{Block, Description, Section, Table};
use super::words::{assumed, counted, not_promised, protected, subject, subjects};
use crate::sheet::Column;
use crate::words::{capital, quoted};

/// One page for people who decide: the question, who is protected, the answer, what an observer could learn, and how to
/// verify all of it.
#[must_use]
pub fn sheet(case: &Case<'_>) -> Description {
    let read: Vec<Vec<ReadingTable>> =
        case.answers.iter().map(|one| one.document.first().into_owned()).collect();
    let all: Vec<ReadingTable> = read.concat();
    let mut sections = vec![question(case, &read).first()];
    sections.extend(answers(case, &read).map(Section::first));
    sections.extend(case.required.as_ref().map(|table| {
        let agreed = |one: &Answered<'_>| one.document.provenance().is_some_and(|from| from.agreed.is_some());
        let recorded = case.answers.iter().any(agreed);
        let caption = if recorded {
            "Required, and when that was agreed by the ledger's record"
        } else {
            "Required by the plan. No ledger recorded whether that was agreed before anything was drawn"
        };
        let table = Block::Table(caption.to_owned(), table.clone());
        Section::new("What was required", vec![table]).first()
    }));
    sections.extend(
        case.is_private().then(|| Section::new("What committees ask", vec![Block::Facts(asked(case, &all))])),
    );
    sections.extend([
        Section::new("Who is protected", vec![Block::List(protected(case))]),
        Section::new("Which records count", vec![Block::List(counted(case))]),
        Section::new("Budget", budget(case)),
        Section::new("What an observer could learn", learned(case)),
        Section::new("What was assumed", vec![Block::List(assumed(case, &all))]),
    ]);
    sections.extend(
        case.is_private()
            .then(|| Section::new("What is not promised", vec![Block::List(not_promised(case))])),
    );
    sections.push(Section::new("How to verify it", verification(case)));
    let signed = match case.drawn() {
        Some(drawn) => format!(
            "Signed is that this answer, {} with the digest {}, drawn at {drawn}, may be published.",
            case.file,
            digests(case).join(", ")
        ),
        None => format!("Signed is that this answer, {}, may be published.", case.file),
    };
    Description { title: title(case), alarm: alarm(case), sections, signed: Some(signed) }
}

/// The digests of the documents.
pub(super) fn digests<'a>(case: &Case<'a>) -> Vec<&'a str> {
    case.answers.iter().filter_map(|one| Some(one.document.provenance()?.digest.as_str())).collect()
}

/// What committees ask, each with its answer or with where it stands.
fn asked(case: &Case<'_>, tables: &[ReadingTable]) -> Vec<(&'static str, String)> {
    let unit = case.unit();
    let shares = || tables.iter().filter(|table| table.statistic == Statistic::Share);
    let rows = || shares().flat_map(|table| &table.rows);
    let (groups, empty) = (rows().count(), rows().filter(|row| row.may_be_empty).count());
    let small = match empty {
        0 => "No: each group is shown with its interval, and a small one has a wide interval.".to_owned(),
        _ => format!(
            "{empty} of {groups} rows are of groups that may be empty. They have \"-\" for their share: nothing is known of it."
        ),
    };
    let agreed = match &case.required {
        Some(_) => "The terms under \"What was required\", with when they were agreed.",
        None => "Nothing was required by a plan.",
    };
    let together = match &case.standing {
        Some(standing) => format!(
            "Their bounds add up. The account counts all that is released from it: {} is left.",
            standing.left()
        ),
        None => {
            "Their bounds add up. Ask for the account that counts all releases about these people.".to_owned()
        }
    };
    let n = match case.n() {
        Some(n) => format!(
            "{}, published exactly; how many in each group stands in the answer.",
            grouped(&n.to_string())
        ),
        None => "Private. How many are in each group stands in the answer, with an interval.".to_owned(),
    };
    vec![
        ("Who could learn what?", format!("Nobody much about one {unit}: see \"What an observer could learn\".")),
        ("What if two sheets are put together?", together),
        ("How many people?", n),
        ("Why these groups?", "They were declared before the data was read. The program cannot see why: ask whoever chose them.".to_owned()),
        ("Is a small group exposed?", small),
        ("Who is left out?", "See \"Which records count\"; the part that is unknown stands below the answer.".to_owned()),
        ("How exact is it?", "As the intervals say. They include what the noise takes away.".to_owned()),
        ("What was agreed before?", agreed.to_owned()),
        ("Could it be drawn again until it suits?", "No. The same question gets the same answer, and another draw is charged and listed.".to_owned()),
        ("Who checked it?", "Whoever ran the command under \"How to verify it\"; their name belongs below.".to_owned()),
        ("Can it be taken back?", "No. What is published stays published, and what was spent stays spent.".to_owned()),
        (
            "What happens next year?",
            "Another file about the same people costs budget of the same account: what is spent about a person does not come back."
                .to_owned(),
        ),
    ]
}

/// What is described.
pub(super) fn title(case: &Case<'_>) -> String {
    case.study.map_or_else(|| capital(&subject(case.about())), |(title, _)| title.to_owned())
}

/// Said above everything if nothing is promised, or hardly anything.
pub(super) fn alarm(case: &Case<'_>) -> Option<String> {
    let Some(together) = &case.together else {
        return Some(format!("NOT PRIVATE. Do not publish this. {}", case.guarantee().statement));
    };
    let (epsilon, delta) = (together.epsilon.to_f64_shown(), together.delta.to_f64_shown());
    let large = warnings(case.adjacency(), epsilon, delta, case.n());
    let large: Vec<String> = large.iter().map(|why| format!("{}.", capital(why))).collect();
    (!large.is_empty()).then(|| large.join(" "))
}

fn question(case: &Case<'_>, read: &[Vec<ReadingTable>]) -> Section {
    let asked = case.answers.iter().zip(read).flat_map(|(one, tables)| questions(one, tables));
    let about = case.study.and_then(|(_, about)| about);
    let date = case.drawn().map_or_else(
        || match case.answers.as_slice() {
            [_] => "The document has no date, because it was not charged to a ledger.".to_owned(),
            _ => "The documents have no date, because they were not charged to a ledger.".to_owned(),
        },
        |drawn| format!("The answer was drawn at {drawn}. The data may have changed since."),
    );
    let data = format!("The data: {}.", subjects(case));
    let mut blocks = vec![Block::List(asked.collect())];
    blocks.extend(about.map(Block::say));
    blocks.extend([Block::Say(data), Block::Say(date)]);
    Section::new("The question", blocks)
}

/// One section for each document.
fn answers<'a>(case: &'a Case<'_>, read: &'a [Vec<ReadingTable>]) -> impl Iterator<Item = Section> + 'a {
    case.answers.iter().zip(read).map(|(one, tables)| {
        let heading =
            one.title.map_or_else(|| "The answer".to_owned(), |title| format!("The answer: {title}"));
        Section::new(heading, answer(one, tables))
    })
}

fn budget(case: &Case<'_>) -> Vec<Block> {
    let mut blocks = vec![Block::Say(promise(case))];
    if case.answers.len() > 1 && case.is_private() {
        blocks.push(Block::Table("What each answer has of it".to_owned(), shares(case)));
    }
    match &case.standing {
        Some(standing) => blocks.extend(standing.blocks(case.adjacency())),
        None if case.answers.iter().all(|one| one.document.provenance().is_none()) => {
            blocks.extend(case.is_private().then(|| Block::say(uncounted())));
        }
        None => blocks.push(Block::say(
            "It was charged to a ledger. The account, its whole budget and what is left are shown where that ledger is given.",
        )),
    }
    blocks
}

/// What all documents promise together.
pub(super) fn promise(case: &Case<'_>) -> String {
    let Some(Together { epsilon, delta, rho }) = &case.together else {
        return case.guarantee().statement.clone();
    };
    let bounds = if delta.is_zero() {
        format!("epsilon = {}", bound(epsilon.to_f64_shown()))
    } else {
        format!("epsilon = {} and delta = {}", bound(epsilon.to_f64_shown()), spent(delta))
    };
    let rho = rho.as_ref().map(|rho| {
        format!(
            " They follow from zero-concentrated differential privacy with rho = {}, by which it is charged.",
            spent(rho)
        )
    });
    let whole = if case.answers.len() > 1 { ", for all answers together: theirs add up" } else { "" };
    format!("Differential privacy with {bounds}{whole}.{}", rho.unwrap_or_default())
}

/// The part of each document.
fn shares(case: &Case<'_>) -> Table {
    let columns = vec![Column::text("answer"), Column::number("epsilon")];
    let row = |one: &Answered<'_>| {
        let epsilon = one.document.promise().epsilon().map(|epsilon| bound(epsilon.to_f64_shown()));
        vec![one.title.unwrap_or(one.file).to_owned(), epsilon.unwrap_or_default()]
    };
    Table::new(columns, case.answers.iter().map(row).collect())
}

/// What an observer could learn.
fn learned(case: &Case<'_>) -> Vec<Block> {
    let Some(Together { epsilon, delta, .. }) = &case.together else {
        return vec![Block::say("Nothing is promised, so an observer may learn everything.")];
    };
    let (epsilon, delta, unit) = (epsilon.to_f64_shown(), delta.to_f64_shown(), case.unit());
    let mut said = odds(case.adjacency(), epsilon, delta, unit);
    said.push(under(case.adjacency(), epsilon, delta, unit));
    said.extend(of_delta(delta));
    let mut blocks = vec![Block::List(said)];
    if delta == 0.0 {
        blocks.push(Block::Table(held(case.adjacency(), unit), before_and_after(epsilon)));
    }
    blocks
}

/// What the beliefs in the table are about.
fn held(adjacency: Adjacency, unit: &str) -> String {
    match adjacency {
        Adjacency::Replace => {
            format!("How likely an observer holds one of two possibilities for one {unit} to be")
        }
        Adjacency::AddRemove => {
            format!("How likely an observer holds it to be that one {unit} is in the data")
        }
    }
}

fn before_and_after(epsilon: f64) -> Table {
    let columns = vec![Column::number("before the release"), Column::number("after it, at most")];
    let rows = beliefs(epsilon);
    let rows = rows.into_iter().map(|(before, after)| vec![format!("{before} %"), format!("{after} %")]);
    Table::new(columns, rows.collect())
}

fn verification(case: &Case<'_>) -> Vec<Block> {
    let documents = case.answers.iter().map(|one| {
        let digest = one.document.provenance().map_or("none: it was not charged", |found| &found.digest);
        vec![one.file.to_owned(), digest.to_owned()]
    });
    let columns = vec![Column::text("document"), Column::text("digest (SHA-256)")];
    let documents = Table::new(columns, documents.collect());
    let charged = case.answers.iter().any(|one| one.document.provenance().is_some());
    let ledger = if charged { " --ledger FILE" } else { "" };
    let compared = if charged {
        "It derives every number again from what was asked, promised and drawn, and compares these three with what the ledger charged \
         and recorded."
    } else {
        "It derives every number again from what was asked, promised and drawn. Whether this is the only answer that was drawn, nobody \
         can tell: no ledger recorded it."
    };
    let mut blocks = vec![
        Block::Code(format!("posterity verify {}{ledger}", quoted(case.file))),
        Block::say(compared),
        Block::Table("What this page was made of".to_owned(), documents),
    ];
    blocks.extend(signed(case).map(Block::Say));
    let version = case.first().version();
    blocks.push(Block::Say(format!(
        "Posterity {version} drew it, and {} made this page.",
        env!("CARGO_PKG_VERSION")
    )));
    blocks
}

/// Who signed the documents.
fn signed(case: &Case<'_>) -> Option<String> {
    let key = |document: &Publication| Some(document.provenance()?.signature.as_ref()?.key.clone());
    let key = case.answers.iter().find_map(|one| key(one.document))?;
    Some(format!(
        "It carries a signature by the key {key}. This page does not say whose key that is; `posterity verify --key FILE` checks it."
    ))
}
