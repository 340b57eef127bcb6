//! Documents in the pages: of every kind, and with nothing in them of where the data is.

#![allow(missing_docs, clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod client;

use client::{Client, Folder, RELEASE, location};
use posterity::data::{PerUnit, ValuesAsked};
use posterity::discovery::{Discovery, DiscoveryTerms, ValueData};
use posterity::{Publication, json};

/// What a page or a file says after its head.
fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}

/// Opens a document of the folder: the address of its page.
fn open(folder: &Folder, client: &Client, name: &str, document: &Publication) -> String {
    std::fs::write(folder.data().join(name), json::text(document).unwrap()).unwrap();
    location(&client.submit("/document/open", &[("document", name)])).unwrap()
}

/// Categories of the survey that nobody declared.
fn discovered(folder: &Folder) -> Publication {
    let asked = ValuesAsked {
        column: "cured".to_owned(),
        missing: None,
        filter: None,
        unit: None,
        per_unit: PerUnit::default(),
    };
    let data = ValueData::read(folder.data().join("people.csv").to_string_lossy(), &asked);
    let terms = DiscoveryTerms::new("1".parse().unwrap(), "1e-9".parse().unwrap());
    let terms = DiscoveryTerms { one_record_per_person: true, ..terms };
    Discovery::new(terms).publish(data.unwrap()).unwrap().into()
}

/// If this fails, a document opens as a bare sheet, or not at all.
#[test]
fn discovered_categories_have_the_page_of_all_documents() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let address = open(&folder, &client, "found.json", &discovered(&folder));
    let page = client.get(&address);
    for told in [
        "<nav",
        "Private release: discovered categories",
        "Which values of &quot;cured&quot; do many have",
        "id=\"verified\"",
        "<code>count | cured</code>",
        "A value is named if its count with noise",
        "The intervals of the first table",
        "release.json",
        "readings.csv",
        "What is promised",
        "How to read it",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains("id=\"ask\""), "its readings are fixed: {page}");
    for file in ["release.json", "readings.csv", "release.svg", "sheet.html", "sheet.md"] {
        assert!(client.get(&format!("{address}/{file}")).starts_with("HTTP/1.1 200"), "{file}");
    }
    let sheet = client.get(&format!("{address}/sheet.html"));
    assert!(sheet.contains("posterity verify found.json"), "{sheet}");
    let id = address.rsplit('/').next().unwrap();
    let asked = |field| client.submit("/reading", &[("of", "reading"), ("id", id), field]);
    assert!(asked(("read", "cured")).contains("read in one way only"));
}

/// If this fails, readers of a release see where the data is.
#[test]
fn a_release_holds_the_name_of_its_file_alone() {
    let folder = Folder::new("OUTSIDE");
    std::fs::create_dir(folder.data().join("more")).unwrap();
    std::fs::copy(folder.data().join("people.csv"), folder.data().join("more/people.csv")).unwrap();
    let schema = r#"{"fields": [{"name": "cured", "constraints": {"enum": ["yes", "no"]}}]}"#;
    std::fs::write(folder.data().join("people.schema.json"), schema).unwrap();
    let client = Client::start(Some(folder.data()), None);
    let named = [&[("file", "more/people.csv")], &RELEASE[1..4]].concat();
    let tables = [("file", "people.csv"), ("sets", "1"), ("epsilon", "1"), ("delta", "1e-9")];
    let where_it_is = folder.data().to_string_lossy().into_owned();
    for (section, asked, name) in
        [("release", &named, "more/people.csv"), ("margins", &tables.to_vec(), "people.csv")]
    {
        let result = client.confirm(&client.draft(&format!("/{section}/check"), asked));
        client.settled(&result);
        let file = |file: &str| client.get(&format!("{result}/{file}"));
        let document: serde_json::Value = serde_json::from_str(body(&file("release.json"))).unwrap();
        assert_eq!(document["request"]["data"]["source"], name);
        for name in ["release.json", "readings.csv", "release.csv", "release.svg", "sheet.html", "sheet.md"] {
            assert!(!file(name).contains(&where_it_is), "{section}: {name}");
        }
    }
}

/// If this fails, a mistake that needs no data is told after the button only.
#[test]
fn a_filter_that_is_no_condition_is_refused_at_once() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let answer = client.submit("/release/check", &[&RELEASE[..], &[("where", "age >")]].concat());
    assert!(answer.contains("The filter &quot;age &gt;&quot; is no condition"), "{answer}");
}
