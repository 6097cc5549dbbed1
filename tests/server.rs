//! A running `morpion serve`, the same server with other limits, and a client that can also send malformed requests.

use crate::{morpion, repository};
use morpion_lookup::Table;
use morpion_serve::library::Library;
use morpion_serve::limits::Limits;
use morpion_serve::{Config, serve};
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::ops::Deref;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use tokio::sync::oneshot;

/// The folder of the shipped tables.
pub fn tables() -> PathBuf {
    repository().join("tables")
}

/// The header of a body that is JSON.
pub const JSON: &str = "Content-Type: application/json\r\n";

/// A server on a free port of this machine, stopped when it is dropped.
pub struct Server {
    /// The process.
    pub child: Child,
    client: Client,
}

impl Server {
    /// Starts the server with these arguments and waits until it listens.
    pub fn start(arguments: &[&str]) -> Server {
        Server::spawn(morpion(["serve"]).args(arguments)).0
    }

    /// Starts this command and waits until it listens. Also returns the rest of its output.
    pub fn spawn(command: &mut Command) -> (Server, BufReader<ChildStdout>) {
        if command.get_args().all(|argument| argument != "--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        // As under a service manager: a server in a terminal ends when the terminal hangs up.
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output is piped"));
        out.read_line(&mut line).expect("the address of the server");
        let (_, rest) = line.split_once("http://").expect(&line);
        let (address, _) = rest.split_once('/').expect(&line);
        let client = Client { address: address.parse().expect(&line) };
        (Server { child, client }, out)
    }

    /// Sends a signal by name, as a terminal or a service manager would.
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let status = Command::new("kill").args([&format!("-{name}"), &pid]).status();
        assert!(status.expect("`kill` runs").success());
    }

    /// The resident memory of the server, in kilobytes.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Deref for Server {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

/// A server of this process, stopped when it is dropped.
pub struct Limited {
    client: Client,
    _stop: oneshot::Sender<()>,
}

impl Limited {
    /// Serves `classic` within limits that the program does not have.
    pub fn start(limits: Limits, connections: usize) -> Limited {
        let (send_address, address) = std::sync::mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let classic = Table::builtin("classic").expect("a table inside the library");
        let mut library = Library::default();
        library.add(classic).expect("a sound table");
        let config = Config {
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            hosts: Vec::new(),
            base: "/".into(),
            embedding: Vec::new(),
            connections,
            limits,
        };
        std::thread::spawn(move || {
            let ready = |address| send_address.send(address).expect("the test waits");
            let events = |_| async { drop(stopped.await) };
            serve(config, library, events, ready).expect("it serves");
        });
        let address = address.recv().expect("the address of the server");
        Limited { client: Client { address }, _stop: stop }
    }
}

impl Deref for Limited {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

/// A client of a server.
pub struct Client {
    /// Address at which the server listens.
    pub address: SocketAddr,
}

impl Client {
    /// Opens a connection.
    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).expect("the server accepts connections")
    }

    /// Sends a GET request and reads the answer.
    pub fn get(&self, path: &str) -> Response {
        self.ask("GET", path, None)
    }

    /// Sends a request and reads the answer; a body is sent as JSON.
    pub fn ask(&self, method: &str, path: &str, body: Option<&str>) -> Response {
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        if let Some(body) = body {
            request += &format!("{JSON}Content-Length: {}\r\n", body.len());
        }
        self.send(format!("{request}\r\n{}", body.unwrap_or_default()).as_bytes())
    }

    /// Sends a request with JSON and reads nothing.
    pub fn begin(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = self.connect();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{JSON}Content-Length: {length}\r\n\r\n"
        );
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        stream
    }

    /// A number of `/metrics`.
    pub fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics").body;
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let (_, value) =
            lines.find(|(found, _)| *found == name).unwrap_or_else(|| panic!("{text}"));
        value.parse().unwrap_or_else(|error| panic!("{name} {value}: {error}"))
    }

    /// Waits until a number of `/metrics` meets the condition. Fails after a minute, far more than it takes.
    pub fn wait_for(&self, name: &str, fits: impl Fn(u64) -> bool) {
        for _ in 0..1200 {
            if fits(self.metric(name)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{name} stays at {}", self.metric(name));
    }

    /// Sends bytes as they are and reads one response.
    pub fn send(&self, bytes: &[u8]) -> Response {
        let mut stream = self.connect();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(bytes);
        Response::read(&mut stream).expect("an answer")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A response, read to its end.
#[derive(Debug)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Header fields, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Response {
    /// Reads one answer.
    pub fn read(stream: &mut TcpStream) -> io::Result<Response> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("{line:?} for a status")))?;
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let value =
            |name: &str| headers.iter().find(|(found, _)| found == name).map(|(_, value)| value);
        let mut body = Vec::new();
        if value("transfer-encoding").is_some() {
            loop {
                let mut line = String::new();
                reader.read_line(&mut line)?;
                let length =
                    usize::from_str_radix(line.trim_end(), 16).map_err(io::Error::other)?;
                let mut chunk = vec![0; length + 2];
                reader.read_exact(&mut chunk)?;
                if length == 0 {
                    break;
                }
                body.extend_from_slice(&chunk[..length]);
            }
        } else {
            body.resize(value("content-length").map_or(0, |length| length.parse().unwrap()), 0);
            // Nothing follows the answer to HEAD.
            if let Err(error) = reader.read_exact(&mut body) {
                if error.kind() != io::ErrorKind::UnexpectedEof {
                    return Err(error);
                }
                body.clear();
            }
        }
        Ok(Response { status, headers, body: String::from_utf8_lossy(&body).into_owned() })
    }

    /// Value of a header field.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The message of an error.
    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }
}
