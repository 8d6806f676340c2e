# SPDX-License-Identifier: BSD-3-Clause
# plan.py - the hosts of a plan (plink-plan(5)), and which of them this one is
import ipaddress
import os
import socket


class PlanError(Exception):
    """FILE:LINE: what is wrong; or which host this one cannot be told to be."""


class Host:
    def __init__(self, name, node=None, addr=None):
        self.name, self.node, self.addr = name, node, addr


class Plan:
    """hosts: as listed; order: their numbers by position, of the first order."""

    def __init__(self, path):
        self.path, self.hosts, self.order, self._keys = path, [], None, set()
        with open(path, encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                self._read(line, number)
        if self.order is None:
            raise PlanError(f"{path}: there is no order in this plan")

    def _refuse(self, number, why):
        raise PlanError(f"{self.path}:{number}: {why}")

    def _read(self, line, number):
        words = line.split()
        if number == 1 and words[:3] != ["#", "plink-plan", "1"]:
            self._refuse(number, "this is no plan of version 1")
        if words[:1] == ["host"]:
            self._read_host(words, number)
        elif words[:1] == ["order"] and self.order is None:
            self._read_order(words, number)

    def _read_host(self, words, number):
        if len(words) < 3 or words[1] != str(len(self.hosts)):
            self._refuse(number, f"host {len(self.hosts)} and its name must follow")
        keys = dict(word.partition("=")[::2] for word in words[3:])
        key = words[2], keys.get("port")
        if key in self._keys:
            self._refuse(number, f'duplicate host "{words[2]}"')
        self._keys.add(key)
        self.hosts.append(Host(words[2], keys.get("node"), keys.get("addr")))

    def _read_order(self, words, number):
        order = words[words.index(":") + 1 :] if ":" in words else []
        if sorted(order) != sorted(str(i) for i in range(len(self.hosts))):
            self._refuse(number, "the order must have each host once")
        self.order = [int(word) for word in order]

    def names(self):
        """The hosts' names in the plan's order."""
        return [self.hosts[i].name for i in self.order]


def _short(name):
    return name.split(".")[0]


def _is_address(text):
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _same_short(a, b):
    return a and _short(a) == _short(b) and not (_is_address(a) or _is_address(b))


def _is_own(text):
    """Is it an address of this machine? Then a socket can have it."""
    address = text and _is_address(text)
    if not address or address.is_loopback:
        return False
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as s:
            s.bind((str(address), 0))
        return True
    except OSError:
        return False


def _find(hosts, tests, whom):
    """The name of the only one of @hosts that passes the first test that any passes;
    None: none passes any. Raises PlanError, which names @whom: several pass."""
    for test in tests:
        found = [h.name for h in hosts if test(h)]
        if len(found) > 1:
            raise PlanError(f"several hosts of the plan could be {whom}")
        if found:
            return found[0]
    return None


def _by_node(node):
    return [
        lambda h: node in (h.name, h.node),
        lambda h: _same_short(h.name, node) or _same_short(h.node, node),
    ]


def find_self(hosts):
    """The name of the one of @hosts that this machine is, found as plink-exec
    finds it; None: it is none of them. Raises PlanError: it could be several."""
    named, node = os.environ.get("PLINK_HOST"), os.uname().nodename
    if named:
        tests = [lambda h: h.name == named]
    else:
        tests = _by_node(node) + [lambda h: _is_own(h.addr) or _is_own(h.name)]
    return _find(hosts, tests, f"{named or node}: name one in PLINK_HOST")


def is_other_machine(host):
    """Was the plan made when another machine had the name of @host, which this one has?
    Its address was another then: a private one, or of a node of another name, for public
    addresses can belong to a router before it. Never, if PLINK_HOST named the host."""
    address = host.addr and _is_address(host.addr)
    if not address or address.is_loopback or _is_own(host.addr):
        return False
    if os.environ.get("PLINK_HOST"):
        return False
    return address.is_private or bool(host.node and host.node != os.uname().nodename)


def find_host(hosts, node, address):
    """The same of another machine, by its node's name and one of its addresses."""
    return _find(hosts, _by_node(node) + [lambda h: address in (h.addr, h.name)], node)
