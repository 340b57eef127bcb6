//! The path that all pages are below.
//!
//! It is a secret of this run. A browser sends a cookie to every port of this machine, and so to servers of other
//! people, but only below the path that the cookie is for.

use crate::secret::Secret;

/// The path that all pages are below. Pages are written as if there were none.
#[derive(Debug)]
pub(crate) struct Root {
    name: Secret,
    path: String,
}

/// The attributes that hold addresses.
const ADDRESSES: [&str; 5] = ["href", "action", "src", "data-progress", "data-keep"];

impl Root {
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let name = Secret::new()?;
        Ok(Self { path: format!("/{}", name.as_str()), name })
    }

    /// The path, without a slash at the end.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The part of an address after the path: none if it is not below it.
    pub(crate) fn within<'a>(&self, address: &'a str) -> Option<&'a str> {
        let rest = address.strip_prefix('/')?;
        let end = rest.find('/').unwrap_or(rest.len());
        self.name.is(&rest[..end]).then(|| &rest[end..])
    }

    /// A page whose addresses are below the path. All text of a page is escaped, so a tag begins at each `<` and ends
    /// at the next `>`, and no quotation mark of a text is taken for that of an attribute.
    pub(crate) fn page(&self, page: &str) -> String {
        let mut rooted = String::with_capacity(page.len() + 2048);
        for (index, part) in page.split('<').enumerate() {
            let (tag, text) = match part.find('>') {
                Some(end) if index > 0 => part.split_at(end),
                _ => ("", part),
            };
            rooted += if index > 0 { "<" } else { "" };
            rooted += &self.tag(tag);
            rooted += text;
        }
        rooted
    }

    fn tag(&self, tag: &str) -> String {
        ADDRESSES.iter().fold(tag.to_owned(), |tag, name| {
            let (from, to) = (format!(" {name}=\"/"), format!(" {name}=\"{}/", self.path));
            tag.replace(&from, &to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_below_the_path() {
        let root = Root::new().expect("random bits");
        let path = root.path();
        assert_eq!((path.len(), path.matches('/').count()), (33, 1));
        for (address, rest) in [
            (path.to_owned(), Some("")),
            (format!("{path}/plan"), Some("/plan")),
            (format!("{path}/"), Some("/")),
            ("/plan".to_owned(), None),
            ("/".to_owned(), None),
            (String::new(), None),
            (format!("{path}0/plan"), None),
            (format!("/{path}/plan"), None),
            (path[..32].to_owned(), None),
        ] {
            assert_eq!(root.within(&address), rest, "{address}");
        }
    }

    #[test]
    fn only_addresses_are_changed() {
        let root = Root::new().expect("random bits");
        let page = "plain href=\"/a\" <a href=\"/plan?n=1\" class=\"x\">href=\"/b\"</a><form action=\"/c\"><a href=\"#main\">&lt; src=\"/d\"";
        let expected = ["/plan?n=1\"", "/c\""].into_iter().fold(page.to_owned(), |page, address| {
            page.replacen(&format!("\"{address}"), &format!("\"{}{address}", root.path()), 1)
        });
        assert_eq!(root.page(page), expected);
        assert_eq!(root.page(""), "");
    }
}
