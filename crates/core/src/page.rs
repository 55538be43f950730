//! Addresses of pages on the web: parsed once, so that the judge and the fetch speak of one host.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

use crate::bounds::URL_BYTES;

/// The address of a page: `http` or `https`, with a host, without a user or a password. It is kept
/// as browsers read it: `http://0x7F.1` is `http://127.0.0.1/`, `BÜCHER.example` is
/// `xn--bcher-kva.example`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PageUrl(Url);

impl PageUrl {
    /// Parses an address.
    ///
    /// # Errors
    /// What is wrong with it, as a clause.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > URL_BYTES {
            return Err(format!("the address is longer than {URL_BYTES} bytes"));
        }
        let url = Url::parse(text).map_err(|error| format!("`{text}` is not an address: {error}"))?;
        Self::of(url)
    }

    /// The address that `reference` (of a redirect) means on this page.
    ///
    /// # Errors
    /// What is wrong with it, as a clause.
    pub fn join(&self, reference: &str) -> Result<Self, String> {
        if reference.len() > URL_BYTES {
            return Err(format!("the address is longer than {URL_BYTES} bytes"));
        }
        // What a server wrote is not repeated.
        Self::of(self.0.join(reference).map_err(|error| format!("it is not an address: {error}"))?)
    }

    fn of(mut url: Url) -> Result<Self, String> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("only http and https are fetched, not `{}`", url.scheme()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("an address with a user or a password in it is not fetched".to_owned());
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err("the address has no host".to_owned());
        }
        // It is for the reader of a page; no server gets it.
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The host: a name in lower case, or an address (of IPv6 in brackets).
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The parsed address.
    pub const fn url(&self) -> &Url {
        &self.0
    }

    /// The same page over TLS. A port that is named stays.
    #[must_use]
    pub fn secure(mut self) -> Self {
        // Cannot fail: `http` and `https` may always change places.
        let _ = self.0.set_scheme("https");
        self
    }
}

impl TryFrom<String> for PageUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

impl From<PageUrl> for String {
    fn from(page: PageUrl) -> Self {
        page.0.into()
    }
}

impl fmt::Display for PageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A host as browsers read it, `None` if it is none (or has a `*`, which no real host has). IPv6 in
/// brackets.
pub(crate) fn host(text: &str) -> Option<String> {
    Host::parse(text).ok().map(|host| host.to_string()).filter(|host| !host.is_empty() && !host.contains('*'))
}

/// A host of the user's own network that may be fetched from (`webFetch.allowPrivateHosts`):
/// `localhost`, `192.168.1.5:8080`, `[::1]`. Without a port, every port of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateHost {
    host: String,
    port: Option<u16>,
}

impl PrivateHost {
    /// Parses `HOST` or `HOST:PORT`.
    ///
    /// # Errors
    /// What is wrong with it, as a clause.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => {
                let port = port.parse().map_err(|_| format!("`{port}` is not a port"))?;
                (name, Some(port))
            }
            Some(_) | None => (text, None),
        };
        match host(name) {
            Some(host) => Ok(Self { host, port }),
            None => Err("write a host as in `localhost`, `192.168.1.5:8080` or `[::1]`".to_owned()),
        }
    }

    /// Whether a page is on it.
    pub fn has(&self, page: &PageUrl) -> bool {
        let port = page.url().port_or_known_default();
        self.host == page.host() && (self.port.is_none() || self.port == port)
    }
}

impl fmt::Display for PrivateHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_browsers_read_them() {
        /// The address and its host, or a part of the error.
        type Want = Result<(&'static str, &'static str), &'static str>;
        let rows: &[(&str, Want)] = &[
            ("https://x.org", Ok(("https://x.org/", "x.org"))),
            ("HTTPS://X.Org:443/A?b=c#d", Ok(("https://x.org/A?b=c", "x.org"))),
            ("http://x.org:8080/a", Ok(("http://x.org:8080/a", "x.org"))),
            ("https://BÜCHER.example/", Ok(("https://xn--bcher-kva.example/", "xn--bcher-kva.example"))),
            ("http://2130706433/", Ok(("http://127.0.0.1/", "127.0.0.1"))),
            ("http://0x7f.1/", Ok(("http://127.0.0.1/", "127.0.0.1"))),
            ("http://0177.0.0.1/", Ok(("http://127.0.0.1/", "127.0.0.1"))),
            ("http://127.1/", Ok(("http://127.0.0.1/", "127.0.0.1"))),
            ("http://①②⑦.0.0.1/", Ok(("http://127.0.0.1/", "127.0.0.1"))),
            ("http://[0:0::1]/", Ok(("http://[::1]/", "[::1]"))),
            ("http://[::ffff:127.0.0.1]/", Ok(("http://[::ffff:7f00:1]/", "[::ffff:7f00:1]"))),
            ("http:\\\\x.org\\a", Ok(("http://x.org/a", "x.org"))),
            ("https://x.org\t.evil.net/", Ok(("https://x.org.evil.net/", "x.org.evil.net"))),
            ("http://x.org@127.0.0.1/", Err("a user or a password")),
            ("https://user:secret@x.org/", Err("a user or a password")),
            ("http://1.2.3.4.5/", Err("not an address")),
            ("http://[::1%25eth0]/", Err("not an address")),
            ("http://x y/", Err("not an address")),
            ("http://", Err("not an address")),
            ("x.org", Err("not an address")),
            ("", Err("not an address")),
            ("file:///etc/passwd", Err("only http and https")),
            ("ftp://x.org/", Err("only http and https")),
            ("javascript:alert(1)", Err("only http and https")),
            ("data:text/html,x", Err("only http and https")),
        ];
        let wrong: Vec<_> = rows
            .iter()
            .map(|(text, want)| (text, want, PageUrl::parse(text)))
            .filter(|(_, want, got)| match (want, got) {
                (Ok((url, host)), Ok(got)) => got.as_str() != *url || got.host() != *host,
                (Err(part), Err(got)) => !got.contains(part),
                (Ok(_), Err(_)) | (Err(_), Ok(_)) => true,
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        let long = format!("https://x.org/{}", "a".repeat(URL_BYTES));
        assert!(PageUrl::parse(&long).is_err_and(|why| why.contains("longer than")));
        let page = PageUrl::parse("https://x.org/a/b").unwrap();
        assert_eq!(page.join("../c").unwrap().as_str(), "https://x.org/c");
        assert!(page.join("//u:p@x.org/").is_err() && page.join("file:///x").is_err() && page.join(&long).is_err());
    }

    #[test]
    fn private_hosts() {
        let rows: &[(&str, &[&str], &[&str])] = &[
            ("localhost", &["http://localhost/", "http://LOCALHOST:3000/a"], &["http://localhost.x.org/"]),
            ("127.0.0.1:8080", &["http://127.1:8080/"], &["http://127.0.0.1/", "http://localhost:8080/"]),
            ("x.lan:80", &["http://x.lan/"], &["https://x.lan/", "http://y.x.lan/"]),
            ("[::1]", &["http://[0::1]:9/"], &["http://[::2]/"]),
            ("[::1]:9", &["http://[::1]:9/"], &["http://[::1]/"]),
        ];
        let wrong: Vec<_> = rows
            .iter()
            .filter(|(text, on, off)| {
                let host = PrivateHost::parse(text).unwrap();
                let has = |text: &&str| host.has(&PageUrl::parse(text).unwrap());
                !on.iter().all(has) || off.iter().any(has)
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        for text in ["", "::1", "localhost:", "localhost:http", "http://localhost", "a/b", "10.0.0.0/8", "*"] {
            assert!(PrivateHost::parse(text).is_err(), "{text}");
        }
    }
}
