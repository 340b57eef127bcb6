//! The bytes of a connection, to which the other end must listen.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::connections::Visitor;

/// A stream that fails once the other end has taken nothing for some time.
#[derive(Debug)]
pub(crate) struct Stream<S> {
    inner: S,
    visitor: Arc<Visitor>,
    patience: Duration,
    /// When it ends, if something waits to be taken.
    until: Option<Pin<Box<Sleep>>>,
}

impl<S> Stream<S> {
    pub(crate) fn new(inner: S, visitor: Arc<Visitor>, patience: Duration) -> Self {
        Self { inner, visitor, patience, until: None }
    }

    /// What came of sending something, or the end of patience.
    fn sent(&mut self, sent: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.visitor.set_stalled(sent.is_pending());
        if sent.is_ready() {
            self.until = None;
            return sent;
        }
        let patience = self.patience;
        let until = self.until.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.sent(sent, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.inner).poll_write_vectored(context, slices);
        self.sent(sent, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    /// An end that takes some writes, and then nothing.
    struct Deaf(usize);

    impl AsyncWrite for Deaf {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            if self.0 == 0 {
                return Poll::Pending;
            }
            self.0 -= 1;
            Poll::Ready(Ok(bytes.len()))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn patience_ends() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let mut stream = Stream::new(Deaf(2), Arc::default(), Duration::from_millis(20));
            for _ in 0..2 {
                let sent = poll_fn(|context| Pin::new(&mut stream).poll_write(context, b"abc")).await;
                assert_eq!(sent.expect("taken"), 3);
            }
            let sent = poll_fn(|context| Pin::new(&mut stream).poll_write(context, b"abc")).await;
            assert_eq!(sent.expect_err("not taken").kind(), io::ErrorKind::TimedOut);
        });
    }
}
