//! What holds in every story, whatever it is about.

use std::collections::BTreeMap;

use planwright_core::request::{Block, Message, Request, UserPart};
use planwright_core::transcript::Fact;

use super::files::entries;
use super::play::Player;
use super::recorded::lane_of;

/// The laws that were broken.
pub fn broken(player: &Player) -> Vec<String> {
    let mut wrong = what_was_sent_stays(player);
    wrong.extend(every_call_has_its_result(player));
    wrong
}

/// System prompt and tools are the same in every request of a lane, and what was sent in one
/// request stands at the same place, byte for byte, in the next, until the conversation is replaced.
fn what_was_sent_stays(player: &Player) -> Vec<String> {
    let mut last: BTreeMap<String, (usize, String, Vec<String>)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (index, request) in player.model.requests().iter().enumerate() {
        let lane = lane_of(request);
        let era = player.eras.get(index).copied().unwrap_or_default();
        let head = format!("{}\n{}", request.system, serde_json::to_string(&request.tools).unwrap());
        let pieces = pieces(request);
        // A conversation that did not fit is shortened to be summarized; that is sent once, and no prefix of anything.
        let summed_up = pieces.last().is_some_and(|piece| piece.contains("kind=\\\"compact\\\""));
        if summed_up && pieces.iter().any(|piece| piece.contains("[Left out here:")) {
            continue;
        }
        if let Some((_, before, sent)) = last.get(&lane).filter(|(before, ..)| *before == era) {
            if *before != head {
                wrong.push(format!("request {} ({lane}): the system prompt or the tools are others", index + 1));
            }
            if let Some(at) = (0..sent.len()).find(|at| pieces.get(*at) != Some(&sent[*at])) {
                let now = pieces.get(at).cloned().unwrap_or_default();
                wrong.push(format!("request {}: piece {at} was sent as {}, is now {now}", index + 1, sent[at]));
            }
        }
        // Questions about a plan that waits, and the words that ask for a summary, stand beside the conversation.
        if summed_up || pieces.last().is_some_and(|piece| piece.contains("kind=\\\"aside\\\"")) {
            continue;
        }
        last.insert(lane, (era, head, pieces));
    }
    wrong
}

/// Every part of every message, serialised, with the role before it.
fn pieces(request: &Request) -> Vec<String> {
    let piece = |role: &str, json: Result<String, serde_json::Error>| format!("{role} {}", json.unwrap());
    let mut pieces = Vec::new();
    for message in &request.messages {
        match &**message {
            Message::User(parts) => pieces.extend(parts.iter().map(|part| piece("user", serde_json::to_string(part)))),
            Message::Assistant(blocks) => {
                pieces.extend(blocks.iter().map(|block| piece("assistant", serde_json::to_string(block))));
            }
        }
    }
    pieces
}

/// In the log every call has one result, in the order of the calls; only a plan that waits leaves
/// the last answer's calls open. In every request every call has its result.
fn every_call_has_its_result(player: &Player) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut waits = false;
    for entry in entries(&player.log) {
        match &entry.fact {
            Fact::Assistant { blocks, .. } => {
                if !open.is_empty() {
                    wrong.push(format!("an answer follows calls without results: {open:?}"));
                }
                let id = |block: &Block| match block {
                    Block::ToolUse { id, .. } => Some(id.clone()),
                    Block::Text { .. } | Block::Opaque { .. } => None,
                };
                open = blocks.iter().filter_map(id).collect();
            }
            Fact::ToolResult { tool_use_id, .. } => {
                if open.first() == Some(tool_use_id) {
                    open.remove(0);
                } else {
                    wrong.push(format!("the result of {tool_use_id} is out of order or doubled; open: {open:?}"));
                }
            }
            Fact::PlanSubmitted { .. } => waits = true,
            Fact::PlanDecision(_) => waits = false,
            Fact::Cleared {} | Fact::Compacted { .. } | Fact::HandedOver { .. } => open.clear(),
            _ => {}
        }
    }
    if !open.is_empty() && !waits && !player.cut_off {
        wrong.push(format!("calls without results at the end: {open:?}"));
    }
    for (index, request) in player.model.requests().iter().enumerate() {
        let mut called: Vec<&str> = Vec::new();
        for message in &request.messages {
            match &**message {
                Message::Assistant(blocks) => called.extend(blocks.iter().filter_map(|block| match block {
                    Block::ToolUse { id, .. } => Some(id.as_str()),
                    Block::Text { .. } | Block::Opaque { .. } => None,
                })),
                Message::User(parts) => {
                    for part in parts {
                        if let UserPart::ToolResult { tool_use_id, .. } = part {
                            called.retain(|id| id != tool_use_id);
                        }
                    }
                    if !called.is_empty() {
                        wrong.push(format!("request {}: calls without results: {called:?}", index + 1));
                    }
                    called.clear();
                }
            }
        }
    }
    wrong
}
