//! `posterity advise --columns`

use posterity::number::{brief, percent};
use posterity::plan::Stated;
use posterity::{Adjacency, Epsilon, Terms, meaning};
use posterity_advice::design::{
    Columns, Design, DesignError, ExpectedReading, LeastTableEpsilon, Table, TableAdvice, advise_table,
    design_in_words, half_width, least_table_epsilon, times,
};
use posterity_plot::{Axis, Content, Figure, Lines, Panel, Rule, Series, Style, write};

use super::arguments::AdviseArgs;
use crate::failure::Failure;
use crate::notice::{note, warn_of_large};
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value, print};
use crate::progress::Progress;

/// Compares the ways to release a table, or finds the least budget for its readings.
pub(super) fn advise_columns(args: &AdviseArgs, stated: &Stated, columns: &Columns) -> Result<(), Failure> {
    let table = table(args, stated, columns)?;
    match (stated.epsilon(), args.half_width) {
        (Some(epsilon), _) => compare(args, stated, (&table, epsilon)),
        (None, Some(width)) => least(args, stated, (&table, width)),
        (None, None) => Err(Failure::usage("--epsilon", "give a budget, or --half-width")),
    }
}

fn table(args: &AdviseArgs, stated: &Stated, columns: &Columns) -> Result<Table, Failure> {
    let table = Table::new(columns.clone(), stated.readings(), args.n).map_err(wrong)?;
    let mut table = table.with_level(stated.level()).map_err(wrong)?.under(stated.adjacency());
    for shape in args.column_shapes(columns)? {
        table = table.with_shape(shape).map_err(|error| Failure::usage("--shape", error))?;
    }
    Ok(table)
}

/// What is wrong, with the argument that it is about.
pub(in crate::commands) fn wrong(error: DesignError) -> Failure {
    let argument = match &error {
        DesignError::Prior(_) => "--prior",
        DesignError::HalfWidth { .. } => "--half-width",
        DesignError::Count { .. }
        | DesignError::Mean { .. }
        | DesignError::Reading(_)
        | DesignError::Cells { .. } => "--read",
        DesignError::Records(_) | DesignError::Counts(_) => "--n",
        DesignError::Epsilon(_) => "--epsilon",
        DesignError::Column { .. } | DesignError::Columns { .. } | DesignError::Repeated { .. } => {
            "--columns"
        }
        _ => return Failure::refused(error),
    };
    Failure::usage(argument, error)
}

fn compare(args: &AdviseArgs, stated: &Stated, (table, epsilon): (&Table, &Epsilon)) -> Result<(), Failure> {
    let progress = Progress::spinner("forecasting releases");
    let advice = advise_table(table, epsilon, &|done| progress.add(done));
    drop(progress);
    let advice = advice.map_err(wrong)?;
    advice.left_out.iter().for_each(note);
    warn_of_large(stated.adjacency(), Some(advice.epsilon));
    Ok(print(&args.public.printing, &advice)?)
}

fn least(args: &AdviseArgs, stated: &Stated, (table, width): (&Table, f64)) -> Result<(), Failure> {
    if let Some(file) = &args.plot() {
        file.check().map_err(Failure::plot)?;
    }
    let progress = Progress::spinner("searching: epsilons tried");
    let found = least_table_epsilon(table, width, args.plot().is_some(), &|done| progress.add(done));
    drop(progress);
    let found = found.map_err(wrong)?;
    found.left_out.iter().for_each(note);
    if let Some(file) = &args.plot() {
        write(&picture(&found), file).map_err(Failure::plot)?;
        note(format!("wrote {file}"));
    }
    warn_of_large(stated.adjacency(), found.epsilon);
    Ok(print(&args.public.printing, &found)?)
}

impl Report for TableAdvice {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        records(&self.designs)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        page.say(self.recommendation.as_str());
        page.say(self.reason.as_str());
        page.pause();
        add_designs(&mut page, &self.designs, self.level);
        page.say(format!(
            "Assumed: {}, n {}, epsilon {}. No data was read.",
            self.assumed, self.n, self.epsilon
        ));
        explain(&mut page, &self.designs, self.adjacency, self.seed);
        page.explain(Paragraph::led("Meaning:", meaning::under(self.adjacency, self.epsilon, 0.0, "record")));
        page
    }
}

impl Report for LeastTableEpsilon {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        records(&self.designs)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        page.say(self.recommendation.as_str());
        page.say(self.reason.as_str());
        if let Some(epsilon) = self.epsilon {
            page.say(Paragraph::led("Meaning:", meaning::under(self.adjacency, epsilon, 0.0, "record")));
        }
        if !self.designs.is_empty() {
            page.pause();
            add_designs(&mut page, &self.designs, self.level);
        }
        page.say(format!("Assumed: {}, n {}. No data was read.", self.assumed, self.n));
        explain(&mut page, &self.designs, self.adjacency, self.seed);
        page
    }
}

/// One line for each design and reading.
fn records(designs: &[Design]) -> Sheet<'_> {
    let columns = [
        "design",
        "division",
        "epsilon",
        "reading",
        "rows",
        "half_width",
        "widest",
        "standard_error",
        "without_privacy",
    ];
    let rows = designs.iter().flat_map(|design| {
        design.readings.iter().map(move |reading| {
            vec![
                Value::text(serialised(&design.name)),
                Value::text(serialised(&design.division)),
                Value::Real(epsilon_of(design, reading)),
                Value::text(reading.reading.to_string()),
                Value::Whole(reading.rows as u64),
                Value::Real(reading.half_width),
                Value::Real(reading.widest),
                Value::Real(reading.standard_error),
                Value::Real(reading.without_privacy),
            ]
        })
    });
    Sheet::new(columns.map(Column::text).into(), rows)
}

/// A name as JSON has it.
fn serialised(name: &impl serde::Serialize) -> String {
    let text = serde_json::to_value(name).ok();
    text.and_then(|text| text.as_str().map(ToOwned::to_owned)).unwrap_or_default()
}

/// The budget of the release that a reading is of.
fn epsilon_of(design: &Design, reading: &ExpectedReading) -> f64 {
    let asked = reading.reading.columns();
    let holds = |columns: &[String]| asked.iter().all(|name| columns.iter().any(|column| column == name));
    // The smallest release that has the columns is the one that is read.
    let releases = design.releases.iter().filter(|release| holds(&release.columns));
    releases.min_by_key(|release| release.cells).map_or(f64::NAN, |release| release.epsilon)
}

/// The readings with the half-widths of each design, and what each release gets.
fn add_designs<'a>(page: &mut Page<'a>, designs: &'a [Design], level: f64) {
    page.say(format!("Expected {} % confidence intervals, ± percentage points:", percent(level)));
    let mut columns = vec![Column::text("reading"), Column::number("rows")];
    columns.extend(designs.iter().map(|design| Column::number(design_in_words(design))));
    columns.push(Column::number("without privacy"));
    let readings = designs.first().map_or(0, |design| design.readings.len());
    let mut rows: Vec<Vec<Value<'a>>> = Vec::new();
    for index in 0..readings {
        let one = &designs[0].readings[index];
        let shown = |width: f64| Value::text(half_width(one, width));
        let mut row = vec![Value::text(one.reading.to_string()), Value::Whole(one.rows as u64)];
        row.extend(designs.iter().map(|design| shown(design.readings[index].half_width)));
        row.push(shown(one.without_privacy));
        rows.push(row);
    }
    let mut last = vec![Value::text("times as wide, mean"), Value::text("")];
    last.extend(designs.iter().map(|design| Value::text(times(design.times))));
    last.push(Value::text("1.00"));
    rows.push(last);
    page.sheet(Sheet::new(columns, rows));
    if let Some(reading) = designs.iter().flat_map(|design| &design.readings).find(|one| !one.is_share()) {
        page.say(format!("{} is in the units of its numbers, which are 1, 2, 3 and so on, and its intervals are credible ones.", reading.reading));
    }
    for design in designs.iter().filter(|design| design.releases.len() > 1) {
        let one = |release: &posterity_advice::design::PlannedRelease| {
            format!("{} {}", release.columns.join("+"), brief(release.epsilon))
        };
        let shares: Vec<String> = design.releases.iter().map(one).collect();
        page.say(format!("Epsilon, {}: {}.", design_in_words(design), shares.join(", ")));
    }
}

/// How the numbers were computed, and what a design is.
fn explain(page: &mut Page<'_>, designs: &[Design], adjacency: Adjacency, seed: Option<u64>) {
    let readings = designs.iter().flat_map(|design| &design.readings);
    let error = readings.map(|one| one.standard_error / one.half_width).fold(0.0, f64::max);
    let credible = seed.map_or_else(String::new, |seed| {
        format!(
            " Means have credible intervals: means over simulated releases with the seed {seed}, with a standard error of at most \
             {} % of each number.",
            brief(100.0 * error)
        )
    });
    let method = format!(
        "confidence intervals of the mechanism {}, at a few numbers that stand for its noise; the error is about 1 % where they \
         are narrow.{credible}",
        Terms::usual_mechanism(adjacency)
    );
    page.explain(Paragraph::led("Method:", method));
    page.explain(Paragraph::led(
        "Designs:",
        "joint is one release of all columns; separate is one for each set of columns that is read together; largest is one for each \
         such set that is in no larger one. The best shares make the mean of the ratios to the half-widths without privacy least.",
    ));
}

/// The half-width against epsilon for each design.
fn picture(found: &LeastTableEpsilon) -> Figure {
    let curves = found.designs.iter().zip(&found.curves).enumerate();
    let mut series: Vec<Series> = curves
        .map(|(index, (design, points))| Series {
            label: design_in_words(design).to_owned(),
            style: Style::plain(index),
            points: points.iter().map(|[epsilon, width]| (*epsilon, 100.0 * width)).collect(),
        })
        .collect();
    let all = || found.curves.iter().flatten().map(|point| point[0]);
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
    if low < high {
        let limit = 100.0 * found.without_privacy;
        series.push(Series {
            label: format!("without privacy: {}", brief(limit)),
            style: Style::plain(series.len()).unmarked(),
            points: vec![(low, limit), (high, limit)],
        });
    }
    let label = format!("what you can bear: {}", brief(100.0 * found.half_width));
    let mut rules = vec![Rule::Across { label, at: 100.0 * found.half_width }];
    if let Some(epsilon) = found.epsilon {
        rules.push(Rule::Upright { label: format!("epsilon {epsilon}"), at: epsilon });
    }
    let columns: Vec<String> =
        found.columns.iter().map(|column| format!("{} {}", column.name, column.values)).collect();
    let panel = Panel {
        title: String::new(),
        x: Axis::log("epsilon of all releases together"),
        y: Axis::linear("percentage points to each side").including(0.0),
        content: Content::Lines(Lines { series, rules }),
    };
    Figure {
        title: "The widest intervals against privacy budget".to_owned(),
        subtitle: format!("n = {}; columns and their values: {}", found.n, columns.join(", ")),
        rows: vec![vec![panel]],
    }
}
