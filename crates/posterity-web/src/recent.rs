//! The last values, by their keys.

use std::collections::VecDeque;

/// The last `MAX` values. One more displaces the oldest.
#[derive(Debug)]
pub(crate) struct Recent<K, V, const MAX: usize>(VecDeque<(K, V)>);

impl<K, V, const MAX: usize> Default for Recent<K, V, MAX> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<K, V, const MAX: usize> Recent<K, V, MAX> {
    /// The value whose key is the one that is looked for.
    pub(crate) fn find(&self, is: impl Fn(&K) -> bool) -> Option<&V> {
        self.0.iter().find(|(key, _)| is(key)).map(|(_, value)| value)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Adds a value.
    pub(crate) fn add(&mut self, key: K, value: V) {
        if self.0.len() == MAX {
            self.0.pop_front();
        }
        self.0.push_back((key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_values_are_kept() {
        let mut recent: Recent<u32, u32, 3> = Recent::default();
        for key in 0..4 {
            recent.add(key, 10 * key);
        }
        assert_eq!(recent.values().collect::<Vec<_>>(), [&10, &20, &30]);
        assert_eq!((recent.find(|key| *key == 0), recent.find(|key| *key == 1)), (None, Some(&10)));
    }
}
