//! Questions that are counted in one table, from which the counts of each are summed.
//!
//! Adding one to a table takes longer than finding the place in it. So questions whose columns have few combinations
//! together share one table of those combinations, and the answer to each question is a sum over it.

use crate::cells::MAX_CELLS;
use crate::checked_questions::{CheckedQuestions, Part};
use crate::unit::PerUnit;

/// The most cells of a table that several questions share, so that it stays in the fastest memory.
const SHARED: usize = 4096;

/// A table that answers some of the questions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QuestionGroup {
    /// The codings of its dimensions. The last changes fastest.
    pub(crate) codings: Vec<usize>,
    /// How many cells it has, without that of records outside.
    pub(crate) cells: usize,
    /// The questions that it answers.
    pub(crate) parts: Vec<usize>,
}

impl QuestionGroup {
    /// The tables for all questions. Every question is answered by one of them.
    ///
    /// With a unit, sharing is for the rules `random` and `all` only, where the same records stand for the unit in all
    /// questions. By the other rules the choice depends on the cells of the question.
    ///
    /// Where records without a category are left out, a record may have one in some of the questions only. So questions
    /// share a table if they have the same columns, and not otherwise.
    pub(crate) fn of(checked: &CheckedQuestions<'_>) -> Vec<Self> {
        let most = match (checked.unit, &checked.question.per_unit) {
            (None, _) => SHARED,
            (Some(_), PerUnit::Random | PerUnit::All(_)) => MAX_CELLS,
            (Some(_), _) => 0,
        };
        let mut order: Vec<usize> = (0..checked.parts.len()).collect();
        // Those with more columns first: those with fewer often find all of theirs in a table that is there.
        order.sort_by_key(|&part| std::cmp::Reverse(checked.parts[part].codings.len()));
        let mut groups: Vec<Self> = Vec::new();
        for part in order {
            let Part { codings, cells, .. } = &checked.parts[part];
            let (only, joined) = (codings.len() == 1, |group: &Self| group.joined(checked, codings));
            let best = groups
                .iter()
                .enumerate()
                .filter_map(|(index, group)| Some((joined(group)?, index)))
                .filter(|&(cells, index)| {
                    let has_all = most > 0 && cells == groups[index].cells;
                    if checked.leaves_out() {
                        return has_all && codings.len() == groups[index].codings.len();
                    }
                    has_all || cells <= most && (!only || checked.unit.is_some())
                })
                .min_by_key(|&(cells, index)| (cells / groups[index].cells, index));
            match best {
                Some((cells, index)) => groups[index].join(codings, cells, part),
                None => groups.push(Self {
                    codings: codings.clone(),
                    cells: cells.outside().unwrap_or(cells.len()),
                    parts: vec![part],
                }),
            }
        }
        groups
    }

    /// How many cells it would have with these dimensions too.
    fn joined(&self, checked: &CheckedQuestions<'_>, codings: &[usize]) -> Option<usize> {
        let new = codings.iter().filter(|coding| !self.codings.contains(coding));
        new.map(|&coding| checked.codings[coding].dimension.len).try_fold(self.cells, usize::checked_mul)
    }

    fn join(&mut self, codings: &[usize], cells: usize, part: usize) {
        let new: Vec<usize> =
            codings.iter().copied().filter(|coding| !self.codings.contains(coding)).collect();
        self.codings.extend(new);
        self.cells = cells;
        self.parts.push(part);
    }

    /// The counts of a question, from those of this table. Records outside, if there can be any, are counted last.
    pub(crate) fn sum(&self, checked: &CheckedQuestions<'_>, part: usize, counts: &[u64]) -> Vec<u64> {
        let Part { cells, codings } = &checked.parts[part];
        let mut sums = self.margin(checked, codings, counts);
        if let (Some(_), Some(&count)) = (cells.outside(), counts.get(self.cells)) {
            sums.push(count);
        }
        sums
    }

    /// The counts over some of its dimensions, in row-major order, without those of records outside.
    pub(crate) fn margin(
        &self,
        checked: &CheckedQuestions<'_>,
        codings: &[usize],
        counts: &[u64],
    ) -> Vec<u64> {
        if *codings == self.codings {
            return counts[..self.cells].to_vec();
        }
        let lengths: Vec<usize> =
            self.codings.iter().map(|&coding| checked.codings[coding].dimension.len).collect();
        // How far one step along each dimension of the table goes in the cells of the question.
        let mut strides = vec![0; lengths.len()];
        let mut stride = 1;
        for coding in codings.iter().rev() {
            if let Some(place) = self.codings.iter().position(|own| own == coding) {
                strides[place] = stride;
            }
            stride *= checked.codings[*coding].dimension.len;
        }
        let mut sums = vec![0_u64; stride];
        let mut at = vec![0; lengths.len()];
        let mut target = 0;
        for &count in &counts[..self.cells] {
            sums[target] = sums[target].saturating_add(count);
            for dimension in (0..at.len()).rev() {
                at[dimension] += 1;
                target += strides[dimension];
                if at[dimension] < lengths[dimension] {
                    break;
                }
                target -= strides[dimension] * lengths[dimension];
                at[dimension] = 0;
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use posterity_core::model::Adjacency;

    use super::*;
    use crate::question::{Column, Question};

    fn column(name: &str, values: usize) -> Column {
        Column::new(name, (0..values).map(|value| value.to_string()))
    }

    fn questions(sets: &[&[(&str, usize)]], within: Option<&str>) -> Vec<Question> {
        let question = |set: &&[(&str, usize)]| Question {
            within: within.map(Into::into),
            ..Question::new(set.iter().map(|(name, values)| column(name, *values)).collect())
        };
        sets.iter().map(question).collect()
    }

    #[test]
    fn few_combinations_share_a_table() {
        let (a, b, c, d) = (("a", 10), ("b", 20), ("c", 30), ("d", 3000));
        let asked = questions(&[&[a], &[a, b], &[c], &[b, a], &[b, d], &[d], &[d, c]], None);
        let checked = CheckedQuestions::all(&asked).expect("valid");
        let found: Vec<(usize, Vec<usize>)> =
            QuestionGroup::of(&checked).into_iter().map(|group| (group.cells, group.parts)).collect();
        // A question of one column joins a table that has it, and makes none larger.
        assert_eq!(found, [(200, vec![1, 3, 0]), (60_000, vec![4, 5]), (90_000, vec![6, 2])]);
    }

    /// If this fails, a record without a category in one question is left out of another.
    #[test]
    fn what_is_left_out_of_one_question_is_in_another() {
        let (a, b) = (("a", 10), ("b", 20));
        let mut asked = questions(&[&[a], &[a, b], &[b, a], &[a]], None);
        asked.iter_mut().for_each(|question| question.adjacency = Adjacency::AddRemove);
        let checked = CheckedQuestions::all(&asked).expect("valid");
        let found: Vec<(usize, Vec<usize>)> =
            QuestionGroup::of(&checked).into_iter().map(|group| (group.cells, group.parts)).collect();
        assert_eq!(found, [(200, vec![1, 2]), (10, vec![0, 3])]);
    }

    /// The sums of random tables against a direct sum over all cells.
    #[test]
    fn sums_are_marginals() {
        let (a, b, c) = (("a", 2), ("b", 3), ("c", 4));
        for within in [None, Some("a = '1'")] {
            let asked = questions(&[&[a, b, c], &[c, a], &[b], &[b, c]], within);
            let checked = CheckedQuestions::all(&asked).expect("valid");
            let groups = QuestionGroup::of(&checked);
            assert_eq!((groups.len(), groups[0].cells), (1, 24));
            let counts: Vec<u64> =
                (0..25).map(|cell| cell * cell + 1).take(24 + usize::from(within.is_some())).collect();
            for (part, question) in asked.iter().enumerate() {
                let lengths: Vec<usize> =
                    question.columns.iter().map(|column| column.domain.names().len()).collect();
                let mut expected = vec![0; lengths.iter().product()];
                for (cell, &count) in counts.iter().enumerate().take(24) {
                    let values = [("a", cell / 12), ("b", cell / 4 % 3), ("c", cell % 4)];
                    let place = question.columns.iter().zip(&lengths).fold(0, |place, (column, length)| {
                        let value = values.iter().find(|(name, _)| *name == column.name).expect("there").1;
                        place * length + value
                    });
                    expected[place] += count;
                }
                expected.extend(counts.get(24));
                assert_eq!(groups[0].sum(&checked, part, &counts), expected, "question {part}");
            }
        }
    }
}
