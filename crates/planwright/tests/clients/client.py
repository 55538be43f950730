"""Drives Planwright by the Python package `claude-agent-sdk`. Says in one JSON object what it saw."""

import asyncio
import json
import os
import sys

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    PermissionResultDeny,
    PermissionUpdate,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    TextBlock,
    UserMessage,
    query,
)


def options(**more):
    return ClaudeAgentOptions(
        cli_path=os.environ["PLANWRIGHT"],
        cwd=os.getcwd(),
        model=os.environ["MODEL"],
        setting_sources=["user"],
        stderr=lambda line: print(line, file=sys.stderr),
        **more,
    )


class Seen:
    """What a session was seen to do."""

    def __init__(self):
        self.kinds, self.modes, self.text, self.pieces, self.results = [], [], [], [], []

    def take(self, message):
        match message:
            case SystemMessage(subtype=subtype, data=data):
                self.kinds.append(f"system {subtype}")
                if "permissionMode" in data:
                    self.modes.append(data["permissionMode"])
            case AssistantMessage(content=content):
                self.kinds.append("assistant")
                self.text += [block.text for block in content if isinstance(block, TextBlock)]
            case UserMessage():
                self.kinds.append("user")
            case StreamEvent(event=event):
                self.pieces.append(event.get("delta", {}).get("text", ""))
            case ResultMessage():
                self.kinds.append("result")
                self.results.append(
                    {"subtype": message.subtype, "result": message.result, "is_error": message.is_error,
                     "num_turns": message.num_turns, "session_id": message.session_id}
                )

    def report(self, **more):
        return {"kinds": self.kinds, "modes": self.modes, "text": self.text, "pieces": "".join(self.pieces),
                "results": self.results, **more}


async def query_once():
    seen = Seen()
    async for message in query(prompt="look around", options=options(include_partial_messages=True)):
        seen.take(message)
    return seen.report()


async def plan():
    """Sends the first plan back, edits the second and approves it with edits accepted."""
    asked = []

    async def can_use_tool(tool, tool_input, context):
        asked.append({"tool": tool, "plan": tool_input.get("plan"), "file": tool_input.get("planFilePath"),
                      "tool_use_id": context.tool_use_id})
        if len(asked) == 1:
            return PermissionResultDeny(message="existing callers must get all posts")
        edited = tool_input["plan"] + "\n3. Run the tests.\n"
        return PermissionResultAllow(
            updated_input={**tool_input, "plan": edited},
            updated_permissions=[PermissionUpdate(type="setMode", mode="acceptEdits", destination="session")],
        )

    seen = Seen()
    async with ClaudeSDKClient(options(permission_mode="plan", can_use_tool=can_use_tool)) as client:
        await client.query("add pagination")
        async for message in client.receive_response():
            seen.take(message)
    return seen.report(asked=asked)


async def control():
    """Changes mode and model, is refused another mode, and stops a turn."""
    seen, refused = Seen(), None
    async with ClaudeSDKClient(options()) as client:
        await client.query("first")
        async for message in client.receive_response():
            seen.take(message)
        await client.set_permission_mode("plan")
        try:
            await client.set_permission_mode("bypassPermissions")
        except Exception as error:
            refused = str(error)
        await client.set_model(os.environ["OTHER"])
        await client.query("second")
        await client.interrupt()
        async for message in client.receive_response():
            seen.take(message)
        info = await client.get_server_info()
    return seen.report(refused=refused, commands=[command["name"] for command in info["commands"]])


async def hooks():
    """A hook that refuses to have one file read."""
    heard = []

    async def guard(hook_input, tool_use_id, context):
        heard.append({"tool": hook_input["tool_name"], "input": hook_input["tool_input"], "id": tool_use_id})
        if hook_input["tool_input"].get("file_path") != "secret.txt":
            return {}
        return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                                       "permissionDecisionReason": "that one is secret"}}

    seen = Seen()
    matchers = {"PreToolUse": [HookMatcher(matcher="Read|Edit", hooks=[guard])]}
    async with ClaudeSDKClient(options(hooks=matchers)) as client:
        await client.query("read")
        async for message in client.receive_response():
            seen.take(message)
    return seen.report(heard=heard)


async def questions():
    """Answers a question, and allows a command with the rule that was suggested."""
    asked = []

    async def can_use_tool(tool, tool_input, context):
        asked.append({"tool": tool, "suggestions": len(context.suggestions)})
        if tool == "AskUserQuestion":
            answers = {question["question"]: question["options"][1]["label"] for question in tool_input["questions"]}
            return PermissionResultAllow(updated_input={**tool_input, "answers": answers})
        return PermissionResultAllow(updated_permissions=context.suggestions)

    seen = Seen()
    async with ClaudeSDKClient(options(can_use_tool=can_use_tool)) as client:
        await client.query("ask")
        async for message in client.receive_response():
            seen.take(message)
    return seen.report(asked=asked)


CASES = {"query": query_once, "plan": plan, "control": control, "hooks": hooks, "questions": questions}

if __name__ == "__main__":
    print(json.dumps(asyncio.run(CASES[sys.argv[1]]())))
