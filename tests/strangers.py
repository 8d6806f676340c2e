# SPDX-License-Identifier: BSD-3-Clause
# strangers.py - who comes to where a process listens and does not belong there
#
# strangers.py HOST:PORT N FILE: waits until something listens, and comes N times: some
# say nothing, some too little, some what nobody understands; whoever is sent away comes
# again. Writes "here" to FILE when all have come. Ends when nothing listens any more, or
# when the 20 s of a job are long over, and prints how many were answered.
import os
import socket
import sys
import time

host, port = sys.argv[1].rsplit(":", 1)
end = time.monotonic() + 120
says = [b"", b"p", b"GET / HTTP/1.1\r\nHost: rank0\r\n\r\n" * 10]
held, n_came, n_answered = [], 0, 0


def come():
    global n_came
    s = socket.create_connection((host, int(port)), 5)
    s.sendall(says[n_came % len(says)])
    s.setblocking(False)
    n_came += 1
    return s


def is_open(s):
    global n_answered
    try:
        answer = s.recv(1)
        n_answered += bool(answer)
        return bool(answer)
    except BlockingIOError:
        return True
    except OSError:
        return False


while time.monotonic() < end:
    try:
        while len(held) < int(sys.argv[2]):
            held.append(come())
        with open(sys.argv[3] + ".new", "w") as f:
            f.write("here\n")
        os.rename(sys.argv[3] + ".new", sys.argv[3])
    except ConnectionRefusedError:
        if held:
            break
    except OSError:
        pass  # it was sent away while it spoke
    gone = [s for s in held if not is_open(s)]
    for s in gone:
        s.close()
        held.remove(s)
    time.sleep(0.05)
print(n_answered, "answered")
