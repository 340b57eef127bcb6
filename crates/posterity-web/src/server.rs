//! The local server: a port, connections and their limits.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;

use crate::connections::{Connections, Visitor};
use crate::guard::Guard;
use crate::options::Options;
use crate::routes;
use crate::site::Site;
use crate::stream::Stream;
use crate::temporary;
use crate::web_error::WebError;

/// How long the head of a request may take to arrive, and how long a connection may be idle.
const HEAD_PATIENCE: Duration = Duration::from_secs(5);
/// How long a client may take nothing of what is sent to it.
const UNREAD_PATIENCE: Duration = Duration::from_secs(5);
/// How long the file that leads a browser to the address is there if no browser comes.
const OPENING_LIFE: Duration = Duration::from_secs(60);
/// How long one connection may last.
const CONNECTION_LIFE: Duration = Duration::from_secs(300);
/// The largest head of a request.
const MAX_HEAD_BYTES: usize = 32 * 1024;

/// A server that has a port and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

impl Server {
    /// Opens a port on 127.0.0.1, which no other machine can reach, and removes what servers that died have left.
    ///
    /// ```
    /// use posterity_web::{Options, Server};
    /// let server = Server::bind(&Options::default())?;
    /// assert!(server.address().starts_with("http://127.0.0.1:"));
    /// # Ok::<(), posterity_web::WebError>(())
    /// ```
    ///
    /// # Errors
    /// [`WebError`].
    pub fn bind(options: &Options) -> Result<Self, WebError> {
        let failed = |source| WebError::Port { port: options.port, source };
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = TcpListener::bind(address).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        listener.set_nonblocking(true)?;
        temporary::clean();
        let guard = Guard::new(port).map_err(WebError::Random)?;
        Ok(Self { listener, site: Arc::new(Site::new(guard, options)?) })
    }

    /// The address to open in a browser. It works once.
    #[must_use]
    pub fn address(&self) -> String {
        self.site.guard().address()
    }

    /// Hands a browser the path of a file that leads to the address, and returns what `open` returns: whether there is
    /// a browser. Only the owner can read the file. It is removed once the address was used, after a minute, and with
    /// the server.
    pub fn open(&self, open: impl FnOnce(&Path) -> bool) -> bool {
        let opening = self.site.opening();
        let opened = opening.write(&self.address()).is_ok_and(|path| open(&path));
        if !opened {
            opening.remove();
        }
        opened
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    /// [`WebError::System`].
    pub fn run(self) -> Result<(), WebError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(serve(self.listener, self.site))
    }
}

async fn serve(listener: TcpListener, site: Arc<Site>) -> Result<(), WebError> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let connections = Connections::default();
    let router = routes::router(Arc::clone(&site));
    tokio::spawn(async move {
        tokio::time::sleep(OPENING_LIFE).await;
        site.opening().remove();
    });
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // A client that went away, or no descriptors for a moment.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let Some(room) = connections.room().await else { return Ok(()) };
        let visitor = Arc::new(Visitor::default());
        let connection = answer(stream, TowerToHyperService::new(router.clone()), Arc::clone(&visitor));
        let task = tokio::spawn(async move {
            let _room = room;
            connection.await;
        });
        connections.add(visitor, task.abort_handle());
    }
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, pages: TowerToHyperService<Router>, visitor: Arc<Visitor>) {
    let stream = Stream::new(stream, Arc::clone(&visitor), UNREAD_PATIENCE);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&visitor));
        pages.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_PATIENCE)
        .max_buf_size(MAX_HEAD_BYTES)
        // A client that has said all may still listen.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), service);
    // A client that breaks off is not an error of the server.
    let _ = tokio::time::timeout(CONNECTION_LIFE, connection).await;
}
