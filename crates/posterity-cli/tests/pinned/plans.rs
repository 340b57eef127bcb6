//! What is asked by flags, by a plan in TOML, by one in JSON and by a study is one thing.

#[cfg(feature = "web")]
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use posterity::Table;
use posterity::discovery::Discovered;
use posterity::document::Kind;
use posterity::hexadecimal::hex;
use posterity::margins::Margins;
use posterity::plan::{Asking, FIELDS, Field, Form, Layer, Node, Place, Value};
use posterity_study::{PlanFile, read_node};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::documents::{ALL, line};
use crate::{Desk, words};

/// The same questions for all fronts: what `plans/README.md` describes.
pub(crate) const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pinned/plans");

/// The files that these questions are about.
const FILES: [&str; 4] = ["stays.csv", "unknown.csv", "stays.ndjson", "stays.schema.json"];

/// The text of a document, as fronts compare it: without the blanks at its end and the number of the version.
pub(crate) fn letters(document: &str) -> String {
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    assert!(document.contains(version), "{document}");
    document.trim_end().replacen(version, "\"version\": \"\"", 1)
}

/// Compares a file of the fixture with what it should be, or writes it if `POSTERITY_UPDATE` is set.
fn fixed(name: &str, text: &str) {
    let path = format!("{FIXTURE}/{name}");
    if std::env::var_os("POSTERITY_UPDATE").is_some() {
        fs::write(&path, text).expect("written");
    }
    let known = fs::read_to_string(&path).expect("a file of the fixture");
    assert_eq!(known, text, "{name} has changed; if that is meant, run this test with POSTERITY_UPDATE=1");
}

/// If this fails, a front reads a plan in another way than the others do, or the fixture that Python, R and the pages read is
/// not what the command says.
#[test]
fn flags_plans_and_studies_give_the_same_document() {
    let desk = Desk::new();
    for file in FILES {
        fixed(file, &fs::read_to_string(desk.path().join(file)).expect("a file"));
    }
    let of_files = ALL.iter().copied().flatten().filter(|(_, question, _)| !question.contains("--counts"));
    let mut compared = 0;
    let mut entries = Vec::new();
    for (index, asked) in of_files.enumerate() {
        let line = line(*asked);
        let question = line.trim_end_matches(" --seed 7 --format json").replace(" --not-private", "");
        let printed = desk.done(&line).stdout;
        let document: Json = serde_json::from_str(&printed).expect("a document");
        let in_json = desk.done(&format!("plan {question} --spelling json")).stdout;
        let digest = hex(&Sha256::digest(letters(&printed).as_bytes()));
        entries.push(entry(asked.0, &question, &in_json, &digest, line.contains("--not-private")));
        let spelling = ["toml", "json"][index % 2];
        let plan = format!("asked.{spelling}");
        desk.write(&plan, &desk.done(&format!("plan {question} --spelling {spelling}")).stdout);
        let command = line.split(' ').next().expect("a command");
        let more = if line.contains("--not-private") { " --not-private" } else { "" };
        let again = desk.done(&format!("{command} --plan {plan} --seed 7 --format json{more}"));
        assert_eq!(serde_json::from_str::<Json>(&again.stdout).expect("a document"), document, "{line}");
        // A study does not carry out what promises nothing, and it draws pictures, which takes longer.
        if index % 3 == 0 && more.is_empty() {
            desk.done(&format!("study {plan} --out results --seed 7 --again").replace(" --again", ""));
            let found = fs::read_dir(desk.path().join("results")).expect("results").filter_map(|entry| {
                let path = entry.expect("read").path();
                let is_answer =
                    path.extension().is_some_and(|end| end == "json") && !path.ends_with("study.json");
                is_answer.then(|| fs::read_to_string(path).expect("read"))
            });
            let answers: Vec<Json> = found.map(|text| serde_json::from_str(&text).expect("JSON")).collect();
            assert_eq!(answers, [document], "{line}");
        }
        compared += 1;
    }
    assert!(compared >= 40, "{compared}");
    fixed("plans.json", &format!("[\n{}\n]\n", entries.join(",\n")));
}

/// A line of the fixture. The plan stands there as it is printed, because its numbers keep their digits.
fn entry(name: &str, question: &str, plan: &str, digest: &str, not_private: bool) -> String {
    let mut arguments = words(question);
    let command = arguments.remove(0);
    let parts = [
        ("name", Json::from(name).to_string()),
        ("command", Json::from(command).to_string()),
        ("arguments", Json::from(arguments).to_string()),
        ("not_private", not_private.to_string()),
        ("seed", "7".to_owned()),
        ("plan", plan.trim_end().to_owned()),
        ("digest", Json::from(digest).to_string()),
    ];
    let parts = parts.map(|(key, value)| format!("{}: {value}", Json::from(key)));
    format!("{{{}}}", parts.join(", "))
}

/// A field as it is typed, with what else must be typed for it, and a text that is none.
struct Typed {
    value: &'static str,
    beside: &'static str,
    wrong: &'static str,
}

/// How each field is typed. A new field is added here, or the test below fails.
fn typed(field: &Field) -> Option<Typed> {
    let (value, beside) = match field.name {
        "input-format" => ("csv", ""),
        "table" => ("stays", ""),
        "view" => ("stays", "--unit id"),
        "delimiter" => (";", ""),
        "encoding" => ("utf-16", ""),
        "edition" => ("spring", ""),
        "where" | "within" => ("age > 30", ""),
        "unit" => ("id", ""),
        "per-unit" => ("random", "--unit id"),
        "adjacency" => ("add-remove", ""),
        "most" => ("1000", "--adjacency add-remove"),
        "sets" => ("1", ""),
        "epsilon" => ("0.5", ""),
        "delta" => ("1e-7", ""),
        "allow-large-delta" | "one-record-per-person" | "simultaneous" => ("", ""),
        "total-epsilon" => ("0.25", ""),
        "prior" => ("0.5", ""),
        "prior-outside" => ("2", "--within 'age > 30'"),
        "mechanism" => ("geometric", ""),
        "decode" => ("mean", ""),
        "rate" => ("ward", ""),
        "read" => ("ward", ""),
        "compare" => ("ward: A - B", ""),
        "test" => ("share: ward=A = 0.5", ""),
        "level" => ("0.9", ""),
        "interval-kind" => ("credible", ""),
        "about" => ("records", ""),
        _ => return None,
    };
    let wrong = match field.form {
        Form::Text | Form::Texts | Form::List => "",
        _ => "nonsense",
    };
    Some(Typed { value, beside, wrong })
}

/// If this fails, the command lacks a field, reads it as something else, or does not say that it is wrong.
#[test]
fn the_command_asks_for_every_field() {
    let desk = Desk::new();
    let columns = "stays.csv --column ward --categories A,B,C";
    let commands = [
        (Table::NAME, format!("release {columns}"), "--epsilon 1"),
        (Margins::NAME, format!("margins {columns}"), "--epsilon 1 --delta 1e-9 --sets 1"),
        (
            Discovered::NAME,
            "discover stays.csv --column ward".to_owned(),
            "--epsilon 1 --delta 1e-9 --unit id",
        ),
    ];
    // Flags that belong to a column or to the source, and words, which a single release has not.
    let by_hand = [
        "title",
        "description",
        "source",
        "name",
        "share",
        "shape",
        "column",
        "columns",
        "categories",
        "bins",
        "other",
        "missing",
    ];
    let of_flags = |field: &&Field| !by_hand.contains(&field.name) && field.places != [Place::Column];
    for field in FIELDS.iter().filter(of_flags) {
        let name = field.name;
        let Typed { value, beside, wrong } = typed(field).expect(name);
        for (kind, question, usual) in &commands {
            let beside = if field.is_of(kind) { beside } else { "" };
            let ask = |value: &str| {
                let given = if matches!(field.form, Form::Truth) {
                    format!("--{name}{}", if value.is_empty() { String::new() } else { format!("={value}") })
                } else {
                    format!("--{name} '{value}'")
                };
                let given = format!("{beside} {given}");
                // What is given replaces what is usual; one unit is enough, and no unit is needed beside one record.
                let kept = usual.split(" --").map(|flag| format!("--{}", flag.trim_start_matches("--")));
                let kept = kept.filter(|flag| {
                    let flag = flag.split(' ').next().unwrap_or_default().to_owned();
                    let names_people = name == "one-record-per-person" && flag == "--unit";
                    !given.contains(&flag) && !names_people
                });
                desk.run(&format!("plan {question} {} {given}", kept.collect::<Vec<_>>().join(" ")))
            };
            let said = ask(value);
            if !field.is_of(kind) {
                assert_eq!(said.code, 2, "{name}: {kind}");
                assert!(said.stderr.contains(&format!("--{name}")), "{name}: {kind}: {}", said.stderr);
                continue;
            }
            // Tables of many columns read credible intervals of some readings only, and choose no mechanism.
            assert_eq!(said.code, 0, "{name}: {kind}: {}", said.stderr);
            let shown = if value.is_empty() { "true" } else { value };
            let is_there = said
                .stdout
                .lines()
                .any(|line| line.starts_with(&format!("{name} = ")) && line.contains(shown));
            assert!(is_there, "{name}: {}", said.stdout);
            a_study_says(&said.stdout, name);
            let refused = ask(wrong);
            let told = if matches!(field.form, Form::Truth) && wrong.is_empty() { continue } else { refused };
            assert_eq!(told.code, 2, "{name}: {kind}: {}", told.stdout);
            assert!(told.stderr.contains(&format!("--{name}")), "{name}: {}", told.stderr);
        }
    }
    // What nobody asks for is not said.
    for (kind, question, usual) in &commands {
        let plan = desk.done(&format!("plan {question} {usual}")).stdout;
        let node = read_node(&plan).expect("a plan");
        let (Value::Table(root), Some(asking)) = (node.value(), Asking::of(kind)) else {
            unreachable!("{plan}")
        };
        let Some(Value::List(questions)) = node.get(asking.key).map(Node::value) else {
            unreachable!("{plan}")
        };
        let Value::Table(question) = questions[0].value() else { unreachable!("{plan}") };
        let expected = [asking.key, "source", "unit", "columns", "column", "sets", "epsilon", "delta"];
        let more = root.iter().chain(question).find(|(name, _)| !expected.contains(&name.as_str()));
        assert_eq!(more, None, "{kind}: {plan}");
    }
}

/// A study reads what the command prints, and says which field is wrong.
fn a_study_says(plan: &str, name: &str) {
    let folder = Path::new("");
    let read = PlanFile::parse(plan, folder).expect(name);
    let node = read_node(plan).expect("a plan");
    assert_eq!(read.plan().node(), &node, "{name}");
    // No field is a list of lists.
    let wrong = Node::list([Node::list([Node::text("x")])]);
    let key = Asking::all().map(|asking| asking.key).find(|key| node.get(key).is_some()).expect("a question");
    let mut changed = node.clone();
    if node.get(name).is_some() {
        changed.set(name, wrong);
    } else {
        let Some(Value::List(questions)) = node.get(key).map(Node::value) else { unreachable!("{plan}") };
        let mut question = questions[0].clone();
        question.set(name, wrong);
        changed.set(key, Node::list([question]));
    }
    let error = PlanFile::parse(&changed.to_json(), folder).expect_err(name);
    assert!(error.path().to_string().contains(name), "{name}: {error}");
}

/// What only a plan says: words, which a single release has not, and how large groups are expected to be.
#[test]
fn a_study_asks_for_every_word() {
    let plan = r#"{"source": "stays.csv", "epsilon": 1, "columns": {"ward": ["A", "B"]}, "title": "Stays",
        "description": "Of a year", "shape": {"ward": [2, 1]},
        "question": [{"columns": ["ward"], "name": "wards", "title": "Wards", "share": 2}]}"#;
    let words = FIELDS.iter().filter(|field| {
        field.layer == Layer::Words && field.outermost() != Some(Place::Column) || field.name == "share"
    });
    let words: Vec<&str> = words.map(|field| field.name).collect();
    assert_eq!(words, ["title", "description", "name", "share", "shape"]);
    for name in words {
        a_study_says(plan, name);
    }
}

/// Where a front says a field by an argument of its own.
#[cfg(feature = "web")]
struct Spelling {
    front: &'static str,
    /// What differs from the name of the field. Nothing stands for what only a plan says.
    differs: &'static [(&'static str, &'static str)],
    /// The argument of any other field.
    usual: fn(&str) -> String,
}

/// What only a plan says in calls of a single release, whatever the front.
#[cfg(feature = "web")]
const IN_A_PLAN: &str = "in a plan";

#[cfg(feature = "web")]
const SPELLINGS: [Spelling; 4] = [
    Spelling {
        front: "command",
        differs: &[
            ("source", "FILE"),
            ("columns", "--column"),
            ("column", "--column"),
            ("aliases", "--alias"),
            ("labels", "--label"),
            ("title", ""),
            ("description", ""),
            ("share", ""),
            ("shape", ""),
        ],
        usual: |name| format!("--{name}"),
    },
    Spelling {
        front: "pages",
        differs: &[
            ("source", "file"),
            ("column", "column0"),
            ("columns", "column0"),
            ("categories", "categories0"),
            ("bins", "bins0"),
            ("aliases", "aliases0"),
            ("labels", "labels0"),
            ("ordered", "ordered0"),
            ("whole", "whole0"),
            ("title", ""),
            ("description", ""),
            ("name", ""),
            ("share", ""),
            ("shape", ""),
            ("input-format", ""),
            ("table", ""),
            ("view", ""),
            // It is asked for by its columns.
            ("rate", "Within each"),
        ],
        usual: ToOwned::to_owned,
    },
    Spelling { front: "Python", differs: IN_CALLS, usual: |name| name.replace('-', "_") },
    Spelling { front: "R", differs: IN_CALLS, usual: |name| name.replace('-', "_") },
];

/// Arguments of Python and R: what else is declared of columns stands in a schema.
#[cfg(feature = "web")]
const IN_CALLS: &[(&str, &str)] = &[
    ("source", "data"),
    ("columns", "column"),
    ("aliases", "schema"),
    ("labels", "schema"),
    ("ordered", "schema"),
    ("whole", "schema"),
    ("title", ""),
    ("description", ""),
    ("share", ""),
    ("shape", ""),
];

#[cfg(feature = "web")]
impl Spelling {
    fn of(&self, name: &str) -> Option<String> {
        match self.differs.iter().find(|(known, _)| *known == name) {
            Some((_, "")) => None,
            Some((_, argument)) => Some((*argument).to_owned()),
            None => Some((self.usual)(name)),
        }
    }
}

/// What is no field of a plan, and how each front says it: which schema declares columns, who pays, and who signs.
#[cfg(feature = "web")]
const BESIDE: [(&str, [&str; 4]); 3] = [
    ("schema", ["--schema", "schema", "schema", "schema"]),
    ("account that pays", ["--account", "account", "budget", "account"]),
    ("key that signs", ["--sign", "posterity web --sign", "sign", "sign"]),
];

/// If this fails, a front lacks an argument that the table in the documentation says it has, or the table lacks a field.
#[cfg(feature = "web")]
#[test]
fn the_table_of_fronts_is_as_it_is_found() {
    let desk = Desk::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |name: &str| fs::read_to_string(format!("{root}/{name}")).expect(name);
    let all = |names: &[&str]| names.iter().map(|name| read(name)).collect::<String>();
    let help: String = ["release", "margins", "discover"]
        .map(|command| desk.done(&format!("{command} --help")).stdout)
        .concat();
    let web = desk.done("web --help").stdout;
    desk.done("budget create l.ledger --account office --epsilon 9");
    let client =
        crate::pages::client::Client::start(Some(desk.path().to_owned()), Some(desk.path().join("l.ledger")));
    let ask = client.get("/ask?kind=rate");
    let forms = ["/release", "/margins", "/discover"].map(|form| client.get(form)).concat();
    let python =
        ["release", "margins", "discover", "parts"].map(|name| format!("python/posterity/_{name}.py"));
    let python = all(&python.each_ref().map(String::as_str));
    let r = all(&["r/R/release.R", "r/R/margins.R", "r/R/discover.R"]);
    let is_there = |front: &str, argument: &str| match front {
        "command" if argument == "FILE" => help.contains("[FILE]"),
        "command" => {
            help.contains(&format!("{argument} <"))
                || help.contains(&format!("{argument}[=<"))
                || help.contains(&format!("{argument}\n"))
        }
        "pages" if argument.starts_with("posterity web ") => {
            web.contains(argument.trim_start_matches("posterity web "))
        }
        "pages" if argument == "Within each" => ask.contains(argument),
        "pages" => forms.contains(&format!(" name=\"{argument}\"")),
        "Python" => python.contains(&format!("{argument}: ")),
        _ => [" = ", ","].iter().any(|end| r.contains(&format!("{argument}{end}"))),
    };
    let mut table =
        "| field | command | plan of a study | pages | Python | R |\n|---|---|---|---|---|---|\n".to_owned();
    for field in FIELDS {
        let [command, pages, python, r] = SPELLINGS.map(|spelling| match spelling.of(field.name) {
            None => IN_A_PLAN.to_owned(),
            Some(argument) => {
                assert!(is_there(spelling.front, &argument), "{}: {argument}", spelling.front);
                format!("`{}`", argument.trim_end_matches('0'))
            }
        });
        writeln!(table, "| {0} | {command} | `{0}` | {pages} | {python} | {r} |", field.name).expect("text");
    }
    for (name, arguments) in BESIDE {
        let [command, pages, python, r] = [0, 1, 2, 3].map(|place| {
            let (front, argument) = (SPELLINGS[place].front, arguments[place]);
            assert!(is_there(front, argument), "{front}: {argument}");
            format!("`{argument}`")
        });
        let key = if name == "schema" { "`schema`" } else { "beside it" };
        writeln!(table, "| {name} | {command} | {key} | {pages} | {python} | {r} |").expect("text");
    }
    let (path, heading) = (format!("{root}/docs/words.md"), "| field | command |");
    let words = fs::read_to_string(&path).expect("the words");
    let begin = words.find(heading).expect("a table");
    let end = words[begin..].find("\n\n").map_or(words.len(), |end| begin + end + 1);
    if std::env::var_os("POSTERITY_UPDATE").is_some() {
        fs::write(&path, format!("{}{table}{}", &words[..begin], &words[end..])).expect("written");
    } else {
        assert_eq!(
            &words[begin..end],
            table,
            "run this test with POSTERITY_UPDATE=1, and read the difference"
        );
    }
}

/// If this fails, a flag behind a column says something else than the key of a plan.
#[test]
fn what_belongs_to_a_column_is_said_behind_it() {
    let desk = Desk::new();
    let asked = "plan release stays.csv --column ward --categories A,B,C --alias A=a --alias 'A=A ' --label 'B=Ward B' --ordered \
                 --column age --bins 0,18,65 --whole --epsilon 1";
    let plan = desk.done(asked).stdout;
    let ward = r#"ward = { categories = ["A", "B", "C"], aliases = ["A=a", "A=A "], labels = ["B=Ward B"], ordered = true }"#;
    assert!(plan.contains(ward), "{plan}");
    assert!(plan.contains("age = { bins = [0, 18, 65], whole = true }"), "{plan}");
    for (wrong, why) in [
        (
            "--column ward --categories A,B --alias B=A",
            "--alias: the alias \"A\" of \"B\" is itself a category",
        ),
        ("--column ward --categories A,B --alias A", "--alias: write the category before an equals sign"),
        ("--alias A=a --column ward --categories A,B", "--alias: write this after the --column"),
        ("--column ward --categories A,B --label C=x", "--label: \"C\" has a label and is no category"),
        (
            "--column ward --categories A,B --ordered --ordered",
            "--ordered: this is given twice for one column",
        ),
        ("--column age --bins 0,18 --alias 1=2", "--alias: bins have no aliases"),
    ] {
        let refused = desk.run(&format!("plan release stays.csv {wrong} --epsilon 1"));
        assert_eq!(refused.code, 2, "{wrong}: {}", refused.stdout);
        assert!(refused.stderr.contains(why), "{wrong}: {}", refused.stderr);
    }
}

/// A plan is public: it says nothing of counts, of users, of this machine, of who pays or of the seed.
#[test]
fn a_plan_holds_nothing_private() {
    let desk = Desk::new();
    let path = desk.path().join("stays.csv");
    let bound = "--epsilon 1 --ledger office.ledger --account clinic --sign secret.key";
    let of_file = format!("plan release {} --column ward --categories A,B,C {bound}", path.display());
    let of_counts = "plan release --counts 4711,815 --categories yes,no --epsilon 1 --seed 90125".to_owned();
    let of_server =
        "plan release postgres://ada@db.example/clinic --table stays --password-file word.txt --column ward \
                     --categories A,B,C --epsilon 1"
            .to_owned();
    for line in [of_file, of_counts, of_server] {
        let plan = desk.done(&line).stdout;
        let folder = desk.path().to_string_lossy().into_owned();
        for private in
            ["4711", "815", "ada", "office", "secret", "90125", "word.txt", folder.as_str(), "FOLDER"]
        {
            assert!(!plan.contains(private), "{private}: {plan}");
        }
    }
}
