//! Posterity in the browser: plans, releases and budgets, on this machine only.
//!
//! [`Server::bind`] opens a port on 127.0.0.1, [`Server::address`] is the address to open, and [`Server::run`] answers
//! until the process ends. All pages are made here, and all pictures are SVG. Nothing comes from outside.
//!
//! What a browser sends is not trusted: every request is checked before any page sees it. docs/web.md says
//! against what.

mod adjacency;
mod answers;
mod ask;
mod assets;
mod budget;
mod chosen;
mod connections;
mod counting;
mod delimiter;
mod desk;
mod document;
mod drafts;
mod encoding;
mod extract;
mod failure;
mod fields;
mod folder;
mod guard;
mod headers;
mod help;
mod home;
mod html;
mod inputs;
mod known;
mod large_delta;
mod layout;
mod lock;
mod look;
mod made;
mod noise;
mod note;
mod opening;
mod options;
mod payer;
mod people;
mod pictures;
mod plan;
mod question;
mod readings;
mod recent;
mod release;
mod reply;
mod reread;
mod root;
mod routes;
mod secret;
mod sentence;
mod server;
mod site;
mod slider;
mod spending;
mod stream;
mod study;
mod temporary;
mod typed;
mod units;
mod web_error;
mod work;

pub use options::Options;
pub use server::Server;
pub use web_error::WebError;
