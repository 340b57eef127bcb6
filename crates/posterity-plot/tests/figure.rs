//! Figures with panels: what is written on them, and that they survive odd numbers.

use posterity_core::mechanism::Name;
use posterity_plot::{
    Axis, BarKind, Bars, Content, Figure, Lines, NotchedBox, Panel, PlotFormat, Rule, Series, Spread, Style,
    render,
};

fn series(label: &str, points: &[(f64, f64)]) -> Series {
    Series { label: label.to_owned(), style: Style::mechanism(Name::Ehds), points: points.to_vec() }
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

#[test]
fn everything_is_named_in_letters() {
    let boxes = NotchedBox {
        label: vec!["lshist".to_owned()],
        style: Style::mechanism(Name::Lshist),
        pale: false,
        spread: Spread { least: 0.0, q1: 0.1, median: 0.2, q3: 0.3, most: 0.9, notch: 0.01 },
    };
    let bars = Bars {
        groups: vec!["none".to_owned(), "one".to_owned()],
        kinds: vec![BarKind {
            label: "lsdim".to_owned(),
            style: Style::mechanism(Name::Lsdim),
            heights: vec![0.2, 0.1],
        }],
    };
    let figure = figure(vec![
        vec![panel("left", lines(&[(1.0, 0.1), (3.0, 0.5)])), panel("right", lines(&[(1.0, 0.2)]))],
        vec![panel("boxes", Content::Boxes(vec![boxes.clone(), boxes]))],
        vec![panel("bars", Content::Bars(bars))],
    ]);
    let svg = svg(&figure);
    let written: Vec<&str> = svg.lines().map(str::trim).collect();
    for word in [
        "A title", "how", "left", "right", "boxes", "bars", "size", "distance", "smooth", "other", "bound",
        "truth", "lshist", "lsdim", "none", "one",
    ] {
        assert!(written.contains(&word), "{word} is not in the picture");
    }
    // The legend names each once, whatever the number of panels.
    assert_eq!(written.iter().filter(|word| **word == "smooth").count(), 1);
    assert!(render(&figure, PlotFormat::Png, "figure").expect("drawn").starts_with(b"\x89PNG"));
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
