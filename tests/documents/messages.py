# SPDX-License-Identifier: BSD-3-Clause
# messages.py - is what a document says that programs say what they say?
#
# messages.py FOLDER SOURCE...: every line of FOLDER/says.*, as blocks.py writes
# them, must be within a string of the sources, a conversion of printf being in the
# place of each word in italics. Those that are not are printed.
# messages.py --in FILE SAYS...: does each line of the files SAYS occur in FILE, as
# a program printed it? One of each file must, with anything for the italics.
import glob
import os
import re
import sys

ITALIC = re.compile("\u2039[^\u203a]*\u203a")
CONVERSION = re.compile(r"%[-+ #0]*[0-9*]*(?:\.[0-9*]+)?(?:hh|ll|[hlzjtL])?[a-zA-Z]")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ANY = "\1"


def alike(text):
    """Several in a row are as one."""
    return re.sub(ANY + "+", ANY, text)


def strings(text):
    """The string literals of C, those that stand together joined, and each number's
    PRI... become a conversion; %% is a percent sign."""
    text = re.sub(r'%[-+ #0]*[0-9]*" *PRI[a-zA-Z0-9]+', '%d"', text)
    joined, end = [], None
    for m in LITERAL.finditer(text):
        if end is not None and not text[end:m.start()].strip():
            joined[-1] += m.group(1)
        else:
            joined.append(m.group(1))
        end = m.end()
    for s in joined:
        s = s.replace(r'\"', '"').replace(r"\n", "\n").replace("%%", "\2")
        yield alike(CONVERSION.sub(ANY, s).replace("\2", "%"))


def quotes(path):
    with open(path, encoding="utf-8") as f:
        return f.read().splitlines()


def in_sources(folder, sources):
    known = "\n".join(s for path in sources
                      for s in strings(open(path, encoding="utf-8").read()))
    files = sorted(glob.glob(os.path.join(folder, "says.*")))
    if not files or not known:
        sys.exit("nothing to compare")
    for path in files:
        for line in quotes(path):
            want = alike(ITALIC.sub(ANY, line))
            if want not in known and want.rstrip(ANY) not in known:
                print(os.path.basename(path) + ": " + line)


def in_output(output, says):
    text = open(output, encoding="utf-8").read()
    for path in says:
        patterns = [".*".join(map(re.escape, ITALIC.split(line)))
                    for line in quotes(path)]
        if not any(re.search(p, text) for p in patterns):
            print(os.path.basename(path))


if sys.argv[1] == "--in":
    in_output(sys.argv[2], sys.argv[3:])
else:
    in_sources(sys.argv[1], sys.argv[2:])
