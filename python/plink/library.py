# SPDX-License-Identifier: BSD-3-Clause
# library.py - orders of hosts by a matrix, from libplink
import ctypes
import os

SONAME = "libplink.so.0"


class _Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("text", ctypes.c_char * 896)]


class LibraryError(Exception):
    """What libplink says is wrong."""


def _load():
    """The library that is installed with this package, or any."""
    here = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.join(here, "..", "..", "..", SONAME)
    lib = ctypes.CDLL(beside if os.path.exists(beside) else SONAME)
    size, pointer, text = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p
    error = ctypes.POINTER(_Error)
    for name, result, arguments in (
        ("pl_net_read", pointer, [text, error]),
        ("pl_net_part", pointer, [pointer, ctypes.POINTER(size), size, error]),
        ("pl_net_hosts", size, [pointer]),
        ("pl_net_name", text, [pointer, size]),
        ("pl_net_destroy", None, [pointer]),
        ("pl_goal_create", pointer, []),
        ("pl_goal_set", ctypes.c_int, [pointer, text, text, error]),
        ("pl_goal_destroy", None, [pointer]),
        ("pl_solve", pointer, [pointer, pointer, error]),
        ("pl_answer_order", ctypes.POINTER(size), [pointer]),
        ("pl_answer_destroy", None, [pointer]),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def _check(good, error):
    if not good:
        raise LibraryError(error.text.decode(errors="replace"))
    return good


class Net:
    """A matrix (plink-matrix(5))."""

    def __init__(self, path):
        error = _Error()
        self.lib = _load()
        self.net = _check(self.lib.pl_net_read(path.encode(), error), error)
        n = self.lib.pl_net_hosts(self.net)
        names = (self.lib.pl_net_name(self.net, i).decode() for i in range(n))
        self.host = {name: i for i, name in enumerate(names)}

    def order(self, names, option, value):
        """@names, which are hosts of the matrix, in the order in which a ring costs
        least; the search begins with @names as they stand and ends by "time" (seconds)
        or "moves"."""
        error, lib, n = _Error(), self.lib, len(names)
        at = [self.host[name] for name in names]
        part = lib.pl_net_part(self.net, (ctypes.c_size_t * n)(*at), n, error)
        goal, answer = lib.pl_goal_create(), None
        try:
            _check(part, error)
            wanted = (option, str(value)), ("bound", "none"), ("digest", "none")
            for key, text in wanted:
                rc = lib.pl_goal_set(goal, key.encode(), text.encode(), error)
                _check(rc == 0, error)
            answer = _check(lib.pl_solve(part, goal, error), error)
            found = lib.pl_answer_order(answer)
            return [names[found[i]] for i in range(n)]
        finally:
            lib.pl_answer_destroy(answer)
            lib.pl_goal_destroy(goal)
            lib.pl_net_destroy(part)
