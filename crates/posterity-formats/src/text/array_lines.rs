//! A JSON array of objects as lines, while it is read.

use std::io::{self, Read};

use super::Broken;

/// Reads an array and gives each of its elements on a line of its own. What an element holds is not looked at: that is
/// done with its line. So an array is never held whole, and its elements are read in parallel.
///
/// Line breaks within an element become blanks. In a string they are not allowed, and stay: both parts are no JSON.
pub(super) struct ArrayLines<R> {
    reader: R,
    state: State,
    /// How many brackets are open, that of the array among them.
    depth: u64,
    /// Whether a string is open, and whether its next byte is escaped.
    string: bool,
    escaped: bool,
    /// Whether there is something since the last comma of the array, and whether there was a comma.
    element: bool,
    comma: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Within,
    After,
}

impl<R: Read> ArrayLines<R> {
    /// Begins before the bracket that opens the array.
    pub(super) fn new(reader: R) -> Self {
        let (state, depth) = (State::Before, 0);
        Self { reader, state, depth, string: false, escaped: false, element: false, comma: false }
    }

    /// What becomes of a byte: another one, or none.
    fn step(&mut self, byte: u8) -> Result<Option<u8>, Broken> {
        let blank = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        match (self.state, byte) {
            (State::Before, b'[') => {
                (self.state, self.depth) = (State::Within, 1);
                Ok(None)
            }
            (State::Before | State::After, _) if blank => Ok(None),
            (State::Before | State::After, _) => Err(Broken::Array),
            (State::Within, _) => self.within(byte, blank),
        }
    }

    fn within(&mut self, byte: u8, blank: bool) -> Result<Option<u8>, Broken> {
        if self.string {
            self.string = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
            return Ok(Some(byte));
        }
        match byte {
            _ if blank => return Ok((self.depth > 1 || self.element).then_some(b' ')),
            b',' if self.depth == 1 => {
                self.end_element()?;
                self.comma = true;
                return Ok(Some(b'\n'));
            }
            b']' if self.depth == 1 => {
                if self.comma || self.element {
                    self.end_element()?;
                }
                self.state = State::After;
                return Ok(Some(b'\n'));
            }
            b'}' if self.depth == 1 => return Err(Broken::Array),
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth -= 1,
            b'"' => self.string = true,
            _ => {}
        }
        self.element = true;
        Ok(Some(byte))
    }

    fn end_element(&mut self) -> Result<(), Broken> {
        if std::mem::take(&mut self.element) { Ok(()) } else { Err(Broken::Array) }
    }
}

impl<R: Read> Read for ArrayLines<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let many = self.reader.read(to)?;
            if many == 0 {
                // An array that is not closed was cut.
                return if self.state == State::After || to.is_empty() {
                    Ok(0)
                } else {
                    Err(Broken::Array.into())
                };
            }
            let mut kept = 0;
            for at in 0..many {
                if let Some(byte) = self.step(to[at])? {
                    to[kept] = byte;
                    kept += 1;
                }
            }
            if kept > 0 {
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Option<String> {
        let mut lines = String::new();
        ArrayLines::new(text.as_bytes()).read_to_string(&mut lines).ok()?;
        Some(lines)
    }

    #[test]
    fn every_element_has_a_line() {
        let table = [
            ("[]", "\n"),
            (" [ ] \n", "\n"),
            (r#"[{"a":1},{"a":2}]"#, "{\"a\":1}\n{\"a\":2}\n"),
            ("[\n  {\n    \"a\": [1,\n2]\n  } ,\r\n {}\n]\n", "{     \"a\": [1, 2]   } \n{} \n"),
            (r#"[{"a":"],[{\"\\"},{"b":"}"}]"#, "{\"a\":\"],[{\\\"\\\\\"}\n{\"b\":\"}\"}\n"),
            ("[1,\"x\",null]", "1\n\"x\"\nnull\n"),
        ];
        for (text, expected) in table {
            assert_eq!(lines(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_array() {
        for text in
            ["", "[", "[{}", "[{},]", "[,{}]", "[{},,{}]", "[{}] x", "[{}][]", "[{}}]", "[{\"a]", "[\"\\\"]"]
        {
            assert_eq!(lines(text), None, "{text}");
        }
    }
}
