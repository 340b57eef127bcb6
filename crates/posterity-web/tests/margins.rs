//! Tables of many columns in the pages: opened from a file, read, verified, released, and asked for in studies.

#![allow(missing_docs, clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod client;

use std::ops::ControlFlow;
use std::path::Path;

use client::{Client, Folder};
use posterity::data::{Column, Question, Resources, Source};
use posterity::ledger::{Account, Ledger, NewAccount, now_utc, rho_of};
use posterity::margins::{MarginsData, MarginsDocument, MarginsPublisher, MarginsTerms, Which};
use posterity::number::spent;
use posterity::{Publication, Randomness, Reading, json};
use posterity_advice::design::half_width;
use posterity_present::{Mark, csv, readings};
use posterity_study::{PlanFile, verify_folder};

/// A survey of three columns with a schema, and an account that can pay in rho.
fn survey() -> Folder {
    let folder = Folder::new("OUTSIDE");
    let people: String = (0..1831)
        .map(|n| format!("{},{},{},{n}\n", ["A", "B", "C"][n % 3], yes(n % 4 == 0), yes(n % 7 < 2)))
        .collect();
    std::fs::write(folder.data().join("survey.csv"), format!("ward,cured,smokes,id\n{people}")).unwrap();
    let schema = r#"{"fields": [{"name": "ward", "constraints": {"enum": ["A", "B", "C"]}},
        {"name": "cured", "constraints": {"enum": ["yes", "no"]}},
        {"name": "smokes", "constraints": {"enum": ["yes", "no"]}}, {"name": "id"}]}"#;
    std::fs::write(folder.data().join("survey.schema.json"), schema).unwrap();
    let wide = NewAccount::new("wide", "2".parse().unwrap(), "1e-6".parse().unwrap()).reason("a test");
    Ledger::open(folder.ledger()).unwrap().open_account(&wide, &now_utc()).unwrap();
    folder
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// A form that asks for every pair.
const PAIRS: [(&str, &str); 5] =
    [("file", "survey.csv"), ("sets", "2"), ("epsilon", "1"), ("delta", "1e-9"), ("account", "wide")];

fn wide(folder: &Folder) -> Account {
    Ledger::open(folder.ledger()).and_then(|ledger| ledger.account("wide")).unwrap()
}

/// Every pair of the survey, which nobody counts.
fn document(folder: &Folder) -> MarginsDocument {
    counted(folder).publish().unwrap()
}

/// The tables of every pair of the survey.
fn counted(folder: &Folder) -> MarginsData {
    let columns = vec![
        Column::new("ward", ["A", "B", "C"]),
        Column::new("cured", ["yes", "no"]),
        Column::new("smokes", ["yes", "no"]),
    ];
    let terms = MarginsTerms::new(Which::all(2), "1".parse().unwrap(), "1e-9".parse().unwrap());
    let planned = MarginsPublisher::new(terms).plan(Question::new(columns)).unwrap();
    let source = Source::files(folder.data().join("survey.csv").to_string_lossy());
    let go_on = |_| ControlFlow::Continue(());
    planned.count(&source, None, Randomness::System, &Resources::default(), &go_on).unwrap()
}

/// If this fails, the page or a table of an experiment says that it is private, or nothing.
#[test]
fn an_experiment_says_that_it_is_not_private() {
    let folder = survey();
    let experiment = counted(&folder).experiment(7).unwrap();
    std::fs::write(folder.data().join("wide.json"), json::text(&experiment).unwrap()).unwrap();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let address = opened(&client, "wide.json");
    let line = Mark::of(&experiment).line().unwrap();
    assert!(client.get(&address).contains(&format!("<p class=\"wrong\">{line}.</p>")));
    let source = [("of", "reading"), ("id", address.rsplit('/').next().unwrap()), ("read", "cured | ward")];
    let read = client::location(&client.submit("/reading", &source)).unwrap();
    let table = client.get(&format!("{read}/readings.csv"));
    let mut rows = content(&table).lines();
    assert!(rows.next().unwrap().ends_with(",private"));
    assert!(rows.all(|row| row.ends_with(",false")), "{table}");
}

/// The body of an answer.
fn content(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}

/// Opens a document and returns the address of its page.
fn opened(client: &Client, name: &str) -> String {
    let answer = client.submit("/document/open", &[("document", name)]);
    client::location(&answer).unwrap_or_else(|| unreachable!("{answer}"))
}

/// A document of the folder is verified, shown and read as the library reads it. If this fails, a page says something
/// else of a release than the command does.
#[test]
fn a_document_is_opened_verified_and_read() {
    let folder = survey();
    let document = document(&folder);
    std::fs::write(folder.data().join("wide.json"), json::text(&document).unwrap()).unwrap();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    assert!(client.get("/home").contains("href=\"/document\""));
    assert!(client.get("/document").contains("<option selected>wide.json</option>"));
    let address = opened(&client, "wide.json");
    let page = client.get(&address);
    for told in [
        "id=\"verified\"",
        "What its noise costs was computed again, exactly",
        "this document was not charged there",
        "6 tables: 3 of 1 column, 3 of 2 columns.",
        "± at 50 %",
        "ε = 1, δ = 1e-9, 1831 records.",
        "zero-concentrated differential privacy with rho = ",
        "at least 95 of 100 such intervals would hold the true share",
        "aria-label=\"The intervals of the first table, on one scale\"",
        "<option value=\"1.0\">cured: yes</option>",
        "id=\"print\"",
        "aria-label=\"Read cured | ward\"",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains("independence(") && page.contains("<option value=\"shortest\""), "{page}");
    // A reading by menus has the numbers of the library.
    let source = [("of", "reading"), ("id", address.rsplit('/').next().unwrap())];
    let ask =
        |more: &[(&'static str, &'static str)]| client.submit("/reading", &[&source[..], more].concat());
    let chosen = ask(&[("menu_of", "1.0"), ("menu_within", "0"), ("about", "records")]);
    let read = client::location(&chosen).unwrap_or_else(|| unreachable!("{chosen}"));
    let page = client.get(&read);
    assert!(page.contains("<code>cured=yes | ward</code>") && page.contains("About the records"), "{page}");
    let mut ways = document.answer().asked().terms().ways;
    ways.about = posterity::table::Subject::Records;
    let asked: Vec<Reading> = vec!["cured=yes | ward".parse().unwrap()];
    let expected = document.with_readings(ways, asked, Vec::new()).unwrap();
    let sheet = csv::text(readings::records(Mark::Private, &expected.answer().readings(), &[]));
    assert_eq!(content(&client.get(&format!("{read}/readings.csv"))), sheet);
    let saved = client.get(&format!("{read}/release.json"));
    assert_eq!(serde_json::from_str::<Publication>(content(&saved)).unwrap().n(), Some(1831));
    assert!(client.get(&format!("{read}/release.svg")).contains("<svg"));
    assert!(client.get(&format!("{read}/sheet.html")).contains("What is the share of cured=yes"));
    let credible =
        client::location(&ask(&[("read", "cured | ward"), ("interval-kind", "credible")])).unwrap();
    let page = client.get(&credible);
    assert!(
        page.contains("95 % credible interval") && page.contains("Credible intervals follow from"),
        "{page}"
    );
    let compared =
        client::location(&ask(&[("compare", "cured=yes | ward: A - B"), ("interval-kind", "shortest")]))
            .unwrap();
    let page = client.get(&compared);
    assert!(page.contains("shortest 95 % credible interval") && page.contains("draws of seed 1"), "{page}");
    // What no table has is refused with the tables that there are.
    for (more, why) in [
        (("read", "cured | ward, smokes"), "No released table has"),
        (("read", "cured | ward, smokes"), "ward, cured / ward, smokes / cured, smokes"),
        (("compare", "independence(cured, ward)"), "independence"),
        (("interval-kind", "middle"), "interval"),
        (("read", "nobody"), "no column &quot;nobody&quot;"),
        (("read", ""), "Give a reading or a comparison, or choose other intervals."),
    ] {
        let answer = ask(&[more]);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(why), "{more:?}: {answer}");
    }
    assert_eq!(wide(&folder).charges, 0, "readings cost nothing");
}

/// If this fails, somebody takes a forged document for a release, or a page shows what a record holds.
#[test]
fn what_is_no_document_is_not_opened() {
    let folder = survey();
    let text = json::text(&document(&folder)).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.data().join(name), text).unwrap();
    write("forged.json", &text.replace("\"epsilon\": \"1\"", "\"epsilon\": \"1/2\""));
    write("people.json", "{\"kind\": \"SECRET\", \"name\": \"SECRET\"}");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    for (name, why) in [
        ("forged.json", "forged.json: "),
        ("people.json", "This is no document of a release."),
        ("survey.schema.json", "There is no such document in the folder."),
        ("../secret.csv", "There is no such document in the folder."),
        ("", "Choose a document."),
    ] {
        let answer = client.submit("/document/open", &[("document", name)]);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(why), "{name}: {answer}");
        assert!(!answer.contains("SECRET") && answer.contains("role=\"alert\""), "{name}: {answer}");
    }
    let nobody = Client::start(None, None);
    assert!(nobody.get("/document").contains("There is no document yet."));
}

/// From the form to the history. If this fails, tables cost something else than was said, or twice.
#[test]
fn tables_are_released_and_charged_once() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    assert!(client.get("/margins").contains("<option>survey.schema.json</option>"));
    let asked = [&PAIRS[..], &[("read", "cured | ward"), ("n", "2000")]].concat();
    let draft = client.draft("/margins/check", &asked);
    let page = client.get(&draft);
    for told in [
        "ρ = 0.0149731 (ε = 1 at δ = 1e-9 by itself) of account <strong>wide</strong>",
        "Yes, charge and release",
        "3 of 1 column, 3 of 2 columns.",
        "± at 10 %",
        "3: ward, cured, smokes",
        "--schema ",
        "survey.schema.json --sets 2 --epsilon 1 --delta 1e-9 --read",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert_eq!(wide(&folder).charges, 0, "nothing was charged yet");
    assert!(client.get("/margins?draft=").contains("name=\"sets\" value=\"2\""));
    assert!(client.get("/margins?sets=ward%2Ccured&delta=1e-7").contains("value=\"ward,cured\""));
    let back = client.get(&format!("/margins?draft={}", draft.rsplit('/').next().unwrap()));
    assert!(back.contains("cured | ward</textarea>"), "{back}");
    let result = client.confirm(&draft);
    assert_eq!(client.confirm(&draft), result, "a button that is pressed twice");
    let page = client.settled(&result);
    assert!(page.contains("Charged rho 0.0149731"), "{page}");
    assert!(page.contains("<code>cured | ward</code>") && page.contains("The same as a command"), "{page}");
    assert_eq!(wide(&folder).charges, 1);
    // The same tables again are recalled, with the same numbers, and can be read from the history.
    let again = client.settled(&client.confirm(&client.draft("/margins/check", &asked)));
    assert!(again.contains("nothing was charged"), "{again}");
    let table = |page: &str| page.split("<table class=\"read\">").nth(1).unwrap().to_owned();
    let first = |page: &str| table(page).split("</table>").next().unwrap().to_owned();
    assert_eq!(first(&again), first(&page));
    let entry = client.get("/budget/entry/3");
    assert!(entry.contains("3 of 2 columns") && entry.contains("What is promised"), "{entry}");
    let read = client.submit("/reading", &[("of", "entry"), ("id", "3"), ("read", "cured | ward")]);
    assert_eq!(first(&client.get(&client::location(&read).unwrap())), first(&page));
    let csv = client.get("/budget/entry/3/readings.csv");
    assert!(csv.contains("reading,"), "{csv}");
    let saved = client.get(&format!("{result}/release.json"));
    std::fs::write(folder.data().join("saved.json"), content(&saved)).unwrap();
    let opened = client.get(&opened(&client, "saved.json"));
    assert!(opened.contains("Entry 3 of this ledger says the same: ρ = "), "{opened}");
    assert_eq!(wide(&folder).charges, 1);
    // True counts are never shown, but n: these are the numbers of wards, of the cured and of smokers.
    for (number, shown) in [("1831", true), ("611", false), ("458", false), ("524", false)] {
        assert_eq!(client::shows(content(&page), number), shown, "{number}: {page}");
    }
}

/// If this fails, people press a button that cannot work, or are charged for nothing.
#[test]
fn who_cannot_pay_is_told_before_the_button() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let asked = |account: &'static str, epsilon: &'static str| {
        let [file, margins, _, delta, _] = PAIRS;
        client.draft("/margins/check", &[file, margins, ("epsilon", epsilon), delta, ("account", account)])
    };
    let sums = client.get(&asked("survey", "1"));
    assert!(sums.contains("create an account with delta, such as 1e-9"), "{sums}");
    assert!(!sums.contains("id=\"confirm\""), "{sums}");
    let draft = asked("wide", "4");
    let dear = client.get(&draft);
    assert!(dear.contains("Look for the answer in the ledger") && !dear.contains("Yes, charge"), "{dear}");
    assert!(dear.contains("ask for at most"), "{dear}");
    let refused = client.settled(&client.confirm(&draft));
    assert!(refused.contains("Not released.") && refused.contains("value=\"4\""), "{refused}");
    assert_eq!(wide(&folder).charges, 0);
    // Without a ledger nobody counts, which is said.
    let free = Client::start(Some(folder.data()), None);
    let draft = free.draft("/margins/check", &PAIRS[..4]);
    assert!(free.get(&draft).contains("Yes, release"));
    assert!(free.settled(&free.confirm(&draft)).contains("3 of 2 columns"));
}

/// What can be refused is refused in the form, before anything is read.
#[test]
fn a_wrong_form_is_shown_again() {
    let folder = survey();
    std::fs::remove_file(folder.data().join("people.csv")).unwrap();
    std::fs::write(folder.data().join("other.csv"), "ward\nA\n").unwrap();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    for ((name, value), why) in [
        (("file", ""), "Choose a file."),
        (("file", "../secret.csv"), "There is no such file in the folder."),
        (("file", "other.csv"), "Choose the schema that declares the values of the columns."),
        (("schema", "../secret.csv"), "There is no such schema in the folder."),
        (("sets", ""), "“Which tables” is required."),
        (("sets", "ward, nobody"), "nobody"),
        (("sets", "4"), "3"),
        (("delta", ""), "write a number far below one part of as many as there are people"),
        (("delta", "0"), "strictly between 0 and 1"),
        (("delta", "0.5"), "Delta 0.5 is above 0.001"),
        (("epsilon", "0"), "choose a positive, finite number"),
        (("account", ""), "Choose the account that pays."),
        (("read", "cured | ward, smokes"), "No released table has"),
        (("per-unit", "all 3"), "unit counts with one record"),
        (("where", "year ="), ""),
    ] {
        let mut asked: Vec<_> = PAIRS.into_iter().filter(|(known, _)| *known != name).collect();
        asked.push((name, value));
        asked.extend((name == "per-unit").then_some(("unit", "id")));
        let answer = client.submit("/margins/check", &asked);
        assert!(answer.starts_with("HTTP/1.1 200"), "{name}={value}: {answer}");
        let said = answer.split("role=\"alert\">").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(said.contains(why), "{name}={value}: {said}");
    }
    assert_eq!(wide(&folder).charges, 0);
}

/// If this fails, a page releases under a delta that promises hardly anything, and nobody said that it is meant.
#[test]
fn a_large_delta_is_meant_or_refused() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), None);
    let [file, margins, epsilon, _, _] = PAIRS;
    let asked = [file, margins, epsilon, ("delta", "0.5")];
    let refused = client.submit("/margins/check", &asked);
    assert!(refused.contains("tick") && refused.contains("name=\"allow-large-delta\""), "{refused}");
    let meant = client.draft("/margins/check", &[&asked[..], &[("allow-large-delta", "yes")]].concat());
    let page = client.get(&meant);
    assert!(page.contains("<p class=\"wrong\">Delta 0.5 is above 1e-5"), "{page}");
    assert!(page.contains("Delta is the probability") && page.contains("--allow-large-delta"), "{page}");
    // Whoever goes back finds the box ticked.
    let draft = meant.rsplit('/').next().unwrap();
    let again = client.get(&format!("/margins?draft={draft}"));
    assert!(again.contains("value=\"yes\" checked"), "{again}");
}

/// Where n is private, no page tells it.
#[test]
fn a_private_number_stays_private() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let asked = [&PAIRS[..], &[("adjacency", "add-remove"), ("epsilon", "0.5")]].concat();
    let asked: Vec<_> = asked.into_iter().filter(|field| *field != ("epsilon", "1")).collect();
    let draft = client.draft("/margins/check", &asked);
    assert!(client.get(&draft).contains("costs four times its rho"));
    let result = client.confirm(&draft);
    let page = client.settled(&result);
    assert!(
        page.contains("private number of records") && page.contains("How many there are is private"),
        "{page}"
    );
    for place in ["", "/readings.csv", "/release.json", "/sheet.html"] {
        assert!(!client::shows(content(&client.get(&format!("{result}{place}"))), "1831"), "{place}");
    }
    assert_eq!(wide(&folder).charges, 1);
}

/// A plan of one question and every pair.
const PLAN: &str = r#"title = "What goes with what"
source = "survey.csv"
epsilon = 1
delta = 1e-6
[columns]
ward = ["A", "B", "C"]
cured = ["yes", "no"]
smokes = ["yes", "no"]
[[question]]
columns = ["ward", "cured"]
read = ["cured=yes | ward"]
[[margins]]
name = "pairs"
title = "Every pair of three columns"
sets = 2
share = 2
read = ["cured=yes | smokes", "smokes"]
compare = ["cured=yes | smokes: yes - no"]
[[require]]
read = "cured=yes | smokes"
points = 30
"#;

/// A form that asks for it.
const STUDY: [(&str, &str); 2] = [("plan", "wide.toml"), ("account", "wide")];

/// What the tables of the plan cost: they have two thirds of epsilon, and all of delta.
fn rho() -> String {
    spent(&rho_of(&"2/3".parse().unwrap(), &"1e-6".parse().unwrap()).unwrap())
}

/// A survey with a plan.
fn with_plan(plan: &str) -> Folder {
    let folder = survey();
    std::fs::write(folder.data().join("wide.toml"), plan).unwrap();
    folder
}

/// Saves all files of the results of a study.
fn save(client: &Client, result: &str, to: &Path) {
    std::fs::create_dir(to).unwrap();
    let (page, link) = (client.get(result), format!("<li><a href=\"{result}/"));
    let listed = page.split(&link).skip(1);
    for name in listed.map(|part| part.split('"').next().unwrap()).chain(["report.html"]) {
        std::fs::write(to.join(name), content(&client.get(&format!("{result}/{name}")))).unwrap();
    }
}

/// From the plan to the history. If this fails, a study costs or says something else than the command's.
#[test]
fn a_study_has_tables_of_many_columns() {
    let folder = with_plan(PLAN);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let asked = [&STUDY[..], &[("n", "2000")]].concat();
    let draft = client.draft("/study/check", &asked);
    let page = client.get(&draft);
    for told in [
        "<td>6 tables of 3 columns: ward, cured, smokes</td><td class=\"number\">23</td>",
        "<td class=\"number\">0.666667</td><td class=\"number\">3</td><td>margins, with δ = 0.000001</td>",
        &format!(
            "<p>ρ = {} and ε = 0.333334 for all questions together, in one charge to account <strong>wide</strong>",
            rho()
        ),
        "It can pay that. All answers together promise ε = 1 and δ = 0.000001.",
        "but for a probability of at most δ, for all questions together",
        "Yes, charge and carry it out",
        "<h3>What the plan requires</h3>",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    // The widths of the command's forecast, of all readings.
    let expected = PlanFile::parse(PLAN, &folder.data()).unwrap().forecast(2000, &|_| ()).unwrap();
    assert_eq!(expected.questions.iter().map(|one| one.readings.len()).collect::<Vec<_>>(), [1, 2]);
    for one in expected.questions.iter().flat_map(|one| &one.readings) {
        let (with, without) = (half_width(one, one.half_width), half_width(one, one.without_privacy));
        let row = format!("<code>{}</code></th><td>{with}</td><td>{without}</td>", one.reading);
        assert!(page.contains(&row), "{row}: {page}");
    }
    let without = client.get(&client.draft("/study/check", &STUDY));
    assert!(without.contains("Go back and give the number of people"), "{without}");
    assert_eq!(wide(&folder).charges, 0, "nothing was charged yet");
    let result = client.confirm(&draft);
    assert_eq!(client.confirm(&draft), result, "a button that is pressed twice");
    let page = client.settled(&result);
    for told in [
        &format!("Charged rho {} and epsilon 0.333334 for all questions", rho()),
        "ε = 1 and δ = 0.000001 for all questions together, 1831 records.",
        "<h2>Every pair of three columns</h2>",
        "<code>cured=yes | ward</code>",
        "<code>cured=yes | smokes</code>",
        "<code>cured=yes | smokes: yes - no</code>",
        "The noise of the release is in every interval.",
        "<p class=\"small\">Tables: 3 of 1 column (expected L1 error ",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert_eq!(wide(&folder).charges, 1);
    // True counts are never shown, but n.
    for (number, shown) in [("1831", true), ("611", false), ("458", false), ("524", false)] {
        assert_eq!(client::shows(content(&page), number), shown, "{number}: {page}");
    }
    let sheet = client.get(&format!("{result}/sheet.html"));
    assert!(sheet.contains("pairs.json") && sheet.contains("ward-cured.json"), "{sheet}");
    assert!(
        client.get(&format!("{result}/report")).contains("<h2 id=\"pairs\">Every pair of three columns</h2>")
    );
    // The history has all of it, and the same plan again costs nothing.
    let entry = client.get("/budget/entry/3");
    assert!(entry.contains("A study of 2 questions") && entry.contains("<code>smokes</code>"), "{entry}");
    let draft = client.draft("/study/check", &STUDY);
    assert!(client.get(&draft).contains("Nothing. The ledger holds the answers to this plan"));
    let again = client.settled(&client.confirm(&draft));
    let tables =
        |page: &str| page.split("<table class=\"read\">").skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(tables(&again).len(), 4);
    let same = |(a, b): (&String, &String)| a.split("</table>").next() == b.split("</table>").next();
    assert!(tables(&page).iter().zip(&tables(&again)).all(same), "{again}");
    assert_eq!(wide(&folder).charges, 1);
}

/// More is read from the answers of a study, as from any release. If this fails, people pay again for what they have.
#[test]
fn more_is_read_from_the_answers_of_a_study() {
    let folder = with_plan(PLAN);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let result = client.confirm(&client.draft("/study/check", &STUDY));
    let page = client.settled(&result);
    let id = format!("{}/answer/pairs", result.rsplit('/').next().unwrap());
    let address = format!("/study/result/{id}");
    assert!(page.contains(&format!("<a href=\"{address}\">")), "{page}");
    let page = client.get(&address);
    for told in ["6 tables: 3 of 1 column, 3 of 2 columns.", "aria-label=\"Read cured | ward\"", &result] {
        assert!(page.contains(told), "{told}: {page}");
    }
    let saved = client.get(&format!("{address}/release.json"));
    assert_eq!(content(&saved), content(&client.get(&format!("{result}/pairs.json"))));
    let ask = |read: &str| client.submit("/reading", &[("of", "study"), ("id", &id), ("read", read)]);
    let read = client::location(&ask("smokes=yes | ward")).unwrap();
    let Publication::Margins(document) = serde_json::from_str(content(&saved)).unwrap() else {
        unreachable!("{saved}")
    };
    let asked = vec!["smokes=yes | ward".parse().unwrap()];
    let expected = document.with_readings(document.answer().asked().terms().ways, asked, Vec::new()).unwrap();
    let sheet = csv::text(readings::records(Mark::Private, &expected.answer().readings(), &[]));
    assert_eq!(content(&client.get(&format!("{read}/readings.csv"))), sheet);
    let refused = ask("cured | ward, smokes");
    for told in ["No released table has", "ward, cured / ward, smokes / cured, smokes"] {
        assert!(refused.starts_with("HTTP/1.1 200") && refused.contains(told), "{told}: {refused}");
    }
    // A question is read in the same way, and what is not there is not found.
    let question = client.get(&format!("{result}/answer/ward-cured"));
    assert!(question.contains("<code>cured=yes | ward</code>"), "{question}");
    assert!(client.get(&format!("{result}/answer/ward-cured/release.csv")).starts_with("HTTP/1.1 200"));
    for place in ["/answer/nobody", "/answer/study", "/answer/pairs/secret.csv", "/answer/..%2Fpairs"] {
        assert!(client.get(&format!("{result}{place}")).starts_with("HTTP/1.1 404"), "{place}");
    }
    for id in ["0/answer/pairs", "pairs", &format!("{id}/answer/pairs")] {
        let answer = client.submit("/reading", &[("of", "study"), ("id", id), ("read", "cured")]);
        assert!(answer.starts_with("HTTP/1.1 404"), "{id}: {answer}");
    }
    assert_eq!(wide(&folder).charges, 1);
}

/// A plan may have tables of many columns alone. Where n is private, no page tells it.
#[test]
fn a_study_of_tables_alone_keeps_n_private() {
    let begin = PLAN.find("[[question]]").unwrap()..PLAN.find("[[margins]]").unwrap();
    let mut alone = PLAN.to_owned();
    alone.replace_range(begin, "");
    let folder = with_plan(&alone.replace("epsilon = 1\n", "epsilon = 0.5\nadjacency = \"add-remove\"\n"));
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let draft = client.draft("/study/check", &STUDY);
    let page = client.get(&draft);
    for told in [
        "Adding or removing any one record",
        "a release with a private n costs four times its rho.",
        "All answers together promise ε = 0.5 and δ = 0.000001.",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    let result = client.confirm(&draft);
    let page = client.settled(&result);
    assert!(page.contains("Charged rho ") && page.contains("private number of records"), "{page}");
    assert!(!page.contains("and epsilon 0"), "only tables: {page}");
    for place in ["", "/report", "/sheet.html", "/pairs.json", "/answer/pairs"] {
        let shown = client.get(&format!("{result}{place}"));
        assert!(
            shown.starts_with("HTTP/1.1 200") && !client::shows(content(&shown), "1831"),
            "{place}: {shown}"
        );
    }
    assert_eq!(wide(&folder).charges, 1);
    // Without a ledger nobody counts, which is said.
    let free = Client::start(Some(folder.data()), None);
    let draft = free.draft("/study/check", &STUDY[..1]);
    assert!(free.get(&draft).contains("<p>ε = 0.5 and δ = 0.000001 (with ρ = "));
    assert!(free.settled(&free.confirm(&draft)).contains("Tables: 3 of 1 column, 3 of 2 columns."));
}

/// If this fails, people press a button that cannot work, or are charged for nothing.
#[test]
fn an_account_that_cannot_pay_a_study_says_so_before_the_button() {
    let folder = with_plan(PLAN);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let draft = client.draft("/study/check", &[STUDY[0], ("account", "survey")]);
    let page = client.get(&draft);
    assert!(page.contains("create an account with delta, such as 1e-9"), "{page}");
    assert!(!page.contains("id=\"confirm\"") && page.contains("Back to the plan"), "{page}");
    // Whoever confirms it in another way is refused, too.
    let page = client.submit_confirmation("/study", draft.rsplit('/').next().unwrap(), &Default::default());
    assert!(page.contains("Nothing was done") && page.contains("create an account with delta"), "{page}");
    assert_eq!(folder.account().charges, 0);
    std::fs::write(folder.data().join("wide.toml"), PLAN.replace("epsilon = 1\n", "epsilon = 9\n")).unwrap();
    let page = client.get(&client.draft("/study/check", &STUDY));
    assert!(page.contains("beside epsilon 3") && !page.contains("id=\"confirm\""), "{page}");
    assert_eq!(wide(&folder).charges, 0);
}

/// What can be refused is refused before there is a summary.
#[test]
fn a_wrong_plan_is_refused_with_the_remedy() {
    let folder = with_plan(PLAN);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    for (from, to, told) in [
        (
            "\"smokes\"]\ncompare",
            "\"cured | ward, smokes\"]\ncompare",
            "no released table has ward, cured, smokes together",
        ),
        (
            "\"smokes\"]\ncompare",
            "\"cured | ward, smokes\"]\ncompare",
            "ward, cured / ward, smokes / cured, smokes",
        ),
        ("delta = 1e-6\n", "", "tables of many columns and discovered categories need one"),
        ("sets = 2", "sets = 4", "3"),
    ] {
        assert!(PLAN.contains(from), "{from}");
        std::fs::write(folder.data().join("wide.toml"), PLAN.replacen(from, to, 1)).unwrap();
        let answer = client.submit("/study/check", &STUDY);
        let said = answer.split("role=\"alert\">").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(said.contains(told) && said.contains("nothing was charged or released"), "{to}: {said}");
    }
    std::fs::write(folder.data().join("wide.toml"), PLAN).unwrap();
    let answer = client.submit("/study/check", &[&STUDY[..], &[("n", "many")]].concat());
    assert!(answer.contains("role=\"alert\"") && answer.contains("value=\"many\""), "{answer}");
    assert_eq!(wide(&folder).charges, 0);
}

/// The results are what the command writes. If this fails, a folder from the pages cannot be verified, or a changed one
/// passes.
#[test]
fn the_results_of_a_study_are_verified() {
    let folder = with_plan(PLAN);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let result = client.confirm(&client.draft("/study/check", &STUDY));
    client.settled(&result);
    let results = folder.data().join("results");
    save(&client, &result, &results);
    let verified = verify_folder(&results, &()).expect("as it was written");
    let ledger = Ledger::open(folder.ledger()).unwrap();
    for (file, document) in verified.documents() {
        assert_eq!(document.by_ledger(&ledger).expect(file).entry, 3, "{file}");
    }
    let files = format!("All {} files of the study follow from what was asked", verified.files());
    let open = |name: &str| client.submit("/document/open", &[("document", name)]);
    let page = open("results/study.json");
    for told in [
        &files,
        &format!("Entry 3 of this ledger says the same: ε = 0.333334, ρ = {} of account wide", rho()),
        "What goes with what",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(page.contains("name=\"document\" value=\"results/pairs.json\""), "{page}");
    assert!(client.get(&opened(&client, "results/pairs.json")).contains("Entry 3 of this ledger"));
    let changed = |name: &str, change: &dyn Fn(&str) -> String, told: &str| {
        let text = std::fs::read_to_string(results.join(name)).unwrap_or_default();
        std::fs::write(results.join(name), change(&text)).unwrap();
        let page = open("results/study.json");
        assert!(page.contains("role=\"alert\"") && page.contains(told), "{name}: {page}");
        assert!(!page.contains("SECRET") && !page.contains("posterity-web-"), "{name}: {page}");
        std::fs::write(results.join(name), text).unwrap();
    };
    changed(
        "pairs-smokes.csv",
        &|text| text.replacen("yes", "no", 1),
        "pairs-smokes.csv is not what follows",
    );
    changed("pairs.json", &|text| text.replacen("\"rho\": \"", "\"rho\": \"1", 1), "pairs.json");
    changed("pairs.json", &|_| "SECRET".to_owned(), "pairs.json is no document of a release");
    changed(
        "study.json",
        &|_| "{\"files\": SECRET".to_owned(),
        "results/study.json is not what `posterity study` writes",
    );
    std::fs::rename(results.join("pairs-smokes.csv"), results.join("more.csv")).unwrap();
    let page = open("results/study.json");
    assert!(page.contains("more.csv does not belong there; pairs-smokes.csv is missing"), "{page}");
    #[cfg(unix)]
    {
        std::fs::remove_file(results.join("pairs.json")).unwrap();
        std::os::unix::fs::symlink("../../secret.csv", results.join("pairs.json")).unwrap();
        let page = open("results/study.json");
        assert!(page.contains("role=\"alert\"") && !page.contains("OUTSIDE"), "{page}");
    }
}
