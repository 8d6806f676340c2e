#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# stalls_train.py - a training script that knows nothing of plink-stalls, and waits as
# long as it is told to
#
# stalls_train.py DIR [KEY=VALUE]...: an epoch over the files in DIR, again and again.
# A sample takes `fetch` seconds if the system has to read it from storage, and `prep`
# more; an iteration `compute`, and `exchange` where there are several processes;
# `first` more the first one.
# kind: files; counted, by a sampler of its own; endless, without a length; none, without
# a loader. scan=1: a loop that does not train comes first. fails=STEP: breaks there. A line of $STALLS_LOG for each sample tells the
# step and whether it was in memory.
import ctypes
import mmap
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, IterableDataset, Sampler
from torch.utils.data.distributed import DistributedSampler

SETTINGS = {
    "kind": "files",
    "batch": 4,
    "workers": 2,
    "fetch": 0.0,
    "prep": 0.0,
    "compute": 0.0,
    "exchange": 0.0,
    "first": 0.0,
    "width": 8,
    "epochs": 1000,
    "fails": "",
    "scan": 0,
    "divides": 0,
    "device": "cpu",
}
LIBC = ctypes.CDLL(None, use_errno=True)
STEP = os.environ.get("PLINK_STALLS_STEP", "-")


def note(word):
    if "STALLS_LOG" in os.environ:
        with open(os.environ["STALLS_LOG"], "a", encoding="ascii") as log:
            log.write("%s %s\n" % (STEP, word))


def in_memory(file):
    """Is the first page? A read with RWF_NOWAIT starts to fetch it, which some
    storage ends before that read."""
    page = ctypes.c_ubyte()
    with mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE) as mapped:
        start = ctypes.c_ubyte.from_buffer(mapped)
        failed = LIBC.mincore(ctypes.byref(start), ctypes.c_size_t(1), ctypes.byref(page))
        del start
    if failed:
        raise OSError(ctypes.get_errno(), "mincore")
    return page.value & 1


def load(path):
    with open(path, "rb", buffering=0) as file:
        warm = in_memory(file)
        note("warm" if warm else "cold")
        time.sleep(0 if warm else SETTINGS["fetch"])
        first = file.read(1)[0]
    time.sleep(SETTINGS["prep"])
    return torch.full((SETTINGS["width"],), float(first))


class Files(Dataset):
    def __init__(self, folder):
        self.paths = sorted(os.path.join(folder, name) for name in os.listdir(folder))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return load(self.paths[index])


class Endless(IterableDataset):
    def __init__(self, folder):
        self.files = Files(folder)

    def __iter__(self):
        while True:
            for index in range(len(self.files)):
                yield self.files[index]


class Backwards(Sampler):
    def __init__(self, files):
        self.n = len(files)

    def __len__(self):
        return self.n

    def __iter__(self):
        return iter(range(self.n - 1, -1, -1))


def loader_of(folder, world):
    kind, files = SETTINGS["kind"], Files(folder)
    options = {"batch_size": SETTINGS["batch"], "num_workers": SETTINGS["workers"]}
    if SETTINGS["divides"]:
        options["batch_size"] = max(1, options["batch_size"] // world)
    if kind == "endless":
        return DataLoader(Endless(folder), **options)
    if kind == "counted":
        return DataLoader(files, sampler=Backwards(files), **options)
    if kind == "none":
        return [torch.zeros(options["batch_size"], SETTINGS["width"])] * 100
    if world > 1:
        return DataLoader(files, sampler=DistributedSampler(files), **options)
    return DataLoader(files, shuffle=True, **options)


def computing(device):
    """What computes for a while: a processor that sleeps, a GPU that multiplies."""
    if device == "cpu":
        return time.sleep
    a, times = torch.randn(2048, 2048, device=device), 200
    for _ in range(2):  # the first ones are slower
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(times):
            a @ a
        torch.cuda.synchronize()
        each = (time.perf_counter() - begin) / times

    def compute(seconds):
        for _ in range(round(seconds / each)):
            a @ a

    return compute


def main():
    for word in sys.argv[2:]:
        key, _, value = word.partition("=")
        SETTINGS[key] = type(SETTINGS[key])(value)
    torch.set_num_threads(1)
    world = int(os.environ.get("WORLD_SIZE", 1))
    device = SETTINGS["device"]
    compute = computing(device)
    model = torch.nn.Linear(SETTINGS["width"], 8).to(device)
    if world > 1:
        dist.init_process_group("gloo")
        model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    loader = loader_of(sys.argv[1], world)
    if SETTINGS["scan"]:
        sum(samples.sum() for samples in loader)
    first = SETTINGS["first"]
    for _ in range(SETTINGS["epochs"]):
        for samples in loader:
            if SETTINGS["fails"] == STEP:
                sys.exit("no more")
            optimizer.zero_grad()
            compute(SETTINGS["compute"] + first)
            first = 0
            if world > 1:
                time.sleep(SETTINGS["exchange"])
            model(samples.to(device)).sum().backward()
            optimizer.step()
        if SETTINGS["epochs"] < 1000:
            with torch.no_grad():
                for samples in loader:
                    model(samples.to(device))
    if world > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
