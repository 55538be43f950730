//! What `/help`, `/status` and the like say.

use planwright_core::agents::AgentType;
use planwright_core::command::COMMANDS;
use planwright_core::protection::Protection;
use planwright_core::rules::Rule;
use planwright_core::say;
use planwright_core::text::inert;
use planwright_store::sessions::SessionSummary;

use crate::session::Session;

pub(crate) fn help() -> String {
    let rows: Vec<_> = COMMANDS
        .iter()
        .map(|row| format!("{:<30}{}", format!("/{} {}", row.name, row.hint).trim_end(), row.description))
        .collect();
    format!("{}\n{:<30}Run a command yourself, in any mode", rows.join("\n"), "!COMMAND")
}

pub(crate) fn agents(types: &[AgentType]) -> String {
    types.iter().map(|kind| format!("{:<18}{}", kind.name, inert(&kind.description))).collect::<Vec<_>>().join("\n")
}

/// One session in a list.
pub fn session(session: &SessionSummary) -> String {
    let pending =
        session.pending_plan.map(|revision| format!("  [plan {revision} waits for approval]")).unwrap_or_default();
    format!(
        "{}  {}  {:<18}{}{pending}",
        session.id,
        session.modified.strftime("%Y-%m-%d %H:%M"),
        session.mode.name(),
        inert(session.first_prompt.as_deref().unwrap_or("(nothing said yet)")),
    )
}

impl Session {
    pub(crate) fn permissions_text(&self) -> String {
        let rules = &self.thread.rules;
        let list = |name: &str, rules: &[Rule]| {
            let row = |rule: &Rule| {
                let read_as = rule.read_as().map(|read_as| format!(", read as {read_as}")).unwrap_or_default();
                format!("{name:<6}{:<40}{}{read_as}", rule.text(), rule.layer().words())
            };
            rules.iter().map(row).collect::<Vec<_>>()
        };
        let mut rows = list("deny", &rules.deny);
        rows.extend(list("ask", &rules.ask));
        rows.extend(list("allow", &rules.allow));
        if self.thread.state.permissions().auto_active() {
            rows.push(say::STRIPPED_RULES.to_owned());
            let stripped = self.thread.state.permissions().stripped_dangerous_rules();
            rows.extend(
                stripped.iter().flat_map(|(layer, rules)| {
                    rules.iter().map(move |rule| format!("      {rule:<40}{}", layer.words()))
                }),
            );
        }
        if rows.is_empty() { say::NO_RULES.to_owned() } else { rows.join("\n") }
    }

    pub(crate) fn status_text(&self, protection: &Protection) -> String {
        let state = &self.thread.state;
        let mut rows = vec![
            format!("session     {}", self.id()),
            format!("log         {}", self.thread.log.path().display()),
            format!("project     {}", self.thread.setup.root.display()),
            format!("mode        {}", state.permissions().mode()),
            format!("model       {}", self.thread.models.main.id()),
        ];
        let models = &self.thread.models;
        let others = [("planning", &models.plan), ("Explore", &models.explore), ("fallback", &models.fallback)];
        rows.extend(
            others.into_iter().filter_map(|(what, model)| Some(format!("  {what:<10}{}", model.as_ref()?.id()))),
        );
        if let Some(before) = state.permissions().pre_plan_mode() {
            rows.push(format!("before      {before} (approval or /plan off goes back to it)"));
        }
        if let Some(path) = &state.plan().path {
            rows.push(format!("plan        {}", path.display()));
        }
        if let Some(pending) = state.plan().pending() {
            rows.push(format!("pending     revision {} waits for approval", pending.revision));
        }
        let lines = say::protection_rows(protection);
        let label = |at: usize| if at == 0 { "protection" } else { "" };
        rows.extend(lines.iter().enumerate().map(|(at, line)| format!("{:<12}{line}", label(at))));
        rows.join("\n")
    }
}
