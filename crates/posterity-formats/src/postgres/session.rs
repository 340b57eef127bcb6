//! A session on a server: who asks, and what statements mean.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::postgres_fault::PostgresFault;
use crate::postgres_server::PostgresServer;

use super::copy::Rows;
use super::scram::{Expected, MECHANISM, Scram};
use super::tls::random;
use super::transport::Transport;
use super::wire::{Wire, fields, message, sized, texts};

/// A session on a server.
pub(super) struct Session {
    wire: Wire<Transport>,
}

/// The version of the protocol.
const VERSION: [u8; 4] = [0, 3, 0, 0];

/// All records are those of one moment, and nothing is written. No setting of the server or the user changes what is
/// read: rows that row security would hide are an error, their order is that of the table, and a view prints dates and
/// numbers in one way.
const BEGIN: &str = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL search_path = pg_catalog, pg_temp;
    SET LOCAL row_security = off;
    SET LOCAL synchronize_seqscans = off;
    SET LOCAL max_parallel_workers_per_gather = 0;
    SET LOCAL DateStyle = 'ISO, YMD';
    SET LOCAL IntervalStyle = 'postgres';
    SET LOCAL TimeZone = 'UTC';
    SET LOCAL extra_float_digits = 1;
    SET LOCAL bytea_output = 'hex';
    SET LOCAL lc_monetary = 'C';
    SET LOCAL lc_numeric = 'C';
    SET LOCAL lc_time = 'C';
    SET LOCAL standard_conforming_strings = on;
    SET LOCAL lock_timeout = '10s';
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0";

/// An index could hold something else than the table.
pub(super) const NO_INDEX: &str = "SET LOCAL enable_seqscan = on;
    SET LOCAL enable_indexscan = off;
    SET LOCAL enable_indexonlyscan = off;
    SET LOCAL enable_bitmapscan = off";

impl Session {
    /// Connects and logs in.
    pub(super) fn open(server: &PostgresServer) -> Result<Self, PostgresFault> {
        let user = server.user.as_deref().ok_or(PostgresFault::NoUser)?;
        let mut wire = Wire::new(Transport::open(server)?);
        let settings = ["user", user, "database", &server.database, "application_name", "posterity"];
        let settings = texts(settings.into_iter().chain(["client_encoding", "UTF8", ""]));
        wire.send(&sized(&[&VERSION[..], &settings].concat()))?;
        let mut session = Self { wire };
        session.log_in(server.password.as_ref().map(|password| password.0.as_str()))?;
        // What identifies the session to others is not used.
        while session.wire.receive()?.0 != b'Z' {}
        session.wire.stream().settle().map_err(|_| PostgresFault::Lost)?;
        Ok(session)
    }

    /// Answers what the server asks before it believes who this is.
    fn log_in(&mut self, password: Option<&str>) -> Result<(), PostgresFault> {
        let (asked, rest) = self.asked()?;
        match asked {
            GRANTED => Ok(()),
            SASL if offers(&rest, MECHANISM) => self.exchange(password.ok_or(PostgresFault::NoPassword)?),
            _ => Err(PostgresFault::NotScram),
        }
    }

    fn exchange(&mut self, password: &str) -> Result<(), PostgresFault> {
        let scram = Scram::new("", &STANDARD.encode(random::<18>()?));
        let first = scram.first();
        let length = (first.len() as u32).to_be_bytes();
        let body = [&texts([MECHANISM])[..], &length, first.as_bytes()].concat();
        self.wire.send(&message(b'p', &body))?;
        let (answer, expected) = scram.answer(&self.text(SASL_CONTINUE)?, password)?;
        self.wire.send(&message(b'p', answer.as_bytes()))?;
        self.granted(&expected)
    }

    /// The server has to prove that it knows the password before it is believed.
    fn granted(&mut self, expected: &Expected) -> Result<(), PostgresFault> {
        expected.check(&self.text(SASL_FINAL)?)?;
        if self.asked()?.0 == GRANTED { Ok(()) } else { Err(PostgresFault::NotProven) }
    }

    /// What the server says of the log-in: a number, and what belongs to it.
    fn asked(&mut self) -> Result<(u32, Vec<u8>), PostgresFault> {
        let body = self.wire.expect(b'R')?;
        let (number, rest) = body.split_first_chunk::<4>().ok_or(PostgresFault::NotPostgres)?;
        Ok((u32::from_be_bytes(*number), rest.to_vec()))
    }

    fn text(&mut self, expected: u32) -> Result<String, PostgresFault> {
        match self.asked()? {
            (number, text) if number == expected => {
                String::from_utf8(text).map_err(|_| PostgresFault::NotPostgres)
            }
            _ => Err(PostgresFault::NotProven),
        }
    }

    /// Begins to read from one snapshot.
    pub(super) fn begin(&mut self) -> Result<(), PostgresFault> {
        self.command(BEGIN)?;
        // A server that checks text would refuse all records for one.
        let encoding = if self.wire.has_plain_bytes() { "SQL_ASCII" } else { "UTF8" };
        self.command(&format!("SET LOCAL client_encoding = '{encoding}'"))
    }

    /// Runs a statement that gives nothing.
    pub(super) fn command(&mut self, statement: &str) -> Result<(), PostgresFault> {
        self.wire.send(&message(b'Q', &texts([statement])))?;
        loop {
            match self.wire.receive()?.0 {
                b'C' => {}
                b'Z' => return Ok(()),
                _ => return Err(PostgresFault::NotPostgres),
            }
        }
    }

    /// The rows of a statement with parameters, which are text.
    pub(super) fn query(
        &mut self,
        statement: &str,
        parameters: &[&str],
    ) -> Result<Vec<Vec<Option<String>>>, PostgresFault> {
        self.wire.send(&asking(statement, parameters))?;
        let mut rows = Vec::new();
        loop {
            match self.wire.receive()? {
                (b'1' | b'2' | b'C', _) => {}
                (b'D', row) => rows.push(fields(row).ok_or(PostgresFault::NotPostgres)?),
                (b'Z', _) => return Ok(rows),
                _ => return Err(PostgresFault::NotPostgres),
            }
        }
    }

    /// The records that a statement copies.
    pub(super) fn copy(&mut self, statement: &str, columns: usize) -> Result<Rows<'_>, PostgresFault> {
        self.wire.send(&message(b'Q', &texts([statement])))?;
        // In binary, the first byte says.
        if self.wire.expect(b'H')?.first() != Some(&1) {
            return Err(PostgresFault::NotPostgres);
        }
        Rows::begin(&mut self.wire, columns)
    }
}

/// Says good-bye, so that the server does not log a lost connection.
impl Drop for Session {
    fn drop(&mut self) {
        // Nobody waits for an answer.
        let _ = self.wire.send(&message(b'X', b""));
    }
}

const GRANTED: u32 = 0;
const SASL: u32 = 10;
const SASL_CONTINUE: u32 = 11;
const SASL_FINAL: u32 = 12;

/// The type of text.
const TEXT: [u8; 4] = [0, 0, 0, 25];

fn offers(mechanisms: &[u8], mechanism: &str) -> bool {
    mechanisms.split(|byte| *byte == 0).any(|offered| offered == mechanism.as_bytes())
}

/// The messages that prepare a statement, bind its parameters, run it and end.
fn asking(statement: &str, parameters: &[&str]) -> Vec<u8> {
    let count = (parameters.len() as u16).to_be_bytes();
    let types = TEXT.repeat(parameters.len());
    let values = parameters.iter().flat_map(|value| {
        let length = (value.len() as u32).to_be_bytes();
        [&length[..], value.as_bytes()].concat()
    });
    let values: Vec<u8> = values.collect();
    [
        message(b'P', &[&texts(["", statement])[..], &count, &types].concat()),
        // No formats are given, so all parameters and fields are text.
        message(b'B', &[&texts(["", ""])[..], &[0, 0], &count, &values, &[0, 0]].concat()),
        message(b'E', &[&texts([""])[..], &[0; 4]].concat()),
        message(b'S', b""),
    ]
    .concat()
}
