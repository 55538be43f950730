//! What a driver could do wrong. Each fault breaks one law: a law that no fault breaks would be
//! one that cannot fail.

macro_rules! faults {
    ($($(#[doc = $doc:literal])+ $fault:ident = $name:literal,)+) => {
        /// One thing that a deliberately broken driver does wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            $($(#[doc = $doc])+ $fault,)+
        }

        impl Fault {
            pub const ALL: &[Self] = &[$(Self::$fault),+];

            /// The name it has on the page.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$fault => $name,)+
                }
            }
        }
    };
}

faults! {
    /// Calls are judged as if plan mode were off.
    GateForgotten = "judges by the mode before planning",
    /// A permit asked for before planning counts while planning.
    OldAnswerCounts = "does not judge again when an answer arrives",
    /// Calls beside a boundary run.
    SiblingsRun = "runs calls beside a boundary",
    /// Ctrl-C at the dialogue leaves plan mode.
    InterruptLeaves = "leaves plan mode on an interrupt",
    /// An answer without a question approves.
    UnsolicitedCounts = "takes an answer to a question that is not open",
    /// What is on disk is approved, whatever was shown.
    ShownForgotten = "approves what is on disk, not what was shown",
    /// Every answer is written down, also for a plan that is decided.
    DecidesTwice = "decides a plan that is decided",
    /// An answer that fits no question approves.
    MisfitApproves = "takes a dismissed dialogue for a yes",
    /// Leaving goes to `default`.
    BeforeForgotten = "goes back to `default` whatever was on before",
    /// A mode passed through is remembered.
    PassedThrough = "remembers a mode passed through",
    /// The exit note is dropped.
    ExitNoteDropped = "gives no exit note",
    /// The exit note is given with every request until the next human turn.
    ExitNoteAgain = "gives the exit note again",
    /// The request goes out before its notes.
    NotesLate = "asks the model before it gives the notes",
    /// Notes of a new stay in plan mode are lost.
    EnterUntold = "does not tell of plan mode",
    /// Children keep the first mode that they took on.
    ChildFrozen = "lets a child keep the first mode it took on",
    /// Children born while planning are free.
    BornFree = "frees children born while planning",
    /// A change of mode is not written down.
    Unwritten = "does not write a change of mode down",
    /// Rules stay stripped.
    StrippedForever = "keeps rules stripped when auto ends",
    /// New rules are not stripped.
    NotStrippedAgain = "does not strip rules that appear while planning",
    /// Auto comes on for a session that goes back to bypass.
    AutoUnderBypass = "switches auto on under bypass",
    /// A session cut off in the middle of an approval stays there.
    HalfApproved = "does not carry out an approval that a crash cut short",
    /// The dialogue is left standing, and the next request is made without its result.
    CallsLeftOpen = "goes on without the results of the last calls",
    /// Words said at a plan that is no longer wanted are dropped.
    WordsLost = "drops words said while a plan waits",
}
