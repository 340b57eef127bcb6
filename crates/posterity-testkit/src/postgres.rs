//! The PostgreSQL server that `tools/postgres-tests` starts.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A server with a superuser `owner`, who needs no password on its socket. By the network every user needs one.
#[derive(Clone, Debug)]
pub struct Postgres {
    folder: PathBuf,
    port: String,
}

impl Postgres {
    /// The server that runs, if there is one.
    #[must_use]
    pub fn running() -> Option<Self> {
        let folder = std::env::var_os("POSTERITY_POSTGRES")?.into();
        Some(Self { folder, port: std::env::var("POSTERITY_POSTGRES_PORT").ok()? })
    }

    /// The server, in a test that makes no sense without it.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn required() -> Self {
        Self::running().expect("tools/postgres-tests runs this test, with a server")
    }

    /// Makes an empty database of this name, and runs statements in it.
    ///
    /// # Panics
    /// If the server refuses.
    pub fn create(&self, database: &str, statements: &str) {
        self.run("postgres", &format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)"));
        self.run("postgres", &format!("CREATE DATABASE {database} TEMPLATE template0"));
        self.run(database, statements);
    }

    /// Runs statements as the superuser, and returns what they print.
    ///
    /// # Panics
    /// If the server refuses.
    pub fn run(&self, database: &str, statements: &str) -> String {
        let mut child = Command::new("psql")
            .args(["-qAtX", "-v", "ON_ERROR_STOP=1", "-U", "owner", "-p", &self.port, "-d", database, "-h"])
            .arg(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("psql starts");
        let mut input = child.stdin.take().expect("piped");
        std::io::Write::write_all(&mut input, statements.as_bytes()).expect("written");
        drop(input);
        let output = child.wait_with_output().expect("psql ends");
        assert!(output.status.success(), "psql: {statements}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// The address of a database on the socket, for the superuser.
    #[must_use]
    pub fn on_socket(&self, database: &str) -> String {
        format!("postgres://owner@/{database}?host={}&port={}", self.folder.display(), self.port)
    }

    /// The address of a database by the network.
    #[must_use]
    pub fn by_network(&self, user: &str, host: &str, database: &str) -> String {
        format!("postgres://{user}@{host}:{}/{database}", self.port)
    }

    /// Where it listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.parse().expect("a port")
    }

    /// The certificate of the authority that signed the server's own.
    #[must_use]
    pub fn authority(&self) -> PathBuf {
        Path::new(&self.folder).join("authority.pem")
    }
}
