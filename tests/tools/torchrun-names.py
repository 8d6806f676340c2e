# SPDX-License-Identifier: BSD-3-Clause
# torchrun-names.py - torchrun's own parser, and what plink-exec makes of its options
#
# torchrun-names.py PLINK-EXEC PLAN: each option with each beginning of its name, on
# host h0 of the plan, which has two hosts. Where torchrun takes it, its parser must find
# the plan's node number and leader in the new command line, and all else as before.
# plink-exec may refuse only what torchrun refuses, and other rendezvous. Prints how many
# lines there were, and those that are wrong.
import os
import shlex
import subprocess
import sys

from torch.distributed.run import get_args_parser

VALUES = {
    "nnodes": "2",
    "master_port": "1",
    "max_restarts": "1",
    "monitor_interval": "1",
    "rdzv_backend": "static",
    "rdzv_endpoint": "h1:4",
    "start_method": "fork",
}


def parse(parser, words):
    try:
        return vars(parser.parse_args(words))
    except ValueError:
        return None


def refuse(message):
    raise ValueError(message)


def lines(parser):
    for action in parser._actions:
        for name in action.option_strings:
            value = VALUES.get(action.dest, "0")
            for n in range(3 if name[1] == "-" else 2, len(name) + 1):
                if name in ("-h", "--help"):
                    continue
                if action.nargs == 0:
                    given = [[name[:n]]]
                else:
                    given = [[name[:n], value]]
                    if name[1] == "-":
                        given.append([name[:n] + "=" + value])
                    else:
                        given.append([name[:n] + value])
                for words in given:
                    yield ["--nnodes=2"] + words + ["x.py", "--nnodes=9"]


def main(tool, plan):
    parser = get_args_parser()
    parser.error = refuse
    env = {"PATH": os.environ["PATH"], "PLINK_HOST": "h0"}
    n, wrong = 0, []
    for words in lines(parser):
        n += 1
        want = parse(parser, words)
        run = subprocess.run(
            [tool, "--plan=" + plan, "--dry-run", "torchrun"] + words,
            env=env,
            capture_output=True,
            text=True,
        )
        if run.returncode == 125 and (want is None or want["standalone"]):
            continue
        got = parse(parser, shlex.split(run.stdout)[1:])
        if want:
            want.update(node_rank=1, master_addr="127.0.0.1")
            if want["rdzv_endpoint"]:
                want["rdzv_endpoint"] = "127.0.0.1:4"
        if got != want:
            wrong.append(" ".join(words) + ": " + run.stdout + run.stderr)
    print("many" if n > 100 else n, *wrong, sep="\n")


main(*sys.argv[1:])
