#!/usr/bin/env python3
"""Draws docs/desk.svg, the review desk, from a real run in tmux.

    python3 docs/desk.py            # builds, runs, writes docs/desk.svg

The program plays the demo's script on a terminal of tmux; keys are sent as a person would press them,
and what tmux then shows is drawn cell by cell. Words that never come are an error, so the picture
cannot show what the program does not do.
"""

import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS, ROWS = 92, 25
CELL, LINE, MARGIN, BAR = 7.83, 18, 20, 36
PATIENCE = 60
TEXT, DIM, GROUND = "#d6deeb", "#7f8ea3", "#101722"
# The sixteen colours of the terminal, as the demo's picture has them.
PALETTE = {1: "#f28b82", 2: "#8fd694", 3: "#f5c069", 4: "#8ab4f8", 5: "#d7aefb", 6: "#7fdbca", 14: "#a6e3ff", 11: "#ffe08a"}

# What is waited for, what is typed then, and whether the screen is drawn before it.
STORY = [
    ("default mode", "/plan add pagination to list_posts, do not break existing callers\r", False),
    ("How many posts", "1", False),
    ("revision 1", "4", False),
    ("What should change?", "existing callers must get all posts\r", False),
    ("revision 2", "/", False),
    ("Find:", "must get\r", False),
    ("▸   11", "c", False),
    ("Comment on line 11", "name them: the feed, and what else?", False),
    ("what else?", "\r", False),
    ("✎ line 11", "", True),
    ("revision 2", "d", False),
    ("changes since the last submission", "", True),
]


def seen_by(tmux, *how):
    return subprocess.run([*tmux, "capture-pane", "-p", *how], check=True, stdout=subprocess.PIPE, text=True).stdout


def wait_for(tmux, words):
    """Waits until words are on the screen, and nothing moves there."""
    end, before = time.monotonic() + PATIENCE, ""
    while time.monotonic() < end:
        now = seen_by(tmux)
        if words in now and "what you type goes here" not in now and now == before:
            return
        before = now
        time.sleep(0.1)
    sys.exit(f"{words!r} was never seen; the screen:\n{before}")


def run():
    """The screens that are drawn, a list of lines with colours each."""
    subprocess.run(["cargo", "build", "-q", "-p", "planwright"], cwd=ROOT, check=True)
    screens = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(ROOT / "crates/planwright/demo/project", folder / "project")
        shutil.copy(ROOT / "crates/planwright/demo/script.json", folder / "script.json")
        tmux = ["tmux", "-u", "-S", str(folder / "tmux.socket"), "-f", "/dev/null"]
        environment = {"PATH": os.environ["PATH"], "HOME": name, "PLANWRIGHT_HOME": f"{name}/home", "LC_ALL": "C.UTF-8"}
        program = [ROOT / "target/debug/planwright", "--model", f"script:{folder}/script.json"]
        size = ["-d", "-x", str(COLUMNS), "-y", str(ROWS), "-c", str(folder / "project")]
        subprocess.run([*tmux, "new-session", *size, *map(str, program)], check=True, env=environment)
        try:
            for words, keys, drawn in STORY:
                wait_for(tmux, words)
                if drawn:
                    screens.append(seen_by(tmux, "-e").splitlines())
                if keys:
                    subprocess.run([*tmux, "send-keys", "-l", keys], check=True)
        finally:
            subprocess.run([*tmux, "kill-server"], check=False)
    return screens


def plain():
    return {"colour": TEXT, "bold": False, "dim": False, "line": False, "back": False}


def cells(line, look):
    """A line as runs of one look: (column, text, colour, bold, underlined, reversed). A look goes on in the next line."""
    runs, column = [], 0
    for codes, text in re.findall(r"(?:\x1b\[([\d;]*)m)|([^\x1b]+)", line):
        if text:
            colour = DIM if look["dim"] else look["colour"]
            runs.append((column, text, colour, look["bold"], look["line"], look["back"]))
            column += sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
            continue
        for code in (int(code or 0) for code in codes.split(";")):
            if code == 0:
                look.update(plain())
            elif code in (1, 2, 4, 7):
                look[{1: "bold", 2: "dim", 4: "line", 7: "back"}[code]] = True
            elif code in (22, 24, 27):
                look.update({22: {"bold": False, "dim": False}, 24: {"line": False}, 27: {"back": False}}[code])
            elif 30 <= code <= 37 or 90 <= code <= 97:
                look["colour"] = PALETTE.get(code - 30 if code < 90 else code - 82, TEXT)
            elif code == 39:
                look["colour"] = TEXT
    return runs


def drawn(line, look, y):
    """A line of the picture."""
    found = []
    for column, text, colour, bold, underlined, back in cells(line, look):
        x = MARGIN + column * CELL
        blank = len(text) - len(text.lstrip(" "))
        if back:
            found.append(f'<rect x="{x:.1f}" y="{y - 13}" width="{len(text) * CELL:.1f}" height="{LINE}" fill="{colour}"/>')
            colour = GROUND
        if set(text.strip()) == {"─"}:
            found.append(f'<path d="M{x:.1f} {y - 4}h{len(text) * CELL:.1f}" stroke="{DIM}"/>')
        elif text.strip():
            weight = ' font-weight="bold"' if bold else ""
            line_below = ' text-decoration="underline"' if underlined else ""
            x += blank * CELL
            shown = text.strip(" ")
            # Every run has the width of its cells, whatever font the reader has.
            length = f' textLength="{len(shown) * CELL:.1f}" lengthAdjust="spacingAndGlyphs"'
            found.append(f'<text x="{x:.1f}" y="{y}" fill="{colour}"{weight}{line_below}{length}>{html.escape(shown)}</text>')
    return found


def svg(screens):
    """The picture: the screens below each other."""
    shapes, y = [], BAR + LINE
    for n, screen in enumerate(screens):
        if n > 0:
            shapes.append(f'<path d="M0 {y - LINE // 2}H10000" stroke="#3a4759"/>')
            y += LINE
        look = plain()
        for line in screen:
            shapes += drawn(line, look, y)
            y += LINE
    width, height = round(COLUMNS * CELL + 2 * MARGIN), y
    dots = "".join(f'<circle cx="{MARGIN + 18 * i}" cy="18" r="5.5" fill="#3a4759"/>' for i in range(3))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">
<title>The review desk</title>
<desc>A plan on the desk with a comment on one of its lines and the choices below; then what changed in it since it was sent back.</desc>
<rect width="{width}" height="{height}" rx="8" fill="{GROUND}"/>
{dots}<text x="{width / 2}" y="23" fill="{DIM}" font-family="sans-serif" font-size="13" text-anchor="middle">planwright</text>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" xml:space="preserve">
{chr(10).join(shapes)}
</g>
</svg>
"""


def named(line):
    """The line with the same name of the plan in every run, and as wide as it was."""
    found = re.search(r"\b[a-z]+-[a-z]+-[a-z]+\.md", line)
    if not found:
        return line
    name = "quiet-amber-otter.md"
    gap = len(found[0]) - len(name)
    head, rest = line[: found.start()] + name, line[found.end() :]
    wide = re.search(r" {3,}", rest)
    at = wide.start() if wide else len(rest)
    return head + rest[:at] + (" " * gap + rest[at:] if gap > 0 else rest[at - gap :])


def main():
    screens = [[named(line) for line in screen] for screen in run()]
    (ROOT / "docs" / "desk.svg").write_text(svg(screens), encoding="utf-8")


if __name__ == "__main__":
    main()
