//! Figures with panels: what is written on them, and that they survive odd numbers.

use posterity_core::mechanism::{Ehds, Lsdim, Lshist};
use posterity_plot::{
    Axis, BarKind, Bars, Content, Figure, Lines, NotchedBox, Panel, PlotFormat, Rule, Series, Spread, Style,
    render,
};

fn series(label: &str, points: &[(f64, f64)]) -> Series {
    Series { label: label.to_owned(), style: Style::mechanism(&Ehds::DESCRIPTION), points: points.to_vec() }
}

fn panel(title: &str, content: Content) -> Panel {
    Panel { title: title.to_owned(), x: Axis::linear("size"), y: Axis::linear("distance"), content }
}

fn lines(points: &[(f64, f64)]) -> Content {
    Content::Lines(Lines {
        series: vec![
            series("smooth", points),
            Series { style: Style::plain(1).dashed().hollow(), ..series("other", points) },
        ],
        rules: vec![
            Rule::Across { label: "bound".to_owned(), at: 0.7 },
            Rule::Upright { label: "truth".to_owned(), at: 2.0 },
        ],
    })
}

fn figure(rows: Vec<Vec<Panel>>) -> Figure {
    Figure { title: "A title".to_owned(), subtitle: "how".to_owned(), rows }
}

fn svg(figure: &Figure) -> String {
    String::from_utf8(render(figure, PlotFormat::Svg, "figure").expect("drawn")).expect("UTF-8")
}

/// A figure of all kinds of panels, with this after every text.
fn complete(after: &str) -> Figure {
    let text = |word: &str| format!("{word}{after}");
    let content = |points: &[(f64, f64)]| {
        let Content::Lines(mut lines) = lines(points) else { unreachable!("lines") };
        lines.series.iter_mut().for_each(|series| series.label += after);
        for rule in &mut lines.rules {
            let (Rule::Across { label, .. } | Rule::Upright { label, .. }) = rule;
            *label += after;
        }
        Content::Lines(lines)
    };
    let boxes = NotchedBox {
        label: vec![text("lshist")],
        style: Style::mechanism(&Lshist::DESCRIPTION),
        pale: false,
        spread: Spread { least: 0.0, q1: 0.1, median: 0.2, q3: 0.3, most: 0.9, notch: 0.01 },
    };
    let bars = Bars {
        groups: vec![text("none"), text("one")],
        kinds: vec![BarKind {
            label: text("lsdim"),
            style: Style::mechanism(&Lsdim::DESCRIPTION),
            heights: vec![0.2, 0.1],
        }],
    };
    let panel = |title: &str, content| Panel {
        title: text(title),
        x: Axis::linear(text("size")),
        y: Axis::linear(text("distance")),
        content,
    };
    let rows = vec![
        vec![panel("left", content(&[(1.0, 0.1), (3.0, 0.5)])), panel("right", content(&[(1.0, 0.2)]))],
        vec![panel("boxes", Content::Boxes(vec![boxes.clone(), boxes]))],
        vec![panel("bars", Content::Bars(bars))],
    ];
    Figure { title: text("A title"), subtitle: text("how"), rows }
}

/// Every word of that figure.
const WORDS: [&str; 16] = [
    "A title", "how", "left", "right", "boxes", "bars", "size", "distance", "smooth", "other", "bound",
    "truth", "lshist", "lsdim", "none", "one",
];

#[test]
fn everything_is_named_in_letters() {
    let figure = complete("");
    let svg = svg(&figure);
    let written: Vec<&str> = svg.lines().map(str::trim).collect();
    for word in WORDS {
        assert!(written.contains(&word), "{word} is not in the picture");
    }
    // The legend names each once, whatever the number of panels.
    assert_eq!(written.iter().filter(|word| **word == "smooth").count(), 1);
    assert!(render(&figure, PlotFormat::Png, "figure").expect("drawn").starts_with(b"\x89PNG"));
}

/// Whether XML 1.0 allows the character in a document (section 2.2, Char).
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// If this fails, a control character in the title of an experiment makes a picture that no viewer opens.
#[test]
fn control_characters_do_not_reach_the_file() {
    let odd: String = ('\0'..='\u{1f}').chain(['\u{7f}', '\u{85}', '\u{fffe}', '\u{ffff}']).collect();
    let svg = svg(&complete(&odd));
    let found: Vec<char> = svg.chars().filter(|&c| !is_xml(c)).collect();
    assert!(found.is_empty(), "{found:?}");
    let written: Vec<&str> = svg.lines().map(str::trim).collect();
    for word in WORDS {
        assert!(written.iter().any(|line| line.contains(word)), "{word} is not in the picture");
    }
    assert!(render(&complete(&odd), PlotFormat::Png, "figure").is_ok());
}

#[test]
fn odd_numbers_leave_gaps_and_no_holes_in_the_file() {
    let gap = [(1.0, 0.5), (2.0, f64::NAN), (3.0, f64::INFINITY), (4.0, 0.1)];
    for points in [&gap[..], &[], &[(5.0, 0.0)], &[(1e-9, 1e9), (1e9, 1e-9)]] {
        for log in [false, true] {
            let mut one = panel("", lines(points));
            if log {
                (one.x, one.y) = (Axis::log("size"), Axis::log("distance"));
            }
            let svg = svg(&figure(vec![vec![one]]));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{points:?}");
        }
    }
}
