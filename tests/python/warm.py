# SPDX-License-Identifier: BSD-3-Clause
# warm.py - a Python that has imported PyTorch already, for tests that start many
#
# warm.py SOCKET EXECUTABLE: whatever asked.py asks for at the socket is run in a fork,
# as "EXECUTABLE WORD..." would run it: with its variables, folder, streams, network,
# host name, mounts, user and share of the processors. PyTorch, whose import takes most of such
# a process's time, is imported once. It ends with the process that has started it.
import atexit
import ctypes
import gc
import marshal
import os
import runpy
import select
import signal
import socket
import struct
import sys
import threading

NAMESPACES = "net", "uts", "ipc", "pid", "mnt"
SIGNALS = signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def groups_of(pid):
    with open(f"/proc/{pid}/cgroup", encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split(":", 2)[1:] for line in lines)


def follow_groups(pid):
    own = groups_of("self")
    for name, path in groups_of(pid).items():
        if path == own.get(name):
            continue
        for mounted in [name] if name else ["unified", ""]:
            procs = f"/sys/fs/cgroup/{mounted}{path}/cgroup.procs"
            if os.path.exists(procs):
                with open(procs, "w", encoding="utf-8") as file:
                    file.write("0")
                break


def follow_namespaces(pid):
    libc = ctypes.CDLL(None, use_errno=True)
    there = []
    for name in NAMESPACES:
        theirs, mine = f"/proc/{pid}/ns/{name}", f"/proc/self/ns/{name}"
        if os.readlink(theirs) != os.readlink(mine):
            there.append(os.open(theirs, os.O_RDONLY))
    for fd in there:
        if libc.setns(fd, 0):
            raise OSError(ctypes.get_errno(), "setns")
        os.close(fd)
    if there:  # only a child has the new numbers of processes
        inside = os.fork()
        if inside:
            stand_for(inside)
        libc.prctl(DEATH_SIGNAL, signal.SIGKILL)


def stand_for(pid):
    """Signals go to that child, and its end is this one's."""
    for each in SIGNALS:
        signal.signal(each, lambda number, _: os.kill(pid, number))
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status < 0:
        if status != -signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


def become(asked, streams, peer, executable):
    """As the process that asks, and as its user."""
    pid, uid, gid = peer
    follow_groups(pid)
    follow_namespaces(pid)
    if uid != os.getuid():
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    os.chdir(asked["folder"])
    for number, fd in enumerate(streams):
        os.dup2(fd, number)
        os.close(fd)
    os.environ.clear()
    os.environ.update(
        (os.fsdecode(k), os.fsdecode(v)) for k, v in asked["variables"].items()
    )
    sys.executable = executable
    return [os.fsdecode(w) for w in asked["words"]]


def run(words):
    """As "python3 WORD..."."""
    while words[0] in ("-u", "-B"):
        option = words.pop(0)
        sys.stdout.reconfigure(line_buffering=option == "-u")
    kind = words[0] if words[0] in ("-c", "-m", "-") else ""
    if kind == "-m":
        sys.path[0] = os.getcwd()
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        return
    main = {"__name__": "__main__", "__builtins__": __builtins__}
    if kind == "-c":
        text, name, sys.argv = words[1], "<string>", ["-c"] + words[2:]
    elif kind == "-":
        text, name, sys.argv = sys.stdin.read(), "<stdin>", words
    else:
        sys.path[0] = os.path.dirname(os.path.realpath(words[0]))
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")
        return
    sys.path[0] = ""
    exec(compile(text, name, "exec"), main)


def run_and_end(words):
    """Without what Python does at its end for each object of PyTorch."""
    status = 0
    try:
        run(words)
    except SystemExit as end:
        status = end.code or 0
        if not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 255)


def take(connection):
    """What is asked, its streams, and who asks."""
    head, ancillary, _, _ = connection.recvmsg(4, socket.CMSG_SPACE(12))
    size = struct.unpack("=i", head)[0]
    asked = b""
    while len(asked) < size:
        more = connection.recv(size - len(asked))
        if not more:
            raise EOFError
        asked += more
    streams = struct.unpack("=3i", ancillary[0][2])
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return marshal.loads(asked), streams, struct.unpack("=3i", peer)


def serve(listening, executable):
    """Returns in the forks, with the words of each."""
    poll = select.poll()
    poll.register(listening, select.POLLIN)
    jobs = {}  # by connection and by process
    while True:
        for fd, _ in poll.poll():
            if fd == listening.fileno():
                connection, _ = listening.accept()
                try:
                    asked, streams, peer = take(connection)
                except (EOFError, IndexError, OSError, struct.error):
                    connection.close()
                    continue
                pid = os.fork()
                if pid == 0:
                    listening.close()
                    for job in jobs.values():
                        job[1].close()
                    connection.close()
                    return become(asked, streams, peer, executable)
                for stream in streams:
                    os.close(stream)
                ends = os.pidfd_open(pid)
                jobs[ends] = jobs[connection.fileno()] = pid, connection, ends
                poll.register(ends, select.POLLIN)
                poll.register(connection, select.POLLIN)
                continue
            if fd not in jobs:
                continue
            pid, connection, ends = jobs[fd]
            if fd == ends:
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                del jobs[ends], jobs[connection.fileno()]
                poll.unregister(ends)
                os.close(ends)
                try:
                    poll.unregister(connection)
                    connection.send(struct.pack("=i", status))
                except (KeyError, OSError):
                    pass
                connection.close()
                continue
            try:
                told = connection.recv(1)
            except OSError:
                told = b""
            if not told:  # who has asked is dead
                poll.unregister(connection)
            os.kill(pid, told[0] if told else signal.SIGKILL)


ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGTERM)
wait = socket.socket(socket.AF_UNIX)
wait.bind(sys.argv[1] + ".new")
wait.listen(100)
os.chmod(sys.argv[1] + ".new", 0o666)
os.rename(sys.argv[1] + ".new", sys.argv[1])

import torch.distributed.launcher.api  # noqa: E402, F401

gc.collect()
gc.freeze()  # forks look at none of it again
run_and_end(serve(wait, sys.argv[2]))
