//! *Look at the file*: what it shows to the steward, and the schema that it writes.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod client;

use client::{Client, Folder};

const STAYS: &str =
    "patient;ward;cured\n1;Surgery;yes\n1;Geriatrics ;no\n2;Geriatrics;yes\n3;surgery;\n4;Hospice;no\n";

fn looked(client: &Client, more: &[(&str, &str)]) -> String {
    client.submit("/look", &[&[("file", "stays.csv"), ("unit", "patient")], more].concat())
}

/// If this fails, the pages show data that nobody asked for, or do not say that it is data.
#[test]
fn values_are_shown_of_declared_columns_only() {
    let folder = Folder::new("outside");
    std::fs::write(folder.data().join("stays.csv"), STAYS).unwrap();
    let client = Client::start(Some(folder.data()), None);
    // Before the button is pressed nothing is read.
    let page = client.get("/look?file=stays.csv");
    assert!(page.contains("Look at the file") && !page.contains("Geriatrics"), "{page}");
    let page = looked(&client, &[("go", "look")]);
    for said in
        ["NOT PRIVATE", "separated by a semicolon", "name=\"name1\" value=\"ward\"", "have several records"]
    {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(!page.contains("Geriatrics"), "{page}");
    let declared = [("name1", "ward"), ("categories1", "Surgery, Geriatrics")];
    let page = looked(&client, &[&declared[..], &[("go", "look")]].concat());
    for said in
        ["\"Geriatrics \"", "would be refused", "counts as \"Surgery\"", "was known before anyone looked"]
    {
        assert!(page.replace("&quot;", "\"").contains(said), "{said}: {page}");
    }
    let page = looked(&client, &[&declared[..], &[("go", "look"), ("adjacency", "add-remove")]].concat());
    assert!(page.contains("would be left out") && !page.contains("would be refused"), "{page}");
}

/// If this fails, a schema is written that nobody asked for, or that takes another spelling than was ticked.
#[test]
fn a_schema_has_what_was_ticked() {
    let folder = Folder::new("outside");
    std::fs::write(folder.data().join("stays.csv"), STAYS).unwrap();
    let client = Client::start(Some(folder.data()), None);
    let schema = folder.data().join("stays.schema.json");
    let declared = [
        ("name1", "ward"),
        ("categories1", "Surgery, Geriatrics"),
        ("name2", "cured"),
        ("categories2", "yes, no"),
    ];
    let ticked = [
        ("missing2", "unknown"),
        ("alias-ward-0", "[\"ward\",\"Geriatrics\",\"Geriatrics \"]"),
        ("known-ward-1", "[\"ward\",\"Hospice\"]"),
    ];
    let page = looked(&client, &[&declared[..], &ticked, &[("go", "look")]].concat());
    assert!(!schema.exists() && !page.contains("Wrote"), "{page}");
    let page = looked(&client, &[&declared[..], &ticked, &[("go", "write")]].concat());
    assert!(page.contains("Wrote stays.schema.json") && page.contains("/ask?kind=rate"), "{page}");
    let written = std::fs::read_to_string(&schema).unwrap();
    let fields: serde_json::Value = serde_json::from_str(&written).unwrap();
    let ward = &fields["fields"][1];
    assert_eq!(ward["constraints"]["enum"], serde_json::json!(["Surgery", "Geriatrics", "Hospice"]));
    assert_eq!(ward["aliases"], serde_json::json!({"Geriatrics": ["Geriatrics "]}), "nobody ticked surgery");
    assert_eq!(fields["fields"][2]["missing"], "unknown");
    // The schema is read from now on, and is replaced only if that is ticked.
    let page = looked(&client, &[("go", "look")]);
    assert!(page.replace("&quot;", "\"").contains("perhaps") || page.contains("counts as"), "{page}");
    let page = looked(&client, &[("go", "write")]);
    assert!(page.contains("stays.schema.json exists"), "{page}");
    let page = looked(&client, &[("go", "write"), ("replace", "yes")]);
    assert!(page.contains("Wrote stays.schema.json"), "{page}");
    // A form from elsewhere has no token.
    assert!(client.post("/look", "file=stays.csv&go=write&replace=yes", &client.origin()).contains("403"));
}
