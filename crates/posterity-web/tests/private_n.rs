//! Where the number of people is private, no page shows it, and none depends on one record but through the draw.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod client;

use std::fs;

use client::{Client, Folder, RELEASE, STUDY, shows};
use posterity::Adjacency;
use posterity::ledger::{Ledger, NewAccount, now_utc};
use posterity_advice::design::{Table, advise_table};

/// The choice in forms.
const PRIVATE: (&str, &str) = ("adjacency", "add-remove");

/// The usual release with a private n, and more fields.
fn private<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [more, &RELEASE[..], &[PRIVATE]].concat()
}

/// The text between two others.
fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    page.split_once(before)
        .and_then(|(_, rest)| rest.split_once(after))
        .unwrap_or_else(|| panic!("{before}: {page}"))
        .0
}

/// A page without its head and its pictures, and with a mark in place of each number, time, hash and random name.
fn without_numbers(page: &str) -> String {
    let page = page.split_once("\r\n\r\n").unwrap_or(("", page)).1;
    let pictures = page.split("<svg").map(|part| part.split_once("</svg>").map_or(part, |(_, after)| after));
    let page: String = pictures.collect();
    let marked = page.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()).map(|word| {
        let bare = word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let is_hash = bare.len() >= 32 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_number = bare.starts_with(|letter: char| letter.is_ascii_digit());
        if is_hash || is_number { format!("#{}", &word[bare.len()..]) } else { word.to_owned() }
    });
    // A number of several parts is one.
    let mut page: String = marked.collect();
    for parts in ["#.#", "#,#", "#-#", "#:#"] {
        while page.contains(parts) {
            page = page.replace(parts, "#");
        }
    }
    page
}

fn write(folder: &Folder, name: &str, text: &str) {
    fs::write(folder.data().join(name), text).expect("written");
}

/// An account where n is private.
fn open_account(folder: &Folder) {
    let epsilon = "5".parse().unwrap();
    let new = NewAccount::new("private", epsilon, posterity::Amount::ZERO);
    let new = new.adjacency(posterity::ledger::Adjacency::AddRemove);
    Ledger::open(folder.ledger()).unwrap().open_account(&new, &now_utc()).expect("opened");
}

/// What is typed comes back, and the command asks for the same. If this fails, a release that was meant to keep n
/// private publishes it, or the other way round.
#[test]
fn the_choice_goes_through_form_summary_and_command() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let page = client.get("/release");
    assert!(page.contains("Is the number of people public?"), "{page}");
    assert!(page.contains("value=\"replace\" aria-describedby=\"replace-help\" checked"), "{page}");
    assert!(page.contains("placeholder=\"lattice\""), "{page}");
    // Nothing chosen is what the command does.
    let usual = client.get(&client.draft("/release/check", &RELEASE));
    assert!(usual.contains("<dd>public: n is published exactly (replace)</dd>"), "{usual}");
    assert!(!usual.contains("--adjacency") && !usual.contains("--edition"), "{usual}");
    let more = [
        ("edition", "of 2026"),
        ("unit", "person"),
        ("per-unit", "all"),
        ("records", "3"),
        ("where", "age > 3"),
    ];
    let draft = client.draft("/release/check", &private(&more));
    let summary = client.get(&draft);
    for part in [
        "<dd>private: whether anyone is in the data at all is protected (add-remove)</dd>",
        "<dd>of 2026</dd>",
        "<dd>geometric</dd>",
        "at most 3 of its records",
        "Adding or removing all records of any one person changes",
        "The number of records is private.",
        "whether one person is in the data",
        "--edition 'of 2026' --where 'age &gt; 3' --unit person --per-unit 'all 3' --adjacency add-remove --epsilon 0.1",
    ] {
        assert!(summary.contains(part), "{part}: {summary}");
    }
    let back = client.get(&draft.replace("/draft/", "?draft="));
    for part in [
        "value=\"add-remove\" aria-describedby=\"add-remove-help\" checked",
        "name=\"edition\" value=\"of 2026\"",
        "<option value=\"all\" selected>",
        "name=\"records\" value=\"3\"",
        "placeholder=\"geometric\"",
    ] {
        assert!(back.contains(part), "{part}: {back}");
    }
}

/// What does not go with a private n is refused before anything is read.
#[test]
fn rejects() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    for (more, why) in [
        (("mechanism", "lattice"), "Lattice takes the number of records for public, and it is private here"),
        (("mechanism", "tight(ehds)"), "takes the number of records for public"),
        (("mechanism", "ehds(gamma=auto)"), "takes the number of records for public"),
        (("mechanism", "geometric(consistent)"), "takes the number of records for public"),
        (("prior", "1"), "The parameters of the prior sum to 2; where n is private they sum to 1"),
        (("per-unit", "all"), "Give the most records of one person that count"),
        (("per-unit", "all 3"), "This is for units"),
        (("adjacency", "neither"), "is no adjacency; write replace if n is public"),
    ] {
        let answer = client.submit("/release/check", &private(&[more]));
        assert!(answer.starts_with("HTTP/1.1 200"), "{more:?}: {answer}");
        let wrong = between(&answer, "role=\"alert\">", "<");
        assert!(wrong.contains(why), "{more:?}: {wrong}");
    }
    let public = [&RELEASE[..], &[("unit", "cured"), ("per-unit", "all 3")]].concat();
    let answer = client.submit("/release/check", &public);
    assert!(answer.contains("which needs a unit and a private n"), "{answer}");
    assert_eq!(folder.account().charges, 0);
}

/// A file with and without one record, by the same steps. If this fails, a page tells whether somebody is in the data.
#[test]
fn pages_differ_in_the_draw_only() {
    let people = |more: &str| {
        let rows = "yes\n".repeat(7919) + &"no\n".repeat(6007);
        format!("cured\n{rows}{more}")
    };
    // One record more, of a declared value, of another one, and with nothing in it.
    let pages = ["", "yes\n", "perhaps\n", "\"\"\n"].map(|more| {
        let folder = Folder::new("OUTSIDE");
        open_account(&folder);
        write(&folder, "people.csv", &people(more));
        let client = Client::start(Some(folder.data()), Some(folder.ledger()));
        let asked = private(&[("account", "private"), ("epsilon", "1")]);
        let draft = client.draft("/release/check", &asked);
        let result = client.confirm(&draft);
        let running = client.get(&format!("{result}/progress"));
        assert!(!running.contains("rows"), "{running}");
        let mut pages = vec![client.get(&draft), client.settled(&result)];
        for file in ["release.json", "release.csv", "readings.csv"] {
            pages.push(client.get(&format!("{result}/{file}")));
        }
        pages.extend([client.get("/budget"), client.get("/budget/entry/3")]);
        assert!(pages.iter().all(|page| page.starts_with("HTTP/1.1 200")), "{pages:?}");
        // The folders of the test have random names.
        let (data, ledger) = (folder.data().display().to_string(), folder.ledger().display().to_string());
        pages
            .iter()
            .map(|page| without_numbers(&page.replace(&data, "").replace(&ledger, "")))
            .collect::<Vec<_>>()
    });
    for other in &pages[1..] {
        for (page, other) in pages[0].iter().zip(other) {
            let differ = page.lines().zip(other.lines()).find(|(one, two)| one != two);
            assert!(page == other, "{differ:?}");
        }
    }
}

/// The ledger recalls an answer although the file has other records now, because the question has no n; another edition
/// is another question. If this fails, being recalled or not tells that n changed.
#[test]
fn an_answer_is_recalled_whatever_the_file_holds() {
    let folder = Folder::new("OUTSIDE");
    open_account(&folder);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let release = |edition: &str| {
        let asked = private(&[("account", "private"), ("edition", edition)]);
        client.settled(&client.confirm(&client.draft("/release/check", &asked)))
    };
    let first = release("2025");
    assert!(first.contains("Charged epsilon 0.1") && first.contains("(edition 2025)"), "{first}");
    write(&folder, "people.csv", "cured\nyes\nperhaps\n\"\"\n");
    let again = release("2025");
    assert!(again.contains("nothing was charged"), "{again}");
    let table = |page: &str| between(page, "<table class=\"numbers\">", "</table>").to_owned();
    assert_eq!(table(&first), table(&again));
    let next = release("2026");
    assert!(next.contains("Charged epsilon 0.1") && next.contains("(edition 2026)"), "{next}");
    let account = Ledger::open(folder.ledger()).unwrap().account("private").unwrap();
    assert_eq!((account.charges, account.spent_epsilon.to_string()), (2, "0.2".to_owned()));
}

/// How many records there are, how many pass a filter and how many have a declared value is on no page and in no file.
/// All but one value are undeclared here, so the draw is near zero: that it shows one of these numbers by chance has a
/// probability below 1e-200.
#[test]
fn n_is_nowhere() {
    let folder = Folder::new("OUTSIDE");
    open_account(&folder);
    let rows = "maybe,1\n".repeat(7919) + &",2\n".repeat(6007);
    write(&folder, "people.csv", &format!("cured,age\nyes,1\n{rows}"));
    let plan = client::PLAN.replace("epsilon = 0.5", "epsilon = 0.5\nadjacency = 'add-remove'");
    write(&folder, "plan.toml", &plan);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let asked = private(&[("account", "private"), ("where", "age = 1"), ("epsilon", "0.25")]);
    let result = client.confirm(&client.draft("/release/check", &asked));
    let study = client.confirm(&client.draft("/study/check", &[STUDY[0], ("account", "private")]));
    let page = client.settled(&study);
    assert!(
        page.contains("private number of records") && page.contains("Whether anyone is in the data"),
        "{page}"
    );
    let mut pages = vec![page.clone(), client.settled(&result)];
    assert!(
        pages[1].contains("private number of records. Whether anyone is in the data at all is protected")
    );
    assert!(pages[1].contains("Charged epsilon 0.25"), "{}", pages[1]);
    for file in ["release.json", "release.csv", "release.svg", "readings.csv", "progress"] {
        pages.push(client.get(&format!("{result}/{file}")));
    }
    pages.push(client.get(&format!("{study}/report")));
    for part in page.split("<li><a href=\"/study/").skip(1) {
        pages.push(client.get(&format!("/study/{}", part.split('"').next().unwrap())));
    }
    pages.extend(
        ["/budget", "/budget/verify", "/budget/entry/3", "/release", "/study"].map(|path| client.get(path)),
    );
    for page in pages {
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        for number in ["7919", "7920", "6007", "13926", "13927"] {
            assert!(!shows(&page, number), "{number}: {page}");
        }
        assert!(!page.contains("0 rows"), "{page}");
    }
}

/// Values that are not declared are an error where n is public, and none where it is private; nor is an empty file.
#[test]
fn undeclared_values_are_no_error() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), None);
    for (file, wrong) in [
        ("cured\nyes\nno\nperhaps\n", "outside the declared categories"),
        ("cured,age\nyes,1\n,2\n", "missing values"),
        ("cured\n", "no records to count"),
    ] {
        write(&folder, "people.csv", file);
        let page = client.settled(&client.confirm(&client.draft("/release/check", &RELEASE)));
        assert!(page.contains("Not released") && page.contains(wrong), "{page}");
        let page = client.settled(&client.confirm(&client.draft("/release/check", &private(&[]))));
        assert!(page.contains("Private release") && page.contains("private number of records"), "{page}");
        assert!(page.contains("<code>count</code>"), "n is estimated: {page}");
    }
}

/// An account is of one kind, which its page says, and the summary tells the price before anything is charged.
#[test]
fn accounts_have_an_adjacency() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    assert!(client.get("/budget").contains("Is the number of people public?"));
    let created = client.submit("/budget/create", &[("name", "people"), ("epsilon", "2"), PRIVATE]);
    assert!(created.starts_with("HTTP/1.1 303"), "{created}");
    let wrong = client.submit("/budget/create", &[("name", "people"), ("epsilon", "2"), PRIVATE]);
    assert!(wrong.contains("aria-describedby=\"add-remove-help\" checked"), "what was chosen stays: {wrong}");
    let page = client.get("/budget");
    assert!(page.contains("Protects each record. n is private (add-remove)"), "{page}");
    assert!(page.contains("Protects each record. n is public (replace)."), "{page}");
    assert!(page.contains("&amp;adjacency=add-remove\">Plan with what is left"), "{page}");
    assert!(client.get("/release").contains("people: 2 left, protects each record, n private</option>"));
    // A release that publishes n.
    let public = [&[("account", "people")], &RELEASE[..]].concat();
    let draft = client.draft("/release/check", &public);
    let summary = client.get(&draft);
    assert!(summary.contains("and this release publishes how many"), "{summary}");
    let confirmed =
        client.submit_confirmation("/release", draft.rsplit('/').next().unwrap(), &Default::default());
    assert!(confirmed.contains("Nothing was done"), "{confirmed}");
    // A release with a private n, in an account where it is public.
    let draft = client.draft("/release/check", &private(&[]));
    let summary = client.get(&draft);
    assert!(summary.contains("<p>ε = 0.2 of account <strong>survey</strong>"), "{summary}");
    assert!(
        summary.contains("costs twice its epsilon") && summary.contains("0.8 will be left of 1."),
        "{summary}"
    );
    let page = client.settled(&client.confirm(&draft));
    assert!(page.contains("Charged epsilon 0.2"), "{page}");
    assert_eq!(folder.account().spent_epsilon.to_string(), "0.2");
    assert!(client.get("/budget").contains("; n private, ε = 0.1 by itself"));
}

/// The summary of a study says what is private, and what it costs.
#[test]
fn a_study_says_that_n_is_private() {
    let folder = Folder::new("OUTSIDE");
    let plan = client::PLAN.replace("epsilon = 0.5", "epsilon = 0.25\nadjacency = 'add-remove'");
    write(&folder, "plan.toml", &plan);
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let draft = client.draft("/study/check", &STUDY);
    let summary = client.get(&draft);
    for part in [
        "<dd>private: whether anyone is in the data at all is protected (add-remove)</dd>",
        "Adding or removing any one record changes",
        "whether one record is in the data",
        "<p>ε = 0.5 for all questions together",
        "costs twice its epsilon. 0.5 will be left of 1.",
        "<td>geometric</td>",
    ] {
        assert!(summary.contains(part), "{part}: {summary}");
    }
    let page = client.settled(&client.confirm(&draft));
    assert!(page.contains("Charged epsilon 0.5") && page.contains("private number of records"), "{page}");
    assert_eq!(folder.account().spent_epsilon.to_string(), "0.5");
}

/// The plan has the digits of `posterity advise --adjacency add-remove`.
#[test]
fn a_plan_with_a_private_n_has_the_digits_of_the_command() {
    let client = Client::start(None, None);
    for (k, columns, shape, read) in [("3", "3", "6,1,3", "a"), ("2 x 3", "2,3", "b=1,2,3", "a | b")] {
        let mut table = Table::new(columns.parse().unwrap(), vec![read.parse().unwrap()], 900).unwrap();
        let typed = if shape.contains('=') { shape.to_owned() } else { format!("a={shape}") };
        table = table.with_shape(typed.parse().unwrap()).unwrap().under(Adjacency::AddRemove);
        let advice = advise_table(&table, &"0.5".parse().unwrap(), &|_| ()).unwrap();
        let widest = advice.designs[0].readings[0].widest;
        let read = if k == "3" { "" } else { "a+%7C+b" };
        let query = format!("n=900&k={}&e=0.5&shape={shape}&read={read}", k.replace(' ', "+"));
        let page = client.settled(&format!("/plan?{query}&adjacency=add-remove"));
        assert_eq!(between(&page, "id=\"width-private\">", "<"), posterity::number::points(widest), "{page}");
        let command = between(&page, "id=\"line-command\" tabindex=\"0\"><code>", "<");
        assert!(command.contains(" --adjacency add-remove "), "{command}");
        assert!(page.contains("for a guess of 900 records"), "{page}");
        assert!(page.contains("value=\"add-remove\" aria-describedby=\"add-remove-help\" checked"), "{page}");
        let public = client.settled(&format!("/plan?{query}"));
        assert_ne!(between(&public, "id=\"width-private\">", "<"), posterity::number::points(widest));
        let curves = client.get(&format!("/plan/curves?{query}&adjacency=add-remove"));
        assert!(curves.contains("Width against epsilon") && !curves.contains("all mechanisms"), "{curves}");
    }
    let page = client.settled("/plan?n=900&k=2&w=5&adjacency=add-remove");
    assert!(
        page.contains("with geometric") && page.contains("--half-width 0.05 --adjacency add-remove"),
        "{page}"
    );
}

/// A response without the second at which it was sent, which is not about the file.
fn without_date(response: &str) -> String {
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    let kept: Vec<&str> = head.lines().filter(|line| !line.starts_with("date:")).collect();
    assert_eq!(kept.len() + 1, head.lines().count(), "{head}");
    [&kept.join("\n"), body].concat()
}

/// If this fails, whoever sees a page before anything is charged learns who is in a file: a question, its plan and its
/// study are the same with a record and without it, even if it is one that cannot be read.
#[test]
fn a_question_does_not_depend_on_a_record() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let asked = "kind=rate&file=visits.csv&header=yes&column0=ward&categories0=A,B&column1=cured&categories1=yes,no&unit=patient&n=300";
    let encoded: String = asked.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let addresses = [
        "/home".to_owned(),
        format!("/ask?{asked}"),
        format!("/ask?{asked}&go=plan"),
        format!("/plan/now?{asked}"),
        format!("/study/make?epsilon=1&n=300&q0={encoded}"),
    ];
    let pages = |records: &[u8]| {
        let text = [b"ward,cured,patient\n", records].concat();
        fs::write(folder.data().join("visits.csv"), text).expect("written");
        addresses.each_ref().map(|address| without_date(&client.get(address)))
    };
    let without = pages(b"");
    assert!(without[1].contains("<option selected>ward</option>"), "{}", without[1]);
    for records in [&b"A,yes,1\n"[..], b"A,yes,1\nB,no,2\n", b"A\n", b"\xff\xfe,yes,1\n", b"\"A,yes,1\n"] {
        assert_eq!(pages(records), without, "{records:?}");
    }
}
