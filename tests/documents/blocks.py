# SPDX-License-Identifier: BSD-3-Clause
# blocks.py - what a document has its readers type, a file for each block
#
# blocks.py man PAGE FOLDER: every .EX of a page in roff must follow a comment
# "kind: name"; the block goes to FOLDER/kind.name, as a reader sees it.
# blocks.py text FILE FOLDER: lines that begin with "    $ ", without that, and
# those that a backslash at the end of one goes on with, are a block each.
# Prints "kind name" for each, in the order of the document.
import os
import re
import sys

# what is in italics stands for something else each time: between these marks
PLAIN = {r"\-": "-", r"\e": "\\", r"\&": "", r"\(aq": "'", r"\(dq": '"',
         r"\fI": "\u2039", r"\fR": "\u203a"}


def plain(line, place):
    """What roff makes of a line of an example; nothing but these escapes."""
    def one(m):
        if m.group(0) not in PLAIN:
            sys.exit(f"{place}: an escape that no example has: {m.group(0)}")
        return PLAIN[m.group(0)]

    return re.sub(r"\\(\(..|f.|.)", one, line)


def man_blocks(lines, name):
    """(kind, name, text) of each .EX."""
    label = block = None
    for number, line in enumerate(lines, 1):
        place = f"{name}:{number}"
        if block is not None:
            if line == ".EE":
                yield (*label, "".join(block))
                label = block = None
            elif line.startswith("."):
                sys.exit(f"{place}: a request within an example")
            else:
                block.append(plain(line, place) + "\n")
        elif line == ".EX":
            if label is None:
                sys.exit(f"{place}: an example that no comment names")
            block = []
        else:
            m = re.fullmatch(r'\.\\" ([a-z]+): ([a-z0-9.-]+)', line)
            label = m.groups() if m else None
    if block is not None:
        sys.exit(f"{name}: an example without an end")


def text_blocks(lines, _):
    """The same of lines that begin with a prompt, named by their numbers."""
    block = []
    for number, line in enumerate(lines, 1):
        if not block and not line.startswith("    $ "):
            continue
        block.append(line.removeprefix("    $ ").lstrip() + "\n")
        if not line.endswith("\\"):
            yield "run", str(number), "".join(block)
            block = []


def main():
    form, page, folder = sys.argv[1:]
    blocks = {"man": man_blocks, "text": text_blocks}[form]
    with open(page, encoding="utf-8") as f:
        lines = f.read().splitlines()
    for kind, name, text in blocks(lines, page):
        path = os.path.join(folder, f"{kind}.{name}")
        if os.path.exists(path):
            sys.exit(f"{page}: two examples named {name}")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        print(kind, name)


main()
