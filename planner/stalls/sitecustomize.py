# SPDX-License-Identifier: BSD-3-Clause
# sitecustomize.py - times a step of plink-stalls run in a training script that stays as
# it is
"""Python loads this at its start where PYTHONPATH has this folder.

It waits until torch.utils.data is imported; from then on it counts the batches
that a loop gets from a DataLoader while gradients are on and are computed. In
steps t1, t2 and t5 the loop gets the first few batches over and over. When
PLINK_STALLS_ITERATIONS iterations have been timed, their times are written to
PLINK_STALLS_OUT, and the process ends.
"""
import atexit
import gc
import importlib.machinery
import importlib.util
import json
import os
import statistics
import sys
import time

WATCHED = "torch.utils.data.dataloader"
KEPT = 4  # batches that are replayed
SHOWN_S = 0.2  # between two notes of progress


class Clock:
    """Instants of the processor, or in what the accelerator was told to do."""

    def __init__(self, torch):
        self.cuda = torch.cuda if torch.cuda.is_initialized() else None

    def mark(self):
        if not self.cuda:
            return time.perf_counter()
        event = self.cuda.Event(enable_timing=True)
        event.record()
        return event

    def seconds(self, begin, end):
        if not self.cuda:
            return end - begin
        end.synchronize()
        return begin.elapsed_time(end) / 1e3


def tensors_of(value):
    """All that has a first dimension in a batch."""
    if hasattr(value, "shape"):
        if len(value.shape):
            yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from tensors_of(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors_of(each)


def number(function):
    """What the function gives, or 0: some loaders and data sets have no length."""
    try:
        return int(function())
    except (TypeError, NotImplementedError, AttributeError):
        return 0


class Meter:
    """Times iterations, from a batch to the next, of the first loader in a loop."""

    def __init__(self):
        env = os.environ
        self.step = env["PLINK_STALLS_STEP"]
        self.out = env["PLINK_STALLS_OUT"]
        self.wanted = int(env["PLINK_STALLS_ITERATIONS"])
        self.warmup = int(env["PLINK_STALLS_WARMUP"])
        self.trained = self.watched = False  # a backward pass since an epoch began
        self.rank = int(env.get("RANK", 0))
        self.world = int(env.get("WORLD_SIZE", 1))
        self.here = int(env.get("LOCAL_WORLD_SIZE", self.world))
        self.shows = env.get("LOCAL_RANK", "0") == "0"
        self.synthetic = self.step not in ("t3", "t4")
        self.loader = self.clock = self.real = None
        self.batch = self.left_out = self.ahead = self.seen = 0
        self.last = None  # instant of the batch before; None: an epoch begins
        self.marks = []  # pairs of instants
        self.shown = 0.0
        self.pid = os.getpid()
        self.done = False

    def watch(self, torch):
        """Backward passes are noticed. Torch itself may still be loading before the
        first loop."""
        if self.watched:
            return
        self.watched = True
        backward = torch.autograd.backward

        def train(*args, **more):
            self.trained = True
            return backward(*args, **more)

        torch.autograd.backward = train

    def begin(self, torch, loader):
        """An epoch begins. In t3 it would read data that are in memory by now."""
        self.trained = False
        if self.loader is loader and self.step == "t3":
            if not self.marks:
                sys.exit(
                    "plink-stalls: an epoch of %d iterations has none to time after"
                    " the %d that are left out: those of --warmup, and those that workers"
                    " load ahead" % (self.seen + 1, self.left_out)
                )
            self.finish(torch)
        if self.loader is loader:
            self.last = None
            if not self.synthetic:
                self.seen = 0

    def take(self, torch, loader, batch, real):
        """The loop gets a batch: an iteration has ended, and the next begins."""
        if self.loader is None:
            self.choose(torch, loader, batch)
        if self.loader is not loader:
            return
        self.real = real
        now = self.clock.mark()
        if self.last is not None:
            self.seen += 1
            if self.seen > self.left_out:
                self.marks.append((self.last, now))
        self.last = now
        self.show()
        if len(self.marks) == self.wanted:
            self.finish(torch)

    def choose(self, torch, loader, batch):
        """A batch behind a backward pass tells that this is the loop."""
        if not self.trained:
            return
        dist = torch.distributed
        if dist.is_available() and dist.is_initialized():
            # processes of the script's own have no environment of torchrun's
            self.rank, self.world = dist.get_rank(), dist.get_world_size()
            self.here = int(os.environ.get("LOCAL_WORLD_SIZE", self.world))
        self.loader = loader
        self.clock = Clock(torch)
        tensor = next(tensors_of(batch), None)
        self.batch = tensor.shape[0] if tensor is not None else 0
        self.left_out = self.warmup
        if not self.synthetic and loader.num_workers:
            # workers begin together, and have loaded ahead
            self.ahead = loader.num_workers * (loader.prefetch_factor or 2)
            self.left_out = self.warmup + self.ahead + 1
            self.wanted += -self.wanted % loader.num_workers

    def passed_over(self, loader):
        """How many batches the loop does not get now: after the warmup, those that
        workers loaded ahead while the loop began, which hide a slow loader until they
        are used up. As many in each process."""
        if self.loader is not loader or self.seen != self.warmup:
            return 0
        return self.ahead

    def show(self):
        if self.shows and time.monotonic() - self.shown > SHOWN_S:
            self.shown = time.monotonic()
            with open(os.path.join(self.out, "progress"), "w", encoding="ascii") as f:
                f.write("%d %d\n" % (len(self.marks), self.wanted))

    def write(self, torch):
        """In full or not at all."""
        self.done = True
        seconds = [self.clock.seconds(*pair) for pair in self.marks]
        # batches of several workers come together: those of all count as one
        round_of = max(1, self.loader.num_workers)
        rounds = [
            sum(seconds[i : i + round_of]) / round_of
            for i in range(0, len(seconds) - round_of + 1, round_of)
        ]
        layers, gradients = exchanged(torch)
        text = json.dumps(
            {
                "step": self.step,
                "rank": self.rank,
                "world": self.world,
                "here": self.here,
                "batch": int(self.batch),
                "samples": number(lambda: len(self.loader.dataset)),
                "workers": self.loader.num_workers,
                "iterations": len(seconds),
                "seconds": sum(seconds),
                "median": statistics.median(rounds or seconds),
                "error": error_of(rounds),
                "layers": layers,
                "gradients": gradients,
                "device": "cuda" if self.clock.cuda else "cpu",
            }
        )
        path = os.path.join(self.out, "rank-%d.json" % self.rank)
        with open(path + ".part", "w", encoding="ascii") as out:
            out.write(text + "\n")
        os.replace(path + ".part", path)

    def finish(self, torch):
        """Ends the process: what follows is not wanted."""
        self.write(torch)
        stop_workers(self.real)
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            torch.distributed.barrier()
            torch.distributed.destroy_process_group()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)

    def end(self, torch):
        """The script ends by itself: fewer iterations are better than none."""
        if self.pid == os.getpid() and self.marks and not self.done:
            self.write(torch)


def error_of(values):
    """The standard error of their mean; 0: not known."""
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def exchanged(torch):
    """Layers that are trained in parallel, and bytes of their gradients."""
    if not torch.distributed.is_available():
        return 0, 0
    parallel = torch.nn.parallel.DistributedDataParallel
    layers = gradients = 0
    for model in [o for o in gc.get_objects() if issubclass(type(o), parallel)]:
        for module in model.modules():
            own = [p for p in module.parameters(recurse=False) if p.requires_grad]
            layers += bool(own)
            gradients += sum(p.numel() * p.element_size() for p in own)
    return layers, gradients


def stop_workers(real):
    if hasattr(real, "_shutdown_workers"):
        real._shutdown_workers()


class Batches:
    """What a loop gets in place of a DataLoader's own iterator."""

    def __init__(self, torch, meter, loader, real):
        self.torch, self.meter, self.loader, self.real = torch, meter, loader, real
        self.given = 0
        self.length = number(lambda: len(loader)) if meter.synthetic else 0
        if meter.synthetic and not hasattr(loader, "_plink_kept"):
            loader._plink_kept = []

    def __iter__(self):
        return self

    def __getattr__(self, name):
        return getattr(self.real, name)

    def __len__(self):
        return len(self.loader)

    def __next__(self):
        for _ in range(self.meter.passed_over(self.loader)):
            next(self.real)
            self.meter.seen += 1
        batch = self.replay() if self.meter.synthetic else next(self.real)
        self.given += 1
        self.meter.take(self.torch, self.loader, batch, self.real)
        return batch

    def replay(self):
        kept = self.loader._plink_kept
        if self.given == self.length > 0:
            raise StopIteration
        if len(kept) < KEPT and self.given == len(kept) and self.real is not None:
            try:
                kept.append(next(self.real))
            except StopIteration:
                if not kept or not self.length:
                    raise
            if len(kept) == KEPT:
                stop_workers(self.real)
                self.real = None
        return kept[self.given % len(kept)]


def swap(module):
    """Loops over a DataLoader get batches from here, unless gradients are off."""
    import torch

    meter = Meter()
    original = module.DataLoader.__iter__

    def begin(self):
        if os.getpid() != meter.pid or not torch.is_grad_enabled():
            return original(self)
        meter.watch(torch)
        meter.begin(torch, self)
        full = len(getattr(self, "_plink_kept", ())) == KEPT
        real = None if meter.synthetic and full else original(self)
        return Batches(torch, meter, self, real)

    module.DataLoader.__iter__ = begin
    atexit.register(meter.end, torch)


class Finder:
    """Swaps once the module has been loaded, by whoever wants it first."""

    def find_spec(self, name, _path=None, _target=None):
        if name != WATCHED:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None:
            load = spec.loader.exec_module

            def exec_module(module):
                load(module)
                swap(module)

            spec.loader.exec_module = exec_module
        return spec


def load_hidden():
    """The sitecustomize that this one stands before."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = [p for p in sys.path if os.path.abspath(p or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


load_hidden()
if "PLINK_STALLS_STEP" in os.environ:
    sys.meta_path.insert(0, Finder())
