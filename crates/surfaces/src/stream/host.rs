//! The control protocol: what a host wants and answers, and what it is asked.

use planwright_core::bounds;
use planwright_core::command::{self, COMMANDS};
use planwright_core::dialogue::{
    Answer, HookAnswer, HookQuestion, Input, PlanQuestion, Question, QuestionId, Wish, WishId,
};
use serde_json::{Map, Value, json};

use super::ask::{self, Asker};
use super::hooks::{self, Round};
use super::read::Request;
use super::{Open, Step, StreamFace};
use crate::words;

impl StreamFace {
    /// The host wants something.
    pub(super) fn requested(&mut self, id: String, request: Request, step: &mut Step) {
        match request {
            Request::Initialize { hooks, without_effect } => {
                if !without_effect.is_empty() {
                    step.asides.push(words::without_effect(&without_effect));
                }
                if !hooks.is_empty() {
                    step.inputs.push(self.wish(Wish::HearCalls, None));
                }
                self.hooks = hooks;
                step.lines.push(granted(&id, self.abilities()));
            }
            Request::Interrupt => {
                step.inputs.push(Input::Interrupt);
                let waiting: Vec<_> = self.queue.iter().filter_map(|prompt| prompt.uuid.clone()).collect();
                step.lines.push(granted(&id, json!({"still_queued": waiting})));
            }
            Request::SetMode(mode) => {
                step.inputs.push(self.wish(Wish::SetMode(mode), Some((id, json!({"mode": mode})))));
            }
            Request::SetModel(model) => {
                let model = model.unwrap_or_else(|| self.options.model.clone());
                step.inputs.push(self.wish(Wish::SetModel(model), Some((id, json!({})))));
            }
            Request::McpStatus => step.lines.push(granted(&id, json!({"mcpServers": []}))),
        }
    }

    fn wish(&mut self, wish: Wish, answer: Option<(String, Value)>) -> Input {
        let id = WishId(self.next_wish);
        self.next_wish += 1;
        self.wishes.insert(id, answer);
        Input::Wish(id, wish)
    }

    pub(super) fn wish_settled(&mut self, id: WishId, done: &Result<(), String>, step: &mut Step) {
        match (self.wishes.remove(&id).flatten(), done) {
            (Some((request, answer)), Ok(())) => step.lines.push(granted(&request, answer)),
            (Some((request, _)), Err(why)) => step.lines.push(refused(&request, why)),
            (None, Err(why)) => step.asides.push(words::wish_refused(why)),
            (None, Ok(())) => {}
        }
    }

    /// What a host may know before it says anything.
    fn abilities(&self) -> Value {
        let command = |row: &command::CommandRow| json!({"name": row.name, "description": row.description, "argumentHint": row.hint});
        json!({
            "commands": COMMANDS.iter().map(command).collect::<Vec<_>>(),
            "agents": self.options.agents.iter().map(|(name, what)| json!({"name": name, "description": what})).collect::<Vec<_>>(),
            "output_style": "default",
            "available_output_styles": ["default"],
            "models": [{"value": self.options.model, "displayName": self.options.model, "description": ""}],
            "account": {},
            "hooks_applied": true,
            "hook_on_failure_supported": true,
            "pending_permission_requests": [],
        })
    }

    /// A question of the session becomes a request to the host.
    pub(super) fn asked(&mut self, id: QuestionId, question: &Question, step: &mut Step) {
        match question {
            Question::Hook(question) => return self.ask_hooks(id, question, step),
            Question::Editor(_) => {
                let answer = Answer::Edited(Err(words::HOST_HAS_NO_EDITOR.to_owned()));
                return step.inputs.push(Input::Answer(id, answer));
            }
            Question::Plan(PlanQuestion { note: Some(note), .. }) => {
                self.shown_again += 1;
                // A program may give the same answer for ever.
                if self.shown_again > bounds::PLAN_SHOWN_AGAIN {
                    return step.inputs.push(Input::Answer(id, Answer::Declined(note.clone())));
                }
            }
            Question::Plan(_) => self.shown_again = 0,
            Question::Permission(_) | Question::EnterPlan | Question::User(_) => {}
        }
        let agent = match question {
            Question::Permission(question) => question.agent.clone(),
            Question::Plan(_) | Question::EnterPlan | Question::User(_) | Question::Editor(_) | Question::Hook(_) => {
                None
            }
        };
        let asker = match question {
            // It may wait from another run, in which its call was heard of.
            Question::Plan(plan) => Asker::of_plan(plan),
            Question::Permission(_)
            | Question::EnterPlan
            | Question::User(_)
            | Question::Editor(_)
            | Question::Hook(_) => self.calls.get(&agent).cloned().unwrap_or_default(),
        };
        let Some(request) = ask::request(question, &asker) else { return };
        let question = Box::new(question.clone());
        step.lines.push(self.ask(request, Open::Permission { id, question, asker }));
    }

    fn ask_hooks(&mut self, id: QuestionId, question: &HookQuestion, step: &mut Step) {
        let about = self.hooks.about(&question.tool);
        if about.is_empty() {
            return step.inputs.push(Input::Answer(id, Answer::Hook(HookAnswer::default())));
        }
        self.rounds.insert(id, Round::new(about.len()));
        let cwd = self.options.cwd.display().to_string();
        for (callback, blocks_on_failure) in about {
            let request = hooks::request(&callback, question, &self.session_id, &cwd);
            step.lines.push(self.ask(request, Open::Hook { id, callback, blocks_on_failure }));
        }
    }

    fn ask(&mut self, request: Value, open: Open) -> Value {
        let id = (self.ids)();
        self.open.insert(id.clone(), open);
        json!({"type": "control_request", "request_id": id, "request": request})
    }

    /// The host answers. Answers to what is not open are passed over: late, doubled or unsolicited.
    pub(super) fn answered_by_host(&mut self, id: &str, answer: Result<Map<String, Value>, String>, step: &mut Step) {
        match self.open.remove(id) {
            None => {}
            Some(Open::Permission { id, question, asker }) => {
                let said = ask::answer(&question, &asker, self.mode, answer);
                step.asides.extend(said.aside);
                if let Some(wish) = said.wish {
                    step.inputs.push(self.wish(wish, None));
                }
                step.inputs.push(Input::Answer(id, said.answer));
                step.inputs.extend(said.interrupt.then_some(Input::Interrupt));
            }
            Some(Open::Hook { id, callback, blocks_on_failure }) => {
                let Some(round) = self.rounds.get_mut(&id) else { return };
                step.asides.extend(round.heard(&callback, blocks_on_failure, &answer));
                if round.open == 0
                    && let Some(round) = self.rounds.remove(&id)
                {
                    step.inputs.push(Input::Answer(id, Answer::Hook(round.answer)));
                    step.inputs.extend(round.stop.then_some(Input::Interrupt));
                }
            }
        }
    }

    /// A question was settled: a host that was asked and did not answer need not any more.
    pub(super) fn settled(&mut self, settled: QuestionId, step: &mut Step) {
        self.rounds.remove(&settled);
        let about = |open: &Open| match open {
            Open::Permission { id, .. } | Open::Hook { id, .. } => *id == settled,
        };
        let over: Vec<_> = self.open.iter().filter(|(_, open)| about(open)).map(|(id, _)| id.clone()).collect();
        for id in over {
            self.open.remove(&id);
            step.lines.push(json!({"type": "control_cancel_request", "request_id": id}));
        }
    }
}

fn granted(id: &str, response: Value) -> Value {
    json!({"type": "control_response", "response": {"subtype": "success", "request_id": id, "response": response}})
}

pub(super) fn refused(id: &str, why: &str) -> Value {
    json!({"type": "control_response", "response": {"subtype": "error", "request_id": id, "error": why}})
}
