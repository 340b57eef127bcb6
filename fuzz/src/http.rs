//! Requests to the pages, as any program on the machine can send them.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

use posterity_web::{Options, Server};

/// The port of a server that runs as long as the process.
static PORT: OnceLock<u16> = OnceLock::new();

fn port() -> u16 {
    *PORT.get_or_init(|| {
        let options = Options { data: None, ledger: None, port: 0 };
        let server = Server::bind(&options).expect("a port");
        let port = server.address().split(':').nth(2).and_then(|rest| rest.split('/').next()?.parse().ok());
        std::thread::spawn(move || server.run().expect("it runs"));
        port.expect("an address with a port")
    })
}

/// Sends the bytes as a request. A sender who does not know the secret sees no page, and the server lives on.
pub fn look(bytes: &[u8]) {
    let answer = sent(bytes);
    let status = answer.get(9..12).unwrap_or_default();
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."), "no answer of HTTP");
    assert!(status != b"200" || is_public(&answer), "a page without the secret");
    assert_ne!(status, b"500");
    if bytes.first() == Some(&b'!') {
        let usual = sent(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        assert!(usual.starts_with(b"HTTP/1.1"), "the server is gone");
    }
}

fn sent(bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", port())).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    // The server may have closed the connection before all was sent.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// What everybody may see.
fn is_public(answer: &[u8]) -> bool {
    let answer = String::from_utf8_lossy(answer);
    ["text/css", "javascript", "image/", "font/"].iter().any(|kind| answer.contains(kind))
}
