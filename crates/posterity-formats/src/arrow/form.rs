//! How the values of a column are stored.

use crate::column::ValueKind;

/// Whole numbers of a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    /// 1, 2, 4 or 8.
    pub(super) bytes: usize,
    pub(super) signed: bool,
}

/// The storage of a column's values in a batch. Beside what is said here, there is a bitmap of validity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing is stored, all values are missing.
    Missing,
    /// A bit for each value.
    Boolean,
    Whole(Whole),
    /// Floating-point numbers of 2, 4 or 8 bytes.
    Float {
        bytes: usize,
    },
    /// Decimals of 4, 8, 16 or 32 bytes.
    Decimal {
        bytes: usize,
        scale: i32,
    },
    /// Days of 4 bytes.
    Day,
    /// Ticks of 8 bytes.
    Instant {
        per_second: u32,
    },
    /// Strings between offsets of 4 bytes, or 8 if wide.
    Offsets {
        wide: bool,
        text: bool,
    },
    /// Strings behind views of 16 bytes.
    Views {
        text: bool,
    },
    /// Strings of one length.
    Fixed {
        width: usize,
    },
    /// Keys into a dictionary.
    Keyed {
        keys: Whole,
        id: i64,
        values: Box<Form>,
    },
    /// What is not read, except whether it is missing.
    Strange {
        validity: bool,
    },
}

impl Form {
    /// What the values are.
    pub(super) fn kind(&self) -> ValueKind {
        match self {
            Self::Missing => ValueKind::Missing,
            Self::Boolean => ValueKind::Boolean,
            Self::Whole(_) | Self::Decimal { scale: 0, .. } => ValueKind::Integer,
            Self::Float { .. } => ValueKind::Float,
            Self::Decimal { .. } => ValueKind::Decimal,
            Self::Day => ValueKind::Day,
            Self::Instant { .. } => ValueKind::Instant,
            Self::Offsets { text: true, .. } | Self::Views { text: true } => ValueKind::Text,
            Self::Offsets { .. } | Self::Views { .. } | Self::Fixed { .. } => ValueKind::Bytes,
            Self::Keyed { values, .. } => values.kind(),
            Self::Strange { .. } => ValueKind::Strange,
        }
    }

    /// Whether there is a bitmap of validity.
    pub(super) fn has_validity(&self) -> bool {
        !matches!(self, Self::Missing | Self::Strange { validity: false })
    }

    /// The bytes of each value in the buffer behind the bitmap, for those forms that have one for each value.
    pub(super) fn width(&self) -> Option<usize> {
        match self {
            Self::Whole(Whole { bytes, .. }) | Self::Float { bytes } | Self::Decimal { bytes, .. } => {
                Some(*bytes)
            }
            Self::Keyed { keys, .. } => Some(keys.bytes),
            Self::Day => Some(4),
            Self::Instant { .. } => Some(8),
            Self::Views { .. } => Some(16),
            Self::Fixed { width } => Some(*width),
            Self::Missing | Self::Boolean | Self::Offsets { .. } | Self::Strange { .. } => None,
        }
    }

    /// The memory that decoding takes for each row, beside the bytes of strings whose length varies.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Missing => 0,
            Self::Strange { .. } | Self::Boolean => 3,
            Self::Offsets { .. } => 32,
            Self::Views { .. } => 80,
            Self::Decimal { bytes, .. } => bytes + 18,
            Self::Fixed { width } => width.saturating_mul(2).saturating_add(10),
            Self::Whole(_) | Self::Float { .. } | Self::Day | Self::Instant { .. } | Self::Keyed { .. } => 18,
        }
    }

    /// Whether the bytes of a row depend on the row.
    pub(super) fn varies(&self) -> bool {
        matches!(self, Self::Offsets { .. } | Self::Views { .. })
    }
}
