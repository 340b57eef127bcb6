//! The connections of the server, and which of them goes first if there are too many.
//!
//! Everybody on this machine can open connections. Whoever keeps as many as there may be must not keep the owner
//! waiting.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

use crate::lock::lock;

/// The most connections at once.
const MAX_CONNECTIONS: usize = 256;

/// Who is at the other end of a connection.
#[derive(Debug, Default)]
pub(crate) struct Visitor {
    known: AtomicBool,
    stalled: AtomicBool,
}

impl Visitor {
    /// They have shown the cookie.
    pub(crate) fn set_known(&self) {
        self.known.store(true, Ordering::Relaxed);
    }

    /// Whether they take nothing of what is sent to them at the moment.
    pub(crate) fn set_stalled(&self, stalled: bool) {
        self.stalled.store(stalled, Ordering::Relaxed);
    }

    /// How soon they have to go: strangers first, then whoever does not read; others do not.
    fn rank(&self) -> Option<u8> {
        match (self.known.load(Ordering::Relaxed), self.stalled.load(Ordering::Relaxed)) {
            (false, _) => Some(0),
            (true, true) => Some(1),
            (true, false) => None,
        }
    }
}

/// All connections, the oldest first.
#[derive(Debug)]
pub(crate) struct Connections {
    room: Arc<Semaphore>,
    all: Mutex<VecDeque<(Arc<Visitor>, AbortHandle)>>,
}

impl Default for Connections {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(MAX_CONNECTIONS)), all: Mutex::default() }
    }
}

impl Connections {
    /// Room for one more. If there is none, one that may go is closed; if none may go, whoever comes waits until one
    /// ends.
    pub(crate) async fn room(&self) -> Option<OwnedSemaphorePermit> {
        if self.room.available_permits() == 0 {
            self.close_one();
        }
        // The semaphore is never closed.
        Arc::clone(&self.room).acquire_owned().await.ok()
    }

    /// Keeps a connection in mind.
    pub(crate) fn add(&self, visitor: Arc<Visitor>, task: AbortHandle) {
        let mut all = lock(&self.all);
        all.retain(|(_, task)| !task.is_finished());
        all.push_back((visitor, task));
    }

    fn close_one(&self) {
        let mut all = lock(&self.all);
        all.retain(|(_, task)| !task.is_finished());
        let ranks = all.iter().map(|(visitor, _)| visitor.rank()).enumerate();
        // Of several with the same rank, the oldest.
        let first = ranks.filter_map(|(index, rank)| Some((rank?, index))).min();
        if let Some((_, task)) = first.and_then(|(_, index)| all.remove(index)) {
            task.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strangers go first, the oldest of them first; then those who do not read; nobody else.
    #[test]
    fn who_goes_first() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let connections = Connections::default();
            let mut tasks = Vec::new();
            for (known, stalled) in [(true, false), (true, true), (false, false), (false, true), (true, true)]
            {
                let visitor = Arc::new(Visitor::default());
                visitor.set_stalled(stalled);
                if known {
                    visitor.set_known();
                }
                let task = tokio::spawn(std::future::pending::<()>());
                connections.add(visitor, task.abort_handle());
                tasks.push(task);
            }
            for expected in [vec![2], vec![2, 3], vec![1, 2, 3], vec![1, 2, 3, 4], vec![1, 2, 3, 4]] {
                connections.close_one();
                tokio::task::yield_now().await;
                let closed: Vec<usize> =
                    (0..tasks.len()).filter(|index| tasks[*index].is_finished()).collect();
                assert_eq!(closed, expected);
            }
        });
    }
}
