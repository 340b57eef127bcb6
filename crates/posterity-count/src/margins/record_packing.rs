//! The codes of all columns of a record in few bytes.

use crate::cells::code_bits;
use crate::checked_questions::CheckedQuestions;
use crate::column_codes::ColumnCodes;

/// How the codes of a record are packed: each takes as many bits as its column needs, the first column the highest.
///
/// So all records take the same number of bytes, and the bytes compare as the codes do, the first column first. That is
/// the order in which the cells of all columns would be listed.
#[derive(Clone, Debug)]
pub(crate) struct RecordPacking {
    /// The bits of each column.
    bits: Vec<u32>,
    bytes: usize,
}

impl RecordPacking {
    /// For the columns of a question.
    pub(crate) fn new(checked: &CheckedQuestions<'_>) -> Self {
        Self::of(checked.codings.iter().map(|coding| coding.dimension.len))
    }

    /// For columns of so many categories.
    fn of(lengths: impl Iterator<Item = usize>) -> Self {
        // Codes have 32 bits, and so have the lengths that are declared.
        let bits: Vec<u32> = lengths.map(code_bits).collect();
        let all: usize = bits.iter().map(|&bits| bits as usize).sum();
        Self { bits, bytes: all.div_ceil(8) }
    }

    /// How many bytes a record takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Appends the codes of a record, all of which stand for a category.
    pub(crate) fn pack(&self, columns: &[ColumnCodes], record: usize, to: &mut Vec<u8>) {
        let (mut held, mut ready) = (0_u64, 0);
        for (column, bits) in columns.iter().zip(&self.bits) {
            held = held << bits | u64::from(column.code(record));
            ready += bits;
            while ready >= 8 {
                ready -= 8;
                to.push((held >> ready) as u8);
            }
            held &= (1 << ready) - 1;
        }
        if ready > 0 {
            to.push((held << (8 - ready)) as u8);
        }
    }

    /// Adds the codes of a packed record to their columns.
    pub(crate) fn unpack(&self, record: &[u8], columns: &mut [ColumnCodes]) {
        let (mut held, mut ready) = (0_u64, 0);
        let mut rest = record.iter();
        for (column, &bits) in columns.iter_mut().zip(&self.bits) {
            while ready < bits {
                held = held << 8 | u64::from(rest.next().copied().unwrap_or_default());
                ready += 8;
            }
            ready -= bits;
            column.push((held >> ready) as u32);
            held &= (1 << ready) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn columns(lengths: &[usize], records: &[Vec<u32>]) -> Vec<ColumnCodes> {
        let mut columns: Vec<ColumnCodes> = lengths.iter().map(|&length| ColumnCodes::new(length)).collect();
        for record in records {
            columns.iter_mut().zip(record).for_each(|(column, &code)| column.push(code));
        }
        columns
    }

    proptest! {
        /// If this fails, a unit counts by values that none of its records has, or by another record than its rule says.
        #[test]
        fn codes_come_back_and_keep_their_order(
            (lengths, records) in prop::collection::vec(prop_oneof![2_usize..70, 2_usize..1_000_000], 1..40)
                .prop_flat_map(|lengths| {
                    let codes: Vec<_> = lengths.iter().map(|&length| 0..length as u32).collect();
                    (Just(lengths), prop::collection::vec(codes, 2))
                })
        ) {
            let packing = RecordPacking::of(lengths.iter().copied());
            let columns_in = columns(&lengths, &records);
            let mut packed = vec![Vec::new(); records.len()];
            let mut columns_out = columns(&lengths, &[]);
            for (record, packed) in packed.iter_mut().enumerate() {
                packing.pack(&columns_in, record, packed);
                prop_assert_eq!(packed.len(), packing.bytes());
                packing.unpack(packed, &mut columns_out);
            }
            for (record, codes) in records.iter().enumerate() {
                let out: Vec<u32> = columns_out.iter().map(|column| column.code(record)).collect();
                prop_assert_eq!(codes, &out);
            }
            prop_assert_eq!(packed[0].cmp(&packed[1]), records[0].cmp(&records[1]));
        }
    }
}
