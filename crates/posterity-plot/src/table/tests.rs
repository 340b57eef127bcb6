//! Whether everything of a table is drawn, on the page, and apart from everything else.

use posterity::table::{IntervalKind, Labels, ReadingMethod, ReadingRow, Subject};
use posterity::{Data, Publisher};

use super::scene::{Item, Side};
use super::*;

/// A table with made-up numbers: every combination of the values of its columns.
fn table(reading: &str, given: &[(&str, Vec<String>)], of: &[(&str, Vec<String>)]) -> ReadingTable {
    let names =
        |columns: &[(&str, Vec<String>)]| columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let (conditions, cells) = (combinations(given), combinations(of));
    let mut rows = Vec::new();
    for (group, condition) in conditions.iter().enumerate() {
        for (part, cell) in cells.iter().enumerate() {
            let whole = if given.is_empty() { 1.0 } else { cells.len() as f64 / 2.0 + 0.5 };
            let mean =
                (0.35 + 0.3 * ((7 * group + 3 * part) % 10) as f64 / 10.0) / (whole * cells.len() as f64);
            let half = 0.1 * mean + 0.002;
            let interval = [(mean - half).max(0.0), mean + half];
            rows.push(ReadingRow {
                given: condition.clone(),
                cell: cell.clone(),
                estimate: None,
                mean,
                confidence: None,
                credible: interval,
                interval,
                mostly_prior: false,
                may_be_empty: false,
            });
        }
    }
    let statistic = if reading.starts_with("mean") { Statistic::Mean } else { Statistic::Share };
    ReadingTable {
        reading: reading.parse().expect(reading),
        of: names(of),
        given: names(given),
        statistic,
        method: ReadingMethod::Exact,
        error: 0.0,
        draws: None,
        seed: None,
        level: 0.95,
        interval: IntervalKind::Credible,
        about: Subject::Population,
        simultaneous: false,
        unknown: None,
        words: Default::default(),
        rows,
    }
}

fn combinations(columns: &[(&str, Vec<String>)]) -> Vec<Labels> {
    let mut found: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for (name, values) in columns {
        let longer = |labels: &Vec<(String, String)>| -> Vec<Vec<(String, String)>> {
            let one = |value: &String| [labels.clone(), vec![((*name).to_owned(), value.clone())]].concat();
            values.iter().map(one).collect()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found.into_iter().map(|labels| labels.into_iter().collect()).collect()
}

fn values(name: &str, count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("{name} {number}")).collect()
}

fn long(name: &str, count: usize) -> Vec<String> {
    let tail = " of the united provinces, upper valley/northern coast";
    let name = |number: usize| format!("{name} {number}{}", if number.is_multiple_of(3) { tail } else { "" });
    (1..=count).map(name).collect()
}

/// Tables of 1 to 200 rows, with short, long and foreign names.
fn tables() -> Vec<ReadingTable> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let foreign = words(&["東京都", "Zürich", "Ålesund ≥ 5", "<b>bold</b> & 'quoted'"]);
    vec![
        table("a, b, c", &[], &[("a", values("A", 6)), ("b", values("B", 2)), ("c", values("C", 2))]),
        table("c | a, b", &[("a", values("A", 6)), ("b", values("B", 2))], &[("c", values("C", 2))]),
        table("c=x | a, b", &[("a", long("A", 6)), ("b", long("B", 4))], &[("c", words(&["x"]))]),
        table("b | a", &[("a", long("region", 100))], &[("b", words(&["yes", "no"]))]),
        table("b | a", &[("a", values("grade", 20))], &[("b", long("age", 10))]),
        table("b, a", &[], &[("b", values("code", 10)), ("a", values("group", 20))]),
        table("b | a", &[("a", foreign.clone())], &[("b", foreign)]),
        table("a", &[], &[("a", long("answer", 7))]),
        table("a=x", &[], &[("a", words(&["x"]))]),
        table("mean(score) | a", &[("a", long("ward", 24))], &[]),
        table("a, b", &[], &[("a", values("x", 12)), ("b", values("y", 20))]),
        table("a | b", &[("b", vec!["W".repeat(200)])], &[("a", vec!["M".repeat(150), "i".repeat(400)])]),
    ]
}

fn document() -> posterity::Document {
    let data = Data::counts([("x", 6), ("y", 4)]).expect("counts");
    let publisher = Publisher::new("1".parse().expect("a number"));
    publisher.experiment(&data, 1).expect("drawn").document().clone()
}

/// The kinds that a table can be drawn as.
fn kinds(table: &ReadingTable) -> impl Iterator<Item = PictureKind> {
    let shares = table.statistic == Statistic::Share;
    PictureKind::ALL.into_iter().filter(move |kind| *kind != PictureKind::Mosaic || shares)
}

/// The part of the page that a thing covers: left, top, right and bottom.
fn covered(item: &Item) -> [f64; 4] {
    match item {
        Item::Text { text, at: (x, y), height, side, .. } => {
            let width = measure::width(text, *height);
            let left = match side {
                Side::Left => *x,
                Side::Centre => x - 0.5 * width,
                Side::Right => x - width,
            };
            [left, y - 0.45 * height, left + width, y + 0.45 * height]
        }
        Item::Upright { text, at: (x, y), height } => {
            [x - 0.45 * height, y - measure::width(text, *height), x + 0.45 * height, *y]
        }
        Item::Fill { corners: [(left, top), (right, bottom)], .. } => [*left, *top, *right, *bottom],
        Item::Line { ends: [(a, b), (c, d)], .. } => [a.min(*c), b.min(*d), a.max(*c), b.max(*d)],
        Item::Mark { at: (x, y), .. } => [x - 4.0, y - 4.0, x + 4.0, y + 4.0],
    }
}

fn scenes() -> Vec<(String, PictureKind, ReadingTable, Scene)> {
    let document = document();
    let mut found = Vec::new();
    for table in tables() {
        for kind in kinds(&table) {
            for letters in [Letters::Any, Letters::Bundled] {
                let plot = TablePlot::new(&document, &table, kind).expect("drawn");
                let about = format!("{} of {} rows as {}", table.reading, table.rows.len(), kind.name());
                found.push((about, kind, table.clone(), plot.scene(letters).0));
            }
        }
    }
    found
}

/// If this fails, a part of a picture is cut off.
#[test]
fn nothing_is_outside_the_page() {
    for (about, _, _, scene) in scenes() {
        for item in &scene.items {
            let [left, top, right, bottom] = covered(item);
            // The title and the line below it end at 42.
            let inside = left >= 0.0 && right <= WIDTH && top >= 42.0 && bottom <= scene.height;
            assert!(inside, "{about}, height {}: {item:?} covers {:?}", scene.height, covered(item));
            assert!(left <= right && top <= bottom, "{about}: {item:?}");
        }
    }
}

/// If this fails, a name or a number cannot be read.
#[test]
fn no_text_covers_another() {
    for (about, _, _, scene) in scenes() {
        let texts: Vec<(&Item, [f64; 4])> = scene
            .items
            .iter()
            .filter(|item| matches!(item, Item::Text { .. } | Item::Upright { .. }))
            .map(|item| (item, covered(item)))
            .collect();
        for (index, (one, a)) in texts.iter().enumerate() {
            for (other, b) in &texts[..index] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{about}: {one:?} {a:?} covers {other:?} {b:?}");
            }
        }
    }
}

/// If this fails, a number of the table is not in its picture.
#[test]
fn every_row_is_drawn_once() {
    for (about, kind, table, scene) in scenes() {
        let marks = scene.items.iter().filter(|item| matches!(item, Item::Mark { .. })).count();
        let fills = scene.items.iter().filter(|item| matches!(item, Item::Fill { .. })).count();
        let grid = Grid::of_shares(&table);
        match kind {
            PictureKind::Forest => assert_eq!((marks, fills), (table.rows.len(), 0), "{about}"),
            // The legend of a heat map has 60 shades.
            PictureKind::Heat => assert_eq!((marks, fills), (0, table.rows.len() + 60), "{about}"),
            PictureKind::Mosaic => {
                let legend = grid.inner.len();
                let rest = if table.given.is_empty() { 0 } else { 1 + grid.outer.len() };
                assert_eq!((marks, fills), (0, table.rows.len() + legend + rest), "{about}");
            }
        }
    }
}

/// Names are wrapped, not cut off, unless they are extremely long.
#[test]
fn names_are_written_in_full() {
    for (about, kind, table, scene) in scenes() {
        if table.rows.iter().any(|row| row.given.to_string().len().max(row.cell.to_string().len()) > 120) {
            continue;
        }
        let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
        let mut written = String::new();
        for item in &scene.items {
            if let Item::Text { text, .. } | Item::Upright { text, .. } = item {
                written += &letters(text);
            }
        }
        let grid = Grid::new(&table);
        for side in [&grid.outer, &grid.inner] {
            for value in side.names.iter().flatten().filter(|value| name::is_bundled(value)) {
                assert!(written.contains(&letters(value)), "{about}, {kind:?}: {value} is not in {written}");
            }
        }
    }
}

#[test]
fn each_reading_has_its_usual_picture() {
    let usual: Vec<PictureKind> = tables().iter().map(PictureKind::usual).collect();
    use PictureKind::{Forest, Heat};
    let expected = [Heat, Forest, Forest, Forest, Forest, Heat, Forest, Forest, Forest, Forest, Heat, Forest];
    assert_eq!(usual, expected);
}

/// The tiles of a mosaic are as large as their shares.
#[test]
fn areas_are_shares() {
    let joint = table("a, b", &[], &[("a", values("A", 5)), ("b", values("B", 3))]);
    let document = document();
    let plot = TablePlot::new(&document, &joint, PictureKind::Mosaic).expect("drawn");
    let scene = plot.scene(Letters::Any).0;
    let fills = scene.items.iter().filter(|item| matches!(item, Item::Fill { .. }));
    let area = |item: &Item| {
        let [left, top, right, bottom] = covered(item);
        // The gap of one unit to the next tile belongs to the tile.
        (right - left + 1.0) * (bottom - top)
    };
    // The first three are the legend.
    let areas: Vec<f64> = fills.skip(3).map(area).collect();
    let all: f64 = areas.iter().sum();
    let sum: f64 = joint.rows.iter().map(|row| row.mean).sum();
    for (row, area) in joint.rows.iter().zip(&areas) {
        assert!((row.mean / sum - area / all).abs() < 1e-9, "{} {}", row.mean / sum, area / all);
    }
}

/// The rows of a conditional mosaic are as high as their groups, if these are known, and equally high otherwise.
#[test]
fn groups_have_their_sizes() {
    let conditional = table("b | a", &[("a", values("A", 3))], &[("b", values("B", 2))]);
    let mut groups = table("a", &[], &[("a", values("A", 3))]);
    for (row, mean) in groups.rows.iter_mut().zip([0.5, 0.3, 0.2]) {
        row.mean = mean;
    }
    let document = document();
    let heights = |plot: &TablePlot<'_>| -> Vec<f64> {
        let scene = plot.scene(Letters::Any).0;
        let fills = scene.items.iter().filter(|item| matches!(item, Item::Fill { .. }));
        // After the legend of two parts and the rest, each row has two tiles and the rest.
        fills.skip(3).step_by(3).map(|item| covered(item)[3] - covered(item)[1]).collect()
    };
    let plot = || TablePlot::new(&document, &conditional, PictureKind::Mosaic).expect("drawn");
    let equal = heights(&plot());
    assert!(equal.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 1e-9), "{equal:?}");
    let sized = heights(&plot().weighted(&groups));
    let all: f64 = sized.iter().sum();
    for (height, share) in sized.iter().zip([0.5, 0.3, 0.2]) {
        assert!((height / all - share).abs() < 1e-9, "{sized:?}");
    }
    let asked = TablePlot::groups(&conditional, PictureKind::Mosaic).map(|reading| reading.to_string());
    assert_eq!(asked.as_deref(), Some("a of all"));
    assert_eq!(TablePlot::groups(&conditional, PictureKind::Heat), None);
    assert_eq!(TablePlot::groups(&groups, PictureKind::Mosaic), None, "nothing is given");
}

#[test]
fn rejects() {
    let document = document();
    let none = ReadingTable { rows: Vec::new(), ..table("a", &[], &[("a", values("A", 2))]) };
    let wide = table("b | a", &[("a", values("A", 50))], &[("b", values("B", 60))]);
    let mean = table("mean(score) | a", &[("a", values("A", 2))], &[]);
    let error = |table: &ReadingTable, kind| TablePlot::new(&document, table, kind).expect_err("refused");
    for kind in PictureKind::ALL {
        assert!(matches!(error(&none, kind), PlotError::NoRows { reading } if reading == "a"));
    }
    assert!(matches!(
        error(&wide, PictureKind::Heat),
        PlotError::TooManyColumns { kind: "heat", columns: 50, most: 40, .. }
    ));
    assert!(matches!(
        error(&wide, PictureKind::Mosaic),
        PlotError::TooManyColumns { kind: "mosaic", columns: 60, most: 24, .. }
    ));
    assert!(matches!(error(&mean, PictureKind::Mosaic), PlotError::MosaicOfMeans { .. }));
    assert!(error(&wide, PictureKind::Heat).to_string().contains("draw it as forest"));
}

/// Numbers that are none leave gaps, and no holes in the file.
#[test]
fn odd_numbers_are_left_out() {
    let document = document();
    let mut odd = table("b | a", &[("a", values("A", 4))], &[("b", values("B", 3))]);
    for (row, number) in odd.rows.iter_mut().zip([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -3.0, 1e300]) {
        (row.mean, row.interval) = (number, [number, number]);
    }
    odd.rows.remove(7);
    for kind in PictureKind::ALL {
        let plot = TablePlot::new(&document, &odd, kind).expect("drawn");
        for item in &plot.scene(Letters::Any).0.items {
            assert!(covered(item).iter().all(|place| place.is_finite()), "{kind:?}: {item:?}");
        }
        assert!(!plot.svg().expect("drawn").contains("=\"NaN"), "{kind:?}");
    }
}

/// If there are very many rows, the first are drawn, and the picture says so.
#[test]
fn very_many_rows_are_cut_and_it_is_said() {
    let document = document();
    let many = table("b | a", &[("a", values("A", 500))], &[("b", values("B", 3))]);
    for (kind, said) in [
        (PictureKind::Forest, "the first 400 of 1500 rows"),
        (PictureKind::Heat, "the first 400 of 500 rows"),
        (PictureKind::Mosaic, "the first 400 of 500 rows"),
    ] {
        let plot = TablePlot::new(&document, &many, kind).expect("drawn");
        assert!(plot.subtitle().contains(said), "{}", plot.subtitle());
    }
}

/// Names cannot write markup into a file, and a title fits the page.
#[test]
fn files_are_well_formed() {
    let document = document();
    let odd = vec!["<script>alert(1)</script>".to_owned(), "a & \"b\" 'c' \u{1}".to_owned()];
    let table = table("b | a", &[("a", odd.clone())], &[("b", odd)]);
    for kind in PictureKind::ALL {
        let plot = TablePlot::new(&document, &table, kind).expect("drawn");
        let svg = plot.svg().expect("drawn");
        assert!(
            !svg.contains("<script") && !svg.contains('\u{1}') && svg.contains("&lt;script&gt;"),
            "{kind:?}"
        );
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        let png = render::render(&plot, PlotFormat::Png, "picture").expect("drawn");
        assert!(png.starts_with(b"\x89PNG"));
    }
    let title = TablePlot::new(&document, &tables()[11], PictureKind::Forest).expect("drawn").title();
    assert!(measure::width(&title, 14.0) <= WIDTH);
}
