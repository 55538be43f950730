//! Which plan an answer from the command line is for, when it names no session: the one that waits, if
//! there is no doubt which.

use std::fmt::Write as _;

use jiff::Timestamp;
use planwright_core::text::inert;
use planwright_store::sessions::{self, SessionSummary};

use crate::failure::{Failure, err};
use crate::wiring::Place;

/// Says before an answer which plan it is for, and yields the session's id. `name` is how the same is
/// said with a session named.
///
/// # Errors
/// No plan waits, or another one could be meant: more than one waits, or the session last used has none.
pub fn only(place: &Place, name: &str) -> Result<String, Failure> {
    let all = sessions::sessions(&place.home, &place.root);
    let waiting: Vec<_> = all.iter().filter(|session| session.pending_plan.is_some()).collect();
    let latest_waits = all.first().is_some_and(|session| session.pending_plan.is_some());
    let why = match waiting.as_slice() {
        [] => {
            let hint = "`planwright plan list` shows the plans of this project.";
            return Err(Failure::run("no plan waits for approval in this project", hint));
        }
        [session] if latest_waits => {
            err(&format!("The plan that waits: {}\n", described(session, Timestamp::now())));
            return Ok(session.id.to_string());
        }
        [_] => "the session last used in this project has no plan that waits, an older one has".to_owned(),
        several => format!("{} plans wait for approval in this project", several.len()),
    };
    let now = Timestamp::now();
    let rows = waiting.iter().fold(String::new(), |mut rows, session| {
        let _ = write!(rows, "{}\n  ", described(session, now));
        rows
    });
    Err(Failure::usage(why, format!("{rows}Name the session: {name}")))
}

/// `ID  revision 2  5 min ago  "add retries"`
fn described(session: &SessionSummary, now: Timestamp) -> String {
    let revision = session.pending_plan.unwrap_or_default();
    let title = inert(session.first_prompt.as_deref().unwrap_or_default());
    format!("{}  revision {revision}  {}  \"{title}\"", session.id, age(session.modified, now))
}

/// How long ago it was, in the largest unit that fits.
fn age(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second().saturating_sub(then.as_second());
    match seconds {
        ..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..172_800 => format!("{} h ago", seconds / 3_600),
        172_800.. => format!("{} days ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_in_one_unit() {
        let rows = [(-5, "just now"), (59, "just now"), (60, "1 min ago"), (7_199, "1 h ago"), (172_800, "2 days ago")];
        let told = rows.map(|(seconds, _)| age(Timestamp::UNIX_EPOCH, Timestamp::from_second(seconds).unwrap()));
        assert_eq!(told, rows.map(|(_, words)| words));
    }
}
