//! Remembers which counts each name of data stood for in this process.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use posterity::Data;
use thiserror::Error;

/// Descriptions of data and their counts. They stay in memory: in a file, a digest of few counts could be found by
/// trying.
static KNOWN: OnceLock<Mutex<HashMap<String, Vec<u64>>>> = OnceLock::new();

/// The name of data in memory, which a ledger would answer with the release of that name.
#[derive(Debug)]
pub(crate) struct KnownName(Option<(String, Vec<u64>)>);

/// A name that stood for other counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "this name stood for other data before, whose release would be given back; choose another name, or set \
     `again` to draw and pay anew"
)]
pub struct OtherData;

impl KnownName {
    /// The name of data that is to be charged, unless it stood for other counts. `again` says that nothing is to be given
    /// back. Data without a name, or whose counts must not be compared, passes.
    ///
    /// # Errors
    /// [`OtherData`].
    pub(crate) fn check(
        data: &Data,
        edition: Option<&str>,
        counts: Option<Vec<u64>>,
        again: bool,
    ) -> Result<Self, OtherData> {
        let (Some(description), Some(counts)) = (data.description(), counts) else { return Ok(Self(None)) };
        let description = format!("{description} {:?} {edition:?}", data.categories().names());
        match known().get(&description) {
            Some(before) if *before != counts && !again => Err(OtherData),
            _ => Ok(Self(Some((description, counts)))),
        }
    }

    /// Notes what the name stands for, now that there is a release of it.
    pub(crate) fn note(self) {
        if let Some((description, counts)) = self.0 {
            known().insert(description, counts);
        }
    }
}

fn known() -> MutexGuard<'static, HashMap<String, Vec<u64>>> {
    KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(counts: [u64; 2], edition: &str, again: bool) -> Result<KnownName, OtherData> {
        let data = Data::counts([("yes", counts[0]), ("no", counts[1])]).expect("counts");
        let data = data.named("a name of this test alone", None, None).expect("a name");
        KnownName::check(&data, Some(edition), Some(counts.to_vec()), again)
    }

    /// If this fails, a ledger answers a question about other data with the release of the old, or a name that was only
    /// tried is taken.
    #[test]
    fn a_name_stands_for_the_counts_that_were_released() {
        drop(check([1, 2], "2026", false).expect("a new name"));
        check([3, 4], "2026", false).expect("nothing was released of the first").note();
        check([3, 4], "2026", false).expect("the same counts").note();
        assert_eq!(check([4, 3], "2026", false).err(), Some(OtherData));
        assert!(check([4, 3], "2026", true).is_ok(), "nothing is to be given back");
        assert!(check([4, 3], "2027", false).is_ok(), "another edition");
    }
}
