//! Why a PostgreSQL server did not give its records.

use std::io::ErrorKind;

use thiserror::Error;

use crate::text::MAX_RECORD;

/// Why a PostgreSQL server did not give its records. The messages of a server quote values of records, so only its error
/// code is told.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PostgresFault {
    /// This program cannot read from a server.
    #[error("this command was built without PostgreSQL; build it with --features postgres")]
    NotBuilt,
    /// Nothing answers.
    #[error("no server answers: {kind}; check host, port and network")]
    Unreachable {
        /// What the system says.
        kind: ErrorKind,
    },
    /// What answers is something else.
    #[error("what answers does not speak as a PostgreSQL server does; check host and port")]
    NotPostgres,
    /// The server has no TLS.
    #[error(
        "the server has no TLS, and records would cross the network for anyone to read; turn TLS on there, or add sslmode=disable \
         to the address if the network itself is protected"
    )]
    NoTls,
    /// The server does not prove who it is.
    #[error(
        "the certificate of the server is not valid for this host, or nobody whom this machine trusts has signed it; name the file \
         of your authority's certificate by sslrootcert=FILE in the address"
    )]
    Certificate,
    /// No agreement on how to encrypt.
    #[error("no encrypted connection could be made; check that the server offers TLS 1.2 or 1.3")]
    Tls,
    /// There are no certificates to trust.
    #[error(
        "there are no certificates to trust in {place}; name a file of them by sslrootcert=FILE in the address"
    )]
    NoRoots {
        /// Where they were looked for.
        place: String,
    },
    /// Nobody to connect as.
    #[error("there is no user; write postgres://USER@HOST/DATABASE, or set the variable PGUSER")]
    NoUser,
    /// The server asks for a password, and there is none.
    #[error("the server asks for a password; put it into the variable PGPASSWORD or into a file")]
    NoPassword,
    /// The server asks for a password in a way that would give it away.
    #[error(
        "the server does not ask for the password by SCRAM-SHA-256, the only way in which it is given here; set \
         password_encryption = 'scram-sha-256' there, set the password again, and let pg_hba.conf ask for scram-sha-256"
    )]
    NotScram,
    /// The server does not know the password itself.
    #[error("the server did not prove that it knows the password; check that it is the right server")]
    NotProven,
    /// The server refuses something.
    #[error("the server refused (SQLSTATE {code}); {}", remedy(code))]
    Refused {
        /// Its error code.
        code: String,
    },
    /// The connection ended too early.
    #[error("the connection ended before all records were read; ask again")]
    Lost,
    /// The table is another one than it was.
    #[error("the table was changed or written anew meanwhile; ask again")]
    Changed,
    /// A record that is too long.
    #[error(
        "a record has more than {} MiB in the columns of the question; shorten it, or use other columns",
        MAX_RECORD >> 20
    )]
    TooLong,
}

/// What to do about an error code (PostgreSQL documentation, appendix A).
fn remedy(code: &str) -> &'static str {
    match code {
        "28P01" | "28000" => "check the user and the password, and what pg_hba.conf allows",
        "3D000" => "check the name of the database",
        "42501" => {
            "the user must be allowed to read (GRANT SELECT on the columns, USAGE on the schema), and row security must not hide \
             records from this user (BYPASSRLS)"
        }
        "53300" | "57P03" => "it takes no connections now; ask again later",
        "55P03" => "another session locks the table; ask again later",
        _ => match code.get(..2) {
            Some("08" | "40" | "57") => "ask again",
            _ => "the log of the server says why",
        },
    }
}
