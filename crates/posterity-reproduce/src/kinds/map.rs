//! Who is better over data size and budget.

use posterity_core::model::Prior;
use posterity_plot::{Axis, CellKind, Cells, Content, Lines, Panel, Rule, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::validity::{setting, some, two_categories};
use crate::contender::{Contender, styles};
use crate::seed::stream;
use crate::table::ResultTable;
use crate::values::{CountsValue, EpsilonValue, MetricValue};

/// A map of the best mechanism over (n, epsilon), and the budgets from which on one mechanism beats others. Balanced
/// data.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Map {
    prior: Prior,
    mechanisms: Vec<Contender>,
    /// The mechanism whose budgets are solved for.
    challenger: Contender,
    /// Those that it is compared with.
    against: Vec<Contender>,
    sizes: Vec<u64>,
    quick: Option<Vec<u64>>,
    values: Vec<f64>,
    /// Known limits of the solved budgets for the probability of the truth.
    #[serde(default)]
    limits: Vec<f64>,
}

/// The two figures of merit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Merit {
    Exact,
    Mean,
}

impl Merit {
    const BOTH: [Self; 2] = [Self::Exact, Self::Mean];

    fn title(self) -> &'static str {
        match self {
            Self::Exact => "P(exact)",
            Self::Mean => "mean distance",
        }
    }

    /// The number to compare: larger is better.
    fn score(self, [exact, mean]: [f64; 2]) -> f64 {
        match self {
            Self::Exact => exact,
            Self::Mean => -mean,
        }
    }
}

impl Procedure for Map {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("mechanisms", &self.mechanisms)?;
        some("against", &self.against)?;
        some("sizes", &self.sizes)?;
        some("values", &self.values)?;
        let sizes = self.sizes.iter().chain(self.quick.iter().flatten());
        if let Some(odd) = sizes.clone().find(|&&n| n == 0 || n % 2 == 1) {
            return Err(format!("sizes: {odd} is no size of balanced data; give even numbers"));
        }
        for list in [&self.sizes, self.quick.as_ref().unwrap_or(&self.sizes)] {
            if !list.is_sorted() {
                return Err("sizes: give them in rising order".to_owned());
            }
        }
        if !self.values.is_sorted() {
            return Err("values: give them in rising order".to_owned());
        }
        self.values.iter().try_for_each(|&value| EpsilonValue::try_from(value).map(drop))
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let sizes = context.mode.choose(self.sizes.clone(), self.quick.clone());
        let cells: Vec<(u64, f64)> =
            sizes.iter().flat_map(|&n| self.values.iter().map(move |&value| (n, value))).collect();
        let found = context.compute(&cells, |&(n, value)| {
            let one = |contender: &Contender| self.measure(contender, n, value);
            self.mechanisms.iter().map(one).collect::<Result<Vec<[f64; 2]>, String>>()
        })?;
        let duels: Vec<(u64, &Contender, Merit)> = sizes
            .iter()
            .flat_map(|&n| self.against.iter().map(move |other| (n, other)))
            .flat_map(|(n, other)| Merit::BOTH.map(|merit| (n, other, merit)))
            .collect();
        let solved = context.compute(&duels, |&(n, other, merit)| self.solve(n, other, merit))?;
        let mut table = ResultTable::default();
        let mut maps = Vec::new();
        for merit in Merit::BOTH {
            let mut winners = Vec::new();
            for (&(n, value), all) in cells.iter().zip(&found) {
                let scores: Vec<f64> = all.iter().map(|one| merit.score(*one)).collect();
                let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let winner = scores.iter().position(|&score| score == best).unwrap_or(0);
                winners.push(winner);
                for (contender, one) in self.mechanisms.iter().zip(all) {
                    let number = merit.score(*one).abs();
                    let panel = format!("{}, n = {n}", merit.title());
                    table.push(&panel, &contender.to_string(), merit.title(), Some(value), number);
                }
            }
            maps.push(self.map(merit, &sizes, &winners));
        }
        for (&(n, other, merit), crossing) in duels.iter().zip(&solved) {
            if let Some(crossing) = crossing {
                let quantity = format!("budget, {}", merit.title());
                table.push("", &format!("against {other}"), &quantity, Some(n as f64), *crossing);
            }
        }
        let lines = Merit::BOTH.map(|merit| self.lines(merit, &table));
        Ok((table, vec![maps, lines.into()]))
    }
}

impl Map {
    /// The probability of the truth and the mean distance.
    fn measure(&self, contender: &Contender, n: u64, value: f64) -> Result<[f64; 2], String> {
        let counts = CountsValue::try_from(vec![n / 2, n / 2])?.0;
        let epsilon = EpsilonValue::try_from(value)?.0;
        let mechanism = contender.build(&setting(&self.prior, n, &epsilon)?)?;
        let mut bits = stream(0, &[]);
        let measured = contender.law(&*mechanism, &counts, MetricValue::default().0, 1, &mut bits)?;
        match measured.runs {
            None => Ok([measured.law.probability_exact(), measured.law.mean()]),
            Some(_) => Err(format!("{contender}: the law at n = {n} has too many outcomes to list")),
        }
    }

    /// The least budget from which on the challenger is better, up to the largest budget of the map: none if it is not
    /// better there.
    fn solve(&self, n: u64, other: &Contender, merit: Merit) -> Result<Option<f64>, String> {
        let leads = |value: f64| -> Result<bool, String> {
            let mine = merit.score(self.measure(&self.challenger, n, value)?);
            Ok(mine > merit.score(self.measure(other, n, value)?))
        };
        let mut last_behind = None;
        for (index, &value) in self.values.iter().enumerate().rev() {
            if !leads(value)? {
                last_behind = Some(index);
                break;
            }
        }
        let Some(behind) = last_behind else { return Ok(self.values.first().copied()) };
        let Some(&above) = self.values.get(behind + 1) else { return Ok(None) };
        let (mut low, mut high) = (self.values[behind], above);
        while high - low > 1e-6 * high {
            let middle = 0.5 * (low + high);
            if leads(middle)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(Some(high))
    }

    fn map(&self, merit: Merit, sizes: &[u64], winners: &[usize]) -> Panel {
        let styles = styles(&self.mechanisms);
        let kinds = self.mechanisms.iter().zip(styles);
        let kinds = kinds.map(|(one, style)| CellKind { label: format!("{} is best", one.label()), style });
        Panel {
            title: format!("best by {}", merit.title()),
            x: Axis::log("data size n"),
            y: Axis::log("budget ε"),
            content: Content::Cells(Cells {
                columns: sizes.iter().map(|&n| n as f64).collect(),
                rows: self.values.clone(),
                kinds: kinds.collect(),
                cells: winners.chunks(self.values.len()).map(<[usize]>::to_vec).collect(),
            }),
        }
    }

    fn lines(&self, merit: Merit, table: &ResultTable) -> Panel {
        let quantity = format!("budget, {}", merit.title());
        let series = self.against.iter().enumerate().map(|(index, other)| Series {
            label: format!("{} passes {} here", self.challenger.label(), other.label()),
            style: Style::plain(index),
            points: table.curve("", &format!("against {other}"), &quantity),
        });
        let limits = if merit == Merit::Exact { &self.limits[..] } else { &[] };
        let rules = limits.iter().map(|&at| Rule::Across { label: "limit for large n".to_owned(), at });
        Panel {
            title: format!("from which budget on, {}", merit.title()),
            x: Axis::log("data size n"),
            y: Axis::linear("budget ε").including(0.0),
            content: Content::Lines(Lines { series: series.collect(), rules: rules.collect() }),
        }
    }
}
