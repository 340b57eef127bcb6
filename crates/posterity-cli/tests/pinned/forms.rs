//! The questions of the fixture, asked in the forms of the pages: what is asked there is what the command asks.

use posterity::hexadecimal::hex;
use posterity::ledger::Ledger;
use posterity::plan::{Node, Value};
use posterity_study::read_node;
use sha2::{Digest, Sha256};

use crate::pages::client::Client;
use crate::plans::{FIXTURE, letters};
use crate::{Desk, lasting};

/// A question of the fixture.
struct Question {
    name: String,
    command: String,
    digest: String,
    plan: Node,
}

type Fields = Vec<(String, String)>;

/// The questions that pages answer: they have no mechanism that promises nothing.
fn questions() -> Vec<Question> {
    let text = std::fs::read_to_string(format!("{FIXTURE}/plans.json")).expect("the fixture");
    let all = format!("{{\"all\": {text}}}").parse::<Node>().expect("JSON");
    let is_private = |one: &&Node| one.get("not_private") == Some(&Node::from(false));
    let question = |one: &Node| {
        let told = |key: &str| written(one.get(key).expect(key));
        let plan = one.get("plan").expect("a plan").clone();
        Question { name: told("name"), command: told("command"), digest: told("digest"), plan }
    };
    items(all.get("all").expect("a list")).iter().filter(is_private).map(question).collect()
}

fn items(node: &Node) -> Vec<Node> {
    match node.value() {
        Value::List(items) => items.clone(),
        _ => vec![node.clone()],
    }
}

fn entries(node: &Node) -> Vec<(String, Node)> {
    match node.value() {
        Value::Table(entries) => entries.clone(),
        _ => Vec::new(),
    }
}

/// A value as somebody types it.
fn written(node: &Node) -> String {
    match node.value() {
        Value::Text(text) | Value::Number(text) => text.clone(),
        Value::Truth(true) => "yes".to_owned(),
        Value::Truth(false) => String::new(),
        Value::List(items) => items.iter().map(written).collect::<Vec<_>>().join(", "),
        other => unreachable!("{other:?}"),
    }
}

impl Question {
    /// What somebody types into the form. The values of many columns are those of a schema, which is written to the desk.
    fn fields(&self, desk: &Desk) -> Fields {
        let asked = ["question", "margins", "discover"].iter().find_map(|key| self.plan.get(key));
        let asked = items(asked.expect("a question")).remove(0);
        let mut fields = Fields::new();
        let mut type_in = |name: &str, text: String| fields.push((name.to_owned(), text));
        let named: Vec<String> = asked
            .get("columns")
            .or(asked.get("column"))
            .map_or(Vec::new(), |names| items(names).iter().map(written).collect());
        let is_wide = self.command == "margins";
        if is_wide {
            type_in("columns", named.join(", "));
            type_in("schema", self.schema(desk));
        }
        let columns = self.plan.get("columns");
        for (place, name) in named.iter().enumerate() {
            let declared = columns.and_then(|columns| columns.get(name)).cloned();
            let mut own = match declared.as_ref().map(|node| (node, entries(node))) {
                Some((node, own)) if own.is_empty() => vec![("categories".to_owned(), node.clone())],
                Some((_, own)) => own,
                None => Vec::new(),
            };
            own.retain(|(key, _)| !is_wide || !["categories", "bins"].contains(&key.as_str()));
            if !is_wide || !own.is_empty() {
                type_in(&format!("column{place}"), name.clone());
            }
            for (key, node) in own {
                let lines = ["aliases", "labels"].contains(&key.as_str());
                let text = match node.value() {
                    Value::List(items) if lines => items.iter().map(written).collect::<Vec<_>>().join("\n"),
                    _ => written(&node),
                };
                type_in(&format!("{key}{place}"), text);
            }
        }
        for (key, node) in entries(&self.plan).into_iter().chain(entries(&asked)) {
            match (key.as_str(), written_rule(&node)) {
                ("columns" | "column" | "question" | "margins" | "discover", _) => {}
                ("source", _) => type_in("file", written(&node)),
                ("read" | "compare", _) => {
                    type_in(&key, items(&node).iter().map(written).collect::<Vec<_>>().join("\n"));
                }
                ("per-unit", Some((rule, beside, of))) => {
                    type_in("per-unit", rule);
                    type_in(beside, of);
                }
                _ => type_in(&key, written(&node)),
            }
        }
        fields
    }

    /// A schema that declares the columns of the plan.
    fn schema(&self, desk: &Desk) -> String {
        let fields = entries(self.plan.get("columns").expect("columns")).into_iter().map(|(name, node)| {
            let declared = match (node.get("bins"), node.get("categories")) {
                (Some(bins), _) => ("bins", bins.to_json()),
                (None, Some(list)) => ("categories", list.to_json()),
                (None, None) => ("categories", node.to_json()),
            };
            format!("{{\"name\": {:?}, {:?}: {}}}", name, declared.0, declared.1)
        });
        let fields: Vec<String> = fields.collect();
        desk.write("wide.schema.json", &format!("{{\"fields\": [{}]}}", fields.join(", ")));
        "wide.schema.json".to_owned()
    }
}

/// A rule that has more in an input of its own.
fn written_rule(node: &Node) -> Option<(String, &'static str, String)> {
    let Value::Text(text) = node.value() else { return None };
    let (rule, of) = text.split_once(' ')?;
    let beside = [("latest", "latest"), ("all", "records")].into_iter().find(|(known, _)| *known == rule)?.1;
    Some((rule.to_owned(), beside, of.to_owned()))
}

fn draft(client: &Client, question: &Question, fields: &Fields) -> String {
    let fields: Vec<(&str, &str)> =
        fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    client.draft(&format!("/{}/check", question.command), &fields)
}

/// The body of an answer.
fn content(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").expect("a body").1
}

/// The command that a page offers.
fn command(page: &str, desk: &Desk) -> String {
    let line = page.split("id=\"line-command\" tabindex=\"0\"><code>").nth(1).expect("a command");
    let line = line.split("</code>").next().expect("its end");
    let line = line.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    let line = line.strip_prefix("posterity ").expect("our command");
    line.replace(&format!("{}/", desk.path().display()), "")
}

/// If this fails, a form asks for something else than its summary offers as a plan and as a command, or than the other fronts
/// ask: the documents differ in a letter.
#[test]
fn what_a_form_asks_is_what_every_front_asks() {
    let desk = Desk::new();
    let client = Client::start(Some(desk.path().to_owned()), None);
    let mut compared = 0;
    for question in questions() {
        let address = draft(&client, &question, &question.fields(&desk));
        let page = client.get(&address);
        desk.write("plan.toml", content(&client.get(&format!("{address}/plan.toml"))));
        let line = command(&page, &desk);
        assert!(!line.contains("--plan"), "flags say all of it: {line}");
        for line in [format!("{} --plan plan.toml", question.command), line] {
            let printed = desk.done(&format!("{line} --seed 7 --format json")).stdout;
            let digest = hex(&Sha256::digest(letters(&printed).as_bytes()));
            assert_eq!(digest, question.digest, "{}: {line}", question.name);
        }
        compared += 1;
    }
    assert!(compared >= 40, "{compared}");
}

/// If this fails, a question that was paid for at one front is paid for again in the pages.
#[test]
fn what_a_form_is_charged_for_is_what_the_command_is_charged_for() {
    let desk = Desk::new();
    for question in questions().iter().step_by(4) {
        let _ = std::fs::remove_file(desk.path().join("study.ledger"));
        let node = read_node(&question.plan.to_string()).expect("a plan");
        let said =
            |key: &str| node.get(key).map(|value| format!("--{key} {}", written(value))).unwrap_or_default();
        let adjacency = if question.command == "discover" {
            "--adjacency add-remove".to_owned()
        } else {
            said("adjacency")
        };
        let unit = said("unit");
        // A discovery is paid by an account whose charges add up.
        let adds_up = if question.command == "discover" { "--adds-up" } else { "" };
        desk.done(&format!(
            "budget create study.ledger --account office --epsilon 90 --delta 1e-6 {unit} {adjacency} {adds_up}"
        ));
        let client = Client::start(Some(desk.path().to_owned()), Some(desk.path().join("study.ledger")));
        let mut fields = question.fields(&desk);
        fields.push(("account".to_owned(), "office".to_owned()));
        let address = draft(&client, question, &fields);
        let line = command(&client.get(&address), &desk);
        let page = client.settled(&client.confirm(&address));
        assert!(page.contains("Charged "), "{}: {page}", question.name);
        let said = desk.done(&line);
        assert!(said.stderr.contains("nothing was charged"), "{}: {line}: {}", question.name, said.stderr);
        let ledger = Ledger::open(desk.path().join("study.ledger")).expect("a ledger");
        let history = ledger.history("office").expect("an account");
        assert_eq!(history.len(), 1, "{}: {}", question.name, lasting(&format!("{history:?}")));
    }
}
