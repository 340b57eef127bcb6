//! One value of a record, read by itself.

/// What a record holds in one column.
///
/// Its meaning depends only on itself and the type that its file declares, never on other records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// No value: null, an absent key, an empty field of a CSV file.
    Missing,
    /// Text, in UTF-8; the reader has checked that.
    Text(&'a [u8]),
    /// Bytes that need not be text.
    Bytes(&'a [u8]),
    /// True or false.
    Boolean(bool),
    /// A whole number of a typed column.
    Integer(i128),
    /// A number as JSON writes it; the reader has checked that it is one.
    Literal(&'a [u8]),
    /// `mantissa / 10^scale`, of a typed column.
    Decimal {
        /// The digits.
        mantissa: i128,
        /// How many of them stand behind the point; negative for zeros before it.
        scale: i32,
    },
    /// A floating-point number of 32 bits.
    Single(f32),
    /// A floating-point number of 64 bits.
    Double(f64),
    /// Days since 1970-01-01.
    Day(i32),
    /// A moment, in ticks since 1970-01-01 00:00:00.
    Instant {
        /// The ticks.
        ticks: i64,
        /// How many of them make a second: a power of ten up to 10^9.
        per_second: u32,
    },
    /// A value of another type: an object, a list, a time of day.
    Strange,
}
