//! Tokens, dollars and models: what `/context`, `/cost` and `/model` say.

use std::collections::BTreeMap;
use std::time::Duration;

use planwright_core::bounds;
use planwright_core::context::{Shares, Window};
use planwright_core::reply::{Price, Spent, Usage};
use planwright_core::say;

use crate::session::Session;
use crate::thread::Thread;

impl Thread {
    /// What was used since `before`, an earlier state of the same session: in all, and by model.
    pub(crate) fn spent_since(&self, before: &BTreeMap<String, Usage>) -> (Usage, Vec<Spent>) {
        let mut all = Usage::default();
        let mut spent = Vec::new();
        for (model, usage) in self.state.usage() {
            let usage = usage.since(before.get(model).copied().unwrap_or_default());
            if usage != Usage::default() {
                all += usage;
                spent.push(self.spent(model, usage));
            }
        }
        (all, spent)
    }

    fn spent(&self, model: &str, usage: Usage) -> Spent {
        Spent { model: model.to_owned(), usage, usd: self.price_of(model).map(|price| price.of(usage)) }
    }

    /// The price of a model that the session has, or had.
    fn price_of(&self, id: &str) -> Option<Price> {
        let models = &self.models;
        let own = [Some(&models.main), models.plan.as_ref(), models.explore.as_ref(), models.fallback.as_ref()];
        match own.into_iter().flatten().find(|model| model.id() == id) {
            Some(model) => model.abilities().price,
            None => (self.setup.make_model)(id).ok().and_then(|model| model.abilities().price),
        }
    }
}

impl Session {
    /// `/model`
    pub(crate) fn models_text(&self) -> String {
        let models = &self.thread.models;
        match &models.plan {
            Some(plan) => say::models(&self.thread.model().id(), &plan.id(), &models.main.id()),
            None => say::model(&models.main.id()),
        }
    }

    /// `/model SPEC`: the main model is another one now. The one for planning stays.
    pub(crate) fn set_model(&mut self, spec: &str) {
        match (self.thread.setup.make_model)(spec) {
            Ok(model) => {
                self.thread.models.main = model;
                // It is told here, and not once more when it is first asked.
                self.thread.asked_last = None;
                self.say(self.models_text());
            }
            Err(why) => self.say(why),
        }
    }

    /// `/context`
    pub(crate) async fn context_text(&self) -> String {
        let (model, request) = (self.thread.model(), self.thread.request());
        let limit = Duration::from_millis(bounds::TOKEN_COUNT_MS);
        let counted = match model.count(&request) {
            Some(count) => tokio::time::timeout(limit, count).await.ok().and_then(Result::ok),
            None => None,
        };
        let tally = self.thread.state.tally();
        let tokens = counted.unwrap_or_else(|| tally.tokens(self.thread.head_bytes));
        let window = Window::of(&model.abilities());
        say::context(
            &model.id(),
            &window,
            &Shares::of(tokens, &request, tally),
            tokens,
            self.thread.setup.settings.compact.auto,
        )
    }

    /// `/cost`
    pub(crate) fn cost_text(&self) -> String {
        let (all, spent) = self.thread.spent_since(&BTreeMap::new());
        say::cost(all, &spent)
    }
}
