//! Tests that take long or need the network to set themselves up: `./test --slow`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use posterity_core::audit::audit;
use posterity_core::mechanism::{Mechanism, Spec};
use posterity_core::model::{Counts, Prior, Setting};

/// A virtual environment with dp-accounting, made once below the target folder.
fn python() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dp-accounting-0.6.0");
    let python = folder.join("bin/python");
    let ready = folder.join("ready");
    if !ready.exists() {
        let run = |program: &Path, args: &[&str]| {
            let status = Command::new(program).args(args).status().expect("the program starts");
            assert!(status.success(), "{} {args:?}", program.display());
        };
        run(Path::new("python3"), &["-m", "venv", folder.to_str().expect("UTF-8")]);
        run(&python, &["-m", "pip", "install", "--quiet", "dp-accounting==0.6.0"]);
        std::fs::write(ready, "").expect("the folder is writable");
    }
    python
}

fn ln_law(mechanism: &dyn Mechanism, counts: &[u64]) -> Vec<f64> {
    mechanism.ln_probabilities(&Counts::new(counts.to_vec()).expect("valid")).expect("fits")
}

/// The profile by audit is that of Google's dp-accounting, which discretises privacy losses to multiples of 1e-5: an
/// optimistic and a pessimistic value enclose the truth. Compared over all adjacent pairs, for five mechanisms.
#[test]
#[ignore = "installs dp-accounting from the package index"]
fn profiles_agree_with_dp_accounting() {
    let epsilons = [0.0, 0.1, 0.3, 0.5];
    let mut cases = Vec::new();
    let mut expected = Vec::new();
    let n = 8;
    for name in ["geometric", "lshist", "ehd", "ehds", "mh"] {
        let prior = Prior::new(vec![0.5, 3.0]).expect("valid");
        let setting = Setting::new(prior, n, "0.8".parse().expect("positive")).expect("valid");
        let mechanism = name.parse::<Spec>().expect("a mechanism").fit(setting).expect("valid");
        let found = audit(&*mechanism, &epsilons, 1e6, &|_| ()).expect("small");
        for &(epsilon, delta) in found.profile_up() {
            let pairs = (0..n).map(|c| ([c, n - c], [c + 1, n - c - 1]));
            for (from, to) in pairs.clone() {
                let (from, to) = (ln_law(&*mechanism, &from), ln_law(&*mechanism, &to));
                cases.push(serde_json::json!({ "from": from, "to": to, "epsilon": epsilon }).to_string());
            }
            expected.push((name, epsilon, delta, pairs.count()));
        }
    }
    let mut child = Command::new(python())
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slow/profile.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let mut input = child.stdin.take().expect("piped");
    let text = cases.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("Python ends");
    writer.join().expect("no panic").expect("written");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut lines = text.lines().map(|line| serde_json::from_str::<[f64; 2]>(line).expect("two numbers"));
    for (name, epsilon, delta, pairs) in expected {
        let (mut optimistic, mut pessimistic) = (0.0_f64, 0.0_f64);
        for [low, high] in lines.by_ref().take(pairs) {
            optimistic = optimistic.max(low);
            pessimistic = pessimistic.max(high);
        }
        println!("{name} at epsilon {epsilon}: {delta} between {optimistic} and {pessimistic}");
        assert!(optimistic - 1e-9 <= delta && delta <= pessimistic + 1e-9, "{name} at {epsilon}");
        assert!(pessimistic - optimistic < 1e-4, "{name} at {epsilon}: the enclosure is narrow");
    }
    assert_eq!(lines.next(), None);
}
