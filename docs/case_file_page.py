#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of all keys of a case, from the list that the program prints.

    python3 docs/case_file_page.py PROGRAM            writes docs/case-file.md
    python3 docs/case_file_page.py --check PROGRAM    exits with 1 if that page is another one

PROGRAM is the built program, build/bin/halfdof.
"""

import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent / "case-file.md"
WIDTH = 140

HEAD = """# The keys of a case file

`halfdof simulate CASE.toml` runs a case, `halfdof inspect CASE.toml` describes it, and `halfdof kernel CASE.toml` computes the
memory of its contacts. [](simulate.md) shows complete cases. This page lists every key. It is written by `docs/case_file_page.py`
from the list that `halfdof simulate --explain` prints, and the build of the documentation checks that both agree.

A case is a TOML file. Its sections stand in brackets; those in double brackets may occur any number of times. What is wrong in a
case is told with its file, line and key.
"""


def escaped(text):
    """Text for Markdown, as it stands."""
    return re.sub(r"([\\`*_{}\[\]<>$|#~])", r"\\\1", text)


def wrapped(text, first, rest):
    """Lines of at most WIDTH characters."""
    lines, line = [], first
    for word in text.split():
        if len(line) + len(word) + 1 > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = rest
        line += word + " "
    lines.append(line.rstrip())
    return lines


def anchor(section):
    return "case-" + re.sub(r"[^a-z]+", "-", section.lower()).strip("-")


def page(text):
    """The page of the program's list: sections at the margin, keys behind two blanks, what they mean behind six."""
    lines = text.splitlines()
    out = [HEAD]
    i = 0
    introduction = []
    while i < len(lines) and lines[i].strip():
        introduction.append(lines[i].strip())
        i += 1
    out += wrapped(escaped(" ".join(introduction)), "", "") + [""]
    body = []
    sections = []
    while i < len(lines):
        line = lines[i]
        i += 1
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        if indent == 0:
            match = re.match(r"(\[\[?\w+\]\]?|\{[^}]*\})\s+(.*)$", line)
            if not match:
                sys.exit("The list of keys has a line that is no section: " + line)
            name, meaning = match.groups()
            sections.append((name, anchor(name)))
            body += ["", f"({anchor(name)})=", f"## `{name}`", ""] + wrapped(escaped(meaning), "", "") + [""]
        elif indent == 2:
            name, value = line.strip().split(": ", 1)
            meaning = lines[i].strip() if i < len(lines) else ""
            i += 1
            body += ["", f"`{name}`"] + wrapped(f"*{escaped(value)}*: {escaped(meaning)}", ": ", "  ")
        else:
            text = line.strip()
            choice = re.match(r"([a-z0-9-]+): (.*)$", text)
            if text.startswith("for law: ") or text.startswith("for method: "):
                what, names = text[len("for ") :].split(": ", 1)
                body += [""] + wrapped(f"Known to {what}: " + ", ".join(f"`{n}`" for n in names.split(", ")) + ".", "  ", "  ")
            elif text.startswith("one of: "):
                body += [""] + wrapped("One of " + ", ".join(f"`{n}`" for n in text[8:].split(", ")) + ".", "  ", "  ")
            elif choice:
                if not body[-1].startswith("  * ") and not body[-1].startswith("    "):
                    body.append("")
                body += wrapped(f"`{choice.group(1)}`: " + escaped(choice.group(2)), "  * ", "    ")
            else:
                body += [""] + wrapped(escaped(text), "  ", "  ")
    for name, where in sections:
        out += wrapped(f"[`{name}`]({where}): {first_sentence(text_of(lines, name))}", "* ", "  ")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out + body)) + "\n"


def text_of(lines, name):
    return next(line[len(name) :].strip() for line in lines if line.startswith(name))


def first_sentence(text):
    return escaped(re.split(r"(?<=\.)\s", text, maxsplit=1)[0])


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    programs = [a for a in arguments if a != "--check"]
    if len(programs) != 1:
        sys.exit(__doc__)
    told = subprocess.run([programs[0], "simulate", "--explain"], check=True, capture_output=True, text=True).stdout
    made = page(told)
    if not check:
        PAGE.write_text(made, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
        sys.exit(
            f"{PAGE} is not what the program says of its keys. Write it anew: python3 docs/case_file_page.py {programs[0]}"
        )


main()
