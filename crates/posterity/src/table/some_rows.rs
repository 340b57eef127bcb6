//! The intervals of some rows of a reading.

use posterity_core::table::{Block, Grouping};

use super::error::ReadingError;
use super::layout::Layout;
use super::read::{Summaries, confidence};
use super::reader::Reader;
use super::reading::Reading;
use super::ways::{IntervalKind, Ways};

impl Reader {
    /// The intervals of some rows of a reading, by their positions in ascending order. They are those of
    /// [`Reader::read`], but a reading of many rows is not computed as a whole, and of shares with confidence intervals
    /// nothing else is computed.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn intervals_of(&self, reading: &Reading, rows: &[usize]) -> Result<Vec<[f64; 2]>, ReadingError> {
        if reading.number_of().is_some() {
            let table = self.read(reading)?;
            return Ok(rows.iter().map(|&row| table.rows[row].interval).collect());
        }
        let layout = Layout::of(&self.space, reading)?;
        if let (None, [block]) = (&self.sums, layout.blocks.as_slice())
            && self.listed.is_none()
            && block.asked().len() == self.space.all_cells()
            && let Some(aware) = self.noise_aware()
        {
            // The cells themselves.
            let interval = |&row: &usize| {
                let (low, high) = aware.marginals()[block.asked()[row][0]].interval(self.ways.level)?;
                Ok([low, high])
            };
            return rows.iter().map(interval).collect();
        }
        let mut wanted = rows.iter().peekable();
        let mut row = 0;
        let mut blocks = Vec::new();
        for block in &layout.blocks {
            let (mut asked, mut others) = (Vec::new(), block.others().to_vec());
            for group in block.asked() {
                if wanted.next_if(|next| **next == row).is_some() {
                    asked.push(group.clone());
                } else {
                    others.extend(group);
                }
                row += 1;
            }
            if !asked.is_empty() {
                blocks.push(Block::new(asked, others));
            }
        }
        let grouping = Grouping::new(self.space.all_cells(), blocks)
            .map_err(|error| ReadingError::Document { reason: error.to_string() })?;
        if let (IntervalKind::Confidence, Some(sums)) = (self.ways.interval, &self.sums) {
            let ways = Ways { level: self.ways.level_of_each(row), ..self.ways };
            let of_block = |block| confidence(sums, block, &grouping, ways);
            return Ok(grouping.blocks().iter().flat_map(of_block).map(|interval| interval.ends).collect());
        }
        let summaries = Summaries::new(self, &grouping)?;
        let kind = summaries.interval;
        Ok(summaries.rows.into_iter().flatten().map(|row| row.interval(kind)).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use posterity_core::confidence::Sums;
    use posterity_core::decode::noise_aware;
    use posterity_core::mechanism::{Lattice, Spec};
    use posterity_core::model::{Prior, Released, Setting};

    use super::*;
    use crate::table::{Law, Space, SpaceColumn, Ways};

    /// If this fails, a forecast looks at other rows than those of the reading.
    #[test]
    fn some_rows_are_those_of_the_whole_reading() {
        let column =
            |name: &str, size: usize| SpaceColumn::new(name, (1..=size).map(|value| value.to_string()));
        let unknown = SpaceColumn { unknown: vec![2], ..column("b", 3) };
        let space = Space::new(vec![column("a", 2), unknown, column("c", 2)]);
        let prior = Prior::new((1..=12).map(f64::from).collect()).expect("valid");
        let setting = Setting::new(prior, 60, "0.7".parse().expect("positive")).expect("valid");
        let mechanism = Spec::from(Lattice).fit(setting).expect("fits");
        let released = Released::new((0..12).map(|cell| cell % 7).collect());
        let aware = Arc::new(noise_aware(&*mechanism, &released).expect("modelled"));
        let ways = Ways::new(0.9).expect("a level");
        let reader = Reader::new(space, Law::Aware(aware), ways).expect("fits");
        let drawn = (0..12).map(|cell| 3 * cell - 12).collect();
        let sums = Arc::new(Sums::new(drawn, 60, mechanism.additive().expect("noise that adds up")));
        let at_once = Ways { simultaneous: true, ..ways };
        let readers =
            [reader.clone(), reader.with_sums(sums, false).draws(1_000, 1).ways(at_once).expect("a level")];
        let texts = [
            "a",
            "b | a, c",
            "b of all | a, c",
            "a, b, c of all",
            "b, c | a=1",
            "b in {1, 3} of all | c",
            "mean(b) | a",
        ];
        for (reader, text) in readers.iter().flat_map(|reader| texts.map(|text| (reader, text))) {
            let reading: Reading = text.parse().expect(text);
            let all = reader.read(&reading).expect(text).rows;
            let rows: Vec<usize> = (0..all.len()).filter(|row| row % 3 != 1).collect();
            let some = reader.intervals_of(&reading, &rows).expect(text);
            assert_eq!(some.len(), rows.len());
            for (&row, found) in rows.iter().zip(some) {
                for (found, expected) in found.iter().zip(all[row].interval) {
                    assert!((found - expected).abs() < 1e-9, "{text} {row}: {found} {expected}");
                }
            }
        }
    }
}
