//! What the pages say is what the library computes, and what a study costs.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod client;

use client::{Client, Folder, RELEASE, STUDY};
use posterity::Prior;
use posterity_advice::Shape;
use posterity_advice::design::{Table, least_table_epsilon};
use posterity_advice::least::{Goal, Situation, least_epsilon};

/// The text between two others.
fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    page.split_once(before)
        .and_then(|(_, rest)| rest.split_once(after))
        .unwrap_or_else(|| panic!("{before}: {page}"))
        .0
}

/// The least epsilon of the page is that of the search which `posterity advise --half-width` makes.
#[test]
fn the_least_epsilon_has_the_digits_of_the_command() {
    let client = Client::start(None, None);
    for (n, k, points, share, typed, shape) in
        [(90, 2, "12", 0.12, "", vec![1.0, 1.0]), (300, 3, "6.3", 0.063, "6,1,3", vec![6.0, 1.0, 3.0])]
    {
        let path = format!("/plan?n={n}&k={k}&w={points}&shape={typed}");
        let page = client.settled(&path);
        let situation = Situation {
            prior: Prior::uniform(k).unwrap(),
            n,
            shape: Some(Shape::new(shape).unwrap()),
            level: 0.95,
        };
        let found = least_epsilon(&situation, Goal::HalfWidth(share), false, &|_| ()).unwrap();
        let epsilon = found.epsilon.expect("in reach").to_string();
        assert_eq!(between(&page, "id=\"epsilon-now\">", "<"), epsilon, "{path}");
        assert_eq!(between(&page, "id=\"e\" name=\"e\" value=\"", "\""), epsilon);
        let width = posterity::number::points(found.expected.unwrap());
        assert_eq!(between(&page, "id=\"width-private\">", "<"), width);
        let command = between(&page, "id=\"line-command\" tabindex=\"0\"><code>", "<");
        assert!(command.contains(&format!("--half-width {share}")), "{command}");
        assert_eq!(command.contains("--shape"), !typed.is_empty(), "{command}");
        // What was found is known from now on.
        assert!(client.get(&path.replace("/plan?", "/plan/now?")).contains(&width));
    }
    // Out of reach, in the words of the command.
    let page = client.settled("/plan?n=90&k=2&w=5");
    assert!(page.contains("No epsilon reaches that. The data are too few"), "{page}");
    assert!(client.settled("/plan?w=60").contains("The half-width is 0.6; give a number above 0"));
}

/// A rate in each group of a table needs more than the shares of its cells, and more still if the groups differ in size.
#[test]
fn the_least_epsilon_of_a_table_is_for_the_reading_that_is_asked_for() {
    let client = Client::start(None, None);
    let least = |more: &str| {
        let page = client.settled(&format!("/plan?n=10000&k=4+x+2&{more}"));
        between(&page, "id=\"epsilon-now\">", "<").parse::<f64>().expect("a number")
    };
    let (cells, rates) = (least("w=5&read=a,+b"), least("w=5&read=b+%7C+a"));
    let unequal = least("w=5&read=b+%7C+a&shape=a%3D50,24,16,10");
    assert!(cells < 0.5 * rates && rates < 0.5 * unequal, "{cells} {rates} {unequal}");
    let page = client.settled("/plan?n=10000&k=4+x+2&w=1&read=b+%7C+a");
    assert!(page.contains("No epsilon reaches that. The data are too few"), "{page}");
}

/// If this fails, the page recommends an epsilon that is not enough for what its button buys: one release of all columns,
/// where several would need less together.
#[test]
fn the_least_epsilon_of_a_table_is_for_the_release_that_the_button_buys() {
    let client = Client::start(None, None);
    let path = "/plan?n=12800&k=6+x+5+x+2&w=5";
    let page = client.settled(path);
    let epsilon = between(&page, "id=\"epsilon-now\">", "<");
    let columns = "a=6,b=5,c=2".parse().unwrap();
    let readings = ["a, b, c", "a", "b", "c", "a | c", "c | a"].map(|text| text.parse().unwrap());
    let table = Table::new(columns, readings.into(), 12_800).unwrap();
    let found = least_table_epsilon(&table, 0.05, false, &|_| ()).unwrap();
    let joint = found.joint().expect("in reach");
    assert_eq!(epsilon, joint.epsilon().to_string());
    assert!(found.epsilon < Some(joint.epsilon()), "{found:?}");
    assert!(page.contains("in one release of all columns") && page.contains("in all would do for"), "{page}");
    let width = between(&page, "id=\"width-private\">", "<");
    assert!(width.parse::<f64>().unwrap() <= 5.0, "{width}");
    assert_eq!(client.press(path, "use"), format!("/release?epsilon={epsilon}"));
    // Whoever types that epsilon reads the same.
    let typed = client.get(&format!("/plan/now?n=12800&k=6+x+5+x+2&e={epsilon}"));
    assert_eq!(between(&typed, "id=\"width-private\">", "<"), width);
}

/// A search that takes long does not keep the page waiting, and says how far it is, with script and without.
#[test]
fn a_long_search_shows_its_progress() {
    let client = Client::start(None, None);
    let query = "n=100000000&k=100&w=0.02";
    let start = std::time::Instant::now();
    let page = client.get(&format!("/plan?{query}"));
    assert!(start.elapsed() < std::time::Duration::from_secs(15), "{:?}", start.elapsed());
    assert!(page.contains("<noscript><meta http-equiv=\"refresh\" content=\"1\"></noscript>"), "{page}");
    assert!(
        page.contains("Searching for the least epsilon") && page.contains("data-progress=\"/plan/search?")
    );
    assert!(client.get(&format!("/plan/search?{query}")).contains("tried so far"));
    // Others are not held up.
    assert!(client.get("/plan/now?n=90&k=2&e=1").contains("width-private"));
}

fn charges(folder: &Folder) -> (u64, String) {
    let account = folder.account();
    (account.charges, account.spent_epsilon.to_string())
}

/// However often a study is asked for, in whatever order, and by whatever server, it is charged once.
#[test]
fn a_study_is_charged_once() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let (first, second) = (client.draft("/study/check", &STUDY), client.draft("/study/check", &STUDY));
    let page = client.get(&first);
    assert!(page.contains("0.5 will be left of 1.") && page.contains("protects each record"), "{page}");
    assert_eq!(charges(&folder), (0, "0".to_owned()), "nothing was charged yet");
    // Two tabs at once, and a button that is pressed twice.
    let results = std::thread::scope(|scope| {
        let all: Vec<_> = [&first, &second, &first]
            .map(|draft| scope.spawn(|| client.confirm(draft)))
            .into_iter()
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(results[0], results[2], "the same draft has one result");
    let pages: Vec<String> = results.iter().map(|result| client.settled(result)).collect();
    let charged = [&pages[0], &pages[1]].iter().filter(|page| page.contains("Charged epsilon 0.5")).count();
    let recalled = [&pages[0], &pages[1]].iter().filter(|page| page.contains("nothing was charged")).count();
    assert_eq!((charged, recalled), (1, 1), "{} {}", pages[0], pages[1]);
    assert_eq!(charges(&folder), (1, "0.5".to_owned()));
    let table = between(&pages[0], "<table class=\"read\">", "</table>").to_owned();
    // Another server, as after this one was killed.
    let again = Client::start(Some(folder.data()), Some(folder.ledger()));
    assert!(again.get(&results[0]).starts_with("HTTP/1.1 404"), "results are kept in memory only");
    let draft = again.draft("/study/check", &STUDY);
    assert!(again.get(&draft).contains("Nothing. The ledger holds the answers"));
    let page = again.settled(&again.confirm(&draft));
    assert_eq!(between(&page, "<table class=\"read\">", "</table>"), table);
    assert_eq!(charges(&folder), (1, "0.5".to_owned()));
    assert!(again.get("/budget").contains("; lattice"));
    for (number, shown) in [("13926", true), ("7919", false), ("6007", false)] {
        assert_eq!(
            client::shows(&page, number),
            shown,
            "true counts are never shown, but n: {number}: {page}"
        );
    }
}

/// If this fails, people agree to another price than they pay: mhg promises and costs twice the epsilon that it is
/// given.
#[test]
fn the_price_is_told_before_it_is_charged() {
    let folder = Folder::new("OUTSIDE");
    let plan = client::PLAN.replace("epsilon = 0.5", "epsilon = 0.3\nmechanism = 'mhg'");
    std::fs::write(folder.data().join("plan.toml"), plan).unwrap();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let release = [&RELEASE[..], &[("mechanism", "mhg")]].concat();
    for (check, asked, price, left, spent) in [
        ("/release/check", &release[..], "0.2", "0.8 will be left of 1.", "0.2"),
        ("/study/check", &STUDY[..], "0.6", "0.2 will be left of 1.", "0.8"),
    ] {
        let draft = client.draft(check, asked);
        let page = client.get(&draft);
        assert!(page.contains(&format!("<p>ε = {price} ")) && page.contains(left), "{page}");
        let page = client.settled(&client.confirm(&draft));
        assert!(page.contains(&format!("Charged epsilon {price}")), "{page}");
        assert_eq!(charges(&folder).1, spent);
    }
}

/// Twenty tabs with the same release or the same study, all confirmed at once, are charged once.
#[test]
fn twenty_drafts_at_once_are_charged_once() {
    for (check, section, asked, price) in
        [("/release/check", "/release", &RELEASE[..], "0.1"), ("/study/check", "/study", &STUDY[..], "0.5")]
    {
        let folder = Folder::new("OUTSIDE");
        let client = Client::start(Some(folder.data()), Some(folder.ledger()));
        let draft = || {
            let address = client.draft(check, asked);
            (client::promised(&client.get(&address)), address.rsplit('/').next().unwrap().to_owned())
        };
        let drafts: Vec<_> = (0..20).map(|_| draft()).collect();
        let together = std::sync::Barrier::new(20);
        let confirm = |(promised, id): &([String; 2], String)| {
            together.wait();
            // Too many at once are told to try again.
            loop {
                let answer = client.submit_confirmation(section, id, promised);
                if !answer.starts_with("HTTP/1.1 429") {
                    return client.settled(&client::location(&answer).expect("a result"));
                }
            }
        };
        let pages: Vec<String> = std::thread::scope(|scope| {
            let all: Vec<_> = drafts.iter().map(|id| scope.spawn(move || confirm(id))).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let said = |words: &str| pages.iter().filter(|page| page.contains(words)).count();
        assert_eq!(
            (said(&format!("Charged epsilon {price}")), said("nothing was charged.")),
            (1, 19),
            "{check}"
        );
        assert_eq!(charges(&folder), (1, price.to_owned()), "{check}");
    }
}

/// The report comes with a policy under which no script could run, and the other files are to be saved.
#[test]
fn a_report_runs_no_script() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let result = client.confirm(&client.draft("/study/check", &STUDY));
    let page = client.settled(&result);
    assert!(page.contains("Cured &lt;script&gt;alert(1)") && !page.contains("<script>alert"), "{page}");
    let report = client.get(&format!("{result}/report"));
    let (head, body) = report.split_once("\r\n\r\n").unwrap();
    assert!(body.contains("<!DOCTYPE html>") && !body.contains("<script"), "{body}");
    let policy =
        head.lines().filter(|line| line.to_ascii_lowercase().starts_with("content-security-policy:"));
    let policy: Vec<&str> = policy.collect();
    assert_eq!(policy.len(), 1, "{head}");
    assert!(policy[0].contains("default-src 'none'") && policy[0].ends_with("sandbox"), "{policy:?}");
    assert!(!policy[0].contains("script-src"), "nothing allows scripts: {policy:?}");
    for header in ["x-content-type-options: nosniff", "cache-control: no-store", "x-frame-options: DENY"] {
        assert!(head.contains(header), "{head}");
    }
    let mut kinds = Vec::new();
    for part in page.split("<li><a href=\"/study/").skip(1) {
        let file = part.split('"').next().unwrap();
        let answer = client.get(&format!("/study/{file}"));
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.contains("content-disposition: attachment"),
            "{file}"
        );
        kinds.push(file.rsplit('.').next().unwrap().to_owned());
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds, ["csv", "json", "svg"]);
    let saved = client.get(&format!("{result}/report.html"));
    assert!(saved.contains("content-disposition: attachment; filename=\"report.html\""));
    for name in ["..%2Fplan.toml", "plan.toml", "people.csv", "..", "%00"] {
        assert!(client.get(&format!("{result}/{name}")).starts_with("HTTP/1.1 404"), "{name}");
    }
}

/// A stored document is read again, at no cost, and refuses what the command refuses.
#[test]
fn a_stored_release_is_read_again_for_nothing() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let [file, column, values, _, account] = RELEASE;
    let asked = [file, column, values, ("epsilon", "0.25"), account, ("compare", "cured: yes - no")];
    let draft = client.draft("/release/check", &asked);
    assert!(client.get(&draft).contains("--compare 'cured: yes - no'"));
    let page = client.settled(&client.confirm(&draft));
    assert!(page.contains("P(first is larger)") && page.contains("class=\"bar-range\""), "{page}");
    let entry = [("of", "entry"), ("id", "2")];
    let ask = |field: (&'static str, &'static str)| client.submit("/reading", &[entry[0], entry[1], field]);
    let reading = client::location(&ask(("read", "cured=yes"))).expect("a reading");
    let page = client.get(&reading);
    assert!(page.contains("<code>cured=yes</code>"), "{page}");
    assert!(
        client
            .get(&format!("{reading}/readings.csv"))
            .contains("reading,cured,measure,estimate,mean,low,high,interval_kind")
    );
    assert!(page.contains("95 % confidence interval") && page.contains("About the population"), "{page}");
    // Other intervals of the same release, in the form as in the tables.
    let credible = client::location(&ask(("interval-kind", "credible"))).expect("a reading");
    let page = client.get(&credible);
    assert!(page.contains("95 % credible interval") && !page.contains("95 % confidence interval"), "{page}");
    assert!(page.contains("<option value=\"credible\" selected>"), "{page}");
    let records = client::location(&ask(("about", "records"))).expect("a reading");
    assert!(client.get(&records).contains("About the records themselves"));
    let document = client.get(&format!("{reading}/release.json"));
    assert!(document.contains("\"reading\": \"cured=yes\""), "{document}");
    for (field, why) in [
        (("read", "ward"), "The release has no column &quot;ward&quot;; its columns are &quot;cured&quot;."),
        (("read", "cured |"), "a name is missing at the end"),
        (("compare", "cured: yes - maybe"), "has no value &quot;maybe&quot;"),
        (("read", ""), "Give a reading or a comparison, or choose other intervals."),
        (("interval-kind", "wide"), "is not one of confidence, credible and shortest"),
    ] {
        let answer = ask(field);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(why), "{field:?}: {answer}");
    }
    for id in ["1", "3", "99", "-1", "x"] {
        let answer = client.submit("/reading", &[("of", "entry"), ("id", id), ("read", "cured")]);
        assert!(answer.starts_with("HTTP/1.1 404"), "{id}: {answer}");
    }
    assert_eq!(charges(&folder), (1, "0.25".to_owned()));
    // Wrong readings of a release are refused before anything is read or charged.
    let mut wrong = asked;
    wrong[5] = ("read", "ward");
    let answer = client.submit("/release/check", &wrong);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("The release has no column"), "{answer}");
}

/// A release and a study have a sheet for a committee, with the account that paid.
#[test]
fn a_sheet_is_made_of_a_release_and_of_a_study() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let draft = client.draft("/release/check", &RELEASE);
    let result = client.confirm(&draft);
    assert!(client.settled(&result).contains("/sheet.html\">Sheet for the committee</a>"));
    for place in [result.as_str(), "/budget/entry/2"] {
        let answer = client.get(&format!("{place}/sheet.html"));
        assert!(
            answer.contains("content-security-policy: default-src 'none'; style-src 'unsafe-inline'"),
            "{answer}"
        );
        for told in [
            "What is the share of each cured?",
            "<dt>Account</dt><dd>survey</dd>",
            "13,926 records count",
            "e^epsilon = 1.10518",
        ] {
            assert!(answer.contains(told), "{told}: {answer}");
        }
        let markdown = client.get(&format!("{place}/sheet.md"));
        assert!(markdown.contains("- **Whole budget**: epsilon 1\n"), "{markdown}");
    }
    let draft = client.draft("/study/check", &STUDY);
    let study = client.confirm(&draft);
    assert!(client.settled(&study).contains("/sheet.html\">Sheet for the committee</a>"));
    let page = client.get(&format!("{study}/sheet.html"));
    assert!(
        page.contains("posterity verify FOLDER --ledger FILE") && page.contains("<dd>survey</dd>"),
        "{page}"
    );
}

/// If this fails, a page says something false, or leads around a budget.
#[test]
fn a_budget_that_is_spent_is_spent() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let [file, column, values, _, account] = RELEASE;
    let draft = client.draft("/release/check", &[file, column, values, ("epsilon", "1"), account]);
    let fresh = client.get(&draft);
    assert!(
        fresh.contains("Nothing has been read or charged") && fresh.contains("Yes, charge and release"),
        "{fresh}"
    );
    client.settled(&client.confirm(&draft));
    // Back to the summary: it was read and charged.
    let again = client.get(&draft);
    assert!(
        again.contains("This was released.") && !again.contains("Nothing has been read or charged"),
        "{again}"
    );
    assert!(!again.contains("id=\"confirm\""), "{again}");
    // The account is empty, but it holds the answer to the same question.
    let draft = client.draft("/release/check", &[file, column, values, ("epsilon", "1"), account]);
    let page = client.get(&draft);
    assert!(page.contains("unless the ledger holds its answer already"), "{page}");
    assert!(page.contains("Look for the answer in the ledger") && !page.contains("Yes, charge"), "{page}");
    let page = client.settled(&client.confirm(&draft));
    assert!(page.contains("nothing was charged") && page.contains("Private release"), "{page}");
    let other = client.draft("/release/check", &[file, column, values, ("epsilon", "0.5"), account]);
    let page = client.settled(&client.confirm(&other));
    assert!(
        page.contains("Not released")
            && page.contains("another account for the same people would not protect them"),
        "{page}"
    );
    assert!(client.get(&other).contains("This was not released."));
    let budget = client.get("/budget");
    assert!(budget.contains("Nothing more can be released about these people."), "{budget}");
    assert!(budget.contains("<summary>Create an account for other people</summary>"), "{budget}");
    // A second account for the same people has a reason, which both show.
    let create = |more: &[(&'static str, &'static str)]| {
        let fields = [&[("epsilon", "2"), ("unit", "patient"), ("population", "all of 2026")], more].concat();
        client.submit("/budget/create", &fields)
    };
    assert!(create(&[("name", "first")]).starts_with("HTTP/1.1 303"));
    let refused = create(&[("name", "second")]);
    assert!(
        refused.contains("give the reason for a second account") && refused.contains("value=\"second\""),
        "{refused}"
    );
    assert!(create(&[("name", "second"), ("reason", "a new study")]).starts_with("HTTP/1.1 303"));
    let budget = client.get("/budget");
    assert_eq!(budget.matches("The same people are also protected by the account").count(), 2, "{budget}");
    assert!(budget.contains("opened because: a new study"), "{budget}");
}

/// What needs no data is refused before anything can be confirmed, and a refusal opens the fields that help.
#[test]
fn mistakes_end_well() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let [file, column, values, epsilon, account] = RELEASE;
    for (wrong, why) in [
        (vec![file, column, ("categories0", "yes, yes"), epsilon, account], "twice"),
        (vec![file, column, ("categories0", "yes"), epsilon, account], "categor"),
        (vec![file, column, values, ("epsilon", "0,5"), account], "Epsilon is 0,5; write 0.5, with a point."),
        (vec![file, column, values, epsilon, account, ("prior", "1,2,3")], "prior"),
    ] {
        let answer = client.submit("/release/check", &wrong);
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.contains("class=\"wrong\""),
            "{wrong:?}: {answer}"
        );
        assert!(between(&answer, "role=\"alert\">", "</p>").contains(why), "{wrong:?}: {answer}");
    }
    let asked = [file, column, ("categories0", "yes, maybe"), epsilon, account];
    let page = client.settled(&client.confirm(&client.draft("/release/check", &asked)));
    assert!(page.contains("Not released.") && page.contains("nothing was charged"), "{page}");
    assert!(page.contains("<details open><summary>Filter, other and missing values</summary>"), "{page}");
    assert_eq!(charges(&folder), (0, "0".to_owned()));
}

/// Of two columns the page shows the second within the first, as one table and one picture, and folds the cells.
#[test]
fn the_answer_comes_first() {
    let folder = Folder::new("OUTSIDE");
    let people: String =
        (0..300).map(|n| format!("{},{}\n", ["A", "B", "C"][n % 3], ["yes", "no"][n % 2])).collect();
    std::fs::write(folder.data().join("wards.csv"), format!("ward,cured\n{people}")).unwrap();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let asked = [
        ("file", "wards.csv"),
        ("column0", "ward"),
        ("categories0", "A, B, C"),
        ("column1", "cured"),
        ("categories1", "yes, no"),
        ("epsilon", "0.5"),
        ("account", "survey"),
    ];
    let page = client.settled(&client.confirm(&client.draft("/release/check", &asked)));
    let places = [
        "id=\"answer\"",
        "<code>cured | ward</code>",
        "The intervals of the first table",
        "id=\"downloads\"",
        "<details class=\"cells\"><summary>All 6 cells",
        "class=\"numbers\"",
        "What is promised",
    ]
    .map(|text| page.find(text).unwrap_or_else(|| panic!("{text}: {page}")));
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(page.matches("<code>ward, cured</code>").count(), 0, "cells are told once: {page}");
    assert!(page.contains("<code>ward</code>") && page.contains("<code>cured</code>"), "{page}");
    // One column is its own answer.
    let page = client.settled(&client.confirm(&client.draft("/release/check", &RELEASE)));
    assert!(!page.contains("id=\"answer\"") && page.contains("class=\"numbers\""), "{page}");
}

/// A ledger that cannot be read is no place for a new account, and nothing leads there.
#[test]
fn a_damaged_ledger_is_not_mended_by_an_account() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    std::fs::write(folder.ledger(), "no database at all, and long enough to be told from one").unwrap();
    for page in [client.get("/release"), client.get("/budget")] {
        assert!(page.contains("is not a ledger") || page.contains("is damaged"), "{page}");
        assert!(!page.contains("Create an account"), "{page}");
    }
    let missing = Client::start(Some(folder.data()), Some(folder.data().join("none.ledger")));
    assert!(missing.get("/release").contains("Create an account</a> first"));
}

/// An account protects one unit, which its page says, and a release for another is refused in the words of the ledger.
#[test]
fn accounts_have_units() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let created = client.submit(
        "/budget/create",
        &[
            ("name", "patients"),
            ("epsilon", "5"),
            ("unit", "patient"),
            ("delta", "1e-6"),
            ("population", "all of 2026"),
        ],
    );
    assert!(created.starts_with("HTTP/1.1 303"), "{created}");
    let page = client.get("/budget?of=0.1");
    assert!(
        page.contains("Protects each patient. n is public (replace). Population: all of 2026."),
        "{page}"
    );
    assert!(page.contains("<strong>97</strong> more of ε = 0.1"), "{page}");
    assert!(client.get("/budget?of=0").contains("Choose a positive number"));
    let again = client.submit("/budget/create", &[("name", "patients"), ("epsilon", "5")]);
    assert!(
        again.contains("already") && again.contains("value=\"patients\""),
        "what was typed stays: {again}"
    );
    let [file, column, values, ..] = RELEASE;
    let asked = [file, column, values, ("epsilon", "11"), ("account", "patients")];
    let draft = client.draft("/release/check", &asked);
    let page = client.get(&draft);
    assert!(page.contains("protects each patient, and this release protects each record"), "{page}");
    assert!(page.contains("Epsilon 11 is so large that it protects hardly anybody"), "{page}");
    let study = client.get(&client.draft("/study/check", &[STUDY[0], asked[4]]));
    assert!(study.contains("protects each patient, and this release protects each record"), "{study}");
    let page = client.submit_confirmation("/release", draft.rsplit('/').next().unwrap(), &Default::default());
    assert!(
        page.contains("Nothing was done") && page.contains("their promises cannot be added up"),
        "{page}"
    );
}

/// Without a ledger the pages say that nobody counts.
#[test]
fn without_a_ledger_nobody_counts() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), None);
    let uncounted = posterity::meaning::uncounted();
    for path in ["/release", "/study"] {
        assert!(client.get(path).contains(uncounted), "{path}");
    }
    let page = client.get(&client.draft("/study/check", &STUDY[..1]));
    assert!(page.contains(uncounted) && page.contains("posterity study "), "{page}");
}

/// A mechanism is one text, which the summary and the command repeat. If this fails, a release is drawn by another
/// mechanism than the one that was typed.
#[test]
fn a_mechanism_is_one_text() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let page = client.get("/release");
    assert!(page.contains("<option>tight(ehds)</option>") && page.contains("lsdim(consistent)"), "{page}");
    let with = |text: &'static str| [&RELEASE[..], &[("mechanism", text)]].concat();
    let draft = client.draft("/release/check", &with(" ehds( gamma = 0.5 )"));
    let summary = client.get(&draft);
    assert!(summary.contains("<dd>ehds(gamma=0.5)</dd>"), "{summary}");
    assert!(summary.contains("--mechanism 'ehds(gamma=0.5)'"), "{summary}");
    let back = client.get(&draft.replace("/draft/", "?draft="));
    assert!(back.contains("value=\"ehds( gamma = 0.5 )\""), "what was typed stays: {back}");
    for (text, why) in [
        ("ehdl", "Ehdl has no proven privacy guarantee"),
        ("lattice(gamma=1)", "gamma"),
        ("ehds(gamma=-1)", "Gamma is -1; choose a positive, finite number"),
        ("nothing", "nothing"),
    ] {
        let answer = client.submit("/release/check", &with(text));
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("role=\"alert\""), "{text}: {answer}");
        let wrong = between(&answer, "role=\"alert\">", "<");
        assert!(wrong.contains(why), "{text}: {wrong}");
        assert!(answer.contains(&format!("value=\"{text}\"")), "what was typed stays: {answer}");
    }
    assert_eq!(charges(&folder), (0, "0".to_owned()));
}

/// If this fails, bins that a schema declares are taken for the names of categories.
#[test]
fn a_schema_declares_the_columns_of_a_table() {
    let folder = Folder::new("OUTSIDE");
    let schema = r#"{"fields": [{"name": "age", "bins": [0, 18, 65]}, {"name": "sex", "constraints": {"enum": ["f", "m"]}}]}"#;
    std::fs::write(folder.data().join("people.schema.json"), schema).unwrap();
    let client = Client::start(Some(folder.data()), None);
    let page = client.get("/release?schema=people.schema.json");
    assert!(page.contains("<option value=\"age\">[0,18), [18,65)</option>"), "{page}");
    let asked = |column: &'static str, more: &[(&'static str, &'static str)]| {
        let usual = [("file", "people.csv"), ("column0", column), ("epsilon", "1")];
        client.get(&client.draft("/release/check", &[&usual[..], more].concat()))
    };
    // The schema of this name belongs to the file, and what is typed comes first.
    assert!(asked("age", &[]).contains("<dd>age ([0,18), [18,65))</dd>"));
    assert!(asked("sex", &[("missing0", "unknown")]).contains("<dd>sex (f, m)</dd>"));
    let own = asked("sex", &[("schema", "people.schema.json"), ("categories0", "f, m, x")]);
    assert!(own.contains("<dd>sex (f, m, x)</dd>") && own.contains("--schema "), "{own}");
}

/// Three wards of a hospital, whose schema declares the wards.
fn hospital() -> Folder {
    let folder = Folder::new("OUTSIDE");
    let people: String =
        (0..300).map(|n| format!("{},{},{n}\n", ["A", "B", "C"][n % 3], ["yes", "no"][n % 2])).collect();
    std::fs::write(folder.data().join("wards.csv"), format!("ward,cured,patient\n{people}")).unwrap();
    let schema =
        r#"{"fields": [{"name": "ward", "constraints": {"enum": ["A", "B", "C"]}}, {"name": "patient"}]}"#;
    std::fs::write(folder.data().join("wards.schema.json"), schema).unwrap();
    folder
}

/// The whole way from a question to a release, by the addresses of the pages alone. What is asked stays what is asked.
#[test]
fn a_question_leads_to_its_plan_and_to_its_release() {
    let folder = hospital();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let asked = "/ask?kind=rate&file=wards.csv&header=yes&column0=ward&column1=cured&categories1=yes,no&value=yes&n=300&w=15&sizes=3,2,1";
    let form = client.get(asked);
    for part in [
        "<option selected>ward</option>",
        "Its values are declared: A, B, C.",
        "name=\"categories1\" value=\"yes,no\"",
        "<option selected>yes</option>",
        "3 names are known, with the values that wards.schema.json declares.",
    ] {
        assert!(form.contains(part), "{part}: {form}");
    }
    let plan = client::location(&client.get(&format!("{asked}&go=plan"))).expect("a plan");
    assert!(plan.starts_with("/plan?n=300&") && plan.contains("categories0=A%2C+B%2C+C"), "{plan}");
    let page = client.settled(&plan);
    assert!(page.contains("What is the share of yes in cured within each ward?"), "{page}");
    let table = client.get(&plan.replace("/plan?", "/plan/table?"));
    for group in ["cured=yes | ward=A", "cured=yes | ward=B", "cured=yes | ward=C"] {
        assert!(table.contains(&format!("<code>{group}</code>")), "{group}: {table}");
    }
    // Back to the question, with every field.
    let back = between(&page, "id=\"change\" href=\"", "\"").replace("&amp;", "&");
    let again = client.get(&back);
    for part in [
        "name=\"n\" value=\"300\"",
        "name=\"w\" value=\"15\"",
        "name=\"sizes\" value=\"3,2,1\"",
        " checked>",
        "<option selected>yes</option>",
    ] {
        assert!(again.contains(part), "{part}: {again}");
    }
    let epsilon = between(&page, "id=\"epsilon-now\">", "<").to_owned();
    let form = client.get(&client.press(&plan, "use"));
    let field = |name: &str| between(&form, &format!("name=\"{name}\" value=\""), "\"").to_owned();
    assert_eq!(
        ["column0", "categories0", "column1", "categories1", "epsilon"].map(field),
        ["ward", "", "cured", "yes,no", &epsilon]
    );
    assert!(
        form.contains("<option selected>wards.schema.json</option>"),
        "the schema declares the wards: {form}"
    );
    assert!(
        form.contains(">cured=yes | ward</textarea>") && form.contains("<option selected>wards.csv</option>"),
        "{form}"
    );
    assert_eq!(charges(&folder).0, 0, "nothing was charged yet");
    let fields = [
        ("file", "wards.csv"),
        ("column0", "ward"),
        ("categories0", "A, B, C"),
        ("column1", "cured"),
        ("categories1", "yes,no"),
        ("epsilon", "0.5"),
        ("account", "survey"),
        ("read", "cured=yes | ward"),
    ];
    let page = client.settled(&client.confirm(&client.draft("/release/check", &fields)));
    assert!(page.contains("<code>cured=yes | ward</code>"), "{page}");
}

/// The width of a group by itself is that of the command, for the group's own size.
#[test]
fn a_plan_of_groups_has_the_widths_of_the_command() {
    let client = Client::start(None, None);
    let named = "kind=rate&column0=ward&categories0=A,B&column1=cured&categories1=yes,no&value=yes&sizes=3,1&n=400&e=1";
    let lettered = "k=2+x+2&shape=a%3D3,1&n=400&e=1&read=b%3D1+%7C+a%3D2";
    let widths = |query: &str| {
        let page = client.get(&format!("/plan/table?{query}"));
        let row = page
            .split("<tr><th scope=\"row\"><code>")
            .filter(|row| row.contains("=2</code>") || row.contains("=B</code>"));
        row.map(|row| between(row, "</th>", "</tr>").to_owned()).collect::<Vec<_>>()
    };
    let (by_name, by_letter) = (widths(named), widths(lettered));
    assert_eq!((by_name.len(), by_letter.len()), (1, 1));
    let joint = |row: &str| between(row, "<td>", "</td>").to_owned();
    assert_eq!(joint(&by_name[0]), joint(&by_letter[0]));
}

/// If this fails, a page shows what a record holds before anything is charged: the first line of a file without a
/// header, the keys of a JSON record, or a value that occurs.
#[test]
fn a_question_shows_no_record() {
    let folder = Folder::new("OUTSIDE");
    for (name, text) in [
        ("plain.csv", "SECRET-NAME,SECRET-WARD\n"),
        ("lines.jsonl", "{\"SECRET-KEY\": \"SECRET-VALUE\"}\n"),
        ("headed.csv", "ward,cured\nSECRET-WARD,yes\n"),
    ] {
        std::fs::write(folder.data().join(name), text).unwrap();
    }
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    for kind in ["share", "rate", "difference", "table"] {
        for asked in [
            "file=plain.csv",
            "file=lines.jsonl&header=yes",
            "file=headed.csv",
            "file=headed.csv&header=yes&column0=ward",
        ] {
            for go in ["", "&go=plan&n=5"] {
                let page = client.get(&format!("/ask?kind={kind}&{asked}{go}"));
                assert!(
                    page.starts_with("HTTP/1.1 200") && !page.contains("SECRET"),
                    "{kind} {asked}: {page}"
                );
            }
        }
    }
    assert!(client.get("/ask?kind=share&file=headed.csv&header=yes").contains("<option>cured</option>"));
    for name in client::PATHS {
        let page = client.get(&format!("/ask?kind=share&header=yes&file={name}"));
        assert!(!page.contains("OUTSIDE") && !page.contains("root:x:0"), "{name}: {page}");
    }
}

/// What is wrong with a question is said where it is asked, and what was typed stays.
#[test]
fn a_wrong_question_is_asked_again() {
    let folder = hospital();
    let client = Client::start(Some(folder.data()), None);
    for (asked, why) in [
        ("kind=rate", "Choose a file."),
        ("kind=rate&file=wards.csv", "the column of the outcome and the column of the groups"),
        ("kind=share&file=wards.csv&column0=cured", "Declare the possible values of column"),
        ("kind=share&file=wards.csv&column0=ward", "Give the number of people"),
        ("kind=nothing", "is no form of a question"),
    ] {
        let page = client.get(&format!("/ask?{asked}&go=plan"));
        assert!(between(&page, "role=\"alert\">", "</p>").contains(why), "{asked}: {page}");
    }
    let page = client.get("/ask?kind=share&file=wards.csv&schema=none&column0=cured&go=plan");
    assert!(page.contains("name=\"column0\" value=\"cured\""), "{page}");
    assert!(Client::start(None, None).get("/ask?kind=rate").contains("There is no folder of data yet."));
}

/// The start page says what to do first, and the help explains the words.
#[test]
fn the_start_page_says_what_to_do_first() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let home = client.get("/home");
    for kind in ["share", "rate", "difference", "table"] {
        assert!(home.contains(&format!("href=\"/ask?kind={kind}\"")), "{home}");
    }
    assert!(home.contains("There is <a href=\"/budget\">survey</a>"), "{home}");
    let fresh = Client::start(Some(folder.data()), Some(folder.data().join("none.ledger"))).get("/home");
    assert!(fresh.contains("Open an account</a>"), "{fresh}");
    let bare = Client::start(None, None).get("/home");
    assert!(bare.contains("There is no folder of data yet") && bare.contains("--ledger FILE"), "{bare}");
    let help = client.get("/help");
    assert!(help.contains("<h2 id=\"epsilon\">Epsilon</h2>") && help.contains("href=\"#unit\""), "{help}");
}

/// A file with another delimiter is read by it, and the command says so.
#[test]
fn a_delimiter_is_chosen_and_never_guessed() {
    let folder = Folder::new("OUTSIDE");
    let people: String = (0..100).map(|n| format!("{};x\n", ["yes", "no"][n % 2])).collect();
    std::fs::write(folder.data().join("semi.csv"), format!("cured;other\n{people}")).unwrap();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let [_, column, values, epsilon, account] = RELEASE;
    let asked = [("file", "semi.csv"), column, values, epsilon, account];
    let page = client.settled(&client.confirm(&client.draft("/release/check", &asked)));
    assert!(page.contains("Not released.") && page.contains("a semicolon"), "{page}");
    let draft = client.draft("/release/check", &[&asked[..], &[("delimiter", ";")]].concat());
    let summary = client.get(&draft);
    assert!(summary.contains("--delimiter ';'") && summary.contains("Between its fields"), "{summary}");
    let page = client.settled(&client.confirm(&draft));
    assert!(page.contains("Private release"), "{page}");
    let wrong = client.submit("/release/check", &[&asked[..], &[("delimiter", "::")]].concat());
    assert!(wrong.contains("This is not one character."), "{wrong}");
    let known = client.get("/ask?kind=share&file=semi.csv&header=yes");
    assert!(known.contains("It has one name only: look at the delimiter."), "{known}");
    let known = client.get("/ask?kind=share&file=semi.csv&header=yes&delimiter=%3B");
    assert!(known.contains("<option>cured</option>"), "{known}");
    // So is the encoding.
    let wide: Vec<u8> = format!("\u{feff}cured\n{}", people.replace(";x", ""))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    std::fs::write(folder.data().join("wide.csv"), wide).unwrap();
    let asked = [("file", "wide.csv"), column, values, epsilon, account];
    let page = client.settled(&client.confirm(&client.draft("/release/check", &asked)));
    assert!(page.contains("Not released.") && page.contains("UTF-16"), "{page}");
    let draft = client.draft("/release/check", &[&asked[..], &[("encoding", "utf-16")]].concat());
    assert!(client.get(&draft).contains("--encoding utf-16"), "{}", client.get(&draft));
    let page = client.settled(&client.confirm(&draft));
    assert!(page.contains("Private release"), "{page}");
}

/// A reading is chosen from menus, without its language.
#[test]
fn a_reading_is_chosen_from_menus() {
    let folder = hospital();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let fields = [
        ("file", "wards.csv"),
        ("column0", "ward"),
        ("categories0", "A, B, C"),
        ("column1", "cured"),
        ("categories1", "yes,no"),
        ("epsilon", "0.5"),
        ("account", "survey"),
    ];
    let result = client.confirm(&client.draft("/release/check", &fields));
    let page = client.settled(&result);
    assert!(page.contains("<option value=\"1.0\">cured: yes</option>"), "{page}");
    let entry = [("of", "entry"), ("id", "2")];
    let ask =
        |chosen: &[(&'static str, &'static str)]| client.submit("/reading", &[&entry[..], chosen].concat());
    let answer =
        ask(&[("menu_of", "1.0"), ("menu_within", "0"), ("menu_first", "0.0"), ("menu_second", "0.2")]);
    assert!(answer.contains("#answer\r\n"), "the page jumps to what was asked: {answer}");
    let page = client.get(&client::location(&answer).expect("a reading"));
    assert!(
        page.contains("<code>cured=yes | ward</code>") && page.contains("cured=yes | ward: A - C"),
        "{page}"
    );
    let wrong = ask(&[("menu_of", "1"), ("menu_first", "0.0"), ("menu_second", "0.2")]);
    assert!(
        wrong.contains("choose the share of one value") && wrong.contains("<option value=\"1\" selected>"),
        "{wrong}"
    );
    assert_eq!(charges(&folder), (1, "0.5".to_owned()));
}

/// A study of two questions, from the first question to the results, and again from the history. If this fails, what is
/// carried out is not what was asked, or is charged twice.
#[test]
fn a_study_is_made_of_questions() {
    let folder = hospital();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let rate = "kind=rate&file=wards.csv&column0=ward&categories0=A,B,C&column1=cured&categories1=yes,no&value=yes&n=300&e=0.6";
    let first = client.get(&client.press(&format!("/plan?{rate}"), "add"));
    assert!(first.contains("What is the share of yes in cured within each ward?"), "{first}");
    assert!(first.contains("id=\"expected\"") && first.contains("<code>cured=yes | ward</code>"), "{first}");
    // One more question, which knows of the study.
    let more = between(&first, "<h2>Add a question</h2><ul class=\"kinds\"><li><a href=\"", "\"")
        .replace("&amp;", "&");
    assert!(client.get(&more).contains("<option selected>wards.csv</option>"), "the same file");
    let asked = client.get(&format!("{more}&schema=none&column0=cured&categories0=yes,no&go=plan"));
    let plan = client::location(&asked).unwrap_or_else(|| panic!("no plan: {asked}"));
    let made = client.press(&plan, "add");
    let study = client.get(&format!("{made}&s0=2&title=Two+questions"));
    assert!(
        study.contains("<td class=\"number\">0.4</td>") && study.contains("<td class=\"number\">0.2</td>"),
        "{study}"
    );
    let saved = client.get(&made.replace("/study/make?", "/study/plan.toml?"));
    assert!(saved.contains("filename=\"study.toml\"") && saved.contains("\nepsilon = 0.6\n"), "{saved}");
    let query = between(&study, "name=\"made\" value=\"", "\"").replace("&amp;", "&");
    let draft = client.draft("/study/check", &[("made", &query), ("account", "survey")]);
    let summary = client.get(&draft);
    assert!(
        summary.contains("0.4 will be left of 1.") && summary.contains("made in these pages"),
        "{summary}"
    );
    assert_eq!(charges(&folder).0, 0, "nothing was charged yet");
    let page = client.settled(&client.confirm(&draft));
    assert!(page.contains("Charged epsilon 0.6") && page.contains("<code>cured=yes | ward</code>"), "{page}");
    assert_eq!(charges(&folder), (1, "0.6".to_owned()));
    // The history has it, and the same plan as a file is recalled.
    let budget = client.get("/budget");
    assert!(budget.contains("<a href=\"/budget/entry/2\">released"), "{budget}");
    let entry = client.get("/budget/entry/2");
    assert!(
        entry.contains("A study of 2 questions") && entry.contains("<code>ward, cured</code>"),
        "{entry}"
    );
    let text = client.get(&format!("/study/plan.toml?{query}"));
    std::fs::write(folder.data().join("study.toml"), text.split_once("\r\n\r\n").unwrap().1).unwrap();
    let again = client.get(&client.draft("/study/check", &[("plan", "study.toml"), ("account", "survey")]));
    assert!(again.contains("Nothing. The ledger holds the answers to this plan"), "{again}");
}

/// A study that is made here reads files of the folder only.
#[test]
fn a_study_that_is_made_leads_nowhere_else() {
    let folder = hospital();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    for name in client::PATHS {
        let question = format!("kind=share&column0=x&categories0=a,b&file={}", name.replace('%', "%25"));
        let encoded: String = question.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let made = format!("epsilon=1&q0={encoded}");
        let answer = client.submit("/study/check", &[("made", &made), ("account", "survey")]);
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.contains("There is no such file in the folder."),
            "{name}: {answer}"
        );
        assert!(client.get(&format!("/study/make?{made}")).starts_with("HTTP/1.1 200"), "{name}");
    }
    assert!(client.get("/study/make").contains("There is no question yet."));
    assert!(client.get("/study/plan.toml").starts_with("HTTP/1.1 400"));
}

/// A category for missing values of one column leaves the others as they are, and the command says so.
#[test]
fn missing_values_have_a_category_for_each_column() {
    let folder = Folder::new("OUTSIDE");
    let people: String =
        (0..90).map(|n| format!("{},{}\n", ["A", "B", ""][n % 3], ["yes", "no"][n % 2])).collect();
    std::fs::write(folder.data().join("gaps.csv"), format!("ward,cured\n{people}")).unwrap();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    // The second place of the form is left empty.
    let asked = [
        ("file", "gaps.csv"),
        ("column0", "cured"),
        ("categories0", "yes,no"),
        ("column2", "ward"),
        ("categories2", "A,B"),
        ("epsilon", "0.5"),
        ("account", "survey"),
    ];
    let page = client.settled(&client.confirm(&client.draft("/release/check", &asked)));
    assert!(page.contains("Not released.") && page.contains("other and missing values"), "{page}");
    let draft = client.draft("/release/check", &[&asked[..], &[("missing2", "unknown")]].concat());
    let summary = client.get(&draft);
    assert!(summary.contains("<dd>unknown (of ward)</dd>"), "{summary}");
    let command =
        "--column cured --categories yes,no --column ward --categories A,B --missing unknown --epsilon";
    assert!(summary.contains(command), "{summary}");
    let page = client.settled(&client.confirm(&draft));
    assert!(page.contains("Private release") && page.contains("All 6 cells"), "{page}");
    assert!(
        page.contains(" % unknown (") && page.contains("Shares and means are among the records"),
        "{page}"
    );
    let both = client
        .draft("/release/check", &[&asked[..], &[("missing2", "unknown"), ("missing", "none")]].concat());
    let summary = client.get(&both);
    assert!(
        summary.contains("--missing none --column cured") && summary.contains("--missing unknown --epsilon"),
        "{summary}"
    );
    let back = client.get(&both.replace("/draft/", "?draft="));
    assert!(back.contains("name=\"missing2\" value=\"unknown\""), "what was typed stays: {back}");
}
