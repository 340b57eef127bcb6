//! Sorting strings of bytes that lie in one buffer.

/// A string in a buffer, and how often it occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Eight bytes of the string, while it is sorted.
    word: u64,
    pub(super) count: u64,
    start: u32,
    length: u32,
}

/// The bytes of a word.
const WORD: usize = size_of::<u64>();

/// Groups of so few strings are sorted by comparing them whole.
const FEW: usize = 32;

/// How many bytes are looked at to find those that a group has in common. Every look passes eight of them at least, so
/// that no strings take more time than a few looks at each of their bytes.
const LOOKED_AT: usize = 64;

impl Entry {
    pub(super) fn new(start: u32, length: u32, count: u64) -> Self {
        Self { word: 0, count, start, length }
    }

    /// The string, in the buffer that holds it.
    #[inline]
    pub(super) fn string(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start as usize..][..self.length as usize]
    }

    /// The same string, moved within the buffer.
    pub(super) fn moved(self, start: u32) -> Self {
        Self { start, ..self }
    }

    /// What follows after the first bytes, of which there are so many.
    #[inline]
    fn rest(self, bytes: &[u8], depth: usize) -> &[u8] {
        &self.string(bytes)[depth..]
    }

    /// What orders strings that have the first bytes in common. A string that ends within the word comes before those
    /// that go on, even with zeros. Strings in the same place are equal, or go on beyond the word.
    #[inline]
    fn place(self, depth: usize) -> (u64, usize) {
        (self.word, (self.length as usize - depth).min(WORD + 1))
    }
}

/// Sorts strings byte by byte. It needs almost no memory besides.
///
/// Strings are sorted by their first eight bytes after those that all have in common, as one number. Those with the
/// same number are then sorted in the same way by what follows. Groups wait in a list rather than on the stack, which
/// long strings could exhaust.
pub(super) fn sort(entries: &mut [Entry], bytes: &[u8]) {
    let mut waiting = vec![(0, entries.len(), 0)];
    while let Some((first, end, depth)) = waiting.pop() {
        let group = &mut entries[first..end];
        let depth = depth + common(group, bytes, depth);
        for entry in group.iter_mut() {
            entry.word = word(entry.rest(bytes, depth));
        }
        group.sort_unstable_by_key(|entry| entry.place(depth));
        let mut start = first;
        for tied in group.chunk_by_mut(|a, b| a.place(depth) == b.place(depth)) {
            let goes_on = tied[0].place(depth).1 > WORD;
            if goes_on && tied.len() > FEW {
                waiting.push((start, start + tied.len(), depth + WORD));
            } else if goes_on {
                let rest = depth + WORD;
                tied.sort_unstable_by(|a, b| a.rest(bytes, rest).cmp(b.rest(bytes, rest)));
            }
            start += tied.len();
        }
    }
}

/// How many bytes all strings of a group have in common after the first ones, as far as it is looked.
fn common(group: &[Entry], bytes: &[u8], depth: usize) -> usize {
    let Some((first, others)) = group.split_first() else { return 0 };
    let rest = first.rest(bytes, depth);
    let mut common = &rest[..rest.len().min(LOOKED_AT)];
    for other in others {
        let same = common.iter().zip(other.rest(bytes, depth)).take_while(|(a, b)| a == b).count();
        common = &common[..same];
        if same == 0 {
            break;
        }
    }
    common.len()
}

/// The first eight bytes as a number that orders as they do; zeros stand for those that are not there.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    let mut padded = [0; WORD];
    match bytes.first_chunk() {
        Some(whole) => padded = *whole,
        None => padded[..bytes.len()].copy_from_slice(bytes),
    }
    u64::from_be_bytes(padded)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(strings: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let mut entries: Vec<Entry> = Vec::new();
        let bytes = strings.concat();
        let mut start = 0;
        for string in strings {
            entries.push(Entry::new(start, string.len() as u32, 1));
            start += string.len() as u32;
        }
        sort(&mut entries, &bytes);
        entries.iter().map(|entry| entry.string(&bytes).to_vec()).collect()
    }

    proptest! {
        /// Few letters and zeros, so that strings have much in common and end within a word.
        #[test]
        fn strings_come_in_the_order_of_their_bytes(
            strings in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![0, 1, 255]), 0..30), 0..300),
            common in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let mut strings: Vec<Vec<u8>> =
                strings.into_iter().map(|string| [common.clone(), string].concat()).collect();
            let found = sorted(&strings);
            strings.sort();
            prop_assert_eq!(found, strings);
        }
    }

    /// If this fails, someone can end the program by the values that they bring in.
    #[test]
    fn each_string_may_begin_with_all_others() {
        let mut strings: Vec<Vec<u8>> = (0..900).rev().map(|words| vec![0; WORD * words]).collect();
        strings.extend(vec![vec![0; 100_000]; 100]);
        let found = sorted(&strings);
        strings.sort();
        assert!(found == strings);
    }
}
