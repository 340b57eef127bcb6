//! `posterity web`: how a browser is told the address.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A server that was told to open a browser, and what the browser was started with.
struct Opened {
    server: Child,
    address: String,
    arguments: Vec<String>,
    temporary: PathBuf,
    _folder: tempfile::TempDir,
}

/// Starts `posterity web` with a browser that writes down its arguments.
fn opened() -> Opened {
    let folder = tempfile::tempdir().expect("a folder");
    let [programs, temporary, said] = ["programs", "temporary", "said"].map(|name| folder.path().join(name));
    for folder in [&programs, &temporary] {
        std::fs::create_dir(folder).expect("made");
    }
    // To read a pipe waits for whoever writes it.
    assert!(Command::new("mkfifo").arg(&said).status().expect("mkfifo").success());
    let browser = programs.join("xdg-open");
    std::fs::write(&browser, format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\n", said.display()))
        .expect("written");
    std::fs::set_permissions(&browser, PermissionsExt::from_mode(0o755)).expect("set");
    let mut server = Command::new(env!("CARGO_BIN_EXE_posterity"))
        .arg("web")
        .env("PATH", format!("{}:/usr/bin:/bin", programs.display()))
        .env("TMPDIR", &temporary)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("posterity web");
    let mut address = String::new();
    BufReader::new(server.stdout.take().expect("piped")).read_line(&mut address).expect("an address");
    let arguments =
        std::fs::read_to_string(&said).expect("arguments").lines().map(ToOwned::to_owned).collect();
    Opened { server, address: address.trim().to_owned(), arguments, temporary, _folder: folder }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).expect("there").permissions().mode() & 0o777
}

/// Everybody on the machine can read the arguments of a browser. They hold a file that only its owner can read.
#[test]
fn the_address_is_no_argument() {
    let opened = opened();
    assert_eq!(opened.arguments.len(), 1, "{:?}", opened.arguments);
    let path = &opened.arguments[0];
    let parts: Vec<&str> = opened.address.split(['/', '=']).collect();
    let (root, token) = (parts[3], parts[parts.len() - 1]);
    assert_eq!((root.len(), token.len()), (32, 32), "{}", opened.address);
    assert!(!path.contains(root) && !path.contains(token) && !path.contains("http"), "{path}");
    let path = Path::new(path);
    assert_eq!((mode(path), mode(path.parent().expect("a folder"))), (0o600, 0o700));
    let page = std::fs::read_to_string(path).expect("read");
    assert!(page.contains(&format!("content=\"0; url={}\"", opened.address)), "{page}");
    // It is gone as soon as the address was used.
    let (host, rest) =
        opened.address.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
    let mut stream = TcpStream::connect(host).expect("a connection");
    write!(stream, "GET /{rest} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(std::fs::read_dir(&opened.temporary).expect("read").count(), 0);
}
