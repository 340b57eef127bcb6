//! Sheets, labels and records of a registry say what their documents say: over mechanisms, adjacencies, units and kinds.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use posterity::data::{Column, PerUnit, Question, Resources, Source, ValuesAsked};
use posterity::discovery::{Discovery, DiscoveryTerms, ValueData};
use posterity::ledger::{NewAccount, now_utc};
use posterity::margins::{MarginsData, MarginsPublisher, MarginsTerms};
use posterity::paying::Payer;
use posterity::table::{IntervalKind, ReadingMethod, Subject, Ways};
use posterity::{Adjacency, Amount, Data, Epsilon, Ledger, Publication, Publisher, Randomness, Spec, Unit};
use posterity_present::describe::{
    Answered, Block, Case, CaseError, Description, RegistryError, Standing, label, registry, sheet,
};

fn epsilon(text: &str) -> Epsilon {
    text.parse().expect("positive")
}

fn amount(text: &str) -> Amount {
    text.parse().expect("an amount")
}

fn counts() -> Data {
    Data::counts([("yes", 48), ("no", 42), ("unknown", 10)]).expect("valid")
}

fn posterior(publisher: &Publisher<'_>, data: &Data) -> Publication {
    Publication::Table(Box::new(publisher.publish(data).expect("released").document().clone()))
}

fn publisher(budget: &str, adjacency: Adjacency) -> Publisher<'static> {
    let publisher = Publisher::new(epsilon(budget));
    if adjacency == Adjacency::AddRemove { publisher.with_private_n() } else { publisher }
}

/// A file of 200 patients with three stays each.
fn stays(folder: &Path) -> String {
    let mut text = "patient,ward,cured\n".to_owned();
    for stay in 0..600 {
        let (patient, ward) = (stay / 3, ["A", "B"][stay / 3 % 2]);
        writeln!(text, "{patient},{ward},{}", ["yes", "no", "no"][stay % 3]).expect("text");
    }
    let path = folder.join("stays.csv");
    std::fs::write(&path, text).expect("written");
    path.to_string_lossy().into_owned()
}

fn question(unit: Option<&str>) -> Question {
    let columns = vec![Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"])];
    Question { unit: unit.map(ToOwned::to_owned), per_unit: PerUnit::Random, ..Question::new(columns) }
}

fn described(document: &Publication) -> Description {
    sheet(&Case::of(document, "release.json").expect("one document"))
}

/// What a part of a sheet says.
fn section(page: &Description, heading: &str) -> String {
    let found = page.sections.iter().find(|section| section.heading == heading).expect(heading);
    found.blocks.iter().map(said).collect::<Vec<_>>().join(" ")
}

fn said(block: &Block) -> String {
    match block {
        Block::Say(text) | Block::Code(text) => text.clone(),
        Block::List(all) => all.join(" "),
        Block::Facts(facts) => {
            facts.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join(" ")
        }
        Block::Table(caption, table) => format!("{caption} {:?}", table.rows),
    }
}

/// The number behind a text.
fn after(text: &str, before: &str) -> f64 {
    let rest = text.split_once(before).expect(before).1;
    let end = rest.find(|letter: char| !(letter.is_ascii_digit() || ".e-".contains(letter)));
    rest[..end.unwrap_or(rest.len())].trim_end_matches('.').parse().expect("a number")
}

/// If this fails, a sheet tells a committee something else than its release promises.
#[test]
fn the_words_are_those_of_the_promise() {
    for name in ["lattice", "geometric", "lshist", "lsdim", "lszhang", "ehd", "ehds"] {
        for budget in ["0.1", "1/3", "2"] {
            let spec: Spec = name.parse().expect("a mechanism");
            let document = posterior(&Publisher::new(epsilon(budget)).mechanism(spec), &counts());
            let page = described(&document);
            let exact = epsilon(budget).to_f64_shown();
            let learned = section(&page, "What an observer could learn");
            let factor = after(&learned, "by at most e^epsilon = ");
            assert!(factor >= exact.exp() && factor < 1.0001 * exact.exp(), "{name} {budget}: {learned}");
            assert!(!learned.contains("(2 epsilon)") && !learned.contains("in the data"), "{learned}");
            assert!(after(&section(&page, "Budget"), "Differential privacy with epsilon = ") >= exact);
            let counted = section(&page, "Which records count");
            assert!(counted.contains("100 records count. This number is exact."), "{counted}");
            assert!(section(&page, "What is not promised").contains("the number of records that count"));
            let method = document.posterior().expect("a posterior").readings()[0].method;
            let answer = section(&page, "The answer");
            let narrow = method == ReadingMethod::WithoutNoise;
            assert_eq!(answer.contains("they are too narrow"), narrow, "{name}: {answer}");
            let facts = section(&label(&Case::of(&document, "a").expect("one")), "Privacy facts");
            let says = ["% interval reaches at most ", "reach more than 25.0 points"]
                .map(|said| facts.contains(said));
            assert_eq!(says.contains(&true), !narrow, "{name}: {facts}");
            assert!(page.alarm.is_none(), "{:?}", page.alarm);
        }
    }
}

/// If this fails, a committee does not see how many are in a group, or signs a page that does not say what is signed.
#[test]
fn the_answer_is_the_first_page_and_what_is_signed_the_second() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = stays(folder.path());
    for adjacency in [Adjacency::Replace, Adjacency::AddRemove] {
        let data = Data::read(&*path, &Question { adjacency, ..question(Some("patient")) }).expect("counted");
        let document = posterior(&publisher("1", adjacency), &data);
        let page = described(&document);
        let first: Vec<&str> =
            page.sections.iter().filter(|one| one.is_first).map(|one| &*one.heading).collect();
        assert_eq!(first, ["The question", "The answer"]);
        let answer = &page.sections[1];
        let table = answer.blocks.iter().find_map(|block| match block {
            Block::Table(_, table) if table.columns.iter().any(|column| column.name == "how many") => {
                Some(table)
            }
            _ => None,
        });
        let table = table.expect("a table of rates within groups");
        assert_eq!(table.drawn.len(), table.rows.len());
        let sizes: Vec<u64> = table
            .rows
            .iter()
            .map(|row| {
                let size = row.last().and_then(|cell| cell.split(' ').next()).expect("a number");
                size.parse().expect("whole")
            })
            .collect();
        // 100 patients are in each ward, and the noise at epsilon 1 is small.
        assert!(sizes.iter().all(|size| (80..=120).contains(size)), "{sizes:?}");
        let html = page.html();
        let place = |text: &str| html.find(text).expect(text);
        assert!(
            place("class=\"bar\"") < place("class=\"second\"")
                && place("class=\"second\"") < place("What committees ask")
        );
        assert!(place("What committees ask") < place("Signed is that this answer, release.json"));
        let asked =
            page.sections.iter().find(|section| section.heading == "What committees ask").expect("asked");
        assert!(matches!(&*asked.blocks, [Block::Facts(facts)] if facts.len() == 12), "twelve questions");
        let words = [("cured".to_owned(), "recovered".to_owned())];
        let said = page.in_words_of(Some("Recovery"), &words);
        assert_eq!(said.title, "Recovery");
        assert!(
            section(&said, "The question").contains("recovered")
                && !section(&said, "The question").contains("each cured")
        );
        assert!(
            section(&said, "Which records count")
                .contains("Each patient counts with one record, drawn at random.")
        );
    }
}

/// If this fails, somebody is told that a private number is public, or that their presence is protected where it is not.
#[test]
fn presence_is_protected_under_add_remove_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = stays(folder.path());
    for (unit, who, n) in
        [(None, "record", "600 records"), (Some("patient"), "patient", "200 different values of \"patient\"")]
    {
        for adjacency in [Adjacency::Replace, Adjacency::AddRemove] {
            let private = adjacency == Adjacency::AddRemove;
            let data = Data::read(&*path, &Question { adjacency, ..question(unit) }).expect("counted");
            let document = posterior(&publisher("0.5", adjacency), &data);
            let page = described(&document);
            let protected = section(&page, "Who is protected");
            let learned = section(&page, "What an observer could learn");
            let counted = section(&page, "Which records count");
            let presence = format!("whether one {who} is in the data");
            for (text, words, expected) in [
                (&protected, "Whether anyone is in the data at all", private),
                (&protected, "published exactly", !private),
                (&protected, "Each patient, with all of its records.", unit.is_some()),
                (&protected, "not all of them as one", unit.is_none()),
                (&learned, presence.as_str(), private),
                (&learned, "(2 epsilon)", private),
                (&counted, "How many count is private.", private),
                (&counted, n, !private),
                (&counted, "drawn at random", unit.is_some()),
                (&counted, "would have stopped the release", !private),
            ] {
                assert_eq!(text.contains(words), expected, "{words}: {text}");
            }
            // A private number stands on no page.
            let short = label(&Case::of(&document, "a").expect("one"));
            for text in [page.markdown(), page.html(), short.markdown()] {
                assert!(
                    !private || !(text.contains("600 records") || text.contains("200 different")),
                    "{text}"
                );
            }
            let asked = section(&page, "The question");
            assert!(asked.contains("What is the share of each cured within each ward?"), "{asked}");
        }
    }
}

#[test]
fn filters_are_told_with_what_they_publish() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = stays(folder.path());
    for (adjacency, expected) in [
        (Adjacency::Replace, "is not protected: how many do is published"),
        (Adjacency::AddRemove, "is protected, too."),
    ] {
        let asked = Question { adjacency, filter: Some("ward = 'A'".into()), ..question(None) };
        let data = Data::read(&*path, &asked).expect("counted");
        let protected =
            section(&described(&posterior(&publisher("1", adjacency), &data)), "Who is protected");
        assert!(protected.contains(expected) && protected.contains("ward = 'A'"), "{protected}");
    }
    let asked = Question { within: Some("ward = 'A'".into()), ..question(None) };
    let data = Data::read(&*path, &asked).expect("counted");
    let page = described(&posterior(&publisher("1", Adjacency::Replace), &data));
    let protected = section(&page, "Who is protected");
    assert!(protected.contains("within the private filter (ward = 'A') is protected, too."), "{protected}");
    assert!(
        section(&page, "Which records count").contains("The answers are about those for which ward = 'A'.")
    );
}

/// If this fails, credible intervals are sold as confidence intervals, or the other way round.
#[test]
fn intervals_say_what_they_are() {
    let anew = "the records were drawn and released anew, at least 90 of 100";
    for (interval, about, expected) in [
        (IntervalKind::Confidence, Subject::Population, anew),
        (IntervalKind::Confidence, Subject::Records, "the share of these records"),
        (IntervalKind::Credible, Subject::Population, "Given the release and the prior"),
    ] {
        let ways = Ways { interval, about, ..Ways::new(0.9).expect("a level") };
        let page = described(&posterior(&Publisher::new(epsilon("1")).ways(ways), &counts()));
        let answer = section(&page, "The answer");
        assert!(answer.contains(expected), "{answer}");
        let sampled = section(&page, "What was assumed").contains("drawn from it independently");
        assert_eq!(sampled, about == Subject::Population);
    }
}

fn discovered(folder: &Path) -> Publication {
    let asked = ValuesAsked { unit: Some("patient".into()), ..ValuesAsked::new("ward") };
    let data = ValueData::read(stays(folder), &asked).expect("counted");
    let terms = DiscoveryTerms::new(epsilon("1"), amount("1e-9"));
    Publication::Discovered(Box::new(Discovery::new(terms).publish(data).expect("released")))
}

fn margins(folder: &Path, adjacency: Adjacency) -> MarginsData {
    let terms = MarginsTerms::new("2".parse().expect("tables"), epsilon("1"), amount("1e-9"));
    let planned = MarginsPublisher::new(MarginsTerms { adjacency, ..terms }).plan(question(Some("patient")));
    let (source, go_on) = (Source::files(stays(folder)), |_| ControlFlow::Continue(()));
    let planned = planned.expect("valid");
    planned.count(&source, None, Randomness::System, &Resources::default(), &go_on).expect("counted")
}

/// With a delta there is no bound on every release, so there is no table of beliefs, and the factor may be exceeded.
#[test]
fn other_kinds_say_what_their_delta_means() {
    let folder = tempfile::tempdir().expect("a folder");
    let released = |adjacency| {
        let document = margins(folder.path(), adjacency).publish().expect("released");
        Publication::Margins(Box::new(document))
    };
    for (document, private) in [
        (discovered(folder.path()), true),
        (released(Adjacency::Replace), false),
        (released(Adjacency::AddRemove), true),
    ] {
        let page = described(&document);
        let learned = section(&page, "What an observer could learn");
        assert!(learned.contains("by a factor of more than 2 e^epsilon = 5.43657"), "{learned}");
        assert!(learned.contains("with a probability of at most 2e-9."), "{learned}");
        assert!(!learned.contains("whatever it says") && !learned.contains("How likely"), "{learned}");
        assert_eq!(learned.contains("whether one patient is in the data"), private, "{learned}");
        let budget = section(&page, "Budget");
        assert!(budget.contains("epsilon = 1 and delta = 1e-9"), "{budget}");
        let names = matches!(document, Publication::Discovered(_));
        assert_eq!(budget.contains("rho = "), !names, "{budget}");
        let secret = section(&page, "What is not promised");
        assert_eq!(secret.contains("Secrecy of the question:"), names, "{secret}");
        assert!(!secret.contains("prior"), "{secret}");
    }
}

/// If this fails, an experiment is taken for a private release.
#[test]
fn what_promises_nothing_says_so_first() {
    let seeded = Publisher::new(epsilon("1")).experiment(&counts(), 7).expect("drawn");
    let unproven = Publisher::new(epsilon("1")).mechanism("ehdl".parse::<Spec>().expect("a mechanism"));
    let unproven = unproven.allow_unproven().publish(&counts()).expect("drawn");
    for document in [seeded.document().clone(), unproven.document().clone()] {
        let document = Publication::Table(Box::new(document));
        let case = Case::of(&document, "release.json").expect("one");
        for page in [sheet(&case), label(&case)] {
            let alarm = page.alarm.as_deref().expect("an alarm");
            assert!(alarm.starts_with("NOT PRIVATE. Do not publish this."), "{alarm}");
            assert!(page.sections.iter().all(|section| section.heading != "What is not promised"));
            assert!(page.html().contains("class=\"card alarm\">NOT PRIVATE."));
        }
        let page = sheet(&case);
        assert!(section(&page, "Who is protected").starts_with("Nobody."));
        assert!(section(&page, "What an observer could learn").contains("may learn everything"));
        assert!(!page.markdown().contains("Differential privacy with"), "{}", page.markdown());
        assert_eq!(registry(&case).expect_err("refused"), RegistryError::NotPrivate);
    }
    let large = posterior(&Publisher::new(epsilon("12")), &counts());
    assert!(described(&large).alarm.is_some_and(|alarm| alarm.contains("protects hardly anybody")));
}

fn charged(ledger: &mut Ledger, budget: &str, adjacency: Adjacency) -> Publication {
    let data = counts().named(budget, None, None).expect("a name");
    let release = publisher(budget, adjacency).charge(ledger, "survey").publish(&data).expect("charged");
    Publication::Table(Box::new(release.document().clone()))
}

/// The account is the one of the ledger, with what a release really cost it.
#[test]
fn the_account_is_told_with_its_whole_budget() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = Ledger::create(folder.path().join("a.ledger")).expect("new");
    let account = NewAccount::new("survey", amount("3"), Amount::ZERO).population("all of 2026");
    ledger.open_account(&account, &now_utc()).expect("new");
    let public = charged(&mut ledger, "0.5", Adjacency::Replace);
    let private = charged(&mut ledger, "0.25", Adjacency::AddRemove);
    for (document, dearer) in [(&public, false), (&private, true)] {
        let standing = Standing::find(&ledger, document).expect("readable").expect("charged");
        let case = Case::of(document, "release.json").expect("one").with_standing(standing);
        let budget = section(&sheet(&case), "Budget");
        for told in [
            "Account: survey",
            "Population: all of 2026",
            "Whole budget: epsilon 3",
            "Spent: epsilon 1, on 2 charges",
            "Left: epsilon 2 for another release",
            "epsilon 0.5, charged",
        ] {
            assert!(budget.contains(told), "{told}: {budget}");
        }
        assert_eq!(budget.contains("more than its own epsilon"), dearer, "{budget}");
        let verify = section(&sheet(&case), "How to verify it");
        assert!(verify.contains(&document.provenance().expect("charged").digest), "{verify}");
        assert!(verify.contains("posterity verify release.json --ledger FILE"), "{verify}");
    }
    // Another ledger does not know it.
    let mut other = Ledger::create(folder.path().join("b.ledger")).expect("new");
    other.create_account("survey", &amount("3"), &Amount::ZERO, &now_utc()).expect("new");
    charged(&mut other, "0.5", Adjacency::Replace);
    assert!(Standing::find(&other, &public).expect("readable").is_none());
    let uncounted = posterior(&Publisher::new(epsilon("1")), &counts());
    assert!(Standing::find(&ledger, &uncounted).expect("readable").is_none());
    assert!(section(&described(&uncounted), "Budget").contains("No ledger counts this release."));
    assert!(section(&described(&public), "Budget").contains("It was charged to a ledger."));
}

/// If this fails, a study says less than its answers reveal together.
#[test]
fn the_budgets_of_a_study_add_up() {
    let of = |budget| posterior(&Publisher::new(epsilon(budget)), &counts());
    let (third, half) = (of("1/3"), of("0.5"));
    let first = Answered { title: Some("First?"), file: "a.json", document: &third };
    let second = |document| Answered { title: Some("Second?"), file: "b.json", document };
    let study = |about, answers| Case::of_study("A study", about, answers, "results");
    let page = sheet(&study(Some("Why."), vec![first, second(&half)]).expect("of one kind"));
    let sum = 1.0 / 3.0 + 0.5;
    let told = after(&section(&page, "Budget"), "epsilon = ");
    assert!(told >= sum && told < sum + 1e-5, "{told}");
    let factor = after(&section(&page, "What an observer could learn"), "e^epsilon = ");
    assert!(factor >= sum.exp() && factor < 1.0001 * sum.exp(), "{factor}");
    assert!(section(&page, "The question").contains("First? Second? Why."));
    assert!(page.sections.iter().any(|part| part.heading == "The answer: Second?"));
    assert!(section(&page, "How to verify it").contains("posterity verify results"));
    let private = posterior(&publisher("1", Adjacency::AddRemove), &counts());
    let mixed = study(None, vec![first, second(&private)]).expect_err("refused");
    assert!(matches!(mixed, CaseError::Mixed { .. }), "{mixed}");
    let seeded = Publisher::new(epsilon("1")).experiment(&counts(), 7).expect("drawn");
    let seeded = Publication::Table(Box::new(seeded.document().clone()));
    let some = study(None, vec![first, second(&seeded)]).expect("alike");
    assert!(sheet(&some).alarm.is_some_and(|alarm| alarm.starts_with("NOT PRIVATE")));
    assert_eq!(study(None, vec![]).expect_err("refused"), CaseError::Empty);
}

/// The record has the parameters of the promise, and a date only if there is one. tools/registry asks the registry's own
/// checker.
#[test]
fn the_registrys_record_has_the_parameters_of_the_promise() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = Ledger::create(folder.path().join("a.ledger")).expect("new");
    let unit = Unit::column("patient").expect("a name");
    let account = NewAccount::new("ward", amount("9"), amount("1e-6")).unit(unit);
    ledger.open_account(&account, &now_utc()).expect("new");
    let data = Data::read(&*stays(folder.path()), &question(Some("patient"))).expect("counted");
    let release = Publisher::new(epsilon("1/3")).charge(&mut ledger, "ward").publish(&data).expect("charged");
    let document = Publication::Table(Box::new(release.document().clone()));
    let record = registry(&Case::of(&document, "r.json").expect("one")).expect("private");
    let day = &document.provenance().expect("charged").drawn[..10];
    for line in [
        "variant_name: Pure DP",
        "epsilon: 0.333334",
        "model_name: Central",
        "status: Draft",
        "privacy_unit: \"patient (all records",
        &format!("publication_date: \"{day}\""),
    ] {
        assert!(record.yaml.contains(line), "{line}: {}", record.yaml);
    }
    assert!(!record.yaml.contains("delta:") && record.empty.contains(&"deployment.basic.intended_use"));
    let undated = discovered(folder.path());
    let undated = registry(&Case::of(&undated, "d.json").expect("one"));
    assert_eq!(undated.expect_err("no date"), RegistryError::NoDate);
    let data = margins(folder.path(), Adjacency::Replace);
    let (paper, _) = data.charge(Payer::new(&mut ledger, "ward")).expect("charged");
    let document = Publication::Margins(Box::new(paper));
    let record = registry(&Case::of(&document, "m.json").expect("one")).expect("private").yaml;
    for line in ["variant_name: Zero-concentrated DP", "delta: 1.0e-9", "rho: 0.0149731"] {
        assert!(record.contains(line), "{line}: {record}");
    }
}
