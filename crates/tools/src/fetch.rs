//! `WebFetch`: a page on the web, read by GET and turned into text.
//!
//! A name is resolved once, its addresses are checked, and the connection goes to what was checked:
//! a name that means something else a moment later changes nothing. Public hosts are spoken to over
//! TLS only. There is no proxy (it would resolve the name again, unchecked), no cookie, no referrer,
//! no compression and no connection kept for later. Redirects stay on the host: another one is for
//! the model to ask for, and for the judge to judge.

mod address;
mod body;
mod markdown;

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use planwright_core::call::WebFetch;
use planwright_core::page::{PageUrl, PrivateHost};
use planwright_core::{bounds, prompts};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use url::Host;

use crate::outcome::Outcome;
use crate::walk::Stop;

/// What `WebFetch` may do.
#[derive(Clone, Debug)]
pub struct Web {
    /// Hosts of the user's own network that it may reach: the setting `webFetch.allowPrivateHosts`.
    pub private_hosts: Vec<PrivateHost>,
    /// How long one fetch may take, redirects and conversion included.
    pub time: Duration,
}

impl Default for Web {
    fn default() -> Self {
        Self { private_hosts: Vec::new(), time: Duration::from_millis(bounds::FETCH_MS) }
    }
}

pub(crate) async fn run(call: &WebFetch, web: &Web, stop: &Stop) -> Result<Outcome, String> {
    match tokio::time::timeout(web.time, fetch(call, web, stop)).await {
        Ok(outcome) => outcome,
        Err(_) => {
            let seconds = web.time.as_secs_f32();
            Err(format!("{} did not come in whole within {seconds} seconds; it may be slow or down.", call.url))
        }
    }
}

async fn fetch(call: &WebFetch, web: &Web, stop: &Stop) -> Result<Outcome, String> {
    let mut page = web.secured(call.url.clone());
    for _ in 0..=bounds::REDIRECTS {
        let response = web.get(&page).await?;
        let Some(reference) = redirect(&response) else {
            return shown(call, &page, response, stop).await;
        };
        let named =
            page.join(&reference).map_err(|why| format!("{page} redirects to a place that is not fetched: {why}."))?;
        let next = web.secured(named.clone());
        let plain_now = page.url().scheme() == "https" && next.url().scheme() == "http";
        if next.host() != page.host() || plain_now {
            return Ok(Outcome::text(prompts::redirected(page.as_str(), named.as_str())));
        }
        page = next;
    }
    Err(format!("{} redirects more than {} times; the last was to {page}.", call.url, bounds::REDIRECTS))
}

/// Where a response sends the reader instead.
fn redirect(response: &Response) -> Option<String> {
    let sent = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let location = response.headers().get(LOCATION).filter(|_| sent)?;
    Some(String::from_utf8_lossy(location.as_bytes()).into_owned())
}

/// What the page says, for the model.
async fn shown(call: &WebFetch, page: &PageUrl, response: Response, stop: &Stop) -> Result<Outcome, String> {
    let status = response.status();
    let body = body::read(page, response).await?;
    let stop = stop.clone();
    let text = tokio::task::spawn_blocking(move || body.text(&stop))
        .await
        .unwrap_or_else(|error| Err(format!("the page could not be turned into text: {error}")))
        .map_err(|why| format!("{page} ({status}) was not read: {why}."))?;
    let content = prompts::web_page(&prompts::WebPage {
        url: page.as_str(),
        status: &status.to_string(),
        kind: &text.kind,
        prompt: &call.prompt,
        text: &text.text,
        notes: &text.notes,
    });
    Ok(Outcome { is_error: !status.is_success(), ..Outcome::text(content) })
}

impl Web {
    /// The page over TLS, unless it is on a private host that may be reached.
    fn secured(&self, page: PageUrl) -> PageUrl {
        if self.may_be_private(&page) { page } else { page.secure() }
    }

    fn may_be_private(&self, page: &PageUrl) -> bool {
        self.private_hosts.iter().any(|host| host.has(page))
    }

    async fn get(&self, page: &PageUrl) -> Result<Response, String> {
        let addresses = self.addresses(page).await?;
        let sent = client(page, addresses)?.get(page.url().clone()).send().await;
        sent.map_err(|error| format!("{page} could not be fetched: {}.", causes(&error)))
    }

    /// The addresses of the page's host that may be connected to: at least one.
    async fn addresses(&self, page: &PageUrl) -> Result<Vec<SocketAddr>, String> {
        let port = page.url().port_or_known_default().unwrap_or(443);
        let found: Vec<SocketAddr> = match page.url().host() {
            Some(Host::Ipv4(address)) => vec![(IpAddr::V4(address), port).into()],
            Some(Host::Ipv6(address)) => vec![(IpAddr::V6(address), port).into()],
            Some(Host::Domain(name)) => tokio::net::lookup_host((name, port))
                .await
                .map_err(|error| format!("The host `{name}` was not found: {error}."))?
                .collect(),
            None => Vec::new(),
        };
        if self.may_be_private(page) {
            return Ok(found);
        }
        let why = found.iter().find_map(|address| address::not_public(address.ip()).map(|what| (address.ip(), what)));
        let public: Vec<_> = found.into_iter().filter(|address| address::not_public(address.ip()).is_none()).collect();
        match why {
            Some((address, what)) if public.is_empty() => {
                Err(prompts::private_host(page.host(), &address.to_string(), what))
            }
            None if public.is_empty() => Err(format!("The host `{}` has no address.", page.host())),
            Some(_) | None => Ok(public),
        }
    }
}

/// A client for one request to one host.
fn client(page: &PageUrl, addresses: Vec<SocketAddr>) -> Result<Client, String> {
    // Whoever is first provides it for the whole program; it is the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let headers = HeaderMap::from_iter([
        (ACCEPT, HeaderValue::from_static("text/markdown, text/html, text/plain, application/json, */*;q=0.5")),
        (ACCEPT_ENCODING, HeaderValue::from_static("identity")),
    ]);
    let builder = Client::builder()
        .user_agent(concat!("planwright/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .redirect(Policy::none())
        .referer(false)
        .no_proxy()
        .pool_max_idle_per_host(0)
        .dns_resolver(Pinned(addresses));
    // Where no TLS is spoken, a machine without root certificates will do.
    let builder = if page.url().scheme() == "http" { builder.tls_certs_only([]) } else { builder };
    builder.build().map_err(|error| {
        format!(
            "TLS could not be set up: {}. This machine may have no root certificates: install its `ca-certificates`, \
             or name a file of them in SSL_CERT_FILE.",
            causes(&error)
        )
    })
}

/// Knows one host's addresses, those that were checked, and asks nobody.
struct Pinned(Vec<SocketAddr>);

impl Resolve for Pinned {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

/// An error in the words of what caused it: its own name the address once more.
fn causes(error: &(dyn Error + 'static)) -> String {
    let (mut words, mut next) = (Vec::new(), error.source());
    while let Some(cause) = next {
        words.push(cause.to_string());
        next = cause.source();
    }
    if words.is_empty() { error.to_string() } else { words.join(": ") }
}
