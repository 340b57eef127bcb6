//! Tables of a PostgreSQL server: passwords, TLS, ledgers, and servers that go away. `tools/postgres-tests` runs these
//! tests.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Command, Stdio};

use posterity_testkit::Postgres;

use crate::budget::Study;
use crate::{Run, run, typed};

const QUESTION: &str = "--table visits --column cured --categories yes,no";

/// A password, which no output may contain.
const PASSWORD: &str = "Mallory 4711";

/// A database of its own, and two users who may read it.
struct Clinic {
    server: Postgres,
    name: String,
    users: [String; 2],
}

impl Clinic {
    fn new(name: &str) -> Self {
        let server = Postgres::required();
        let users = ["ada", "bo"].map(|user| format!("{name}_{user}"));
        let statements = "CREATE TABLE visits (patient int, cured text); INSERT INTO visits VALUES (1, 'yes'), (1, 'yes'), (2, 'no');
            CREATE TABLE other (patient int, cured text); INSERT INTO other VALUES (1, 'no');
            CREATE VIEW pairs AS SELECT visits.patient, visits.cured FROM visits, other;
            CREATE VIEW slow AS SELECT i AS patient, CASE WHEN pg_sleep(0.001) IS NULL THEN 'no' ELSE 'yes' END AS cured
            FROM generate_series(1, 1000000) i;";
        server.create(name, statements);
        for user in &users {
            let role = format!("DROP ROLE IF EXISTS {user}; CREATE ROLE {user} LOGIN PASSWORD '{PASSWORD}'");
            server.run(name, &role);
            server.run(name, &format!("GRANT SELECT ON visits, other, pairs, slow TO {user}"));
        }
        Self { server, name: name.to_owned(), users }
    }

    fn address(&self, user: &str, host: &str) -> String {
        self.server.by_network(user, host, &self.name)
    }

    fn ada(&self, host: &str) -> String {
        self.address(&self.users[0], host)
    }
}

impl Drop for Clinic {
    fn drop(&mut self) {
        for user in &self.users {
            self.server.run(&self.name, &format!("DROP OWNED BY {user}; DROP ROLE {user}"));
        }
    }
}

fn command(line: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_posterity"));
    command
        .args(line)
        .stdin(Stdio::null())
        .env_remove("COLUMNS")
        .env_remove("PGUSER")
        .env("PGPASSWORD", PASSWORD);
    command
}

fn ask(address: &str, more: &str) -> Run {
    let line = format!("release {{}} --epsilon 1000 --format json {more}");
    run(&mut command(&typed(line.trim_end(), &[address])))
}

fn counts(run: &Run) -> serde_json::Value {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("a document");
    crate::schema::check(&document);
    document["released_counts"].clone()
}

fn refused(run: &Run, code: i32, words: &str) {
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    assert!(run.stderr.contains(words), "{}", run.stderr);
    assert!(!run.stderr.contains("Mallory") && run.stdout.is_empty(), "{}{}", run.stdout, run.stderr);
}

#[test]
#[ignore = "tools/postgres-tests runs it"]
fn tables_and_views() {
    let clinic = Clinic::new("cli_tables");
    let address = clinic.ada("127.0.0.1");
    let found = ask(&address, QUESTION);
    assert_eq!(counts(&found), serde_json::json!([2, 1]));
    let shown = format!("postgres://127.0.0.1:{}/cli_tables, table public.visits", clinic.server.port());
    assert!(found.stdout.contains(&shown), "{}", found.stdout);
    let nothing_of_the_user = !found.stdout.contains("cli_tables_ada") && !found.stdout.contains("Mallory");
    assert!(nothing_of_the_user, "{}", found.stdout);
    let question = "--column cured --categories yes,no";
    refused(&ask(&address, question), 2, "\"public.other\", \"public.visits\"");
    refused(&ask(&address, &format!("{question} --table none")), 2, "name one");
    refused(&ask(&address, &format!("{question} --table pairs")), 2, "is a view");
    refused(&ask(&address, &format!("{question} --view pairs")), 2, "--unit");
    refused(&ask(&address, &format!("{QUESTION} --input-format csv")), 2, "--input-format");
    refused(&ask(&address, &format!("{QUESTION} --delimiter ;").replace("visits", "none")), 2, "name one");
    refused(&ask(&address, &format!("{QUESTION} --encoding utf-16")), 2, "leave it out for postgres");
    let view = ask(&address, &format!("{question} --view pairs --unit patient"));
    assert_eq!(counts(&view), serde_json::json!([1, 1]));
    assert!(
        view.stdout.contains("if each row of the view depends on one patient only and never fails"),
        "{}",
        view.stdout
    );
    let discovered =
        "discover {} --table visits --column cured --unit patient --epsilon 1 --delta 1e-9 --seed 1";
    assert_eq!(run(&mut command(&typed(discovered, &[&address]))).code, Some(0));
}

#[test]
#[ignore = "tools/postgres-tests runs it"]
fn passwords() {
    let clinic = Clinic::new("cli_passwords");
    let (address, study) = (clinic.ada("127.0.0.1"), Study::new("1"));
    let line = format!("release {{}} --epsilon 1000 --format json {QUESTION}");
    let with = |password: Option<&str>, more: &str| {
        let line = format!("{line} {more}");
        let line = typed(line.trim_end(), &[&address]);
        let mut command = command(&line);
        match password {
            Some(password) => command.env("PGPASSWORD", password),
            None => command.env_remove("PGPASSWORD"),
        };
        run(&mut command)
    };
    assert_eq!(counts(&with(Some(PASSWORD), "")), serde_json::json!([2, 1]));
    refused(&with(Some("wrong"), ""), 1, "SQLSTATE 28P01");
    refused(&with(None, ""), 1, "--password-file");
    let file = study.file("password", format!("{PASSWORD}\nnot this\n"));
    assert_eq!(counts(&with(None, &format!("--password-file {file}"))), serde_json::json!([2, 1]));
    assert_eq!(counts(&with(Some("wrong"), &format!("--password-file {file}"))), serde_json::json!([2, 1]));
    refused(&with(None, "--password-file nowhere"), 1, "--password-file");
    // The variable names the user, unless the address does.
    let nobody = address.replace("cli_passwords_ada@", "");
    let as_user = |user: &str| {
        let line = typed(&line, &[&nobody]);
        run(command(&line).env("PGUSER", user))
    };
    assert_eq!(counts(&as_user("cli_passwords_bo")), serde_json::json!([2, 1]));
    refused(&ask(&nobody, QUESTION), 1, "PGUSER");
    refused(&ask(&clinic.address("nobody_there", "127.0.0.1"), QUESTION), 1, "SQLSTATE 28P01");
    // Neither in clear text nor by a weak hash.
    clinic
        .server
        .run("postgres", &format!("DROP ROLE IF EXISTS weak; CREATE ROLE weak LOGIN PASSWORD '{PASSWORD}'"));
    refused(&ask(&clinic.address("weak", "127.0.0.1"), QUESTION), 1, "SCRAM-SHA-256");
    clinic.server.run("postgres", "DROP ROLE weak");
    let elsewhere = clinic.server.by_network(&clinic.users[0], "127.0.0.1", "none");
    refused(&ask(&elsewhere, QUESTION), 1, "SQLSTATE 3D000");
    clinic.server.run("cli_passwords", "REVOKE SELECT ON visits FROM cli_passwords_ada");
    refused(&ask(&address, QUESTION), 1, "SQLSTATE 42501");
}

/// If this fails, records cross a network unprotected, or go to somebody who is not the server.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn encrypted_connections() {
    let clinic = Clinic::new("cli_tls");
    let authority = clinic.server.authority();
    let with = |host: &str, parameters: &str| ask(&format!("{}?{parameters}", clinic.ada(host)), QUESTION);
    let verified = format!("sslmode=verify-full&sslrootcert={}", authority.display());
    for host in ["localhost", "127.0.0.1"] {
        assert_eq!(counts(&with(host, &verified)), serde_json::json!([2, 1]), "{host}");
    }
    assert_eq!(counts(&with("localhost", "sslmode=require")), serde_json::json!([2, 1]));
    // The machine does not trust the authority, and the certificate is for no other address of the machine.
    refused(&with("localhost", "sslmode=verify-full"), 1, "certificate");
    refused(
        &with("localhost", "sslmode=verify-full&sslrootcert=/nowhere.pem"),
        1,
        "no certificates to trust",
    );
    let other = relay(&clinic, None, "127.0.0.2:0");
    let by_other = clinic.ada("127.0.0.2").replace(&clinic.server.port().to_string(), &other.to_string());
    refused(&ask(&format!("{by_other}?{verified}"), QUESTION), 1, "certificate");
    assert_eq!(counts(&ask(&format!("{by_other}?sslmode=require"), QUESTION)), serde_json::json!([2, 1]));
}

/// If this fails, two people pay for one answer, or one of them gets another.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn a_ledger_knows_the_table_and_not_the_user() {
    let clinic = Clinic::new("cli_ledger");
    let (study, address) = (Study::new("5"), clinic.ada("127.0.0.1"));
    let ledger = study.ledger();
    let charged = |address: &str, question: &str| {
        let line = format!("release {{}} {question} --epsilon 1 --ledger {{}} --account a --format json");
        let run = run(&mut command(&typed(&line, &[address, &ledger])));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        (run.stdout, study.spent())
    };
    let (first, spent) = charged(&address, QUESTION);
    assert_eq!(spent, "1");
    let bo = clinic.address(&clinic.users[1], "127.0.0.1");
    let socket = clinic.server.on_socket("cli_ledger");
    for same in [&address, &bo, &format!("{bo}?sslmode=require"), &bo.replace("postgres:", "postgresql:")] {
        assert_eq!(charged(same, QUESTION), (first.clone(), "1".into()), "{same}");
    }
    let named = QUESTION.replace("visits", "public.visits");
    assert_eq!(charged(&address, &named), (first.clone(), "1".into()));
    assert_eq!(charged(&address, &QUESTION.replace("visits", "other")).1, "2", "another table");
    // As with files, a place is known by how it was named: no address is looked up.
    assert_eq!(charged(&clinic.ada("localhost"), QUESTION).1, "3");
    assert_eq!(charged(&clinic.ada("LocalHost"), QUESTION).1, "3");
    assert_eq!(charged(&socket, QUESTION).1, "4");
    let history = run(&mut command(&["budget", "export", &ledger])).stdout;
    assert!(history.contains("table public.visits") || history.contains("public.visits"), "{history}");
    for hidden in ["cli_ledger_ada", "cli_ledger_bo", "owner@", "Mallory", "sslmode"] {
        assert!(!history.contains(hidden), "{hidden}: {history}");
    }
}

/// Passes connections on to the server. If there is a limit, it cuts each after this many bytes of the server.
fn relay(clinic: &Clinic, limit: Option<u64>, at: &str) -> u16 {
    let listener = TcpListener::bind(at).expect("a port");
    let (port, server) = (listener.local_addr().expect("an address").port(), clinic.server.port());
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(("127.0.0.1", server)).expect("the server");
            std::thread::spawn(move || pass_on(&client, &server, limit));
        }
    });
    port
}

fn pass_on(client: &TcpStream, server: &TcpStream, limit: Option<u64>) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Either side may end first.
            let _ = std::io::copy(&mut &*client, &mut &*server);
            let _ = server.shutdown(Shutdown::Write);
        });
        let _ = std::io::copy(&mut (&*server).take(limit.unwrap_or(u64::MAX)), &mut &*client);
        let _ = client.shutdown(Shutdown::Both);
        let _ = server.shutdown(Shutdown::Both);
    });
}

/// Wherever the connection is cut, nothing is charged, and the next try is charged once.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn servers_that_go_away() {
    let clinic = Clinic::new("cli_lost");
    let study = Study::new("1");
    let ledger = study.ledger();
    let ask = |address: &str, question: &str| {
        let line = format!("release {{}} {question} --epsilon 1 --ledger {{}} --account a --format json");
        run(&mut command(&typed(&line, &[address, &ledger])))
    };
    let port = clinic.server.port().to_string();
    let mut cut = 0;
    for limit in (0..4_000).step_by(61) {
        let relay = relay(&clinic, Some(limit), "127.0.0.1:0").to_string();
        let found = ask(&clinic.ada("127.0.0.1").replace(&port, &relay), QUESTION);
        if found.code == Some(0) {
            break;
        }
        cut += 1;
        refused(&found, 1, "nothing was charged or released");
        assert_eq!(study.spent(), "0", "{limit}");
    }
    assert!(cut > 10, "{cut}");
    let study = Study::new("1");
    let ledger = study.ledger();
    let line = "release {} --view slow --unit patient --column cured --categories yes,no --epsilon 1 --ledger {} --account a";
    let address = clinic.ada("127.0.0.1");
    let mut child = command(&typed(line, &[&address, &ledger]));
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE application_name = 'posterity' AND query LIKE 'COPY%' AND datname = 'cli_lost'";
    let ended = (0..1_000).any(|_| clinic.server.run("postgres", end).trim() == "1");
    assert!(ended, "the reader was there");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("SQLSTATE 57P01"), "{said}");
    assert_eq!(study.spent(), "0");
}

/// What answers is no server, or nothing does.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn what_is_no_server() {
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let at = |port: u16| format!("postgres://ada@127.0.0.1:{port}/clinic");
    refused(&ask(&at(nobody), QUESTION), 1, "no server answers");
    let answers: [(&[u8], &str, &str); 5] = [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak as", "does not speak as"),
        // The password in clear text, and by a weak hash.
        (b"R\0\0\0\x08\0\0\0\x03", "SCRAM-SHA-256", "does not speak as"),
        (b"R\0\0\0\x0c\0\0\0\x05salt", "SCRAM-SHA-256", "does not speak as"),
        // A server without TLS is not spoken to without it.
        (b"N\0\0\0\x04", "ended before", "has no TLS"),
        (b"", "ended before", "does not speak as"),
    ];
    for (answer, plain, encrypted) in answers {
        let at = at(answering(answer));
        refused(&ask(&at, QUESTION), 1, plain);
        refused(&ask(&format!("{at}?sslmode=require"), QUESTION), 1, encrypted);
    }
}

/// Answers every first message with these bytes, and says no more.
fn answering(answer: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            // Whoever asks may be gone.
            let _ = client.read(&mut [0; 512]);
            let _ = client.write_all(answer);
        }
    });
    port
}
