//! An answer that comes when the mode may be another one: what it still counts for.

use super::{Ask, Cause, Choice, Confinement, Permit, Refusal, Verdict, words};

/// What an answer came to.
#[derive(Debug)]
pub enum Answered {
    /// It is settled.
    Settled(Result<Permit, Refusal>),
    /// The call may run, and this rule is to be added.
    Always(Permit, String),
    /// The gate asks now, and did not when the user answered: the question is put again.
    Again(Box<Ask>),
}

impl Ask {
    /// Turns the answer to this question into what it counts for by `now`, the verdict on the same
    /// call at the moment the answer arrived. An answer never does more than it said:
    ///
    /// - what is refused now stays refused, and a no is a no
    /// - a scratch copy stays a scratch copy, whatever the mode would let run for real
    /// - a yes runs as it may run now; it does not answer what the gate asks by now
    pub fn answer_by(self, now: Verdict, choice: Choice, comment: &str) -> Answered {
        let on_offer = self.choices.contains(&choice);
        match (choice, now) {
            (_, Verdict::Refuse(refusal)) => Answered::Settled(Err(refusal)),
            (Choice::No, _) => Answered::Settled(self.answer(choice, comment)),
            (_, _) if !on_offer => Answered::Settled(self.answer(choice, comment)),
            (Choice::Scratch, Verdict::Run(permit)) => Answered::Settled(Ok(in_scratch(permit))),
            (Choice::Scratch, Verdict::Ask(ask)) => Answered::Settled(Ok(in_scratch(ask.permit))),
            (Choice::Once | Choice::Always, Verdict::Run(permit)) => Answered::Settled(Ok(permit)),
            (Choice::Once | Choice::Always, Verdict::Ask(ask)) => ask.yes(choice, comment, &self.cause),
        }
    }

    /// A yes, given when the question was raised by `then`.
    fn yes(self, choice: Choice, comment: &str, then: &Cause) -> Answered {
        let gate = |cause: &Cause| match cause {
            Cause::Gate(_) => true,
            Cause::Rule(_) | Cause::Hook(_) | Cause::Mode => false,
        };
        if gate(&self.cause) && !gate(then) && self.choices.contains(&choice) {
            return Answered::Again(Box::new(self));
        }
        let suggestion = self.suggestion.clone().filter(|_| choice == Choice::Always);
        match (self.answer(choice, comment), suggestion) {
            (Ok(permit), Some(rule)) => Answered::Always(permit, rule),
            (settled, _) => Answered::Settled(settled),
        }
    }
}

/// The same call in a scratch copy, as the user chose.
fn in_scratch(permit: Permit) -> Permit {
    let (reason, by) = (words::IN_SCRATCH.to_owned(), "user".to_owned());
    Permit { confinement: Confinement::Scratch, neutral: None, reason, by, ..permit }
}
