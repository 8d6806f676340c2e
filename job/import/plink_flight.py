#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# plink_flight.py - dumps of PyTorch's Flight Recorder, which are pickles, as JSON
"""plink_flight.py DUMP > DUMP.json

For plink-job import. A pickle can run any program; this reader knows values alone, and the lists
and dictionaries of PyTorch's pickler. It needs no PyTorch.
"""
import json
import pickle
import sys


def keep(value, *_):
    return value


class Values(pickle.Unpickler):
    known = ("restore_type_tag", "build_intlist", "build_doublelist", "build_boollist")

    def find_class(self, module, name):
        if module == "torch.jit._pickle" and name in self.known:
            return keep
        raise pickle.UnpicklingError("it calls %s.%s, which no dump does" % (module, name))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, end="", file=sys.stdout if "--help" in sys.argv else sys.stderr)
        return 0 if "--help" in sys.argv else 2
    try:
        with open(sys.argv[1], "rb") as dump:
            value = Values(dump).load()
        if not isinstance(value, dict) or "entries" not in value:
            raise ValueError("no dump of a Flight Recorder: it has no entries")
        text = json.dumps(value)
    except OSError as why:
        print("plink_flight.py: %s" % why, file=sys.stderr)
        return 4
    except Exception as why:  # a damaged pickle raises any
        print("plink_flight.py: %s: %s" % (sys.argv[1], why), file=sys.stderr)
        return 3
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
