# SPDX-License-Identifier: BSD-3-Clause
# start.py HOST,HOST,... [-m MODULE] SCRIPT [ARGUMENT...] - a process for each rank, as if
# "python3 [-m MODULE] SCRIPT ARGUMENT..." were started on each host: what rank R prints
# goes to outR and errR, exit statuses to standard output. They are forks of one process,
# so that PyTorch, whose import takes most of a short job's time, is imported once.
import os
import runpy
import sys

import torch.distributed  # noqa: F401


def rank(number, host, words):
    os.environ.update(RANK=str(number), PLINK_HOST=host)
    for name, to in ("out", 1), ("err", 2):
        where = os.open(f"{name}{number}", os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        os.dup2(where, to)
        os.close(where)
    if words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


hosts = sys.argv[1].split(",")
forks = []
for number, host in enumerate(hosts):
    forks.append(os.fork())
    if forks[-1] == 0:
        rank(number, host, sys.argv[2:])
        sys.exit(0)
for pid in forks:
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
