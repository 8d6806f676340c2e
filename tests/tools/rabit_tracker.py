# SPDX-License-Identifier: BSD-3-Clause
"""rabit_tracker.py N TREES [ADDRESS]: what the tracker of XGBoost up to 2.0 does for N
workers, sorted by their task IDs; says its port. TREES has the parents of ranks 1, 2, ...
in a line for each number of workers, as that tracker gives them."""
import socket
import struct
import sys

n = int(sys.argv[1])
with open(sys.argv[2], encoding="ascii") as trees:
    lines = [line.split() for line in trees if not line.startswith("#")]
parent = [-1] + next([int(p) for p in words[1:]] for words in lines
                     if words[0] == f"{n}:")


class Worker:
    """A connection of a worker, and what the worker says of itself."""

    def __init__(self, connection, address):
        self.connection = connection
        self.host = address[0]
        self.ask()
        self.tell(0xFF99)
        self.rank, _ = self.ask(), self.ask()
        self.task = self.text()
        self.command = self.text()
        self.port = None

    def bytes(self, length):
        """As many, however they come in."""
        return self.connection.recv(length, socket.MSG_WAITALL)

    def ask(self):
        """A number from the worker."""
        return struct.unpack("@i", self.bytes(4))[0]

    def text(self):
        """A text from the worker."""
        return self.bytes(self.ask()).decode()

    def tell(self, *numbers):
        """Numbers for the worker."""
        self.connection.sendall(struct.pack(f"@{len(numbers)}i", *numbers))

    def seat(self, rank, workers):
        """Gives the worker its rank, and the peers before it to connect to."""
        tree = [r for r in range(n) if parent[r] == rank] + [parent[rank]] * (rank > 0)
        ring = [(rank - 1) % n, (rank + 1) % n]
        peers = set(tree + ring) - {rank}
        before = [r for r in peers if r < rank]
        self.tell(rank, parent[rank], n, len(tree), *tree, *ring)
        for _ in range(self.ask()):
            self.ask()
        self.tell(len(before), len(peers) - len(before))
        for peer in before:
            host = workers[peer].host.encode()
            self.tell(len(host))
            self.connection.sendall(host)
            self.tell(workers[peer].port, peer)
        if self.ask():
            sys.exit("a worker could not connect")
        self.port = self.ask()


with socket.create_server((sys.argv[3] if len(sys.argv) > 3 else "127.0.0.1", 0),
                          backlog=n) as server:
    print(server.getsockname()[1], flush=True)
    started = sorted((Worker(*server.accept()) for _ in range(n)),
                     key=lambda worker: worker.task)
    for number, worker in enumerate(started):
        worker.seat(number, started)
    while sum(Worker(*server.accept()).command == "shutdown" for _ in range(n)) < n:
        pass
