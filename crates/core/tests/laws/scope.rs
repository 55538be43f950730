//! The walks: which part of the machine each goes through, whole.

use planwright_core::mode::Mode;

use crate::events::{Event, Open, Reply};
use crate::rig::Tool;
use crate::walk::Scope;
use crate::world::{Auto, Disk};

const MODES: &[Mode] = &Mode::ALL;
const NOTHING: Scope = Scope {
    modes: MODES,
    sets: MODES,
    auto: &[Auto::Never],
    bypass_allowed: true,
    rules: &[0],
    disks: &[],
    answers: &[&[]],
    child_answers: &[&[]],
    replies: &[],
    events: &[],
    opens: &[Open::Plainly],
    depth: None,
};

/// Every walk, by the name it has on the page.
pub const SCOPES: &[(&str, Scope)] = &[
    (
        "modes",
        Scope {
            auto: &[Auto::Shut, Auto::NotInPlan, Auto::Open],
            events: &[Event::Cycle, Event::Plan, Event::PlanOff, Event::Say, Event::Kill],
            ..NOTHING
        },
    ),
    (
        "rules",
        Scope {
            modes: &[Mode::Default, Mode::Auto, Mode::BypassPermissions],
            sets: &[Mode::Default, Mode::Auto, Mode::Plan],
            auto: &[Auto::NotInPlan, Auto::Open],
            rules: &[0, 1],
            events: &[Event::Cycle, Event::Say, Event::Kill],
            ..NOTHING
        },
    ),
    (
        "approval",
        Scope {
            modes: &[Mode::Default, Mode::Plan],
            sets: &[Mode::Default, Mode::Plan],
            bypass_allowed: false,
            disks: &[Disk::Missing, Disk::A],
            answers: &[&[], &[Tool::Exit]],
            replies: &[
                Reply::Approve(None),
                Reply::Approve(Some(Mode::AcceptEdits)),
                Reply::ApproveEdited(Disk::B),
                Reply::Edit(Disk::A),
                Reply::Dismiss,
            ],
            events: &[Event::Say, Event::Interrupt, Event::Close, Event::Kill],
            opens: &[
                Open::Plainly,
                Open::AsFork,
                Open::Headless,
                Open::Answering(Reply::Approve(None)),
                Open::Answering(Reply::Keep),
            ],
            ..NOTHING
        },
    ),
    (
        "conversations",
        Scope {
            modes: &[Mode::Default, Mode::Auto],
            sets: &[],
            auto: &[Auto::Open, Auto::Shut],
            bypass_allowed: false,
            answers: &[&[], &[Tool::Enter], &[Tool::WritePlan]],
            replies: &[Reply::Enter(true), Reply::Enter(false)],
            events: &[
                Event::Plan,
                Event::PlanWords,
                Event::PlanOff,
                Event::Say,
                Event::Clear,
                Event::Compact,
                Event::Fork,
                Event::Interrupt,
                Event::Kill,
            ],
            opens: &[Open::Plainly, Open::AsFork],
            ..NOTHING
        },
    ),
    (
        "children",
        Scope {
            modes: &[Mode::Default, Mode::AcceptEdits, Mode::Plan],
            sets: &[Mode::Default, Mode::AcceptEdits, Mode::Plan],
            answers: &[&[], &[Tool::General]],
            child_answers: &[&[], &[Tool::WriteOther], &[Tool::Make], &[Tool::General]],
            replies: &[Reply::Once],
            events: &[Event::Say, Event::Interrupt],
            opens: &[],
            ..NOTHING
        },
    ),
    (
        "calls",
        Scope {
            modes: &[Mode::Default, Mode::AcceptEdits, Mode::Plan],
            sets: &[],
            bypass_allowed: false,
            rules: &[0, 1],
            answers: &[
                &[],
                &[Tool::Read, Tool::Ls],
                &[Tool::WriteOther, Tool::Rm],
                &[Tool::Make],
                &[Tool::WriteOther, Tool::Enter, Tool::Rm],
                &[Tool::Enter, Tool::WriteOther],
                &[Tool::WritePlan, Tool::Exit],
                &[Tool::Exit, Tool::Enter, Tool::WriteOther],
            ],
            replies: &[Reply::Once, Reply::No, Reply::Enter(true), Reply::Approve(None), Reply::Dismiss],
            events: &[Event::Cycle, Event::Say, Event::Interrupt, Event::Kill],
            ..NOTHING
        },
    ),
    (
        "everything",
        Scope {
            modes: MODES,
            auto: &[Auto::Open, Auto::Shut],
            rules: &[0, 1],
            disks: &[Disk::Missing, Disk::A, Disk::B],
            answers: &[
                &[],
                &[Tool::WritePlan],
                &[Tool::WriteOther],
                &[Tool::Make],
                &[Tool::General],
                &[Tool::Enter, Tool::WriteOther],
                &[Tool::WritePlan, Tool::Exit],
                &[Tool::Exit],
            ],
            child_answers: &[&[], &[Tool::WriteOther], &[Tool::Make], &[Tool::General], &[Tool::Exit]],
            replies: &[
                Reply::Approve(None),
                Reply::Approve(Some(Mode::AcceptEdits)),
                Reply::Approve(Some(Mode::Auto)),
                Reply::ApproveEdited(Disk::B),
                Reply::Edit(Disk::B),
                Reply::Dismiss,
                Reply::Enter(true),
                Reply::Enter(false),
                Reply::Once,
                Reply::No,
            ],
            events: &[
                Event::Cycle,
                Event::Plan,
                Event::PlanWords,
                Event::PlanOff,
                Event::Say,
                Event::Clear,
                Event::Compact,
                Event::Fork,
                Event::Interrupt,
                Event::Close,
                Event::Kill,
            ],
            opens: &[
                Open::Plainly,
                Open::AsFork,
                Open::Headless,
                Open::Answering(Reply::Approve(None)),
                Open::Answering(Reply::Keep),
            ],
            depth: Some(4),
            ..NOTHING
        },
    ),
];
