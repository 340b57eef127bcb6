//! The connection to a server.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustls::{ClientConnection, StreamOwned};

use crate::postgres_fault::PostgresFault;
use crate::postgres_server::{Host, PostgresServer, Tls, bare};

use super::tls::encrypted;

/// Bytes to and from a server.
pub(super) enum Transport {
    Plain(TcpStream),
    Encrypted(Box<StreamOwned<ClientConnection, TcpStream>>),
    #[cfg(unix)]
    Socket(UnixStream),
}

/// How long to wait for an answer while the connection is made.
const GREETING: Duration = Duration::from_secs(20);

/// How long to wait for the next record. A view may work for long before its first one.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// Asks for TLS: a length and a number that is no version (PostgreSQL documentation, "Message Formats").
const TLS_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

impl Transport {
    /// Connects, and encrypts the connection if that is asked for.
    pub(super) fn open(server: &PostgresServer) -> Result<Self, PostgresFault> {
        let unreachable = |error: io::Error| PostgresFault::Unreachable { kind: error.kind() };
        let name = match &server.host {
            Host::Socket(folder) => return socket(folder, server.port).map_err(unreachable),
            Host::Name(name) => name,
        };
        let mut stream = reached(server, name).map_err(unreachable)?;
        stream.set_nodelay(true).map_err(unreachable)?;
        stream.set_read_timeout(Some(GREETING)).map_err(unreachable)?;
        stream.set_write_timeout(Some(GREETING)).map_err(unreachable)?;
        if server.tls == Tls::Off {
            return Ok(Self::Plain(stream));
        }
        stream.write_all(&TLS_REQUEST).map_err(unreachable)?;
        // One byte and no more: what somebody put behind it would be taken for what the server says encrypted.
        let mut answer = [0];
        stream.read_exact(&mut answer).map_err(|_| PostgresFault::NotPostgres)?;
        match answer {
            [b'S'] => {
                let encrypted = encrypted(stream, name, server.tls, server.roots.as_deref())?;
                Ok(Self::Encrypted(Box::new(encrypted)))
            }
            [b'N'] => Err(PostgresFault::NoTls),
            _ => Err(PostgresFault::NotPostgres),
        }
    }

    /// The connection is made, and records may take long to come.
    pub(super) fn settle(&self) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.set_read_timeout(Some(PATIENCE)),
            Self::Encrypted(stream) => stream.sock.set_read_timeout(Some(PATIENCE)),
            #[cfg(unix)]
            Self::Socket(stream) => stream.set_read_timeout(Some(PATIENCE)),
        }
    }
}

/// The first address of the host that answers. A name of this machine is one of no other.
fn reached(server: &PostgresServer, name: &str) -> io::Result<TcpStream> {
    let here = |address: &SocketAddr| !server.host.is_loopback() || address.ip().is_loopback();
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for address in (bare(name), server.port).to_socket_addrs()?.filter(here) {
        match TcpStream::connect_timeout(&address, GREETING) {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

#[cfg(unix)]
fn socket(folder: &str, port: u16) -> io::Result<Transport> {
    let stream = UnixStream::connect(format!("{folder}/.s.PGSQL.{port}"))?;
    stream.set_read_timeout(Some(GREETING))?;
    Ok(Transport::Socket(stream))
}

#[cfg(not(unix))]
fn socket(_folder: &str, _port: u16) -> io::Result<Transport> {
    Err(io::ErrorKind::Unsupported.into())
}

impl Read for Transport {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(buffer),
            Self::Encrypted(stream) => stream.read(buffer),
            #[cfg(unix)]
            Self::Socket(stream) => stream.read(buffer),
        }
    }
}

impl Write for Transport {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(buffer),
            Self::Encrypted(stream) => stream.write(buffer),
            #[cfg(unix)]
            Self::Socket(stream) => stream.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Encrypted(stream) => stream.flush(),
            #[cfg(unix)]
            Self::Socket(stream) => stream.flush(),
        }
    }
}
