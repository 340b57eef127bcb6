//! Messages to and from a server (PostgreSQL documentation, "Frontend/Backend Protocol", version 3.0).

use std::io::{BufReader, Read, Write};

use crate::postgres_fault::PostgresFault;
use crate::text::MAX_RECORD;

/// The longest message: a record with the lengths of its fields, or a part of one.
const MOST_BYTES: usize = MAX_RECORD + (1 << 16);

/// How many bytes are read at once.
const BUFFER: usize = 1 << 18;

/// A conversation with a server.
pub(super) struct Wire<T> {
    stream: BufReader<T>,
    body: Vec<u8>,
    /// Whether the database has no encoding.
    plain_bytes: bool,
}

impl<T: Read + Write> Wire<T> {
    pub(super) fn new(stream: T) -> Self {
        Self { stream: BufReader::with_capacity(BUFFER, stream), body: Vec::new(), plain_bytes: false }
    }

    /// What carries the messages.
    pub(super) fn stream(&self) -> &T {
        self.stream.get_ref()
    }

    /// Whether text is whatever bytes somebody stored.
    pub(super) fn has_plain_bytes(&self) -> bool {
        self.plain_bytes
    }

    /// Sends messages that are written already.
    pub(super) fn send(&mut self, messages: &[u8]) -> Result<(), PostgresFault> {
        let stream = self.stream.get_mut();
        stream.write_all(messages).and_then(|()| stream.flush()).map_err(|_| PostgresFault::Lost)
    }

    /// Waits for the next message that is an answer. An error of the server is one here.
    pub(super) fn receive(&mut self) -> Result<(u8, &[u8]), PostgresFault> {
        loop {
            let kind = self.read()?;
            match kind {
                b'E' => return Err(PostgresFault::Refused { code: code(&self.body) }),
                // Settings, notices and notifications come at any time.
                b'S' => self.plain_bytes |= self.body == texts(["server_encoding", "SQL_ASCII"]),
                b'N' | b'A' => {}
                _ => return Ok((kind, &self.body)),
            }
        }
    }

    fn read(&mut self) -> Result<u8, PostgresFault> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head).map_err(|_| PostgresFault::Lost)?;
        let [kind, a, b, c, d] = head;
        // The length counts itself.
        let length = (u32::from_be_bytes([a, b, c, d]) as usize).checked_sub(4);
        let length = length.ok_or(PostgresFault::NotPostgres)?;
        if length > MOST_BYTES {
            return Err(if kind == b'd' { PostgresFault::TooLong } else { PostgresFault::NotPostgres });
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body).map_err(|_| PostgresFault::Lost)?;
        Ok(kind)
    }

    /// Waits for a message of this kind and no other.
    pub(super) fn expect(&mut self, kind: u8) -> Result<&[u8], PostgresFault> {
        match self.receive()? {
            (found, body) if found == kind => Ok(body),
            _ => Err(PostgresFault::NotPostgres),
        }
    }
}

/// A message of this kind.
pub(super) fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut message = vec![kind];
    message.extend_from_slice(&sized(body));
    message
}

/// A message without a kind, as the first one is.
pub(super) fn sized(body: &[u8]) -> Vec<u8> {
    let mut message = ((body.len() + 4) as u32).to_be_bytes().to_vec();
    message.extend_from_slice(body);
    message
}

/// Texts, each with the byte that ends it.
pub(super) fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    texts.into_iter().flat_map(|text| text.bytes().chain([0])).collect()
}

/// The error code among the fields of an error. Nothing else of it is looked at.
fn code(body: &[u8]) -> String {
    let fields = body.split(|byte| *byte == 0);
    let code = fields.filter_map(|field| field.strip_prefix(b"C")).next().unwrap_or_default();
    let is_code = code.len() == 5 && code.iter().all(u8::is_ascii_alphanumeric);
    if is_code { String::from_utf8_lossy(code).into_owned() } else { "unknown".into() }
}

/// The fields of a row of text.
pub(super) fn fields(body: &[u8]) -> Option<Vec<Option<String>>> {
    let (count, mut rest) = body.split_first_chunk::<2>()?;
    let mut row = Vec::new();
    for _ in 0..u16::from_be_bytes(*count) {
        let (length, after) = rest.split_first_chunk::<4>()?;
        rest = after;
        match i32::from_be_bytes(*length) {
            -1 => row.push(None),
            length => {
                let (field, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
                row.push(Some(String::from_utf8(field.to_vec()).ok()?));
                rest = after;
            }
        }
    }
    rest.is_empty().then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a message of a server, which quotes values, may be shown.
    #[test]
    fn only_the_code_of_an_error_is_told() {
        let body = texts(["SERROR", "VERROR", "C22P02", "MMallory4711 is no number", "DMallory4711", ""]);
        assert_eq!(code(&body), "22P02");
        for wrong in ["CMallory4711", "C2 P02", "Mx", "C"] {
            assert_eq!(code(&texts([wrong])), "unknown");
        }
        assert_eq!(code(b""), "unknown");
    }

    #[test]
    fn rows_of_text() {
        let row = [&[0, 2][..], &[255, 255, 255, 255], &[0, 0, 0, 2], b"ab"].concat();
        assert_eq!(fields(&row), Some(vec![None, Some("ab".into())]));
        for end in 0..row.len() {
            assert_eq!(fields(&row[..end]), None);
        }
        assert_eq!(fields(&[&row[..], b"x"].concat()), None);
    }
}
