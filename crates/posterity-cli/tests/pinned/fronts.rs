//! One question through all fronts: the command, the library, a study and a page. The text under which the ledger knows it
//! is the same, so whoever asks a second time elsewhere gets the answer that was paid for. Python asks the same questions in
//! `python/tests/test_pinned.py`, and reads the texts here.

use std::ops::ControlFlow;

use insta::assert_snapshot;
use posterity::data::{Adjacency, Bins, Column, Question, Resources, Source};
use posterity::ledger::Ledger;
use posterity::margins::{MarginsPublisher, MarginsTerms, Which};
use posterity::paying::Payer;
use posterity::{Amount, Data, Epsilon, Publisher, Randomness};

use crate::{Desk, lasting};

/// A question as each front asks it.
struct Fronts {
    name: &'static str,
    /// What the account says beside its epsilon.
    account: &'static str,
    command: &'static str,
    /// The plan of a study, without source, ledger and account.
    study: &'static str,
    /// Where a form is sent to, and its fields.
    #[cfg_attr(not(feature = "web"), allow(dead_code, reason = "there are no pages"))]
    page: (&'static str, &'static [(&'static str, &'static str)]),
    library: fn(&Desk, &mut Ledger),
}

const ACCOUNT: &str = "office";

const ALL: [Fronts; 4] = [
    Fronts {
        name: "unit",
        account: "--unit id",
        command: "release stays.csv --column ward --categories A,B,C --column cured --categories yes,no --unit id \
                  --where 'age >= 40' --edition 2026 --epsilon 0.5",
        study: "epsilon = 0.5\nunit = 'id'\nwhere = 'age >= 40'\nedition = '2026'\n\
                columns = { ward = ['A', 'B', 'C'], cured = ['yes', 'no'] }\n[[question]]\ncolumns = ['ward', 'cured']",
        page: (
            "/release/check",
            &[
                ("file", "stays.csv"),
                ("edition", "2026"),
                ("column0", "ward"),
                ("categories0", "A, B, C"),
                ("column1", "cured"),
                ("categories1", "yes, no"),
                ("unit", "id"),
                ("where", "age >= 40"),
                ("epsilon", "0.5"),
            ],
        ),
        library: |desk, ledger| {
            let columns = vec![Column::new("ward", ["A", "B", "C"]), Column::new("cured", ["yes", "no"])];
            let question = Question {
                unit: Some("id".into()),
                filter: Some("age >= 40".into()),
                ..Question::new(columns)
            };
            let data = Data::read(path(desk, "stays.csv"), &question).expect("counted");
            let data = data.of_edition(Some("2026"));
            publish(&Publisher::new(epsilon("0.5")), &data, ledger);
        },
    },
    Fronts {
        name: "unknown",
        account: "",
        command: "release unknown.csv --column ward --categories A,B,C --other elsewhere --column cured \
                  --categories yes,no --missing unknown --mechanism geometric(consistent) --epsilon 1",
        study: "epsilon = 1\nmechanism = 'geometric(consistent)'\nother = { ward = 'elsewhere' }\n\
                missing = { cured = 'unknown' }\ncolumns = { ward = ['A', 'B', 'C'], cured = ['yes', 'no'] }\n\
                [[question]]\ncolumns = ['ward', 'cured']",
        page: (
            "/release/check",
            &[
                ("file", "unknown.csv"),
                ("column0", "ward"),
                ("categories0", "A,B,C"),
                ("other0", "elsewhere"),
                ("column1", "cured"),
                ("categories1", "yes,no"),
                ("missing1", "unknown"),
                ("mechanism", "geometric(consistent)"),
                ("epsilon", "1"),
            ],
        ),
        library: |desk, ledger| {
            let ward = Column { other: Some("elsewhere".into()), ..Column::new("ward", ["A", "B", "C"]) };
            let cured = Column { missing: Some("unknown".into()), ..Column::new("cured", ["yes", "no"]) };
            let question = Question::new(vec![ward, cured]);
            let data = Data::read(path(desk, "unknown.csv"), &question).expect("counted");
            let publisher = Publisher::new(epsilon("1"));
            let mechanism: posterity::Spec = "geometric(consistent)".parse().expect("a mechanism");
            publish(&publisher.mechanism(mechanism), &data, ledger);
        },
    },
    Fronts {
        name: "private-n",
        account: "--adjacency add-remove",
        command: "release stays.csv --column age --bins 18,40,65,88 --adjacency add-remove --epsilon 1/3",
        study: "epsilon = '1/3'\nadjacency = 'add-remove'\ncolumns = { age = { bins = [18, 40, 65, 88] } }\n\
                [[question]]\ncolumns = ['age']",
        page: (
            "/release/check",
            &[
                ("file", "stays.csv"),
                ("column0", "age"),
                ("bins0", "18, 40, 65, 88"),
                ("adjacency", "add-remove"),
                ("epsilon", "1/3"),
            ],
        ),
        library: |desk, ledger| {
            let bins = Bins::new(["18", "40", "65", "88"]).expect("edges");
            let age = Column::binned("age", bins);
            let question = Question { adjacency: Adjacency::AddRemove, ..Question::new(vec![age]) };
            let data = Data::read(path(desk, "stays.csv"), &question).expect("counted");
            publish(&Publisher::new(epsilon("1/3")).with_private_n(), &data, ledger);
        },
    },
    Fronts {
        name: "margins",
        account: "--delta 1e-6",
        command: "margins stays.csv --schema stays.schema.json --sets 'ward, cured; sex, cured = 3' --epsilon 1 \
                  --delta 1e-9",
        study: "epsilon = 1\ndelta = 1e-9\nschema = 'stays.schema.json'\n[[margins]]\n\
                sets = 'ward, cured; sex, cured = 3'",
        page: (
            "/margins/check",
            &[
                ("file", "stays.csv"),
                ("schema", "stays.schema.json"),
                ("sets", "ward, cured; sex, cured = 3"),
                ("epsilon", "1"),
                ("delta", "1e-9"),
            ],
        ),
        library: |desk, ledger| {
            let which = "ward, cured; sex, cured = 3".parse::<Which>().expect("sets");
            let terms = MarginsTerms::new(which, epsilon("1"), "1e-9".parse::<Amount>().expect("a delta"));
            let columns = [("ward", &["A", "B", "C"][..]), ("sex", &["f", "m"]), ("cured", &["yes", "no"])];
            let columns =
                columns.map(|(name, values)| Column::new(name, values.iter().copied())).into_iter().collect();
            let planned = MarginsPublisher::new(terms).plan(Question::new(columns)).expect("a plan");
            let (source, go_on) = (Source::files(path(desk, "stays.csv")), |_| ControlFlow::Continue(()));
            let data = planned.count(&source, None, Randomness::System, &Resources::default(), &go_on);
            data.expect("counted").charge(Payer::new(ledger, ACCOUNT)).expect("charged or recalled");
        },
    },
];

fn path(desk: &Desk, file: &str) -> String {
    desk.path().join(file).to_string_lossy().into_owned()
}

fn epsilon(text: &str) -> Epsilon {
    text.parse().expect("positive")
}

fn publish(publisher: &Publisher<'_>, data: &Data, ledger: &mut Ledger) {
    publisher.clone().charge(ledger, ACCOUNT).publish(data).expect("charged or recalled");
}

/// The questions that were charged.
fn charged(desk: &Desk) -> Vec<String> {
    let ledger = Ledger::open(desk.path().join("study.ledger")).expect("a ledger");
    let history = ledger.history(ACCOUNT).expect("an account");
    history.into_iter().map(|charge| lasting(&desk.without_paths(&charge.question))).collect()
}

impl Fronts {
    /// Begins a ledger where nothing is charged.
    fn ledger(&self, desk: &Desk) {
        let _ = std::fs::remove_file(desk.path().join("study.ledger"));
        desk.done(&format!("budget create study.ledger --account {ACCOUNT} --epsilon 9 {}", self.account));
    }

    fn ask_command(&self, desk: &Desk) {
        desk.done(&format!("{} --ledger study.ledger --account {ACCOUNT}", self.command));
    }

    fn ask_library(&self, desk: &Desk) {
        let mut ledger = Ledger::open(desk.path().join("study.ledger")).expect("a ledger");
        (self.library)(desk, &mut ledger);
    }

    fn ask_study(&self, desk: &Desk) {
        let source = self.command.split_whitespace().nth(1).expect("a file");
        let paid = format!("source = '{source}'\nledger = 'study.ledger'\naccount = '{ACCOUNT}'\n");
        desk.write("plan.toml", &(paid + self.study));
        desk.done("study plan.toml --out results");
    }

    #[cfg(feature = "web")]
    fn ask_page(&self, desk: &Desk) {
        let ledger = desk.path().join("study.ledger");
        let client = crate::pages::client::Client::start(Some(desk.path().to_owned()), Some(ledger));
        let (check, fields) = self.page;
        let draft = client.draft(check, &[fields, &[("account", ACCOUNT)]].concat());
        let page = client.settled(&client.confirm(&draft));
        assert!(page.contains("harged"), "{}: {page}", self.name);
    }
}

/// If this fails, a question that was paid for at one front is paid for again at another, or by those who paid for it with
/// an older version.
#[test]
fn a_question_has_one_text_at_all_fronts() {
    for asked in ALL {
        let desk = Desk::new();
        let fronts = [
            ("command", Fronts::ask_command as fn(&Fronts, &Desk)),
            ("library", Fronts::ask_library),
            ("study", Fronts::ask_study),
            #[cfg(feature = "web")]
            ("page", Fronts::ask_page),
        ];
        for (front, ask) in fronts {
            if front == "command" {
                asked.ledger(&desk);
            }
            ask(&asked, &desk);
            let charged = charged(&desk);
            assert_eq!(charged.len(), 1, "{}: {front}: {charged:?}", asked.name);
            assert_snapshot!(format!("question-{}", asked.name), charged[0]);
        }
    }
}
