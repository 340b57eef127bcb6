//! The pages of `posterity web`, without what changes.

#[path = "../../../posterity-web/tests/client/mod.rs"]
#[allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]
pub(crate) mod client;

use std::fmt::Write as _;

use insta::assert_snapshot;

use crate::{Desk, lasting};
use client::{Client, location};

/// So large that the noise is zero, so that pages of what was drawn are the same each time.
const LOUD: &str = "90";
/// The same for tables of many columns, whose noise is wider.
const LOUDER: &str = "9000";

const TABLE: [(&str, &str); 6] = [
    ("file", "stays.csv"),
    ("column0", "ward"),
    ("categories0", "A,B,C"),
    ("column1", "cured"),
    ("categories1", "yes,no"),
    ("account", "office"),
];

const PAIRS: [(&str, &str); 5] = [
    ("file", "stays.csv"),
    ("schema", "stays.schema.json"),
    ("sets", "ward, cured; sex, cured"),
    ("delta", "1e-9"),
    ("account", "office"),
];

/// Documents of each kind.
const DOCUMENTS: [(&str, &str); 3] = [
    (
        "document-table",
        "release stays.csv --schema stays.schema.json --column ward --column cured --epsilon 1 --seed 7 --format json",
    ),
    (
        "document-margins",
        "margins stays.csv --schema stays.schema.json --sets 'ward, cured; sex, cured' --epsilon 1 --delta 1e-9 --seed 7 --format json",
    ),
    (
        "document-discovered",
        "discover stays.csv --column ward --unit id --per-unit mode --epsilon 1 --delta 1e-9 --seed 7 --format json",
    ),
];

/// A desk with a ledger, and a client of a server for both.
struct Office {
    desk: Desk,
    client: Client,
}

impl Office {
    fn new() -> Self {
        let desk = Desk::new();
        for name in ["unknown.csv", "stays.ndjson"] {
            std::fs::remove_file(desk.path().join(name)).expect("removed");
        }
        desk.done("budget create study.ledger --account office --epsilon 20000 --delta 1e-6");
        let ledger = desk.path().join("study.ledger");
        let client = Client::start(Some(desk.path().to_owned()), Some(ledger));
        Self { desk, client }
    }

    /// Pins a page: its status, its title, and its main part. What stands around it is the same on all pages.
    fn pin(&self, name: &str, answer: &str) {
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.lines().next().unwrap_or_default();
        let body = if name == "home" { body.to_owned() } else { title_and_main(body) };
        let text = self.desk.without_paths(&words_of_pictures(&body));
        let text = text.replace(self.client.form_token(), "TOKEN").replace("><", ">\n<");
        let text = text.replace(&self.client.origin(), "ORIGIN");
        assert_snapshot!(name, format!("{status}\n{}", lasting(&without_names(&text))));
    }

    fn pin_at(&self, name: &str, path: &str) {
        self.pin(name, &self.client.settled(path));
    }

    /// Opens a document of the desk: its address, or what is said instead.
    fn open(&self, document: &str) -> Result<String, String> {
        self.desk.write("document.json", document);
        let answer = self.client.submit("/document/open", &[("document", "document.json")]);
        location(&answer).ok_or(answer)
    }
}

fn title_and_main(page: &str) -> String {
    let [title, main] = ["title", "main"].map(|tag| {
        let begin = page.find(&format!("<{tag}")).expect("a page");
        let end = page.rfind(&format!("</{tag}>")).expect("a page");
        &page[begin..end]
    });
    format!("{title}</title>{main}</main>")
}

/// A page with the words of its pictures, whose coordinates are tested elsewhere.
fn words_of_pictures(page: &str) -> String {
    let mut parts = page.split("<svg");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (picture, rest) = part.split_once("</svg>").unwrap_or((part, ""));
        let words = picture.split('<').filter_map(|tag| tag.split_once('>')).map(|(_, words)| words.trim());
        let words = words.filter(|words| !words.is_empty());
        // What it is about has the path of the file, and is folded where that is long.
        let mut folded = false;
        let words = words.filter(|words| {
            folded = words.starts_with("About: ") || folded && !words.starts_with("About the ");
            !folded
        });
        let words: Vec<&str> = words.collect();
        text += &format!("<svg>{}</svg>{rest}", words.join(" | "));
    }
    text
}

/// A page without the random names of drafts and results.
fn without_names(page: &str) -> String {
    let hexadecimal = |letter: char| letter.is_ascii_digit() || ('a'..='f').contains(&letter);
    let mut text = String::new();
    let mut rest = page;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| hexadecimal(letter) != hexadecimal(first)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        text += if hexadecimal(first) && end == 32 { "NAME" } else { part };
        rest = after;
    }
    text
}

/// If this fails, a page where people begin, ask or plan looks different.
#[test]
fn pages_before_a_question_look_as_they_did() {
    let office = Office::new();
    for (name, path) in [
        ("home", "/home"),
        ("help", "/help"),
        ("ask", "/ask"),
        (
            "ask-rate",
            "/ask?kind=rate&file=stays.csv&header=yes&column0=ward&categories0=A,B,C&column1=cured&categories1=yes,no&unit=id&n=300",
        ),
        ("plan", "/plan?n=420&k=3&e=1"),
        ("plan-width", "/plan?n=420&k=2&w=6"),
        ("plan-columns", "/plan?n=420&k=3+x+2&e=1&read=b+%7C+a"),
        ("release-form", "/release"),
        ("margins-form", "/margins"),
        ("document-form", "/document"),
        ("study-form", "/study"),
        ("budget", "/budget"),
        ("nothing", "/nothing"),
    ] {
        office.pin_at(name, path);
    }
}

/// If this fails, somebody who releases or reads tables sees something else.
#[test]
fn pages_of_releases_look_as_they_did() {
    let office = Office::new();
    let client = &office.client;
    for (name, section, asked, loud) in
        [("release", "release", &TABLE[..], LOUD), ("margins", "margins", &PAIRS, LOUDER)]
    {
        let check = format!("/{section}/check");
        office.pin(&format!("{name}-wrong"), &client.submit(&check, &[asked, &[("epsilon", "0")]].concat()));
        let usual = client.draft(&check, &[asked, &[("epsilon", "1")]].concat());
        office.pin_at(&format!("{name}-draft"), &usual);
        let read = [("epsilon", loud), ("read", "cured=yes | ward"), ("compare", "cured=yes | ward: A - B")];
        let drawn = client.confirm(&client.draft(&check, &[asked, &read].concat()));
        office.pin_at(&format!("{name}-shown"), &drawn);
    }
    office.pin_at("budget-charged", "/budget");
    office.pin_at("budget-verified", "/budget/verify");
}

/// If this fails, somebody who opens a document sees something else of it.
#[test]
fn pages_of_documents_look_as_they_did() {
    let office = Office::new();
    for (name, line) in DOCUMENTS {
        let document = office.desk.done(line).stdout;
        match office.open(&document) {
            Ok(address) => office.pin_at(name, &address),
            Err(refused) => office.pin(name, &refused),
        }
    }
    let table = office.desk.done(DOCUMENTS[0].1).stdout;
    let address = office.open(&table).expect("a table");
    let id = address.rsplit('/').next().expect("a name");
    let asked = [("of", "reading"), ("id", id), ("read", "cured | ward"), ("interval-kind", "credible")];
    let read = location(&office.client.submit("/reading", &asked)).expect("a reading");
    office.pin_at("document-read", &read);
    let changed = table.replace("\"epsilon\": \"1\"", "\"epsilon\": \"0.5\"");
    assert_ne!(changed, table);
    office.pin("document-changed", &office.open(&changed).expect_err("it was changed"));
    office.pin("document-wrong", &office.open("{}").expect_err("no document"));
}

/// If this fails, somebody who carries out a study sees something else.
#[test]
fn pages_of_studies_look_as_they_did() {
    let office = Office::new();
    let client = &office.client;
    let asked = [("plan", "plan.toml"), ("account", "office"), ("n", "420")];
    office.pin_at("study-draft", &client.draft("/study/check", &asked));
    let loud = crate::PLAN.replace("epsilon = 1", &format!("epsilon = {LOUDER}"));
    office.desk.write("plan.toml", &loud);
    let drawn = client.confirm(&client.draft("/study/check", &asked));
    office.pin_at("study-shown", &drawn);
    office.desk.write("plan.toml", &crate::PLAN.replace("read = ", "reads = "));
    office.pin("study-wrong", &client.submit("/study/check", &asked));
}

/// Fields of a form, in the place of usual ones.
type Wrong = &'static [(&'static str, &'static str)];

/// What is wrong in both forms.
const WRONG: [Wrong; 23] = [
    &[("file", "")],
    &[("file", "nothing.csv")],
    &[("file", "../stays.csv")],
    &[("epsilon", "")],
    &[("epsilon", "0")],
    &[("epsilon", "many")],
    &[("epsilon", "100000")],
    &[("account", "")],
    &[("account", "nobody")],
    &[("adjacency", "both")],
    &[("unit", "nobody")],
    &[("unit", "id"), ("per-unit", "often")],
    &[("unit", "id"), ("per-unit", "all"), ("records", "3")],
    &[("where", "age >")],
    &[("where", "height > 3")],
    &[("read", "nothing")],
    &[("read", "ward=")],
    &[("read", "ward=Q")],
    &[("compare", "ward=A: B")],
    &[("interval-kind", "normal")],
    &[("about", "people")],
    &[("encoding", "latin-9")],
    &[("delimiter", "ab")],
];

const WRONG_RELEASE: [Wrong; 4] =
    [&[("prior", "0")], &[("prior", "1,2,3,4")], &[("mechanism", "magic")], &[("mechanism", "mh")]];

const WRONG_MARGINS: [Wrong; 4] =
    [&[("delta", "2")], &[("delta", "0.01")], &[("sets", "9")], &[("schema", "nothing.json")]];

/// What a page says is wrong.
fn alarm(page: &str) -> String {
    let said = page.split("<p class=\"wrong\"").skip(1).filter_map(|part| part.split_once('>'));
    let said = said.map(|(_, words)| words.split("</p>").next().unwrap_or_default());
    said.collect::<Vec<_>>().join(" | ")
}

/// What is said of a wrong form, or of its draft. What is known of a file only once it is opened is told after the button.
fn refused(client: &Client, section: &str, fields: &[(&str, &str)]) -> String {
    let answer = client.submit(&format!("/{section}/check"), fields);
    let Some(draft) = location(&answer) else { return alarm(&answer) };
    let page = client.get(&draft);
    if page.contains("Yes, charge") {
        let settled = client.settled(&client.confirm(&draft));
        return format!("a draft, and then: {}", alarm(&settled));
    }
    format!("a draft without a button: {}", alarm(&page))
}

/// If this fails, a page refuses a mistake otherwise than before, or charges for it.
#[test]
fn pages_refuse_what_they_refused() {
    let office = Office::new();
    let before = office.desk.ledger("study.ledger");
    for (name, usual, own) in
        [("release", &TABLE[..], &WRONG_RELEASE[..]), ("margins", &PAIRS, &WRONG_MARGINS)]
    {
        let mut all = String::new();
        for wrong in WRONG.iter().chain(own) {
            let kept = usual.iter().chain([&("epsilon", "1")]);
            let kept = kept.filter(|(field, _)| !wrong.iter().any(|(other, _)| other == field));
            let fields: Vec<_> = kept.chain(*wrong).copied().collect();
            let said = refused(&office.client, name, &fields);
            writeln!(all, "{wrong:?}\n  {said}\n").expect("text");
        }
        assert_snapshot!(format!("{name}-refused"), lasting(&office.desk.without_paths(&all)));
    }
    assert!(office.desk.ledger("study.ledger") == before, "a mistake was charged");
}
