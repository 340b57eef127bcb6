//! What a release of many tables will be like, beside its neighbours.

use std::ops::RangeInclusive;

use posterity::document::AboutColumn;
use posterity::margins::{MarginsError, MarginsTerms, Which};
use posterity::number::count;
use posterity::table::{SpaceColumn, Subject};
use posterity_core::model::{Adjacency, LevelError};
use posterity_margins::interval::{Tail, Within};
use posterity_margins::{MAX_RECORDS, Plan};
use serde::Serialize;
use thiserror::Error;

use crate::design::TableColumn;

/// The shares whose intervals are forecast.
const SHARES: [f64; 2] = [0.5, 0.1];

/// The numbers of columns that are shown beside the tables that are asked for.
const BESIDE: RangeInclusive<usize> = 1..=3;

/// The most tables that are planned without being asked for: more take long.
const MOST_BESIDE: f64 = 30_000.0;

/// What a release of many tables will be like, beside releases of smaller and larger tables at the same budget. It does
/// not depend on any data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarginsAdvice {
    /// The columns with their numbers of values.
    pub columns: Vec<TableColumn>,
    /// The number of records; where n is private, a guess.
    pub n: u64,
    /// What is protected.
    #[serde(skip_serializing_if = "Adjacency::is_replace")]
    pub adjacency: Adjacency,
    /// The privacy budget of all tables together.
    pub epsilon: f64,
    /// The delta that goes with it.
    pub delta: f64,
    /// The budget as zero-concentrated privacy.
    pub rho: f64,
    /// The probability of the intervals.
    pub level: f64,
    /// The half-width of intervals about the population without any noise, for each share.
    pub without_privacy: Vec<WithoutPrivacy>,
    /// What the other plans cost beside the first, in words.
    pub reasons: Vec<String>,
    /// The plan that was asked for first, then all tables of up to one, two and three columns where they are possible.
    pub plans: Vec<MarginsPlan>,
    /// What was left out, and why, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// That the tables that were asked for will say nearly nothing but noise, in words; none if they will say more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// The half-width without any noise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WithoutPrivacy {
    /// The share.
    pub share: f64,
    /// The half-width.
    pub half_width: f64,
}

/// The noise of some tables, and what comes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarginsPlan {
    /// Which tables, as `--sets` takes it.
    pub margins: String,
    /// Whether they were asked for.
    pub asked: bool,
    /// What all tables cost: at most the budget.
    pub price: PlanPrice,
    /// A number that the mean variance, divided by the least possible one, does not exceed; absent if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// The tables by their numbers of columns.
    pub levels: Vec<MarginsLevel>,
}

/// What a plan costs, in zero-concentrated privacy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlanPrice {
    /// No pair of adjacent data sets costs more.
    pub rho: f64,
    /// Whether a pair costs as much; otherwise rho is a bound.
    pub exact: bool,
    /// How far the bound is above the worst pair that was found, as a part of what that one costs.
    pub gap: f64,
}

/// The tables of this many columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarginsLevel {
    /// How many columns each has.
    pub columns: usize,
    /// How many there are.
    pub tables: usize,
    /// The standard deviation of the noise of one cell, in records: that of the table in the middle.
    pub deviation: f64,
    /// The deviation in the table with the most noise.
    pub largest_deviation: f64,
    /// The mean of the expected L1 errors of their shares, of the noise alone.
    pub expected_l1: f64,
    /// The intervals to expect of the share of one cell.
    pub half_widths: Vec<CellWidth>,
}

/// The interval to expect of the share of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CellWidth {
    /// The share.
    pub share: f64,
    /// What the interval is about.
    pub about: Subject,
    /// Its half-width in the table in the middle: half of the tables have narrower ones.
    pub half_width: f64,
    /// Its half-width in the table with the most noise.
    pub widest: f64,
}

/// Why there is no forecast.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MarginsAdviceError {
    /// The number of records is not possible.
    #[error("the number of records is {n}; give one from 1 to {MAX_RECORDS}")]
    Records {
        /// The number.
        n: u64,
    },
    /// There are too many tables to plan them unasked.
    #[error("{} tables take long to plan; ask for them by themselves", count(*tables))]
    Many {
        /// How many.
        tables: f64,
    },
    /// The tables cannot be released.
    #[error(transparent)]
    Margins(#[from] MarginsError),
    /// The level is not possible.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// What a release of these tables will be like if there are n records. Nothing is read: n is public, or a guess.
///
/// ```
/// use posterity::table::SpaceColumn;
/// use posterity::margins::{MarginsTerms, Which};
/// use posterity_advice::margins::advise_margins;
/// let columns = ["smokes", "drinks", "cured"].map(|name| SpaceColumn::new(name, ["yes", "no"]));
/// let terms = MarginsTerms::new(Which::all(2), "1".parse()?, "1e-9".parse()?);
/// let advice = advise_margins(&columns, 10_000, &terms)?;
/// assert_eq!(advice.plans.iter().map(|plan| plan.margins.as_str()).collect::<Vec<_>>(), ["2", "1", "3"]);
/// // More tables, more noise.
/// assert!(advice.plans[1].levels[0].deviation < advice.plans[0].levels[0].deviation);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MarginsAdviceError`].
pub fn advise_margins(
    columns: &[SpaceColumn],
    n: u64,
    terms: &MarginsTerms,
) -> Result<MarginsAdvice, MarginsAdviceError> {
    if !(1..=MAX_RECORDS).contains(&n) {
        return Err(MarginsAdviceError::Records { n });
    }
    let declared: Vec<AboutColumn> = columns.iter().map(about).collect();
    let forecast = Forecast { columns: &declared, n, terms };
    let asked = terms.plan(&declared)?;
    let mut plans = vec![forecast.described(&terms.which, &asked, true)?];
    let mut left_out = Vec::new();
    for which in forecast.beside() {
        match forecast.neighbour(&which) {
            Ok(plan) => plans.push(plan),
            Err(why) => left_out.push(format!("--sets {which}: {why}")),
        }
    }
    Ok(MarginsAdvice {
        warning: MarginsTerms::mostly_noise(&asked, n as f64),
        columns: columns.iter().map(sized).collect(),
        n,
        adjacency: terms.adjacency,
        epsilon: terms.epsilon.to_f64(),
        delta: terms.delta.to_f64_shown(),
        rho: terms.rho()?.to_f64_shown(),
        level: terms.ways.level,
        without_privacy: without_privacy(n, terms.ways.level)?,
        reasons: plans[1..].iter().filter_map(|other| beside_in_words(&plans[0], other)).collect(),
        plans,
        left_out,
    })
}

fn about(column: &SpaceColumn) -> AboutColumn {
    AboutColumn {
        name: column.name.clone(),
        bins: column.edges.clone(),
        values: column.values.clone(),
        ..AboutColumn::default()
    }
}

fn sized(column: &SpaceColumn) -> TableColumn {
    TableColumn { name: column.name.clone(), values: column.values.len() }
}

/// What is known before there is any data.
struct Forecast<'a> {
    columns: &'a [AboutColumn],
    n: u64,
    terms: &'a MarginsTerms,
}

impl Forecast<'_> {
    /// All tables of up to this many columns, other than those that are asked for.
    fn beside(&self) -> Vec<Which> {
        let possible = BESIDE.filter(|&order| order <= self.columns.len()).map(Which::all);
        possible.filter(|which| *which != self.terms.which).collect()
    }

    /// A plan that nobody asked for, unless it would take long.
    fn neighbour(&self, which: &Which) -> Result<MarginsPlan, MarginsAdviceError> {
        let tables = tables(self.columns.len(), which.order.unwrap_or_default());
        if tables > MOST_BESIDE {
            return Err(MarginsAdviceError::Many { tables });
        }
        let terms = MarginsTerms { which: which.clone(), ..self.terms.clone() };
        self.described(which, &terms.plan(self.columns)?, false)
    }

    fn described(&self, which: &Which, plan: &Plan, asked: bool) -> Result<MarginsPlan, MarginsAdviceError> {
        Ok(MarginsPlan {
            margins: which.to_string(),
            asked,
            price: PlanPrice {
                rho: plan.price().upper().to_f64().value(),
                exact: plan.price().is_exact(),
                gap: plan.price().gap(),
            },
            within: plan.within(),
            levels: margins_levels(plan, self.n as f64, self.terms.ways.level)?,
        })
    }
}

/// What the tables of a plan will be like, by their numbers of columns, if there are this many records.
///
/// # Errors
/// [`LevelError`].
pub fn margins_levels(plan: &Plan, n: f64, level: f64) -> Result<Vec<MarginsLevel>, LevelError> {
    (1..=plan.workload().order()).map(|columns| level_of(plan, columns, n, level)).collect()
}

fn level_of(plan: &Plan, columns: usize, n: f64, level: f64) -> Result<MarginsLevel, LevelError> {
    let sets = plan.workload().sets().iter().enumerate().filter(|(_, set)| set.len() == columns);
    let mut noise: Vec<(usize, f64)> = sets.map(|(index, _)| (index, plan.cell_variance(index))).collect();
    noise.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let [middle, last] = [noise[noise.len() / 2], noise[noise.len() - 1]];
    let width = |(index, _): (usize, f64), share, about: Subject| {
        plan.expected_half_width(index, share, n, about, level)
    };
    let mut half_widths = Vec::new();
    for share in SHARES {
        for about in [Subject::Records, Subject::Population] {
            let half_width = width(middle, share, about)?;
            let widest = if last.1 > middle.1 { width(last, share, about)? } else { half_width };
            half_widths.push(CellWidth { share, about, half_width, widest });
        }
    }
    Ok(MarginsLevel {
        columns,
        tables: noise.len(),
        deviation: middle.1.sqrt(),
        largest_deviation: last.1.sqrt(),
        expected_l1: plan.level_l1(columns, n),
        half_widths,
    })
}

/// How many sets of up to this many columns there are.
fn tables(columns: usize, order: usize) -> f64 {
    let (mut sum, mut term) = (0.0, 1.0);
    for size in 1..=order {
        term *= (columns + 1 - size) as f64 / size as f64;
        sum += term;
    }
    sum
}

/// The half-widths that sampling alone gives (Clopper and Pearson 1934).
fn without_privacy(n: u64, level: f64) -> Result<Vec<WithoutPrivacy>, LevelError> {
    let one = |share: f64| {
        let exact = Within {
            group: share * n as f64,
            condition: n as f64,
            group_variance: 0.0,
            condition_variance: 0.0,
            covariance: 0.0,
            tail: Tail::new(0.0, f64::INFINITY),
        };
        let [low, high] = exact.interval(Subject::Population, level)?.ends;
        Ok(WithoutPrivacy { share, half_width: 0.5 * (high - low) })
    };
    SHARES.into_iter().map(one).collect()
}

/// What another plan costs at the largest tables that both have.
fn beside_in_words(asked: &MarginsPlan, other: &MarginsPlan) -> Option<String> {
    let [own, its] = asked.levels.iter().zip(&other.levels).next_back().map(|(own, its)| [own, its])?;
    let tables = if own.columns == 1 {
        "single columns".to_owned()
    } else {
        format!("tables of {} columns", own.columns)
    };
    let ratio = its.deviation / own.deviation;
    let times = if (ratio - 1.0).abs() < 0.02 { "about".to_owned() } else { format!("{ratio:.2} times") };
    Some(format!("With --sets {}, the noise of {tables} is {times} as large.", other.margins))
}
