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
        ("pl_net_create", pointer, [ctypes.POINTER(text), size, error]),
        ("pl_net_find", ctypes.c_ssize_t, [pointer, text]),
        ("pl_net_hosts", size, [pointer]),
        ("pl_net_name", text, [pointer, size]),
        ("pl_net_cell", ctypes.c_double, [pointer, size, size]),
        ("pl_net_unit", text, [pointer]),
        (
            "pl_net_set_rtt",
            ctypes.c_int,
            [pointer, size, size, ctypes.c_double, error],
        ),
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

    def names(self):
        n = self.lib.pl_net_hosts(self.net)
        return [self.lib.pl_net_name(self.net, i).decode() for i in range(n)]

    def _part(self, names, error):
        """A network of these hosts alone."""
        lib, n = self.lib, len(names)
        at = [lib.pl_net_find(self.net, name.encode()) for name in names]
        words = (ctypes.c_char_p * n)(*(name.encode() for name in names))
        part = _check(lib.pl_net_create(words, n, error), error)
        scale = {b"ns": 1.0, b"us": 1e3, b"ms": 1e6, b"s": 1e9}.get(
            lib.pl_net_unit(self.net), 1e3
        )
        for i in range(n):
            for j in range(n):
                cell = lib.pl_net_cell(self.net, at[i], at[j])
                if i != j and cell == cell:
                    rc = lib.pl_net_set_rtt(part, i, j, cell * scale, error)
                    _check(rc == 0, error)
        return part

    def order(self, names, seconds):
        """@names, which are hosts of the matrix, in the order in which a ring
        costs least; the search takes at most that long."""
        error, lib = _Error(), self.lib
        part = self._part(names, error)
        goal = lib.pl_goal_create()
        answer = None
        try:
            rc = lib.pl_goal_set(goal, b"time", str(seconds).encode(), error)
            _check(rc == 0, error)
            answer = _check(lib.pl_solve(part, goal, error), error)
            found = lib.pl_answer_order(answer)
            return [names[found[i]] for i in range(len(names))]
        finally:
            lib.pl_answer_destroy(answer)
            lib.pl_goal_destroy(goal)
            lib.pl_net_destroy(part)
