# SPDX-License-Identifier: BSD-3-Clause
# start.py - starts jobs of torch.distributed, one for each line of standard input:
#
#     [NAME=VALUE]... HOST,HOST,... [-m MODULE] SCRIPT [ARGUMENT]...
#
# A process for each rank, as if "python3 [-m MODULE] SCRIPT ARGUMENT..." were started on
# each host, with these variables: what rank R prints goes to outR and errR, exit statuses
# to standard output, a line for each job. All are forks of one process, so that PyTorch,
# whose import takes most of a short job's time, is imported once. Those with the variable
# WHOLE_END end as Python does, which takes almost as long; the others at once.
import gc
import os
import runpy
import shlex
import signal
import socket
import sys
import traceback

import torch.distributed  # noqa: F401

LIMIT_S = 600  # of a job


def free_port():
    """That nobody has; none of those that the system gives to connections."""
    port = os.getpid() * 61
    while True:
        port = (port + 1) % 12000
        with socket.socket() as s:
            try:
                s.bind(("", 20000 + port))
                return 20000 + port
            except OSError:
                pass


def rank(number, variables, host, words):
    signal.alarm(LIMIT_S)
    os.environ.update(variables, RANK=str(number), PLINK_HOST=host)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
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


def start(words):
    """The exit statuses."""
    variables = {"MASTER_PORT": str(free_port())}
    while "=" in words[0]:
        name, variables[name] = words.pop(0).split("=", 1)
    forks = []
    for number, host in enumerate(words.pop(0).split(",")):
        forks.append(os.fork())
        if forks[-1] == 0:
            status = 0
            try:
                rank(number, variables, host, words)
            except Exception:
                traceback.print_exc()
                status = 1
            if "WHOLE_END" in variables:
                sys.exit(status)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)  # not what Python does at its end with all of PyTorch
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in forks]


gc.collect()
gc.freeze()  # forks look at none of it again
for line in sys.stdin:
    print(*start(shlex.split(line)), flush=True)
