//! The fields that other programs rely on.

use crate::{document, posterity, typed};

#[test]
fn a_release_has_its_fields() {
    let release = document(&["release", "--counts", "54,9,27", "--epsilon", "0.5", "--format", "json"]);
    assert_eq!(release["mechanism"], "lattice");
    assert_eq!(release["decoder"], "projection");
    assert_eq!(release["prior"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(release["n"], 90);
    assert_eq!(release["epsilon"], 0.5);
    assert_eq!(release["delta"], 0.0);
    assert_eq!(release["guarantee"]["kind"], "pure");
    assert_eq!(release["private"], true);
    let posterior = &release["posterior"];
    for field in ["parameters", "mean", "categories"] {
        assert_eq!(posterior[field].as_array().map(Vec::len), Some(3), "{field}");
    }
    assert_eq!(posterior.get("intervals"), None, "they would leave the noise out");
    assert!(posterior["note"].as_str().is_some_and(|note| note.contains("leaves the privacy noise out")));
    assert_eq!(release["effective"]["parameters"].as_array().map(Vec::len), Some(3));
    let means: f64 =
        posterior["mean"].as_array().expect("a list").iter().filter_map(|mean| mean.as_f64()).sum();
    assert!((means - 1.0).abs() < 1e-12);
    assert_eq!(release["released_counts"].as_array().map(Vec::len), Some(3));
    for field in ["mean", "deviation", "intervals"] {
        assert_eq!(release["noise_aware"][field].as_array().map(Vec::len), Some(3), "{field}");
    }
    assert_eq!(release.get("expected_distance"), None, "nobody asked for the search that finds it");
    let searched = document(&[
        "release",
        "--counts",
        "48,42",
        "--epsilon",
        "0.5",
        "--seed",
        "1",
        "--decode",
        "best",
        "--format",
        "json",
    ]);
    let distance = searched["expected_distance"].as_f64().expect("a number");
    assert!(0.0 < distance && distance < 1.0);
}

/// The noise is in the effective parameters and not in the released ones: if this fails, whoever goes on with the effective
/// ones takes noise for records.
#[test]
fn intervals_know_the_noise_where_it_is_known() {
    for mechanism in ["lattice", "geometric", "lshist", "lsdim", "lszhang", "ehds"] {
        let line = ["release", "--counts", "48,42", "--epsilon", "0.1", "--seed", "1", "--format", "json"];
        let release = document(&[&line[..], &["--mechanism", mechanism]].concat());
        // The sum of the parameters: how many records the distribution is worth.
        let total = |name: &str| -> f64 {
            let parameters = release[name]["parameters"].as_array().expect("a list");
            parameters.iter().filter_map(serde_json::Value::as_f64).sum()
        };
        assert!(total("effective") < 0.7 * total("posterior"), "{mechanism}");
        assert_eq!(release["noise_aware"]["level"], 0.95, "{mechanism}");
    }
}

/// Every decoder goes with every mechanism whose noise is known, and says what it did.
#[test]
fn decoders_can_be_chosen() {
    for decoder in ["none", "projection", "mean", "moments", "best"] {
        let line = ["release", "--counts", "5,0,9", "--epsilon", "0.3", "--seed", "2", "--format", "json"];
        for mechanism in ["lattice", "geometric", "lszhang"] {
            let release = document(&[&line[..], &["--mechanism", mechanism, "--decode", decoder]].concat());
            assert_eq!(release["decoder"], decoder);
            let parameters = release["posterior"]["parameters"].as_array().expect("a list");
            let total: f64 = parameters.iter().filter_map(serde_json::Value::as_f64).sum();
            if ["projection", "mean"].contains(&decoder) {
                assert!((total - 17.0).abs() < 1e-9, "{mechanism} {decoder}: {total}");
            }
        }
    }
}

/// The limit of the design at prior (1,1,1), n = 9, epsilon = 1, and how near the lattice comes.
#[test]
fn a_comparison_shows_the_limit() {
    let line = ["compare", "--counts", "3,3,3", "--epsilon", "1", "--limit", "--format", "json"];
    let comparison =
        document(&[&line[..], &["--mechanisms", "lattice,lshist", "--decode", "none,best"]].concat());
    assert!((comparison["limit"].as_f64().expect("a number") - 0.3523).abs() < 5e-4);
    let rows = comparison["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 4);
    let ratio = |mechanism: &str, decoder: &str| {
        let row = rows.iter().find(|row| row["mechanism"] == mechanism && row["decoder"] == decoder);
        row.expect("listed")["ratio_to_limit"].as_f64().expect("a number")
    };
    assert!(ratio("lattice", "best") < 1.04);
    assert!((ratio("lshist", "none") - 0.5185 / 0.3523).abs() < 2e-3);
    assert!(ratio("lshist", "best") < ratio("lshist", "none"));
}

/// The noise of a tiny budget is too wide to be modelled: the row says what took the place of its decoder, and the
/// others stay as they are.
#[test]
fn a_comparison_goes_on_where_noise_is_too_wide() {
    let counts = "300000000000,300000000000,300000000000";
    let line = ["compare", "--counts", counts, "--epsilon", "0.000001", "--runs", "3"];
    let args = [&line[..], &["--mechanisms", "lattice,geometric"]].concat();
    let found = document(&[&args[..], &["--format", "json"]].concat());
    for row in found["rows"].as_array().expect("a list") {
        let lattice = row["mechanism"] == "lattice";
        assert_eq!(row["decoder"], if lattice { "projection" } else { "none" });
        assert_eq!(row["note"].is_string(), lattice, "{row}");
    }
    let note = "note: the noise of lattice is too wide to be modelled at this size; the decoder projection takes the place of";
    assert!(posterity(&args).stderr.contains(note));
}

#[test]
fn only_the_systems_randomness_is_private() {
    for mechanism in
        ["lattice", "geometric", "lshist", "lsdim", "lszhang", "ehds", "ehd", "ehdl", "mh", "mhg"]
    {
        let line =
            ["release", "--counts", "5,7", "--epsilon", "1", "--format", "json", "--mechanism", mechanism];
        let seeded = document(&[&line[..], &["--seed", "1", "--not-private"]].concat());
        assert_eq!(
            (&seeded["private"], &seeded["request"]["seed"]),
            (&false.into(), &1.into()),
            "{mechanism}"
        );
        let proven = !["ehdl", "mh"].contains(&mechanism);
        let system = document(&[&line[..], if proven { &[] } else { &["--not-private"] }].concat());
        assert_eq!(system["private"], proven, "{mechanism}");
        assert!(system["request"].get("seed").is_none(), "{mechanism}");
    }
}

#[test]
fn a_seed_repeats() {
    let line = ["release", "--counts", "500,231", "--epsilon", "0.1", "--seed", "9", "--format", "json"];
    for mechanism in ["lattice", "geometric", "lshist", "ehds"] {
        let args = [&line[..], &["--mechanism", mechanism]].concat();
        assert_eq!(document(&args), document(&args));
    }
}

/// A parameter that a mechanism does not have is refused, and what it has is said.
#[test]
fn unknown_parameters_are_refused() {
    let line = ["inspect", "--counts", "3,4", "--epsilon", "1", "--mechanism"];
    for (text, said) in [
        ("lattice(gamma=2)", "lattice has no parameter \"gamma\"; it has none"),
        ("ehds(delta=0.1)", "ehds has no parameter \"delta\"; it has gamma, sharp, score"),
    ] {
        let run = posterity(&[&line[..], &[text]].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn csv_quotes_names() {
    let args =
        ["release", "--counts", "3,4", "--epsilon", "1", "--format", "csv", "--categories", "say \"hi\",b"];
    let run = posterity(&args);
    assert!(run.stdout.contains("\n\"say \"\"hi\"\"\","), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 3);
}

#[test]
fn an_audit_has_its_fields() {
    let line = typed("audit --prior 1,1 --n 100 --epsilon 1 --mechanism ehds --format json", &[]);
    let audit = document(&[&line[..], &["--profile", "0,0.2"]].concat());
    assert_eq!(audit["mechanism"], "ehds");
    assert_eq!((&audit["n"], &audit["claimed"], &audit["holds"]), (&100.into(), &1.0.into(), &true.into()));
    assert!((audit["loss"].as_f64().expect("a number") - 0.3999).abs() < 5e-5);
    for field in ["from", "to", "outcome"] {
        assert_eq!(audit["witness"][field].as_array().map(Vec::len), Some(2), "{field}");
    }
    assert_eq!(audit["profile"].as_array().map(Vec::len), Some(2));
}

/// Prior (0.05, 0.05), n = 300, epsilon = 0.1: ehdl loses 0.1072. The report is printed, and the exit code says no.
/// What one data set loses is less than what the worst one loses, and no certificate can be made of it.
#[test]
fn an_audit_of_one_data_set() {
    let line = ["audit", "--epsilon", "1", "--mechanism", "ehds", "--format", "json"];
    let one = document(&[&line[..], &["--counts", "50,50"]].concat());
    let all = document(&[&line[..], &["--k", "2", "--n", "100"]].concat());
    assert_eq!((&one["counts"], &one["n"], &one["holds"]), (&[50, 50][..].into(), &100.into(), &true.into()));
    assert!(all.get("counts").is_none());
    let loss = |audit: &serde_json::Value| audit["loss"].as_f64().expect("a number");
    assert!((loss(&one) - 0.250).abs() < 5e-4 && (loss(&all) - 0.400).abs() < 5e-4, "{one} {all}");
    let text = posterity(&["audit", "--epsilon", "1", "--mechanism", "ehds", "--counts", "50,50"]);
    assert!(text.stdout.contains("at this data set and its neighbours"), "{}", text.stdout);
    assert!(!text.stdout.contains("at every data set"), "{}", text.stdout);
    for more in [&["--certificate", "x.json"][..], &["--n", "100"], &["--k", "2"]] {
        let refused = posterity(&[&line[..], &["--counts", "50,50"], more].concat());
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    }
}

/// mhg promises twice the epsilon that it is given, and says so.
#[test]
fn mhg_promises_twice_its_epsilon() {
    let line = ["--epsilon", "0.5", "--mechanism", "mhg", "--format", "json"];
    let audit = document(&[&["audit", "--k", "2", "--n", "20"], &line[..]].concat());
    assert_eq!((&audit["epsilon"], &audit["claimed"]), (&0.5.into(), &1.0.into()));
    let release = document(&[&["release", "--counts", "5,7"], &line[..]].concat());
    assert_eq!((&release["epsilon"], &release["private"]), (&1.0.into(), &true.into()), "{release}");
    assert_eq!(release["guarantee"]["epsilon"], 1.0);
}

#[test]
fn an_audit_that_fails_says_so() {
    let args = typed("audit --prior 0.05,0.05 --n 300 --epsilon 0.1 --mechanism ehdl --format json", &[]);
    let run = posterity(&args);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let audit: serde_json::Value = serde_json::from_str(&run.stdout).expect("one JSON document");
    assert_eq!(audit["holds"], false);
    assert!((audit["loss"].as_f64().expect("a number") - 0.1072).abs() < 5e-5);
    assert!(run.stderr.contains("not private"), "{}", run.stderr);
}

#[test]
fn a_comparison_has_its_fields() {
    for runs in [&[][..], &["--runs", "200", "--seed", "3"]] {
        let line = ["compare", "--counts", "5,7", "--epsilon", "1", "--format", "json"];
        let comparison = document(&[&line[..], runs].concat());
        let rows = comparison["rows"].as_array().expect("a list");
        // Every mechanism once, and ehds decoded, too.
        assert_eq!(rows.len(), posterity_core::mechanism::ALL.len() + 1);
        for row in rows {
            let number = |field: &str| row[field].as_f64().expect("a number");
            assert!(number("q1") <= number("median") && number("median") <= number("q3"), "{row}");
            assert!(number("expected_distance") > 0.0, "{row}");
            let promised = match row["mechanism"].as_str().expect("a name") {
                "ehdl" | "mh" => None,
                // It promises twice the epsilon of the comparison.
                "mhg" => Some(2.0),
                _ => Some(1.0),
            };
            assert_eq!(row["private"], promised.is_some(), "{row}");
            assert_eq!(row["promised"].as_f64(), promised, "{row}");
            assert_eq!(row["calibration"], if promised.is_some() { "proven" } else { "unproven" }, "{row}");
        }
        assert!(rows.is_sorted_by_key(|row| row["expected_distance"].as_f64()));
    }
}

/// If this fails, a mechanism whose intervals say nothing passes for a good one, or two that differ have one name.
#[test]
fn a_comparison_can_be_ranked_by_the_width_of_intervals() {
    let line =
        ["compare", "--counts", "50,50", "--epsilon", "1", "--mechanisms", "tight(ehds),lattice,lsdim"];
    let rows = |more: &[&str]| document(&[&line[..], &["--format", "json"], more].concat())["rows"].clone();
    let by_width = rows(&["--by", "width"]);
    let of = |rows: &serde_json::Value, field: &str| {
        rows.as_array().expect("a list").iter().map(|row| row[field].clone()).collect::<Vec<_>>()
    };
    let ranked = |rows: &serde_json::Value| {
        let mut names = of(rows, "specification");
        // An exponential mechanism stands there as it is and decoded.
        names.dedup();
        names
    };
    assert_eq!(ranked(&by_width), ["lattice", "lsdim", "tight(ehds(gamma=1))"]);
    let widths: Vec<f64> =
        of(&by_width, "width").iter().map(|width| width.as_f64().expect("a number")).collect();
    assert!(widths[0] < 0.22 && widths[0] < widths[1] && widths[2] == 1.0, "{widths:?}");
    // By distance it comes before lsdim.
    assert_eq!(ranked(&rows(&[])), ["lattice", "tight(ehds(gamma=1))", "lsdim"]);
    // The width is that of the forecast.
    let advice = document(&typed("advise --n 100 --k 2 --epsilon 1 --mechanisms lattice --format json", &[]));
    let half = advice["half_widths"]["categories"][0]["private"].as_f64().expect("a number");
    assert_eq!(2.0 * half, widths[0]);
    let two = ["compare", "--counts", "5,7", "--epsilon", "1", "--mechanisms", "lsdim,lsdim(consistent)"];
    let csv = super::posterity(&[&two[..], &["--format", "csv"]].concat()).stdout;
    let mut names: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    names.sort_unstable();
    assert_eq!(
        (csv.split(',').nth(1), &names[..]),
        (Some("specification"), &["lsdim", "lsdim(consistent)"][..])
    );
    let wrong = super::posterity(&[&two[..], &["--by", "name"]].concat());
    assert!(wrong.code == Some(2) && wrong.stderr.contains("distance, width"), "{}", wrong.stderr);
}

/// A certificate made by one command is accepted by the other, and makes mh private at its audited epsilon.
#[test]
fn a_certificate_goes_from_audit_to_release() {
    let file = std::env::temp_dir().join(format!("posterity-certificate-{}.json", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    let audit = document(&typed(
        "audit --k 2 --n 12 --epsilon 1 --mechanism mh --certificate {} --format json",
        &[path],
    ));
    let release = ["release", "--counts", "5,7", "--epsilon", "1", "--mechanism", "mh", "--format", "json"];
    let release = document(&[&release[..], &["--certificate", path]].concat());
    std::fs::remove_file(&file).expect("the certificate was written");
    assert_eq!(release["private"], true);
    let (promised, found) = (release["guarantee"]["epsilon"].as_f64(), audit["loss"].as_f64());
    assert!(promised >= found && promised < found.map(|found| found + 1e-15), "{promised:?} {found:?}");
    // One epsilon, the promised one; what the mechanism was given is a parameter.
    assert_eq!(release["epsilon"], release["guarantee"]["epsilon"]);
    assert_eq!(release["request"]["epsilon"], "1");
}

#[test]
fn advice_names_a_private_mechanism() {
    let advice = document(&typed("advise --n 90 --k 3 --epsilon 1 --shape 6,1,3 --format json", &[]));
    assert_eq!(advice["mechanism"], "lattice");
    assert_eq!(advice["decoder"], "best");
    assert_eq!(advice["assumed_counts"], serde_json::json!([54, 9, 27]));
    assert!(advice["rows"].as_array().expect("a list").iter().all(|row| row["private"] == true));
}

/// If this fails, an epsilon is recommended for a half-width that the same command then says is wider.
#[test]
fn advice_at_the_epsilon_that_was_recommended_keeps_the_half_width() {
    for (size, wanted) in [("--n 1000 --k 3", 0.05), ("--n 1000 --k 3 --shape 6,3,1 --level 0.9", 0.04)] {
        let least = document(&typed(&format!("advise {size} --half-width {wanted} --format json"), &[]));
        let epsilon = &least["epsilon"];
        let more = format!("advise {size} --epsilon {epsilon} --mechanisms lattice --format json");
        let said = document(&typed(&more, &[]));
        let widths = said["half_widths"]["categories"].as_array().expect("a list").iter();
        let widest = widths.filter_map(|one| one["private"].as_f64()).fold(0.0, f64::max);
        assert!(widest <= wanted && least["expected"].as_f64() == Some(widest), "{size}: {widest} {least}");
        // A table of one column is the same release.
        if !size.contains("--shape") {
            let table = document(&typed(
                &format!("advise --columns 3 --n 1000 --epsilon {epsilon} --format json"),
                &[],
            ));
            assert_eq!(table["designs"][0]["readings"][0]["widest"].as_f64(), Some(widest));
        }
    }
}

/// Tight calibration is private, and spends what it is given.
#[test]
fn tight_releases_are_private() {
    let line = ["release", "--counts", "5,7", "--epsilon", "1", "--format", "json", "--mechanism"];
    for mechanism in ["tight(ehds(gamma=auto))", "tight(ehdl)", "tight(mh)"] {
        let release = document(&[&line[..], &[mechanism]].concat());
        assert_eq!(release["private"], true, "{mechanism:?}");
        let text = release["mechanism"].as_str().expect("a text");
        assert!(text.starts_with("tight("), "{text}");
    }
}

/// If this fails, whoever verifies a document of very many records waits without an end.
#[test]
fn documents_of_a_trillion_records_are_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("release.json");
    let file = file.to_str().expect("UTF-8");
    for (mechanism, epsilon) in [("lattice", "1"), ("lattice", "1e-6"), ("lszhang", "0.1"), ("ehds", "1")] {
        let counts = "400000000000,600000000000";
        let made = posterity(&[
            "release",
            "--counts",
            counts,
            "--mechanism",
            mechanism,
            "--epsilon",
            epsilon,
            "--seed",
            "1",
            "--format",
            "json",
        ]);
        assert_eq!(made.code, Some(0), "{mechanism}: {}", made.stderr);
        std::fs::write(file, made.stdout).expect("written");
        let begun = std::time::Instant::now();
        let run = posterity(&["verify", file]);
        assert_eq!(run.code, Some(0), "{mechanism}: {}", run.stderr);
        let taken = begun.elapsed().as_secs();
        assert!(taken < 30, "{mechanism} at epsilon {epsilon}: {taken} s");
    }
}
