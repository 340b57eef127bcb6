//! Pictures: what they hold, that they repeat, and what is said when there is none.

use std::fs;
use std::path::PathBuf;

use crate::posterity;

const NAMES: [&str; 8] = ["geometric", "lshist", "lsdim", "lszhang", "ehds", "ehd", "ehdl", "mh"];
const EXACT: &str = "compare --counts 12,8 --epsilon 1";
const SIMULATED: &str = "compare --counts 12,8 --epsilon 1 --runs 50";
const RELEASE: &str = "release --counts 54,9,27 --epsilon 1 --seed 7";
const MANY: &str = "release --counts 30,5,0,8,21,3,3,9,14,2,0,7 --epsilon 1 --seed 7";

/// The bytes of the picture that a command line draws into a file of this name.
fn picture(line: &str, name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = path.to_str().expect("UTF-8");
    let mut args: Vec<&str> = line.split(' ').collect();
    let plain = posterity(&args);
    // The folder is kept from run to run.
    args.extend(["--plot", text, "--force"]);
    let run = posterity(&args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
    assert!(run.stderr.contains(&format!("note: wrote {text}")), "{}", run.stderr);
    assert_eq!(run.stdout, plain.stdout, "a picture changes no number");
    fs::read(&path).expect("the picture")
}

#[test]
fn an_svg_names_every_mechanism_and_what_is_measured() {
    for (line, name, axis) in [
        (EXACT, "names-exact.svg", "Hellinger distance from the true posterior"),
        (SIMULATED, "names-runs.svg", "Hellinger distance from the true posterior"),
        (&format!("{EXACT} --distance l1"), "names-l1.svg", "L1 distance from the true posterior"),
        (
            "compare --counts 8,7,5 --epsilon 1 --distance kl",
            "names-kl.svg",
            "KL divergence from the true posterior",
        ),
    ] {
        let svg = String::from_utf8(picture(line, name)).expect("UTF-8");
        assert!(svg.starts_with("<svg width=\"720\" height=\"480\" viewBox=\"0 0 7200 4800\""), "{line}");
        let written: Vec<&str> = svg.lines().map(str::trim).collect();
        for word in NAMES {
            assert!(written.contains(&word), "{line}: {word} is not in the picture");
        }
        assert!(written.contains(&axis), "{line}: {axis} is not in the picture");
        assert!(
            svg.contains("private)") && svg.contains("epsilon 1") && svg.contains(", sans-serif"),
            "{line}"
        );
        assert!(!svg.contains("NaN"), "{line}");
    }
}

#[test]
fn the_error_is_drawn_against_epsilon() {
    let svg = String::from_utf8(picture("advise --n 40 --k 2 --half-width 0.2", "error.svg")).expect("UTF-8");
    for words in
        ["what you can bear: 20", "without privacy: 16.2", "percentage points to each side", "epsilon"]
    {
        assert!(svg.lines().any(|line| line.trim() == words), "{words} is not in the picture: {svg}");
    }
    let table = picture("advise --columns 2,2 --n 40 --read a|b --half-width 0.3", "table.svg");
    let table = String::from_utf8(table).expect("UTF-8");
    assert!(table.contains("what you can bear: 30") && table.contains("joint"), "{table}");
    let few = String::from_utf8(picture("advise --n 40 --k 2 --half-width 0.01", "few.svg")).expect("UTF-8");
    assert!(few.contains("what you can bear: 1") && !few.contains("NaN"));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for (line, first, second) in [
        (EXACT, "same-exact-1.svg", "same-exact-2.svg"),
        (SIMULATED, "same-runs-1.svg", "same-runs-2.svg"),
        (EXACT, "same-exact-1.png", "same-exact-2.png"),
        (SIMULATED, "same-runs-1.png", "same-runs-2.png"),
        (RELEASE, "same-release-1.svg", "same-release-2.svg"),
        (RELEASE, "same-release-1.png", "same-release-2.png"),
        (MANY, "same-many-1.svg", "same-many-2.svg"),
    ] {
        assert!(picture(line, first) == picture(line, second), "{line} into {first}");
    }
}

#[test]
fn a_png_is_one_of_the_right_size() {
    let six = "release --counts 9,1,4,4,2,0 --epsilon 1 --seed 7";
    for (line, name, height) in [
        (EXACT, "size-exact.PNG", 800_u32),
        (SIMULATED, "size-runs.png", 800),
        (RELEASE, "size-release.png", 836),
        // Rows below each other need a longer page.
        (six, "size-six.png", 1176),
        (MANY, "size-many.png", 828),
    ] {
        let png = picture(line, name);
        assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n", "{name}: the signature");
        assert_eq!(png[16..24], [1200_u32.to_be_bytes(), height.to_be_bytes()].concat(), "{name}: the size");
    }
}

/// Laws of one point, of a few and of very many, priors and budgets at the ends: all are drawn.
#[test]
fn extreme_laws_are_drawn() {
    for (index, line) in [
        "compare --counts 1,0 --epsilon 1e300",
        "compare --counts 1,0 --epsilon 1e300 --runs 1",
        "compare --counts 1,0 --epsilon 1e-300 --runs 2 --distance l1",
        "compare --counts 3,1 --prior 1e-200,1e-200 --epsilon 20 --distance kl",
        "compare --counts 3,1,0,2 --epsilon 1 --mechanisms ehds,geometric",
        "compare --counts 1500,500 --epsilon 0.01 --mechanisms ehd,mh",
    ]
    .into_iter()
    .enumerate()
    {
        let svg = String::from_utf8(picture(line, &format!("extreme-{index}.svg"))).expect("UTF-8");
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{line}");
    }
}

/// The words of an SVG file, line by line.
fn words(line: &str, name: &str) -> Vec<String> {
    let svg = String::from_utf8(picture(line, name)).expect("UTF-8");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{line}");
    svg.lines().map(|line| line.trim().to_owned()).filter(|line| !line.starts_with('<')).collect()
}

#[test]
fn a_release_names_every_category_and_how_to_read_it() {
    let aware = "95 % confidence intervals, privacy noise included · NOT PRIVATE (seed 7)";
    let unaware = "95 % credible intervals, privacy noise not included · NOT PRIVATE (seed 7)";
    for (index, (line, names, title, subtitle, axis)) in [
        (
            "release --counts 48,42 --categories cured,not --epsilon 1 --seed 7",
            "cured,not",
            "Posterior · lattice · epsilon 1 · n 90",
            aware,
            "density",
        ),
        (RELEASE, "1,2,3", "Posterior · lattice · epsilon 1 · n 90", aware, "density"),
        (
            "release --counts 6,3,3 --categories a,b&b,Café --epsilon 0.5 --seed 7 --mechanism geometric",
            "a,b&amp;b,Café",
            "Posterior · geometric · epsilon 0.5 · n 12",
            aware,
            "density",
        ),
        (
            "release --counts 12,8 --epsilon 1 --seed 7 --mechanism ehds(score=angle) --categories yes,no",
            "yes,no",
            "Posterior · ehds(gamma=1, score=angle) · epsilon 1 · n 20",
            aware,
            "density",
        ),
        (
            "release --counts 12,8,5 --epsilon 1 --seed 7 --mechanism ehds(score=angle) --categories yes,no,none",
            "yes,no,none",
            "Posterior · ehds(gamma=1, score=angle) · epsilon 1 · n 25",
            unaware,
            "density",
        ),
        (
            "release --counts 12,8 --prior 0.5,0.5 --epsilon 1 --seed 7 --mechanism lszhang --categories yes,no",
            "yes,no",
            "Posterior · lszhang · epsilon 1 · n 20",
            aware,
            "density",
        ),
        (
            MANY,
            "1,2,3,4,5,6,7,8,9,10,11,12",
            "Posterior · lattice · epsilon 1 · n 102",
            aware,
            "proportion",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let words = words(line, &format!("release-{index}.svg"));
        for word in names.split(',').chain([title, subtitle, axis, "proportion"]) {
            assert!(words.iter().any(|written| written == word), "{line}: {word} is not in {words:?}");
        }
    }
}

/// The picture shows the numbers of the document.
#[test]
fn a_release_shows_what_it_prints() {
    for (index, line) in [RELEASE, MANY].into_iter().enumerate() {
        for (kind, number) in [("confidence", "estimate"), ("credible", "mean"), ("shortest", "mean")] {
            let line = format!("{line} --interval-kind {kind}");
            let document =
                crate::document(&[&line.split(' ').collect::<Vec<_>>()[..], &["--format", "json"]].concat());
            let words = words(&line, &format!("numbers-{index}-{kind}.svg"));
            for row in document["readings"][0]["rows"].as_array().expect("rows") {
                let [value, low, high] = [&row[number], &row["interval"][0], &row["interval"][1]]
                    .map(|value| value.as_f64().expect("a number"));
                let value = format!("{:.4}", value.clamp(low, high));
                let interval = format!("{low:.4} to {high:.4}");
                assert!(words.iter().any(|written| written.contains(&value)), "{value}: {words:?}");
                assert!(words.iter().any(|written| written.contains(&interval)), "{interval}: {words:?}");
            }
        }
    }
}

/// Densities that are infinite at their ends, or very narrow, or flat: all are drawn.
#[test]
fn extreme_posteriors_are_drawn() {
    for (index, line) in [
        "release --counts 1,0 --epsilon 1e300 --seed 7",
        "release --counts 1,0 --epsilon 1e-300 --seed 7",
        "release --counts 9,0,2 --prior 0.05,0.05,0.05 --epsilon 0.1 --seed 7",
        "release --counts 3,1 --prior 1e-200,1e-200 --epsilon 1 --seed 7 --mechanism ehds",
        "release --counts 3,1,0 --prior 1e9,1e9,1e-9 --epsilon 1 --seed 7",
        "release --counts 90000,9999,1 --epsilon 1 --seed 7 --level 0.999",
        "release --counts 2,1,0,4,0,1,3 --prior 0.01,0.01,0.01,0.01,0.01,0.01,0.01 --epsilon 0.1 --seed 7",
    ]
    .into_iter()
    .enumerate()
    {
        assert!(words(line, &format!("posterior-{index}.svg")).len() > 10, "{line}");
    }
}

#[test]
fn only_what_is_not_private_says_so() {
    let count = |line: &str, name: &str| {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let file = path.to_str().expect("UTF-8");
        let run = posterity(&line.split(' ').chain(["--force", "--plot", file]).collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
        fs::read_to_string(&path).expect("the picture").matches("NOT PRIVATE").count()
    };
    let line = "release --counts 12,8 --epsilon 1";
    assert_eq!(count(line, "private.svg"), 0);
    assert_eq!(count(&format!("{line} --mechanism ehdl --not-private"), "unproven.svg"), 1);
    assert_eq!(count(&format!("{line} --seed 7"), "seeded.svg"), 1);
}

#[test]
fn of_many_categories_the_largest_are_drawn() {
    let counts: Vec<String> = (1..=57).map(|count| (20 * count).to_string()).collect();
    let names: Vec<String> = (1..=57).map(|number| format!("c{number}")).collect();
    let line = format!(
        "release --counts {} --categories {} --epsilon 5 --seed 7",
        counts.join(","),
        names.join(",")
    );
    let words = words(&line, "largest.svg");
    let drawn = words.iter().filter(|word| names.contains(word)).count();
    assert_eq!(drawn, 40);
    assert!(words.iter().any(|word| word == "c57") && !words.iter().any(|word| word == "c1"), "{words:?}");
    assert!(words.iter().any(|word| word.contains("the 40 largest of 57 categories")), "{words:?}");
}

/// Names that are long, or in letters that the bundled font lacks.
#[test]
fn any_name_is_drawn() {
    let names = format!("{}, 東京,Zürich", "very ".repeat(60));
    for (file, note) in [("letters.svg", false), ("letters.png", true)] {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
        let file = path.to_str().expect("UTF-8");
        let args: Vec<&str> =
            RELEASE.split(' ').chain(["--categories", names.as_str(), "--force", "--plot", file]).collect();
        let run = posterity(&args);
        assert_eq!(run.code, Some(0), "{file}: {}", run.stderr);
        assert_eq!(run.stderr.contains("letters that PNG pictures lack"), note, "{}", run.stderr);
        if !note {
            let svg = fs::read_to_string(&path).expect("the picture");
            assert!(svg.contains("…") && svg.contains("東京") && svg.contains("Zürich"));
        }
    }
}

/// A picture that cannot be written is refused before anything is released, as far as that can be known; later, whoever
/// spent a budget gets what was bought, whatever becomes of the picture.
#[test]
fn a_release_outlives_its_picture() {
    let plain = posterity(&RELEASE.split(' ').collect::<Vec<_>>());
    // What can be opened and not be written is noticed too late to take the release back.
    #[cfg(target_os = "linux")]
    {
        let full = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("full.svg");
        let _ = fs::remove_file(&full);
        std::os::unix::fs::symlink("/dev/full", &full).expect("a link");
        let file = full.to_str().expect("UTF-8");
        let run = posterity(&RELEASE.split(' ').chain(["--plot", file]).collect::<Vec<_>>());
        assert_eq!(run.code, Some(1), "{file}: {}", run.stderr);
        assert_eq!(run.stdout, plain.stdout, "{file}: the release is printed");
        assert!(run.stderr.contains("error: --plot"), "{}", run.stderr);
    }
    for file in ["/nonexistent/posterior.svg", "/nonexistent/posterior.png"] {
        let run = posterity(&RELEASE.split(' ').chain(["--plot", file]).collect::<Vec<_>>());
        assert_eq!(run.code, Some(1), "{file}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{file}: nothing is released");
        for word in ["error: --plot", file, "cannot be written"] {
            assert!(run.stderr.contains(word), "{file}: {word:?} is not in: {}", run.stderr);
        }
    }
    for file in ["posterior.jpg", "posterior"] {
        let run = posterity(&RELEASE.split(' ').chain(["--plot", file]).collect::<Vec<_>>());
        assert_eq!(run.code, Some(2), "{file}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{file}: nothing is released");
        assert!(run.stderr.contains(".svg or .png"), "{file}: {}", run.stderr);
    }
}

#[test]
fn a_picture_that_cannot_be_is_refused() {
    for (file, code, words) in [
        ("law.jpg", 2, ["--plot", "'law.jpg'", ".svg or .png"]),
        ("law", 2, ["--plot", "'law'", ".svg or .png"]),
        (".svg", 2, ["--plot", "'.svg'", ".svg or .png"]),
        ("/nonexistent/law.svg", 1, ["--plot", "/nonexistent/law.svg", "cannot be written"]),
        ("/nonexistent/law.png", 1, ["--plot", "/nonexistent/law.png", "cannot be written"]),
    ] {
        let args: Vec<&str> = EXACT.split(' ').chain(["--plot", file]).collect();
        let run = posterity(&args);
        assert_eq!(run.code, Some(code), "{file}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{file}: nothing is printed");
        for word in words {
            assert!(run.stderr.contains(word), "{file}: {word:?} is not in: {}", run.stderr);
        }
    }
}
