//! What `planwright -p` says on standard error while it runs; what it prints in the end is
//! [`crate::run`]'s.

use planwright_core::dialogue::Notice;
use planwright_core::permit::Walls;
use planwright_core::say;
use planwright_core::text::inert;

use crate::words;

/// What a notice says on standard error: only what a person must know.
pub fn aside(notice: &Notice) -> String {
    match notice {
        Notice::Warning { text, .. } => format!("warning: {text}\n"),
        Notice::Error { cause, hint } => format!("error: {cause}\n  {hint}\n"),
        // Of what is as it should be, nothing is said.
        Notice::Protection(found) if found.tier != Walls::Scratch => {
            format!("{}\n", inert(&say::protection_while_planning(found)))
        }
        Notice::Said(text) | Notice::PlanShown { said: text, .. } => format!("{text}\n"),
        Notice::Compacted { agent: None, trigger, tokens_before, tokens_after } => {
            format!("{}\n", words::compacted(*trigger, *tokens_before, *tokens_after))
        }
        Notice::Again { agent: _, again } => format!("{}\n", words::again(again)),
        // Nobody is there to take them back.
        Notice::OfferBack(_)
        | Notice::Protection(_)
        | Notice::TextDelta(_)
        | Notice::Text { .. }
        | Notice::Answered { .. }
        | Notice::Attached { .. }
        | Notice::AgentStarted { .. }
        | Notice::ToolCalled { .. }
        | Notice::ToolFinished { .. }
        | Notice::Refused { .. }
        | Notice::Plan { .. }
        | Notice::Compacted { agent: Some(_), .. }
        | Notice::ModeChanged { .. }
        | Notice::Asked(..)
        | Notice::Aside(..)
        | Notice::Settled(_)
        | Notice::WishSettled(..)
        | Notice::Todos(_)
        | Notice::Session { .. }
        | Notice::TakenUp
        | Notice::TurnStarted
        | Notice::TurnEnded(_)
        | Notice::Idle => String::new(),
    }
}
