#!/usr/bin/env python3
"""Draws docs/demo.svg from a real run of `planwright demo`.

    python3 docs/picture.py            # builds, runs the demo, writes docs/demo.svg
    python3 docs/picture.py < output   # the same from the output of a run

Every line of the picture is a line of the run; what is left out is marked. A scene that the run no
longer has is an error, so the picture cannot show what the program does not do.
"""

import html
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# From a line that begins so to the next line that begins so, both included.
SCENES = [
    ("› /plan add pagination", "● First I look"),
    ("● That is all I need", "✘ Edit"),
    ("● The plan is written", "A plan is ready"),
    ("  Existing callers keep working", "  Existing callers keep working"),
    ("Exit plan mode?", "› existing callers must"),
    ("● The plan now says so", "A plan is ready"),
    ("  -Existing callers keep", "  +Existing callers must"),
    ("  1. approve", "  1. approve"),
    ("› 1", "✔ ExitPlanMode"),
    ("● Now the edits", "✔ Edit"),
    ("⏺ Edit", "✔ Edit"),
    ("The project's own test passes", "The project's own test passes"),
]

COLUMNS = 104
CELL, LINE, MARGIN, BAR = 7.83, 19, 20, 36
COLORS = {"text": "#d6deeb", "dim": "#7f8ea3", "user": "#f5c069", "good": "#8fd694", "bad": "#f28b82", "note": "#8ab4f8"}
MARKERS = {"›": "user", "✔": "good", "✘": "bad", "◇": "note", "⏺": "note", "●": "text"}


def run():
    """The demo's output."""
    if not sys.stdin.isatty() and (piped := sys.stdin.read()):
        return piped
    command = ["cargo", "run", "-q", "-p", "planwright", "--", "demo", "--yes"]
    return subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout


def scenes(lines):
    """The lines of the picture; `None` where something is left out."""
    picked, at = [], 0
    for first, last in SCENES:
        start = next((i for i in range(at, len(lines)) if lines[i].startswith(first)), None)
        end = start is not None and next((i for i in range(start, len(lines)) if lines[i].startswith(last)), None)
        if not isinstance(end, int) or isinstance(end, bool):
            sys.exit(f"The run has no lines from {first!r} to {last!r} here; change SCENES, or mend the demo.")
        if picked and start > at:
            picked.append(None)
        picked += lines[start : end + 1]
        at = end + 1
    return picked


def rows(line):
    """A line as rows of at most COLUMNS characters: (marker, text, color)."""
    marker, _, rest = line.partition(" ")
    if marker in MARKERS:
        color, indent = MARKERS[marker], 2
    else:
        marker, rest, indent = "", line, len(line) - len(line.lstrip())
        color = {"-": "bad", "+": "good"}.get(line.strip()[:1], "text" if indent else "dim")
        color = {"mode:": "note", "The": "good"}.get(line.split(" ")[0], color)
    found = []
    while len(rest) > COLUMNS - 2:
        cut = rest.rfind(" ", indent + 1, COLUMNS - 2)
        cut = cut if cut > 0 else COLUMNS - 2
        found.append((marker, rest[:cut], color))
        marker, rest = "", " " * (0 if found[0][0] else indent) + rest[cut:].lstrip()
    return found + [(marker, rest, color)]


def svg(lines):
    """The picture."""
    drawn, y = [], BAR + LINE
    for line in lines:
        if line is None:
            drawn.append(f'<text x="{MARGIN}" y="{y}" fill="{COLORS["dim"]}">⋮</text>')
            y += LINE
            continue
        marked = line.partition(" ")[0] in MARKERS
        for marker, text, color in rows(line):
            if marker in ("⏺", "●"):
                # Few fonts have the first; drawn, both look the same everywhere.
                drawn.append(f'<circle cx="{MARGIN + 5}" cy="{y - 4.5}" r="4" fill="{COLORS[color]}"/>')
            elif marker:
                drawn.append(f'<text x="{MARGIN}" y="{y}" fill="{COLORS[color]}">{marker}</text>')
            # Of calls and their results only the marker is colored.
            fill = COLORS["text"] if line.startswith(("⏺", "✔")) else COLORS[color]
            x = MARGIN + (2 * CELL if marked else 0)
            drawn.append(f'<text x="{x:.1f}" y="{y}" fill="{fill}">{html.escape(text)}</text>')
            y += LINE
    width, height = round(COLUMNS * CELL + 2 * MARGIN), y
    dots = "".join(f'<circle cx="{MARGIN + 18 * i}" cy="18" r="5.5" fill="#3a4759"/>' for i in range(3))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">
<title>planwright demo</title>
<desc>A run of planwright demo: an edit is denied while planning, the plan is sent back once, approved, and carried out.</desc>
<rect width="{width}" height="{height}" rx="8" fill="#101722"/>
{dots}<text x="{width / 2}" y="23" fill="#7f8ea3" font-family="sans-serif" font-size="13" text-anchor="middle">planwright demo</text>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" xml:space="preserve">
{chr(10).join(drawn)}
</g>
</svg>
"""


def main():
    # The copy's folder has a new name in every run; the picture calls it DEMO.
    output = re.sub(r"[^\s(]*/planwright-demo-\w+", "DEMO", run())
    (ROOT / "docs" / "demo.svg").write_text(svg(scenes(output.splitlines())), encoding="utf-8")


if __name__ == "__main__":
    main()
