//! Where a PostgreSQL database is, and how to reach it.

use std::fmt::{self, Display};
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

use crate::partitions::unescaped;

/// A database of a PostgreSQL server, as its address names it: `postgres://user@host:5432/database?sslmode=verify-full`.
///
/// The text of a server has neither the user nor a password nor how the connection is made, so that it is the same for
/// everyone who reads the same records.
///
/// ```
/// use posterity_formats::PostgresServer;
/// let server: PostgresServer = "postgresql://ada@DB.example/clinic?sslmode=require".parse()?;
/// assert_eq!(server.to_string(), "postgres://db.example:5432/clinic");
/// # Ok::<(), posterity_formats::PostgresAddressError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostgresServer {
    pub(crate) host: Host,
    pub(crate) port: u16,
    pub(crate) database: String,
    pub(crate) user: Option<String>,
    pub(crate) password: Option<Password>,
    pub(crate) tls: Tls,
    /// The certificates to trust in place of those of the system.
    pub(crate) roots: Option<PathBuf>,
}

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    /// A name or an IP address, in lower case.
    Name(String),
    /// The folder of a socket of this machine.
    Socket(String),
}

/// How the connection is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tls {
    /// Not at all.
    Off,
    /// It is encrypted, and whoever answers is believed to be the server.
    Unverified,
    /// It is encrypted, and the server shows a certificate for the name in the address.
    Verified,
}

/// A password, which is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Password(pub(crate) String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// What is wrong with the address of a server. The address is not repeated: there may be a password in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PostgresAddressError(&'static str);

const FORM: &str = "write the address of a database as postgres://USER@HOST:5432/DATABASE";
const NO_PASSWORD: &str = "do not write a password into the address: the shell keeps it, and other users of this machine see \
     it; put it into the variable PGPASSWORD or into a file";
const PARAMETERS: &str = "the address may set sslmode (disable, require or verify-full), sslrootcert (a file of certificates), \
     and host and port of a socket; leave other parameters out";
const SOCKET_TLS: &str = "a socket of this machine has no TLS; leave out sslmode and sslrootcert";
const ROOTS_TLS: &str =
    "sslrootcert is for a server whose certificate is verified; set sslmode=verify-full, or leave it out";

impl PostgresServer {
    /// Whether a text is meant as the address of a server.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Connects as this user, unless the address names one.
    #[must_use]
    pub fn with_default_user(mut self, user: Option<String>) -> Self {
        self.user = self.user.or(user);
        self
    }

    /// Answers with this password if the server asks for one.
    #[must_use]
    pub fn with_password(mut self, password: Option<String>) -> Self {
        self.password = password.map(Password);
        self
    }
}

impl Host {
    /// Whether this is a name of this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        match self {
            Self::Socket(_) => true,
            Self::Name(name) => {
                name == "localhost" || bare(name).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
            }
        }
    }
}

/// A host without the brackets around an address of IPv6.
pub(crate) fn bare(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

impl FromStr for PostgresServer {
    type Err = PostgresAddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || PostgresAddressError(FORM);
        let rest = text.split_once("://").filter(|_| Self::is_meant(text)).ok_or_else(wrong)?.1;
        let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = place.split_once('/').ok_or_else(wrong)?;
        let (user, place) = match authority.rsplit_once('@') {
            Some((user, _)) if user.contains(':') => return Err(PostgresAddressError(NO_PASSWORD)),
            Some((user, place)) => (Some(plain(user)?), place),
            None => (None, authority),
        };
        if database.contains(['/', '#']) {
            return Err(wrong());
        }
        let parameters = Parameters::read(parameters)?;
        let (host, port) = parameters.place(place)?;
        let (tls, roots) = parameters.protection(&host)?;
        Ok(Self { host, port, database: plain(database)?, user, password: None, tls, roots })
    }
}

/// What stands behind the question mark of an address.
#[derive(Default)]
struct Parameters {
    tls: Option<Tls>,
    roots: Option<PathBuf>,
    socket: Option<String>,
    port: Option<u16>,
}

impl Parameters {
    fn read(text: &str) -> Result<Self, PostgresAddressError> {
        let mut found = Self::default();
        for (key, value) in text.split('&').filter(|part| !part.is_empty()).map(pair) {
            let value = plain(value)?;
            match (key, value.as_str()) {
                ("sslmode", "disable") => found.tls = Some(Tls::Off),
                ("sslmode", "require") => found.tls = Some(Tls::Unverified),
                ("sslmode", "verify-full") => found.tls = Some(Tls::Verified),
                ("sslrootcert", _) => found.roots = Some(value.into()),
                ("host", folder) if folder.starts_with('/') => found.socket = Some(value),
                ("port", port) => found.port = Some(number(port)?),
                ("password", _) => return Err(PostgresAddressError(NO_PASSWORD)),
                _ => return Err(PostgresAddressError(PARAMETERS)),
            }
        }
        Ok(found)
    }

    /// The host and the port, of which a socket has both among the parameters.
    fn place(&self, place: &str) -> Result<(Host, u16), PostgresAddressError> {
        match (&self.socket, place) {
            (Some(folder), "") => Ok((Host::Socket(folder.clone()), self.port.unwrap_or(PORT))),
            (None, place) if self.port.is_none() => {
                let (name, port) = split_port(place);
                let allowed = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
                let is_name = !name.is_empty() && name.chars().all(allowed);
                if !is_name && bare(name).parse::<std::net::Ipv6Addr>().is_err() {
                    return Err(PostgresAddressError(FORM));
                }
                Ok((Host::Name(name.to_ascii_lowercase()), port.map_or(Ok(PORT), number)?))
            }
            _ => Err(PostgresAddressError(FORM)),
        }
    }

    /// A server elsewhere has to prove who it is, unless the address says otherwise.
    fn protection(&self, host: &Host) -> Result<(Tls, Option<PathBuf>), PostgresAddressError> {
        let is_set = self.tls.is_some_and(|tls| tls != Tls::Off) || self.roots.is_some();
        if matches!(host, Host::Socket(_)) && is_set {
            return Err(PostgresAddressError(SOCKET_TLS));
        }
        let usual = if host.is_loopback() { Tls::Off } else { Tls::Verified };
        let tls = self.tls.unwrap_or(usual);
        if self.roots.is_some() && tls != Tls::Verified {
            return Err(PostgresAddressError(ROOTS_TLS));
        }
        Ok((tls, self.roots.clone()))
    }
}

/// Where servers listen unless they are told otherwise.
const PORT: u16 = 5432;

fn pair(part: &str) -> (&str, &str) {
    part.split_once('=').unwrap_or((part, ""))
}

/// The host, and the port behind its colon. An address of IPv6 stands in brackets.
fn split_port(place: &str) -> (&str, Option<&str>) {
    match place.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (place, None),
    }
}

fn number(port: &str) -> Result<u16, PostgresAddressError> {
    port.parse().ok().filter(|port| *port > 0).ok_or(PostgresAddressError(FORM))
}

/// A part of an address without its escapes.
fn plain(text: &str) -> Result<String, PostgresAddressError> {
    unescaped(text).filter(|text| !text.is_empty() && !text.contains('\0')).ok_or(PostgresAddressError(FORM))
}

/// Host, port and database: no user, and no password.
impl Display for PostgresServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (port, database) = (self.port, escaped(&self.database, "-._"));
        match &self.host {
            Host::Name(name) => write!(f, "postgres://{name}:{port}/{database}"),
            Host::Socket(folder) => {
                write!(f, "postgres:///{database}?host={}&port={port}", escaped(folder, "-._/"))
            }
        }
    }
}

/// Writes everything but letters, digits and these signs by escapes.
fn escaped(text: &str, signs: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || signs.as_bytes().contains(&byte);
    let write = |byte: u8| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(write).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(address: &str) -> PostgresServer {
        address.parse().expect(address)
    }

    #[test]
    fn accepts() {
        let table = [
            ("postgres://db.example/clinic", "postgres://db.example:5432/clinic", Tls::Verified),
            ("postgresql://Ada@DB.Example:6000/a%2Fb", "postgres://db.example:6000/a%2Fb", Tls::Verified),
            ("postgres://db.example/c?sslmode=require", "postgres://db.example:5432/c", Tls::Unverified),
            ("postgres://db.example/c?sslmode=disable", "postgres://db.example:5432/c", Tls::Off),
            ("postgres://localhost/c", "postgres://localhost:5432/c", Tls::Off),
            ("postgres://127.0.0.1/c", "postgres://127.0.0.1:5432/c", Tls::Off),
            ("postgres://[::1]:7/c", "postgres://[::1]:7/c", Tls::Off),
            ("postgres://[FE80::1]/c", "postgres://[fe80::1]:5432/c", Tls::Verified),
            ("postgres://localhost/c?sslmode=verify-full", "postgres://localhost:5432/c", Tls::Verified),
            // Only the machine itself is called so.
            ("postgres://localhost.example/c", "postgres://localhost.example:5432/c", Tls::Verified),
            ("postgres://10.0.0.1/c", "postgres://10.0.0.1:5432/c", Tls::Verified),
            ("postgres:///c?host=/run/postgresql", "postgres:///c?host=/run/postgresql&port=5432", Tls::Off),
            ("postgres://me@/c?host=/A%20b&port=7", "postgres:///c?host=/A%20b&port=7", Tls::Off),
        ];
        for (address, shown, tls) in table {
            let found = server(address);
            assert_eq!((found.to_string().as_str(), found.tls), (shown, tls), "{address}");
            assert_eq!(server(shown).to_string(), shown);
        }
    }

    /// If this fails, a password stands in a history, or a connection is not protected as the address says.
    #[test]
    fn rejects() {
        let table = [
            ("postgres://ada:Mallory4711@db/c", NO_PASSWORD),
            ("postgres://ada:@db/c", NO_PASSWORD),
            ("postgres://db/c?password=Mallory4711", NO_PASSWORD),
            ("postgres://db/c?sslmode=prefer", PARAMETERS),
            ("postgres://db/c?sslmode=allow", PARAMETERS),
            ("postgres://db/c?sslmod=require", PARAMETERS),
            ("postgres://db/c?options=-csearch_path%3Dx", PARAMETERS),
            ("postgres://db/c?host=other", PARAMETERS),
            ("postgres://db/c?sslmode=require&sslrootcert=ca.pem", ROOTS_TLS),
            ("postgres://localhost/c?sslrootcert=ca.pem", ROOTS_TLS),
            ("postgres:///c?host=/run&sslmode=require", SOCKET_TLS),
            ("postgres://db/c?host=/run", FORM),
            ("postgres://db/c?port=7", FORM),
            ("postgres:///c", FORM),
            ("postgres://db", FORM),
            ("postgres://db/", FORM),
            ("postgres://db/a/b", FORM),
            ("postgres://db/a#b", FORM),
            ("postgres://db/a%00b", FORM),
            ("postgres://@db/c", FORM),
            ("postgres://db:0/c", FORM),
            ("postgres://db:70000/c", FORM),
            ("postgres://one,two/c", FORM),
            ("postgres://[::1/c", FORM),
            ("mysql://db/c", FORM),
        ];
        for (address, why) in table {
            let error = address.parse::<PostgresServer>().expect_err(address);
            assert_eq!(error, PostgresAddressError(why), "{address}");
            assert!(!error.to_string().contains("Mallory"), "{error}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        let server = server("postgres://db/c").with_password(Some("Mallory4711".into()));
        assert!(!format!("{server:?} {server}").contains("Mallory"));
    }

    #[test]
    fn the_address_names_the_user() {
        let user = |address| server(address).with_default_user(Some("bo".into())).user;
        assert_eq!(user("postgres://ada@db/c"), Some("ada".into()));
        assert_eq!(user("postgres://db/c"), Some("bo".into()));
    }
}
