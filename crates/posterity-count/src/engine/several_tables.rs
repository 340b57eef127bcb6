//! The part of the query that counts each record in several tables.
//!
//! Each record becomes one row for each table, with its place there, and these rows are counted. The tables stand one
//! after the other, so that one number says which table and which cell. An executor has no function that makes a list
//! of a record's places. So the codes of a record are packed into words; lists of constants say for each table where
//! its columns stand in them and how they count; and the lists are unfolded beside the words.
//!
//! Of a unit one record counts in all tables. Its words have the rank of the record above them. Then the least of each
//! word is that of the record with the least rank. If two records of a unit draw the same rank, words of both may come
//! together: still one category in each column, so that the unit counts once in each table, as every unit does.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Column, ScalarValue, UnnestOptions};
use datafusion::error::DataFusionError;
use datafusion::functions_aggregate::expr_fn::min;
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, Operator, binary_expr, lit, when};

use super::codes::NO_UNIT;
use super::columns::name;
use super::record_codes::{BELOW_RANK, flaws, part, rank};
use crate::cells::code_bits;
use crate::checked_questions::{CheckedQuestions, Coding};
use crate::question_group::QuestionGroup;
use crate::unit::PerUnit;

/// Bits of a word that has a rank above it.
const BESIDE_RANK: u32 = BELOW_RANK.trailing_zeros();

/// Bits of a word that stands alone.
const ALONE: u32 = 62;

/// From codes to the places of each record, or unit, in all tables.
pub(super) fn keys(
    builder: LogicalPlanBuilder,
    checked: &CheckedQuestions<'_>,
    tables: &[QuestionGroup],
) -> Result<LogicalPlanBuilder, DataFusionError> {
    let columns = checked.codings.len();
    let parts = || (0..columns).map(|position| name(part(position)));
    let unit = checked.unit.map(|_| name("unit"));
    let mut flaws = flaws(columns);
    if let Some(unit) = &unit {
        flaws.push((Box::new(unit.clone().is_null()), Box::new(lit(NO_UNIT))));
    }
    let flaw = Expr::Case(Case::new(None, flaws, Some(Box::new(lit(0_i64))))).alias("flaw");
    let mut builder = builder.project(parts().chain(unit.clone()).chain([flaw]))?;
    if checked.leaves_out() {
        builder = builder.filter(name("flaw").gt_eq(lit(0_i64)))?;
    }
    if let Some(unit) = unit {
        builder = one_record(builder, checked, unit)?;
    }
    places(builder, checked, tables)
}

/// One row for each table, with the place of the record there.
fn places(
    builder: LogicalPlanBuilder,
    checked: &CheckedQuestions<'_>,
    tables: &[QuestionGroup],
) -> Result<LogicalPlanBuilder, DataFusionError> {
    let packing = WordPacking::new(checked, ALONE);
    let wrong = || name("flaw").lt(lit(0_i64));
    let words = (0..packing.words).map(|word| {
        // A code that stands for no category would spoil the others.
        Ok(when(wrong(), lit(0_i64)).otherwise(packing.packed(word))?.alias(format!("word{word}")))
    });
    let mut columns = words.collect::<Result<Vec<Expr>, DataFusionError>>()?;
    columns.push(name("flaw"));
    let mut unfolded = Vec::new();
    let mut list = |label: String, values: &mut dyn Iterator<Item = i64>| {
        let values: Vec<ScalarValue> = values.map(ScalarValue::from).collect();
        let values = ScalarValue::new_list_nullable(&values, &DataType::Int64);
        columns.push(lit(ScalarValue::List(values)).alias(&label));
        unfolded.push(Column::new_unqualified(&label));
        name(label)
    };
    let starts = tables.iter().scan(0, |next, table| {
        let start = *next;
        *next += table.cells as i64;
        Some(start)
    });
    let mut place = list("start".into(), &mut { starts });
    for dimension in 0..tables.iter().map(|table| table.codings.len()).max().unwrap_or_default() {
        let steps: Vec<Step> = tables.iter().map(|table| packing.step(checked, table, dimension)).collect();
        let word = list(format!("word of {dimension}"), &mut steps.iter().map(|step| step.word));
        let shift = list(format!("shift of {dimension}"), &mut steps.iter().map(|step| step.shift));
        let mask = list(format!("mask of {dimension}"), &mut steps.iter().map(|step| step.mask));
        let stride = list(format!("stride of {dimension}"), &mut steps.iter().map(|step| step.stride));
        let code = binary_expr(packing.chosen(word), Operator::BitwiseShiftRight, shift);
        place = place + binary_expr(code, Operator::BitwiseAnd, mask) * stride;
    }
    let key = when(wrong(), name("flaw")).otherwise(place)?;
    builder
        .project(columns)?
        .unnest_columns_with_options(unfolded, UnnestOptions::default())?
        .project([key.alias("cell")])
}

/// One record of each unit.
fn one_record(
    mut builder: LogicalPlanBuilder,
    checked: &CheckedQuestions<'_>,
    unit: Expr,
) -> Result<LogicalPlanBuilder, DataFusionError> {
    let drawn = checked.question.per_unit == PerUnit::Random;
    let packing = WordPacking::new(checked, if drawn { BESIDE_RANK } else { ALONE });
    if drawn {
        let columns = (0..checked.codings.len()).map(|position| name(part(position)));
        // A condition that is always true stands between the draw and its uses, so that the engine cannot carry the
        // draw into each of them, where every word would have one of its own. `Query::prepare` looks for that, too.
        builder = builder
            .project(columns.chain([unit.clone(), name("flaw"), rank().alias("rank")]))?
            .filter(name("rank").gt_eq(lit(0_i64)))?;
    }
    let record = |word: usize| {
        let codes = packing.packed(word);
        let present = if drawn { name("rank") * lit(BELOW_RANK) + codes } else { codes };
        let record = when(name("flaw").lt(lit(0_i64)), name("flaw")).otherwise(present)?;
        Ok::<_, DataFusionError>(record.alias(format!("record{word}")))
    };
    let kept = |word: usize| min(name(format!("record{word}"))).alias(format!("kept{word}"));
    let codes = |word: usize| {
        let kept = name(format!("kept{word}"));
        if drawn { kept % lit(BELOW_RANK) } else { kept }
    };
    let unpacked = |position: usize| packing.unpacked(position, codes).alias(part(position));
    let records = (0..packing.words).map(record).collect::<Result<Vec<_>, _>>()?;
    builder
        .project(records.into_iter().chain([unit.clone()]))?
        .aggregate([unit], (0..packing.words).map(kept))?
        .project((0..checked.codings.len()).map(unpacked).chain([name("kept0").alias("flaw")]))
}

/// Whether the codes of one record of each unit fit into words, by the rule of the question.
pub(super) fn fits(checked: &CheckedQuestions<'_>) -> bool {
    if checked.question.per_unit == PerUnit::Random {
        return checked.codings.iter().all(|coding| bits(coding) <= BESIDE_RANK);
    }
    // The least word is that of the least record only if there is one word.
    checked.codings.iter().map(bits).sum::<u32>() <= ALONE
}

/// How many bits the codes of a column take.
fn bits(coding: &Coding) -> u32 {
    code_bits(coding.dimension.len)
}

/// Where the codes of each column stand in the words of a record. The first column stands highest, so that a word
/// compares as its codes do.
struct WordPacking {
    /// For each column its word, by how many bits it is shifted there, and how many it has.
    columns: Vec<(usize, u32, u32)>,
    words: usize,
}

/// How the code of one column of a table is found, and how it counts.
#[derive(Default)]
struct Step {
    word: i64,
    shift: i64,
    mask: i64,
    stride: i64,
}

impl WordPacking {
    /// Words of at most so many bits.
    fn new(checked: &CheckedQuestions<'_>, most: u32) -> Self {
        let mut columns: Vec<(usize, u32, u32)> = Vec::with_capacity(checked.codings.len());
        let (mut word, mut taken) = (0, 0);
        for coding in checked.codings.iter().rev() {
            let bits = bits(coding);
            if taken + bits > most {
                (word, taken) = (word + 1, 0);
            }
            columns.push((word, taken, bits));
            taken += bits;
        }
        columns.reverse();
        Self { columns, words: word + 1 }
    }

    /// A word of a record, from its codes.
    fn packed(&self, word: usize) -> Expr {
        let here = self.columns.iter().enumerate().filter(|(_, (own, _, _))| *own == word);
        here.map(|(position, (_, shift, _))| name(part(position)) * lit(1_i64 << shift))
            .reduce(|sum, term| sum + term)
            .unwrap_or_else(|| lit(0_i64))
    }

    /// The code of a column, from the words of a record.
    fn unpacked(&self, position: usize, words: impl Fn(usize) -> Expr) -> Expr {
        let (word, shift, bits) = self.columns[position];
        words(word) / lit(1_i64 << shift) % lit(1_i64 << bits)
    }

    /// The word of this number.
    fn chosen(&self, number: Expr) -> Expr {
        let word = |word: usize| Box::new(name(format!("word{word}")));
        let others = (1..self.words).map(|other| (Box::new(lit(other as i64)), word(other)));
        let others: Vec<_> = others.collect();
        if others.is_empty() {
            return *word(0);
        }
        Expr::Case(Case::new(Some(Box::new(number)), others, Some(word(0))))
    }

    /// What a dimension of a table takes. A table with fewer takes nothing of the others.
    fn step(&self, checked: &CheckedQuestions<'_>, table: &QuestionGroup, dimension: usize) -> Step {
        let Some(&coding) = table.codings.get(dimension) else { return Step::default() };
        let (word, shift, bits) = self.columns[coding];
        let faster = &table.codings[dimension + 1..];
        let stride: usize = faster.iter().map(|&coding| checked.codings[coding].dimension.len).product();
        Step { word: word as i64, shift: i64::from(shift), mask: (1 << bits) - 1, stride: stride as i64 }
    }
}
