//! The table of one group of questions, and adding to it.

use crate::checked_questions::CheckedQuestions;
use crate::column_codes::{ColumnCodes, NOWHERE};
use crate::question_group::QuestionGroup;

/// How often each cell of a group was seen.
#[derive(Debug)]
pub(crate) struct CellTable {
    sums: Vec<u64>,
    /// Two tables, because additions to one place wait for each other, and how many were made since they were added to
    /// the sums.
    recent: [Vec<u32>; 2],
    pending: u32,
}

/// The most cells of a group whose places are computed in two bytes.
const NARROW: usize = 1 << 15;

/// Buffers for the places of records.
#[derive(Debug, Default)]
pub(crate) struct Places {
    narrow: Vec<u16>,
    wide: Vec<u32>,
}

impl CellTable {
    /// An empty table, with a cell for records outside if there can be any.
    pub(crate) fn new(checked: &CheckedQuestions<'_>, group: &QuestionGroup) -> Self {
        let cells = group.cells + usize::from(checked.within.is_some());
        let recent = if cells <= NARROW { vec![0; cells] } else { Vec::new() };
        Self { sums: vec![0; cells], recent: [recent.clone(), recent], pending: 0 }
    }

    /// The bytes that a table of so many cells takes.
    pub(crate) fn bytes(cells: usize) -> usize {
        let recent = if cells <= NARROW { 2 * size_of::<u32>() } else { 0 };
        cells * (size_of::<u64>() + recent)
    }

    /// Counts so many records of a cell.
    pub(crate) fn add_many(&mut self, cell: usize, times: u64) {
        self.sums[cell] += times;
    }

    /// Counts records by their codes.
    pub(crate) fn add(
        &mut self,
        checked: &CheckedQuestions<'_>,
        group: &QuestionGroup,
        codes: &[ColumnCodes],
        places: &mut Places,
    ) {
        if self.sums.len() > NARROW {
            places.wide(checked, group, codes);
            for &place in &places.wide {
                self.sums[place as usize] += 1;
            }
            return;
        }
        places.narrow(checked, group, codes);
        self.count(&places.narrow);
    }

    /// The same where some records have no category: those are not counted.
    pub(crate) fn add_known(
        &mut self,
        checked: &CheckedQuestions<'_>,
        group: &QuestionGroup,
        codes: &[ColumnCodes],
        places: &mut Places,
    ) {
        for &place in places.known(checked, group, codes) {
            if place != NOWHERE {
                self.sums[place as usize] += 1;
            }
        }
    }

    fn count(&mut self, places: &[u16]) {
        let [even, odd] = &mut self.recent;
        let (pairs, rest) = places.as_chunks::<2>();
        for &[first, second] in pairs {
            even[usize::from(first)] += 1;
            odd[usize::from(second)] += 1;
        }
        for &place in rest {
            even[usize::from(place)] += 1;
        }
        self.pending = self.pending.saturating_add(places.len() as u32);
        if self.pending > 1 << 31 {
            self.settle();
        }
    }

    /// Moves what was counted last into the sums.
    fn settle(&mut self) {
        for recent in &mut self.recent {
            for (sum, count) in self.sums.iter_mut().zip(recent) {
                *sum += u64::from(std::mem::take(count));
            }
        }
        self.pending = 0;
    }

    /// Adds the counts of another thread.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (sum, found) in self.sums.iter_mut().zip(other.finish()) {
            *sum = sum.saturating_add(found);
        }
    }

    /// The counts.
    pub(crate) fn finish(mut self) -> Vec<u64> {
        self.settle();
        self.sums
    }
}

impl Places {
    /// The cell of each record in a group of any size.
    pub(crate) fn wide(
        &mut self,
        checked: &CheckedQuestions<'_>,
        group: &QuestionGroup,
        codes: &[ColumnCodes],
    ) -> &[u32] {
        self.wide.clear();
        for (position, &coding) in group.codings.iter().enumerate() {
            let width = checked.codings[coding].dimension.len as u32;
            match (&codes[coding], position) {
                (ColumnCodes::Narrow(coded), 0) => {
                    self.wide.extend(coded.codes.iter().copied().map(u32::from))
                }
                (ColumnCodes::Wide(coded), 0) => self.wide.extend_from_slice(&coded.codes),
                (ColumnCodes::Narrow(coded), _) => {
                    for (place, &code) in self.wide.iter_mut().zip(&coded.codes) {
                        *place = *place * width + u32::from(code);
                    }
                }
                (ColumnCodes::Wide(coded), _) => {
                    for (place, &code) in self.wide.iter_mut().zip(&coded.codes) {
                        *place = *place * width + code;
                    }
                }
            }
        }
        &self.wide
    }

    /// The same where some records have no category: the place of those is [`NOWHERE`].
    pub(crate) fn known(
        &mut self,
        checked: &CheckedQuestions<'_>,
        group: &QuestionGroup,
        codes: &[ColumnCodes],
    ) -> &[u32] {
        self.wide.clear();
        self.wide.resize(group.codings.first().map_or(0, |&coding| codes[coding].len()), 0);
        for &coding in &group.codings {
            codes[coding].extend(&mut self.wide, checked.codings[coding].dimension.len as u32);
        }
        &self.wide
    }

    /// The same for a group of few cells, all of whose dimensions have few categories. Two dimensions are added at
    /// once, so that the places are read and written half as often.
    fn narrow(&mut self, checked: &CheckedQuestions<'_>, group: &QuestionGroup, codes: &[ColumnCodes]) {
        self.narrow.clear();
        let coded = group.codings.iter().filter_map(|&coding| match &codes[coding] {
            ColumnCodes::Narrow(coded) => {
                Some((checked.codings[coding].dimension.len as u16, coded.codes.as_slice()))
            }
            ColumnCodes::Wide(_) => None,
        });
        let coded: Vec<(u16, &[u16])> = coded.collect();
        let rest = match coded.as_slice() {
            [(_, first), (width, second), rest @ ..] => {
                let places = first.iter().zip(*second).map(|(first, second)| first * width + second);
                self.narrow.extend(places);
                rest
            }
            [(_, only)] => {
                self.narrow.extend_from_slice(only);
                &[]
            }
            [] => &[],
        };
        for pair in rest.chunks(2) {
            match pair {
                [(width, codes), (next_width, next_codes)] => {
                    for ((place, code), next) in self.narrow.iter_mut().zip(*codes).zip(*next_codes) {
                        *place = (*place * width + code) * next_width + next;
                    }
                }
                [(width, codes)] => {
                    for (place, code) in self.narrow.iter_mut().zip(*codes) {
                        *place = *place * width + code;
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{Column, Question};

    /// Places are the same in both widths, whatever the number of dimensions.
    #[test]
    fn few_cells_have_the_places_of_many() {
        let lengths = [5, 2, 7, 3, 4, 6];
        for dimensions in 1..=lengths.len() {
            let column =
                |place: usize| Column::new(place.to_string(), (0..lengths[place]).map(|c| c.to_string()));
            let questions = [Question::new((0..dimensions).map(column).collect())];
            let checked = CheckedQuestions::all(&questions).expect("valid");
            let groups = QuestionGroup::of(&checked);
            let mut codes: Vec<ColumnCodes> =
                lengths.iter().map(|&length| ColumnCodes::new(length)).collect();
            for (place, codes) in codes.iter_mut().enumerate() {
                let ColumnCodes::Narrow(coded) = codes else { panic!("few categories") };
                coded.codes =
                    (0..1000).map(|row| ((row * (place + 3) + row / 7) % lengths[place]) as u16).collect();
            }
            let mut places = Places::default();
            places.narrow(&checked, &groups[0], &codes);
            let narrow: Vec<u32> = places.narrow.iter().copied().map(u32::from).collect();
            assert_eq!(narrow, places.wide(&checked, &groups[0], &codes), "{dimensions} dimensions");
        }
    }
}
