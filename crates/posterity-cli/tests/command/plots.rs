//! Pictures: what they hold, that they repeat, and what is said when there is none.

use std::fs;
use std::path::PathBuf;

use crate::posterity;

const NAMES: [&str; 8] = ["geometric", "lshist", "lsdim", "lszhang", "ehds", "ehd", "ehdl", "mh"];
const EXACT: &str = "compare --counts 12,8 --epsilon 1";
const SIMULATED: &str = "compare --counts 12,8 --epsilon 1 --runs 50";

/// The bytes of the picture that a command line draws into a file of this name.
fn picture(line: &str, name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = path.to_str().expect("UTF-8");
    let mut args: Vec<&str> = line.split(' ').collect();
    let plain = posterity(&args);
    args.extend(["--plot", text]);
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
fn the_same_input_gives_the_same_bytes() {
    for (line, first, second) in [
        (EXACT, "same-exact-1.svg", "same-exact-2.svg"),
        (SIMULATED, "same-runs-1.svg", "same-runs-2.svg"),
        (EXACT, "same-exact-1.png", "same-exact-2.png"),
        (SIMULATED, "same-runs-1.png", "same-runs-2.png"),
    ] {
        assert!(picture(line, first) == picture(line, second), "{line} into {first}");
    }
}

#[test]
fn a_png_is_one_of_the_right_size() {
    for (line, name) in [(EXACT, "size-exact.PNG"), (SIMULATED, "size-runs.png")] {
        let png = picture(line, name);
        assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n", "{name}: the signature");
        assert_eq!(png[16..24], [1200_u32.to_be_bytes(), 800_u32.to_be_bytes()].concat(), "{name}: the size");
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
