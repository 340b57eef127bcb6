//! Values that are computed when they are first read.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that is computed when it is first read, on the thread that reads it, and then kept. Its copies share the
/// value.
///
/// It is read by `*`, by printing, comparing or serialising it, or by calling a method of the value.
pub struct Lazy<T>(Arc<Place<T>>);

struct Place<T> {
    value: OnceLock<T>,
    compute: Option<Box<dyn Fn() -> T + Send + Sync>>,
}

impl<T> Lazy<T> {
    /// A value that `compute` finds. If `compute` unwinds, the next reader calls it again.
    pub fn new(compute: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self(Arc::new(Place { value: OnceLock::new(), compute: Some(Box::new(compute)) }))
    }

    /// Whether the value is there already.
    #[must_use]
    pub fn is_computed(&self) -> bool {
        self.0.value.get().is_some()
    }
}

/// A value that is there already.
impl<T> From<T> for Lazy<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(Place { value: OnceLock::from(value), compute: None }))
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.value.get_or_init(|| match &self.0.compute {
            Some(compute) => compute(),
            None => unreachable!("a value without a computation is there from the start"),
        })
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: PartialEq> PartialEq for Lazy<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Serialize> Serialize for Lazy<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lazy<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

impl<'a, T> IntoIterator for &'a Lazy<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (**self).into_iter()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A value that counts how often it is computed.
    fn counted() -> (Lazy<usize>, Arc<AtomicUsize>) {
        let calls = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&calls);
        (Lazy::new(move || 41 + counter.fetch_add(1, Ordering::Relaxed) + 1), calls)
    }

    #[test]
    fn is_computed_once_for_all_copies() {
        let (lazy, calls) = counted();
        let copy = lazy.clone();
        assert!(!lazy.is_computed() && calls.load(Ordering::Relaxed) == 0);
        let read = std::thread::scope(|scope| {
            let readers: Vec<_> = (0..4).map(|_| scope.spawn(|| *copy)).collect();
            readers.into_iter().map(|reader| reader.join().expect("no panic")).collect::<Vec<_>>()
        });
        assert_eq!((read, *lazy), (vec![42; 4], 42));
        assert!(lazy.is_computed() && calls.load(Ordering::Relaxed) == 1);
    }

    #[test]
    fn serialises_and_compares_as_its_value() {
        let (lazy, _) = counted();
        assert_eq!(serde_json::to_string(&lazy).expect("a number"), "42");
        let read: Lazy<usize> = serde_json::from_str("42").expect("a number");
        assert!(read.is_computed());
        assert_eq!(lazy, read);
        assert_eq!(format!("{lazy:?}"), "42");
    }

    /// If this fails, a document cannot be read after somebody interrupted its computation.
    #[test]
    fn an_interrupted_computation_can_be_repeated() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&calls);
        let lazy = Lazy::new(move || {
            if counter.fetch_add(1, Ordering::Relaxed) == 0 {
                std::panic::resume_unwind(Box::new("interrupted"));
            }
            7
        });
        assert!(catch_unwind(AssertUnwindSafe(|| *lazy)).is_err());
        assert_eq!(*lazy, 7);
    }
}
