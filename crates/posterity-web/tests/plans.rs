//! Forms make plans: every field is asked for, what is wrong is said at its input, and no button does anything else than its
//! page says.

#![allow(missing_docs, clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod client;

use client::{Client, Folder, RELEASE, STUDY, location, promised};
use posterity::Table;
use posterity::discovery::Discovered;
use posterity::document::Kind;
use posterity::ledger::{Adjacency, Ledger, NewAccount, now_utc};
use posterity::margins::Margins;
use posterity::plan::{FIELDS, Field, Place};
use posterity::signing::SecretKey;
use posterity_study::read_node;
use posterity_web::Options;

/// A survey with a schema, and accounts that pay with a delta.
fn survey() -> Folder {
    let folder = Folder::new("OUTSIDE");
    let people: String = (0..600)
        .map(|n| format!("{},{},{},{}\n", ["A", "B", "C"][n % 3], ["yes", "no"][n % 2], 20 + n % 60, n / 2))
        .collect();
    std::fs::write(folder.data().join("stays.csv"), format!("ward,cured,age,id\n{people}")).unwrap();
    let schema = r#"{"fields": [{"name": "ward", "constraints": {"enum": ["A", "B", "C"]}},
        {"name": "cured", "constraints": {"enum": ["yes", "no"]}}]}"#;
    std::fs::write(folder.data().join("stays.schema.json"), schema).unwrap();
    folder
}

/// What is typed into inputs, by their names.
type Inputs = &'static [(&'static str, &'static str)];

/// The forms with what each needs at least.
const FORMS: [(&str, &str, Inputs); 3] = [
    (
        Table::NAME,
        "/release",
        &[("file", "stays.csv"), ("column0", "ward"), ("categories0", "A, B, C"), ("epsilon", "1")],
    ),
    (Margins::NAME, "/margins", &[("file", "stays.csv"), ("sets", "1"), ("epsilon", "1"), ("delta", "1e-9")]),
    (
        Discovered::NAME,
        "/discover",
        &[("file", "stays.csv"), ("column0", "ward"), ("unit", "id"), ("epsilon", "1"), ("delta", "1e-9")],
    ),
];

/// An input of a field: what is typed, what it says in the plan, what else must be typed, and a text that is wrong. None if
/// these pages do not ask for the field.
type Typed = (&'static str, &'static str, Inputs, &'static str);

/// A new field is added here, or the test below fails.
fn typed(field: &Field) -> Option<Typed> {
    Some(match field.name {
        // Words, which a release has not, records that are not in a file of the folder, and a rate, which has a page of its own.
        "title" | "description" | "name" | "share" | "shape" | "source" | "input-format" | "table"
        | "view" | "rate" => {
            return None;
        }
        "delimiter" => (";", "\";\"", &[], "ab"),
        "encoding" => ("utf-16", "utf-16", &[], "latin-9"),
        "edition" => ("spring", "spring", &[], ""),
        "where" => ("age > 30", "age > 30", &[], "age >"),
        "within" => ("age > 30", "age > 30", &[], "age >"),
        "unit" => ("id", "id", &[], ""),
        "per-unit" => ("first", "first", &[("unit", "id")], "often"),
        "adjacency" => ("add-remove", "add-remove", &[], "both"),
        "most" => ("1000", "1000", &[("adjacency", "add-remove")], "nobody"),
        "column" | "columns" | "categories" | "bins" | "aliases" | "labels" | "ordered" | "whole" => {
            return None;
        }
        "sets" => ("ward, cured", "ward, cured", &[], "ward,"),
        "other" => ("elsewhere", "elsewhere", &[], ""),
        "missing" => ("unknown", "unknown", &[], ""),
        "epsilon" => ("0.5", "0.5", &[], "many"),
        "delta" => ("1e-7", "1e-7", &[], "2"),
        "allow-large-delta" | "simultaneous" => ("yes", "true", &[], ""),
        "one-record-per-person" => ("yes", "true", &[("unit", "")], ""),
        "total-epsilon" => ("0.25", "0.25", &[], "0"),
        "prior" => ("0.5", "0.5", &[], "0"),
        "prior-outside" => ("2", "2", &[("within", "age > 30")], "many"),
        "mechanism" => ("geometric", "geometric", &[], "magic"),
        "decode" => ("mean", "mean", &[], "nonsense"),
        "read" => ("ward", "ward", &[], "ward="),
        "compare" => ("ward: A - B", "ward: A - B", &[], "ward=A: B"),
        "level" => ("0.9", "0.9", &[], "2"),
        "interval-kind" => ("credible", "credible", &[], "normal"),
        "about" => ("records", "records", &[], "people"),
        other => unreachable!("the field {other} is new: say how it is typed"),
    })
}

/// The usual fields of a form with these in their place.
fn with<'a>(usual: &[(&'a str, &'a str)], more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = usual.iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
    kept.chain(more).copied().filter(|(_, value)| !value.is_empty()).collect()
}

/// The plan that the summary of a draft offers.
fn plan(client: &Client, draft: &str) -> String {
    let answer = client.get(&format!("{draft}/plan.toml"));
    assert!(answer.contains("content-disposition: attachment; filename=\"plan.toml\""), "{answer}");
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

/// If this fails, the pages lack a field, read it as something else, or do not say where it is wrong.
#[test]
fn the_pages_ask_for_every_field() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), None);
    for (kind, address, usual) in FORMS {
        let form = client.get(address);
        let check = format!("{address}/check");
        for field in FIELDS {
            let name = field.name;
            let Some((value, said, beside, wrong)) = typed(field) else { continue };
            let is_there = form.contains(&format!(" name=\"{name}\""));
            // Values are never learned where they are discovered, and n is always private there.
            assert_eq!(is_there, field.is_of(kind), "{kind}: {name}");
            if !is_there {
                continue;
            }
            let usual = with(usual, beside);
            let draft = client.draft(&check, &with(&usual, &[(name, value)]));
            let asked = plan(&client, &draft);
            let line = asked.lines().find(|line| line.starts_with(&format!("{name} = ")));
            assert!(line.is_some_and(|line| line.contains(said)), "{kind}: {name}: {asked}");
            let shown = client.get(&draft);
            assert!(shown.contains(&format!("--{name}")), "{kind}: {name}: {shown}");
            // What is not typed is not said, but where the form begins with a number.
            let without = client.submit(&check, &with(&usual, &[(name, "")]));
            if let Some(draft) = location(&without) {
                let asked = plan(&client, &draft);
                assert!(
                    !asked.lines().any(|line| line.starts_with(&format!("{name} = "))),
                    "{name}: {asked}"
                );
            } else {
                assert!(
                    ["epsilon", "delta", "sets", "unit", "one-record-per-person"].contains(&name),
                    "{kind}: {name}: {without}"
                );
                assert!(without.contains("role=\"alert\""), "{without}");
            }
            if wrong.is_empty() {
                continue;
            }
            let refused = client.submit(&check, &with(&usual, &[(name, wrong)]));
            assert!(refused.starts_with("HTTP/1.1 200"), "{kind}: {name}: {refused}");
            let alarm = refused.split("role=\"alert\">").nth(1).expect(name).split("</p>").next().unwrap();
            assert!(alarm.contains(&format!("href=\"#{name}\"")), "{kind}: {name}: {alarm}");
            assert!(refused.contains(&format!("id=\"{name}-wrong\"")), "{kind}: {name}: {refused}");
        }
    }
}

/// An input of a field of a column, as above; of the columns, the first one is asked about.
fn typed_of_column(field: &Field) -> Option<Typed> {
    let bins: Inputs = &[("column0", "age"), ("categories0", ""), ("bins0", "18, 40, 120")];
    Some(match field.name {
        "categories" => ("B, A, C", r#"["B", "A", "C"]"#, &[], "A"),
        "bins" => ("18, 40, 120", "bins = [18, 40, 120]", &[("column0", "age"), ("categories0", "")], "18"),
        "aliases" => ("A=a\r\nA=A ", r#"aliases = ["A=a", "A=A "]"#, &[], "A"),
        "labels" => ("A=Ward A", r#"labels = ["A=Ward A"]"#, &[], "A"),
        "ordered" => ("yes", "ordered = true", &[], ""),
        "whole" => ("yes", "whole = true", bins, ""),
        "other" => ("elsewhere", r#"other = "elsewhere""#, &[], ""),
        "missing" => ("unknown", r#"missing = "unknown""#, &[], ""),
        other => unreachable!("the field {other} of columns is new: say how it is typed"),
    })
}

/// If this fails, the pages lack a field of a column, read it as something else, or do not say where it is wrong.
#[test]
fn the_pages_ask_for_every_field_of_a_column() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), None);
    let (_, address, usual) = FORMS[0];
    let (form, check) = (client.get(address), format!("{address}/check"));
    for field in FIELDS.iter().filter(|field| field.places.contains(&Place::Column)) {
        let input = format!("{}0", field.name);
        let (value, said, beside, wrong) = typed_of_column(field).expect("typed");
        assert!(form.contains(&format!(" name=\"{input}\"")), "{input}");
        let usual = with(usual, beside);
        let asked = plan(&client, &client.draft(&check, &with(&usual, &[(&input, value)])));
        assert!(asked.contains(said), "{input}: {asked}");
        // What is not typed is not said; what a column may hold is always said.
        let without = client.submit(&check, &with(&usual, &[(&input, "")]));
        match location(&without) {
            Some(draft) => assert!(!plan(&client, &draft).contains(said), "{input}"),
            None => assert!(["categories", "bins"].contains(&field.name), "{input}: {without}"),
        }
        if wrong.is_empty() {
            continue;
        }
        let refused = client.submit(&check, &with(&usual, &[(&input, wrong)]));
        assert!(refused.contains(&format!("id=\"{input}-wrong\"")), "{input}: {refused}");
    }
}

/// What is wrong with a column is said at its own inputs, which are open.
#[test]
fn what_is_wrong_with_a_column_is_said_at_that_column() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), None);
    let usual = [
        ("file", "stays.csv"),
        ("column0", "cured"),
        ("categories0", "yes, no"),
        ("column2", "age"),
        ("bins2", "18, 40, 120"),
        ("epsilon", "1"),
    ];
    assert!(location(&client.submit("/release/check", &usual)).is_some());
    for (more, input) in [
        (("bins2", "18, x"), "bins2"),
        (("bins2", "18"), "bins2"),
        (("categories2", "a, b"), "categories2"),
        (("column1", "height"), "categories1"),
    ] {
        let page = client.submit("/release/check", &with(&usual, &[more]));
        assert!(page.contains(&format!("href=\"#{input}\"")), "{more:?}: {page}");
        assert!(page.contains(&format!("id=\"{input}-wrong\"")), "{more:?}: {page}");
    }
}

/// Rules by which a person counts, two of which have more in an input of their own.
#[test]
fn a_person_counts_by_the_rule_that_was_chosen() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), None);
    let usual = with(FORMS[0].2, &[("unit", "id"), ("adjacency", "add-remove")]);
    for (fields, rule) in [
        (&[("per-unit", "mode")][..], "per-unit = \"mode\""),
        (&[("per-unit", "latest"), ("latest", "age")], "per-unit = \"latest age\""),
        (&[("per-unit", "all"), ("records", "3")], "per-unit = \"all 3\""),
    ] {
        let draft = client.draft("/release/check", &with(&usual, fields));
        assert!(plan(&client, &draft).contains(rule), "{rule}");
    }
    for (rule, input) in [("latest", "latest"), ("all", "records")] {
        let page = client.submit("/release/check", &with(&usual, &[("per-unit", rule)]));
        assert!(page.contains(&format!("href=\"#{input}\"")), "{page}");
    }
}

/// Categories that nobody declared, from the form to the budget.
#[test]
fn values_are_discovered() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let wide =
        [("name", "wide"), ("epsilon", "4"), ("delta", "1e-6"), ("unit", "id"), ("adjacency", "add-remove")];
    let created = client.submit("/budget/create", &[&wide[..], &[("adds_up", "yes")]].concat());
    assert!(created.starts_with("HTTP/1.1 303"), "{created}");
    assert!(client.get("/release").contains("href=\"/discover\""));
    let draft =
        client.draft("/discover/check", &with(FORMS[2].2, &[("account", "wide"), ("total-epsilon", "0.5")]));
    let page = client.get(&draft);
    assert!(page.contains("<dd>ward</dd>") && page.contains("Yes, charge and release"), "{page}");
    assert!(page.contains("1.5"), "the total is paid for: {page}");
    let page = client.settled(&client.confirm(&draft));
    assert!(page.contains("Charged epsilon 1.5 and delta"), "{page}");
    for ward in ["A", "B", "C"] {
        assert!(page.contains(&format!(">{ward}</")), "{ward}: {page}");
    }
    // The same again is recalled, and somebody who is not in that account's words is refused.
    let again = client.settled(&client.confirm(
        &client.draft("/discover/check", &with(FORMS[2].2, &[("account", "wide"), ("total-epsilon", "0.5")])),
    ));
    assert!(again.contains("nothing was charged"), "{again}");
    let other = client.get(&client.draft("/discover/check", &with(FORMS[2].2, &[("account", "survey")])));
    assert!(!other.contains("id=\"confirm\""), "{other}");
}

/// If this fails, what is carried out elsewhere is not what the page asked, or a plan of another opens as something else.
#[test]
fn a_plan_is_pasted_and_opens_as_a_study() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let usual = with(FORMS[0].2, &[("account", "survey"), ("epsilon", "0.25"), ("read", "ward=A")]);
    let draft = client.draft("/release/check", &usual);
    let text = plan(&client, &draft);
    assert!(client.get(&draft).contains("The same as a plan"));
    let released = client.settled(&client.confirm(&draft));
    assert!(released.contains("Charged epsilon 0.25"), "{released}");
    // The same plan is the same question, in TOML and in JSON.
    let in_json = read_node(&text).unwrap().to_json();
    for text in [&text, &in_json] {
        let study = client.draft("/study/check", &[("text", text), ("account", "survey")]);
        let page = client.get(&study);
        assert!(page.contains("Nothing. The ledger holds the answers to this plan"), "{page}");
    }
    for (text, why) in [
        (text.replace("stays.csv", "../secret.csv"), "no file of the folder"),
        (in_json.replace("stays.csv", "../secret.csv"), "no file of the folder"),
        (text.replace("epsilon", "epsilom"), "there is no key"),
        ("nonsense".to_owned(), "this is not TOML"),
    ] {
        let page = client.submit("/study/check", &[("text", &text), ("account", "survey")]);
        assert!(page.starts_with("HTTP/1.1 200") && page.contains(why), "{page}");
        assert!(page.contains("</textarea>") && !page.contains("OUTSIDE"), "what was pasted stays: {page}");
    }
}

/// If this fails, a button buys another release than the page of the plan showed.
#[test]
fn a_plan_leads_to_the_release_that_it_shows() {
    let client = Client::start(None, None);
    let address = "/plan?n=300&k=2&e=0.5&prior=0.25&adjacency=replace";
    // The prior is part of what was forecast.
    assert_eq!(client.press(address, "use"), "/release?epsilon=0.5&adjacency=replace&prior=0.25");
    let page = client.get(address);
    let seen =
        page.split("name=\"use\" value=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    let seen: String = seen.bytes().map(|byte| format!("%{byte:02x}")).collect();
    for (field, other, said) in [
        ("e=0.5", "e=0.75", "Epsilon was 0.5, and is 0.75 now."),
        ("n=300", "n=90", "The number of people was 300, and is 90 now."),
        ("k=2", "k=3", "The categories was 2, and is 3 now."),
        ("prior=0.25", "prior=1", "The prior was 0.25, and is 1 now."),
        ("prior=0.25&adjacency=replace", "adjacency=add-remove", "was replace, and is add-remove now."),
    ] {
        let answer = client.get(&format!("{}&use={seen}", address.replace(field, other)));
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("Nothing was done"), "{answer}");
        assert!(answer.contains(said), "{said}: {answer}");
    }
}

/// If this fails, shares that were typed and not yet shown are dropped without a word, and another plan is carried out.
#[test]
fn a_study_that_was_edited_is_shown_before_its_summary() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let question = "kind=share&file=stays.csv&column0=ward&categories0=A,B,C";
    let made = form(&[("epsilon", "0.5"), ("n", "600"), ("q0", question)]);
    let page = client.get(&format!("/study/make?{made}"));
    let shown =
        page.split("name=\"made\" value=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    let press = |fields: &[(&'static str, &'static str)]| {
        let usual = [
            ("made", shown.as_str()),
            ("account", "survey"),
            ("q0", question),
            ("n", "600"),
            ("go", "summary"),
        ];
        client.submit("/study/make", &with(&with(&usual, &[("epsilon", "0.5")]), fields))
    };
    let answer = press(&[("epsilon", "0.75"), ("s0", "3")]);
    assert!(answer.contains("Nothing was done"), "{answer}");
    assert!(answer.contains("Epsilon was 0.5, and is 0.75 now."), "{answer}");
    assert!(answer.contains("The share of question 1 was empty, and is 3 now."), "{answer}");
    assert!(answer.contains("epsilon = 0.75"), "the plan as it is now: {answer}");
    let answer = press(&[]);
    let draft = location(&answer).unwrap_or_else(|| unreachable!("{answer}"));
    assert!(client.get(&draft).contains("0.5 will be left of 1."));
    // The other button shows what was typed.
    let look = press(&[("epsilon", "0.75"), ("go", "")]);
    assert!(location(&look).unwrap().contains("epsilon=0.75"), "{look}");
}

fn form(fields: &[(&str, &str)]) -> String {
    let encoded = |value: &str| value.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&")
}

/// If this fails, somebody confirms a page and gets the release of another one, or pays another price.
#[test]
fn a_button_buys_what_its_page_promised() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let private = with(&RELEASE, &[("adjacency", "add-remove")]);
    for (section, one, other) in [
        ("/release", with(&RELEASE, &[]), private.clone()),
        ("/study", STUDY.to_vec(), vec![("account", "survey"), ("text", OTHER)]),
    ] {
        let check = format!("{section}/check");
        let [one, other] = [client.draft(&check, &one), client.draft(&check, &other)];
        let id = one.rsplit('/').next().unwrap();
        let [mine, others] = [promised(&client.get(&one)), promised(&client.get(&other))];
        assert_ne!(mine[0], others[0]);
        for wrong in [&others, &[String::new(), String::new()]] {
            let answer = client.submit_confirmation(section, id, wrong);
            assert!(answer.contains("This asks for something else than the page did."), "{answer}");
            assert!(answer.contains("id=\"confirm\""), "it can be confirmed as it is: {answer}");
        }
    }
    assert_eq!(folder.account().charges, 0);
    // Another ledger in the place of the old one, where a release with a private n costs twice as much.
    let account = |adjacency| {
        std::fs::remove_file(folder.ledger()).unwrap();
        let survey =
            NewAccount::new("survey", "1".parse().unwrap(), "0".parse().unwrap()).adjacency(adjacency);
        Ledger::create(folder.ledger()).unwrap().open_account(&survey, &now_utc()).unwrap();
    };
    account(Adjacency::AddRemove);
    let draft = client.draft("/release/check", &private);
    let before = promised(&client.get(&draft));
    account(Adjacency::Replace);
    let answer = client.submit_confirmation("/release", draft.rsplit('/').next().unwrap(), &before);
    assert!(
        answer.contains("It costs epsilon 0.2 of survey, where the page said epsilon 0.1 of survey."),
        "{answer}"
    );
    assert_eq!(folder.account().charges, 0);
    assert!(client.settled(&client.confirm(&draft)).contains("Charged epsilon 0.2"), "as the page says now");
}

/// A plan of another epsilon.
const OTHER: &str = "source = 'people.csv'\nepsilon = 0.25\ncolumns = { cured = ['yes', 'no'] }\n[[question]]\ncolumns = ['cured']\n";

/// What is charged is signed, if the server has a key.
#[test]
fn what_is_charged_is_signed() {
    let folder = survey();
    let (secret, file) = (SecretKey::generate().unwrap(), folder.data().join("../office.secret"));
    std::fs::write(&file, secret.to_text()).unwrap();
    let public = secret.public_key().to_string();
    let public = public.rsplit(' ').next().unwrap();
    let options = Options {
        data: Some(folder.data()),
        ledger: Some(folder.ledger()),
        sign: Some(file.clone()),
        ..Options::default()
    };
    let mut client = Client::of(&options);
    client.open();
    let draft = client.draft("/release/check", &RELEASE);
    assert!(client.get(&draft).contains("--sign "), "the command signs too");
    let result = client.confirm(&draft);
    client.settled(&result);
    let document = client.get(&format!("{result}/release.json"));
    assert!(document.contains(public), "{document}");
    let study = client.confirm(&client.draft("/study/check", &STUDY));
    client.settled(&study);
    assert!(client.get(&format!("{study}/study.json")).contains(public));
    // A file that is no key is refused at the start, and what it holds is not told.
    std::fs::write(&file, "SECRET-TEXT").unwrap();
    let refused = posterity_web::Server::bind(&options).err().map(|error| error.to_string()).unwrap();
    assert!(refused.starts_with("--sign: ") && !refused.contains("SECRET-TEXT"), "{refused}");
}

/// If this fails, the page on which a question is asked says something else than the plan and the release do, or something that
/// only the data can know.
#[test]
fn what_will_come_stands_beside_the_question() {
    let folder = survey();
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    let asked = "/ask?kind=rate&file=stays.csv&column0=ward&categories0=A,B,C&column1=cured&categories1=yes,no&column2=age&bins2=18,40,120\
                 &value=yes&n=6000";
    let beside = |more: &str| {
        let page = client.settled(&format!("{asked}{more}"));
        page.split("data-part=\"outlook\"").nth(1).unwrap().split("</aside>").next().unwrap().to_owned()
    };
    let told = beside("&e=0.5");
    for part in [
        "What is the share of yes in cured within each ward and age?",
        "<td class=\"group\">A</td><td class=\"group\">[18,40)</td><td>50.0 %</td>",
        "<td class=\"group\">C</td><td class=\"group\">[40,120)</td>",
        "<dd>ε = 0.5</dd>",
        "<dt>Account survey</dt><dd>Pays ε = 0.5. 0.5 will be left of 1.</dd>",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    // The plan, the release and the answer are those of this reading.
    let plan = location(&client.get(&format!("{asked}&e=0.5&go=plan"))).unwrap();
    let page = client.settled(&plan);
    let width = page.split("id=\"width-private\">").nth(1).unwrap().split('<').next().unwrap();
    assert!(told.contains(&format!("± {width} points")), "{width}: {told}");
    assert!(page.contains("<code>cured=yes | ward, age</code>"), "{page}");
    let form = client.press(&plan, "use");
    let typed: Vec<(String, String)> =
        form_urlencoded::parse(form.split_once('?').unwrap().1.as_bytes()).into_owned().collect();
    let mut typed: Vec<(&str, &str)> =
        typed.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    typed.push(("account", "survey"));
    let answer = client.settled(&client.confirm(&client.draft("/release/check", &typed)));
    assert!(answer.contains("<code>cured=yes | ward, age</code>"), "{answer}");
    assert!(answer.contains("Charged epsilon 0.5"), "{answer}");
    // For an error to bear it is the least epsilon, of the whole reading and not of its cells.
    let searched = beside("&w=15");
    let plan = client.settled(&location(&client.get(&format!("{asked}&w=15&go=plan"))).unwrap());
    let epsilon = plan.split("id=\"epsilon-now\">").nth(1).unwrap().split('<').next().unwrap();
    assert!(
        searched.contains(&format!("<dd>ε = {epsilon}</dd>")) || searched.contains("Searching"),
        "{searched}"
    );
    // What the file holds changes nothing, and an unfinished question has no example.
    let before = beside("&e=0.25");
    std::fs::write(folder.data().join("stays.csv"), "ward,cured,age,id\n").unwrap();
    assert_eq!(beside("&e=0.25"), before);
    let unfinished = client.get("/ask?kind=rate&file=stays.csv&column0=ward");
    assert!(
        unfinished.contains("as soon as the question is complete") && !unfinished.contains("made up"),
        "{unfinished}"
    );
}
