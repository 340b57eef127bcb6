//! The order of a record.

/// Bytes that are compared one by one. Short ones, such as dates and times, need no allocation.
pub(super) enum Order {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Box<[u8]>),
}

/// The most bytes that need no allocation: just as many as take no more room than a pointer and its padding.
const SHORT: usize = 22;

/// What an allocation takes beyond its bytes, on the systems that are common.
const ALLOCATION: usize = 16;

impl Order {
    pub(super) fn new(order: &[u8]) -> Self {
        let mut bytes = [0; SHORT];
        match bytes.get_mut(..order.len()) {
            Some(place) => {
                place.copy_from_slice(order);
                Self::Short { length: order.len() as u8, bytes }
            }
            None => Self::Long(order.into()),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Short { length, bytes } => bytes.get(..usize::from(*length)).unwrap_or_default(),
            Self::Long(bytes) => bytes,
        }
    }

    /// The memory that is allocated for it.
    pub(super) fn allocated(&self) -> usize {
        match self {
            Self::Short { .. } => 0,
            Self::Long(bytes) => bytes.len() + ALLOCATION,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_any_length_come_back() {
        assert_eq!(size_of::<Order>(), 24);
        for length in 0..60 {
            let bytes: Vec<u8> = (0..length).collect();
            let order = Order::new(&bytes);
            assert_eq!(order.bytes(), bytes);
            assert_eq!(order.allocated() > 0, bytes.len() > SHORT);
            assert!(order.allocated() <= 2 * bytes.len());
        }
    }
}
