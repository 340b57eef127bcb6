//! Studies that are killed, and studies that race: never a draw that is not charged, never a second charge for a plan.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use posterity::ledger::{Amount, Ledger, NewAccount, Status, Unit, now_utc, rho_of};
use posterity_study::{Folder, PlanFile, Study};
use posterity_testkit::{Random, Worker, say, trials};

const ROLE: &str = "STUDY_TEST_ROLE";
const FOLDER: &str = "STUDY_TEST_FOLDER";

const PLAN: &str = r#"
source = "people.csv"
epsilon = 1
ledger = "budget.ledger"
account = "survey"
unit = "person"
[columns]
ward = ["A", "B", "C"]
cured = ["yes", "no"]
[[question]]
columns = ["ward", "cured"]
read = ["cured | ward"]
share = 3
[[question]]
columns = ["ward"]
"#;

/// The same with tables of many columns beside the questions.
const WIDE: &str = r#"
[[margins]]
name = "pairs"
sets = 2
"#;

/// The plans, by whether they have tables of many columns.
fn plan(wide: bool) -> String {
    if wide { format!("delta = 1e-9\n{PLAN}{WIDE}") } else { PLAN.to_owned() }
}

/// A folder with data, a plan and a ledger that could pay for the plan several times.
struct Scene {
    folder: tempfile::TempDir,
    wide: bool,
}

impl Scene {
    fn new(wide: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let rows: String = (0..2_000)
            .map(|row| format!("{},{},{}\n", row / 2, ["A", "B", "C"][row % 3], ["yes", "no"][row % 7 % 2]))
            .collect();
        std::fs::write(folder.path().join("people.csv"), format!("person,ward,cured\n{rows}"))
            .expect("written");
        let mut ledger = Ledger::create(folder.path().join("budget.ledger")).expect("created");
        std::fs::write(folder.path().join("plan.toml"), plan(wide)).expect("written");
        // A price in rho needs a delta.
        let delta = if wide { "1e-6".parse().expect("an amount") } else { Amount::ZERO };
        let account = NewAccount::new("survey", "5".parse().expect("an amount"), delta);
        let account = account.unit(Unit::column("person").expect("a name"));
        ledger.open_account(&account, &now_utc()).expect("created");
        Self { folder, wide }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn results(&self) -> PathBuf {
        self.path().join("results")
    }

    fn ledger(&self) -> Ledger {
        Ledger::open(self.path().join("budget.ledger")).expect("a killed process leaves a ledger")
    }

    /// Starts a child that carries out the plan.
    fn start(&self, role: &str) -> Worker {
        Worker::start(Worker::program().env(ROLE, role).env(FOLDER, self.path()), "worker")
    }

    /// What must hold whenever a study has died. Returns how many charges there are.
    fn check(&self, when: &str) -> u64 {
        let ledger = self.ledger();
        ledger.verify().expect(when);
        let history = ledger.history("survey").expect(when);
        assert!(history.len() <= 1, "{when}: a plan is charged once");
        for line in &history {
            assert!(matches!(line.status, Status::Released { .. }), "{when}: what is charged is recorded");
        }
        if self.results().exists() {
            assert_eq!(history.len(), 1, "{when}: what can be seen is charged");
            self.released(when);
        }
        history.len() as u64
    }

    /// The released counts in the folder, which are those on the books.
    fn released(&self, when: &str) -> Vec<serde_json::Value> {
        let read = |name: &str| -> serde_json::Value {
            let text = std::fs::read_to_string(self.results().join(name)).expect(when);
            serde_json::from_str(&text).expect(when)
        };
        assert!(self.results().join("report.html").exists(), "{when}: all files or none");
        let shown: Vec<_> = ["ward-cured.json", "ward.json"]
            .iter()
            .map(|name| read(name)["released_counts"].clone())
            .collect();
        let question = study(self.path()).question().expect(when);
        let stored = self.ledger().find("survey", &question).expect(when).expect("recorded");
        let stored: serde_json::Value = serde_json::from_str(&stored.document).expect(when);
        let drawn = stored["answers"].as_array().expect(when).iter();
        let drawn: Vec<_> = drawn.map(|one| one["drawn"].clone()).collect();
        assert_eq!(shown, drawn[..2], "{when}");
        let pairs = self.wide.then(|| read("pairs.json")["drawn"].clone());
        assert_eq!(drawn.get(2), pairs.as_ref(), "{when}");
        shown
    }

    /// The same plan again finishes the study, and costs nothing if it was charged.
    fn finish(&self, when: &str) {
        assert!(self.start("run").wait().success(), "{when}");
        assert_eq!(self.check(when), 1, "{when}");
        let amount = |text: &str| text.parse::<Amount>().expect("an amount");
        let account = self.ledger().account("survey").expect(when);
        if self.wide {
            // Three fifths and one fifth of epsilon, and what the rest is in rho.
            let rho = rho_of(&amount("1/5"), &amount("1e-9")).expect("there is a delta");
            assert_eq!((account.sum_epsilon, account.sum_rho), (amount("0.8"), rho), "{when}");
        } else {
            assert_eq!(account.spent_epsilon, amount("1"), "{when}");
        }
        let left: Vec<_> = self.partial().collect();
        assert!(left.is_empty(), "{when}: what the dead study left is cleaned up: {left:?}");
    }

    /// What is beside the results while they are written, and after a study that died.
    fn partial(&self) -> impl Iterator<Item = String> + use<> {
        let entries = std::fs::read_dir(self.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("read").file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with('.'))
    }
}

fn study(folder: &Path) -> Study {
    let text = std::fs::read_to_string(folder.join("plan.toml")).expect("there");
    Study::new(PlanFile::parse(&text, folder).expect("valid")).expect("valid")
}

/// Ends this process as `kill -9` does: nothing is written or released any more.
fn die() -> ! {
    let _ = Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
    std::process::abort()
}

#[test]
#[ignore = "runs in the children of the other tests"]
fn worker() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("a folder"));
    let study = study(&folder);
    let mut ledger = Ledger::open(folder.join("budget.ledger")).expect("there");
    let at = role.strip_prefix("die at ").map(ToOwned::to_owned);
    let (dying, mut steps) = (at.clone(), 0);
    ledger.observe(move |step| {
        steps += 1;
        say(format!("{step:?}"));
        if dying.as_deref() == Some(&format!("{steps} {step:?}")) {
            die();
        }
    });
    say("begun");
    let out = Folder::take(&folder.join("results")).expect("a folder");
    let answers = study.charge(&mut ledger, "survey", false, &()).expect("answered");
    if at.as_deref() == Some("answered") {
        die();
    }
    say("answered");
    out.write(study.plan(), &answers, None, &()).expect("written");
    say("written");
}

/// The process dies exactly at each step of the one transaction, and after it.
#[test]
fn killed_at_each_step() {
    let table = [
        ("1 Locked", 0),
        ("2 Checked", 0),
        ("3 Appended", 0),
        ("4 Drawn", 0),
        ("5 Appended", 0),
        ("6 Committed", 1),
        ("answered", 1),
    ];
    for ((point, charges), wide) in table.into_iter().flat_map(|row| [(row, false), (row, true)]) {
        let scene = Scene::new(wide);
        let ended = scene.start(&format!("die at {point}")).wait();
        assert!(!ended.success(), "{point}: it died");
        assert_eq!(scene.check(point), charges, "{point}");
        assert!(!scene.results().exists(), "{point}: nothing is seen");
        scene.finish(point);
    }
}

/// How long a study takes from its first word to others.
fn time_to<const N: usize>(words: [&str; N]) -> [Duration; N] {
    let scene = Scene::new(true);
    let mut worker = scene.start("run");
    assert!(worker.hears("begun"));
    let begin = Instant::now();
    let times = words.map(|word| {
        assert!(worker.hears(word), "it says {word}");
        begin.elapsed()
    });
    worker.wait();
    times
}

/// Kills studies at moments between their start and some time after their end, and finishes each.
fn kill_at_moments(moments: u32, seed: u64) {
    let mut random = Random::new(seed);
    println!("seed {seed}, {moments} moments");
    // How long a study takes here from its first word to its transaction and to its last word: the least of three,
    // because a run that was held up would put the moments of all others behind their charges.
    let times = [(); 3].map(|()| time_to(["Locked", "written"]));
    let [before, whole] =
        [0, 1].map(|index| times.iter().map(|times| times[index]).min().unwrap_or_default());
    let (mut nothing, mut charged, mut finished, mut left) = (0, 0, 0, 0);
    for moment in 0..moments {
        // Every other one has tables of many columns, on all kinds of moments.
        let scene = Scene::new(moment / 4 % 2 == 0);
        let mut worker = scene.start("run");
        // Half of the moments are near the transaction, which is short, and a quarter before it.
        let (from, within) = match moment % 4 {
            0 => ("begun", before),
            2 => ("begun", whole),
            _ => ("Locked", whole / 20),
        };
        assert!(worker.hears(from), "it begins");
        let wait = within.mul_f64(random.uniform(0.0, 1.1));
        let begin = Instant::now();
        while begin.elapsed() < wait {
            std::thread::yield_now();
        }
        worker.kill();
        let when = format!("moment {moment}, {wait:?} after {from}");
        left += u32::from(scene.partial().next().is_some());
        match (scene.check(&when), scene.results().exists()) {
            (0, _) => nothing += 1,
            (_, false) => charged += 1,
            (_, true) => finished += 1,
        }
        scene.finish(&when);
    }
    println!(
        "{nothing} died before the charge, {charged} between the charge and the report, {finished} after it; {left} left something"
    );
    assert!(left > 0, "a study that dies leaves something to clean up");
    assert!(nothing > 0 && charged + finished > 0, "the moments are on both sides of the charge");
}

/// POSTERITY_TRIALS says how many are killed.
#[test]
fn killed_at_some_moments() {
    kill_at_moments(trials(12), 1);
}

/// Four processes carry out the same plan at once: one pays, and all have the same answers.
#[test]
fn a_race_is_charged_once() {
    let scene = Scene::new(true);
    let workers: Vec<Worker> = (0..4).map(|_| scene.start("run")).collect();
    for mut worker in workers {
        assert!(worker.wait().success());
    }
    assert_eq!(scene.check("after the race"), 1);
    scene.finish("after the race");
}
