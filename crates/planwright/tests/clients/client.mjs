// Drives Planwright by the npm package `@anthropic-ai/claude-agent-sdk`. Says in one JSON object what it saw.

const { query } = await import(process.env.SDK);

function options(more = {}) {
  const { PLANWRIGHT, MODEL, SDK, OTHER, ...env } = process.env;
  return {
    pathToClaudeCodeExecutable: PLANWRIGHT,
    cwd: process.cwd(),
    model: MODEL,
    env,
    settingSources: ["user"],
    stderr: (text) => process.stderr.write(text),
    ...more,
  };
}

// What a session was seen to do.
class Seen {
  kinds = [];
  modes = [];
  text = [];
  pieces = "";
  results = [];

  take(message) {
    switch (message.type) {
      case "system":
        this.kinds.push(`system ${message.subtype}`);
        if (message.permissionMode) this.modes.push(message.permissionMode);
        break;
      case "assistant":
        this.kinds.push("assistant");
        this.text.push(...message.message.content.filter((block) => block.type === "text").map((block) => block.text));
        break;
      case "stream_event":
        this.pieces += message.event.delta?.text ?? "";
        break;
      case "result": {
        this.kinds.push("result");
        const { subtype, result, is_error, num_turns, session_id } = message;
        this.results.push({ subtype, result, is_error, num_turns, session_id });
        break;
      }
      default:
        this.kinds.push(message.type);
    }
  }

  report(more = {}) {
    const { kinds, modes, text, pieces, results } = this;
    return { kinds, modes, text, pieces, results, ...more };
  }
}

// What is said to a session, line by line, until it is closed.
class Said {
  waiting = [];
  wake = () => {};

  say(text) {
    this.waiting.push({ type: "user", message: { role: "user", content: text }, parent_tool_use_id: null });
    this.wake();
  }

  close() {
    this.waiting.push(null);
    this.wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.waiting.length === 0) await new Promise((wake) => (this.wake = wake));
      const next = this.waiting.shift();
      if (next === null) return;
      yield next;
    }
  }
}

// One message, and all that is seen up to its result.
async function one(prompt, more) {
  const seen = new Seen();
  const said = new Said();
  said.say(prompt);
  for await (const message of query({ prompt: said, options: options(more) })) {
    seen.take(message);
    if (message.type === "result") said.close();
  }
  return seen;
}

async function queryOnce() {
  const seen = new Seen();
  for await (const message of query({ prompt: "look around", options: options({ includePartialMessages: true }) })) {
    seen.take(message);
  }
  return seen.report();
}

// Sends the first plan back, edits the second and approves it with edits accepted.
async function plan() {
  const asked = [];
  const canUseTool = async (tool, input, { toolUseID }) => {
    asked.push({ tool, plan: input.plan, file: input.planFilePath, tool_use_id: toolUseID });
    if (asked.length === 1) return { behavior: "deny", message: "existing callers must get all posts" };
    return {
      behavior: "allow",
      updatedInput: { ...input, plan: `${input.plan}\n3. Run the tests.\n` },
      updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
    };
  };
  const seen = await one("add pagination", { permissionMode: "plan", canUseTool });
  return seen.report({ asked });
}

// Changes mode and model, is refused another mode, and stops a turn.
async function control() {
  const seen = new Seen();
  const said = new Said();
  const session = query({ prompt: said, options: options() });
  let refused = null;
  said.say("first");
  for await (const message of session) {
    seen.take(message);
    if (message.type !== "result") continue;
    if (seen.results.length === 2) {
      said.close();
      continue;
    }
    await session.setPermissionMode("plan");
    await session.setPermissionMode("bypassPermissions").catch((error) => (refused = error.message));
    await session.setModel(process.env.OTHER);
    said.say("second");
    await new Promise((soon) => setImmediate(soon));
    await session.interrupt();
  }
  const commands = (await session.supportedCommands()).map((command) => command.name);
  return seen.report({ refused, commands });
}

// A hook that refuses to have one file read.
async function hooks() {
  const heard = [];
  const guard = async (input, id) => {
    heard.push({ tool: input.tool_name, input: input.tool_input, id });
    if (input.tool_input.file_path !== "secret.txt") return {};
    return {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "that one is secret",
      },
    };
  };
  const seen = await one("read", { hooks: { PreToolUse: [{ matcher: "Read|Edit", hooks: [guard] }] } });
  return seen.report({ heard });
}

// Answers a question, and allows a command with the rule that was suggested.
async function questions() {
  const asked = [];
  const canUseTool = async (tool, input, { suggestions }) => {
    asked.push({ tool, suggestions: suggestions?.length ?? 0 });
    if (tool !== "AskUserQuestion") return { behavior: "allow", updatedInput: input, updatedPermissions: suggestions };
    const answers = Object.fromEntries(input.questions.map(({ question, options }) => [question, options[1].label]));
    return { behavior: "allow", updatedInput: { ...input, answers } };
  };
  const seen = await one("ask", { canUseTool });
  return seen.report({ asked });
}

const cases = { query: queryOnce, plan, control, hooks, questions };
const report = await cases[process.argv[2]]();
process.stdout.write(`${JSON.stringify(report)}\n`);
