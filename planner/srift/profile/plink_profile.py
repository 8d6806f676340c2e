#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# plink_profile.py - profiles of PyTorch models, taken beside the unmodified model
"""Takes plink-profile(5) profiles of PyTorch models.

As a program:
    plink_profile.py --model=MODULE:FACTORY > profile.json
In a training script that stays as it is but for two lines, with the model as it
is before DistributedDataParallel has it:
    import plink_profile
    plink_profile.watch(model, batch=64, path="profile.json")
"""
import argparse
import collections
import gc
import importlib
import json
import math
import os
import re
import statistics
import sys
import time

import torch

TOOL = "plink_profile"
LEAST_S = 1e-9  # of a pass, by the format
BATCH_MAX = 10**9  # by the format
MEMORY = re.compile("out of memory|not enough memory|alloc_?failed", re.IGNORECASE)
QUARTILES_OF_NORMAL = 1.349  # apart, in standard deviations


class Fault(Exception):
    """What is wrong, and the exit status that says so."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class HostClock:
    """Instants of the processor."""

    def mark(self):
        return time.perf_counter()

    def seconds(self, begin, end):
        return end - begin

    def wait(self):
        pass


class CudaClock:
    """Instants in what the accelerator was told to do."""

    def mark(self):
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def seconds(self, begin, end):
        return begin.elapsed_time(end) / 1e3

    def wait(self):
        torch.cuda.synchronize()


def clock_of(model):
    cuda = any(p.is_cuda for p in model.parameters())
    return CudaClock() if cuda else HostClock()


class Gradients:
    """Marks when the gradients of each parameter are there."""

    def __init__(self, model, clock, on_ready=None):
        self.clock = clock
        self.on_ready = on_ready
        self.names, self.parameters = [], []
        for name, parameter in model.named_parameters():
            if parameter.requires_grad:
                self.names.append(name)
                self.parameters.append(parameter)
        if not self.names:
            raise Fault(2, "the model has no parameter that is trained")
        self.marks = {}
        self.handles, self.kept = [], []
        for number, parameter in enumerate(self.parameters):
            self._hook(number, parameter)

    def _hook(self, number, parameter):
        def mark(*_):
            self.marks[number] = self.clock.mark()
            if self.on_ready:
                self.on_ready()

        if hasattr(parameter, "register_post_accumulate_grad_hook"):
            hook = parameter.register_post_accumulate_grad_hook(mark)
        else:
            # the node that adds up, as DistributedDataParallel finds it; it
            # goes where nobody holds it
            node = parameter.expand_as(parameter).grad_fn.next_functions[0][0]
            self.kept.append(node)
            hook = node.register_hook(mark)
        self.handles.append(hook)

    def remove(self):
        for hook in self.handles:
            hook.remove()
        self.handles, self.kept = [], []

    def layers(self):
        return [
            {"name": name[:255], "bytes": p.numel() * p.element_size()}
            for name, p in zip(self.names, self.parameters)
        ]


class Pass:
    """An iteration's times."""

    def __init__(self, clock, forward, backward, end, marks):
        self.forward_s = clock.seconds(forward, backward)
        self.backward_s = clock.seconds(backward, end)
        self.finish = {
            number: min(1.0, max(0.0, clock.seconds(backward, mark) / self.backward_s))
            for number, mark in marks.items()
        }


def take_passes(clock, marked):
    """Of the instants of iterations, those that came out; ends waiting."""
    clock.wait()
    return [Pass(clock, *instants) for instants in marked]


def straggler(passes):
    """Standard deviation of iterations over their mean, by the quartiles: on a
    machine that does other things, too, a few iterations would tell all of it."""
    times_s = [p.forward_s + p.backward_s for p in passes]
    if len(times_s) < 8:
        return 0.0
    low, middle, high = statistics.quantiles(times_s, n=4)
    return min(1.0, (high - low) / QUARTILES_OF_NORMAL / middle)


def finishes(passes, n_layers):
    """When each layer is ready, and in how many of the iterations it was."""
    shares = collections.defaultdict(list)
    for one in passes:
        for number, share in one.finish.items():
            shares[number].append(share)
    return (
        [statistics.median(shares[i]) if shares[i] else 1.0 for i in range(n_layers)],
        [len(shares[i]) / len(passes) for i in range(n_layers)],
    )


AVERAGES = {"median": statistics.median, "mean": statistics.fmean}


def origin():
    """Of numbers that are measured here and now."""
    return {
        "origin": "measured",
        "with": "%s.py, torch %s" % (TOOL, torch.__version__),
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def build(model_name, instance, layers, by_batch, average="median", numbers=()):
    """The profile, of {batch: passes} and (name, value) of the model."""
    batches = sorted(by_batch)
    most = by_batch[batches[-1]]
    finish, chance = finishes(most, len(layers))
    for layer, probability in zip(layers, chance):
        if probability < 1:
            layer["probability"] = probability

    def middle(what):
        return [
            max(LEAST_S, AVERAGES[average](getattr(p, what) for p in by_batch[b]))
            for b in batches
        ]

    return {
        "plink-profile": 2,
        "comment": "%ss of %s iterations, torch %s"
        % (average, min(len(p) for p in by_batch.values()), torch.__version__),
        "model": model_name,
        "layers": layers,
        "instances": [
            {
                "name": instance,
                "batches": batches,
                "forward_s": middle("forward_s"),
                "backward_s": middle("backward_s"),
                "straggler": straggler(most),
                "finish": finish,
                **origin(),
            }
        ],
        "numbers": [
            {"name": name, "value": value, **origin()} for name, value in numbers
        ],
    }


def write(profile, path):
    """In full or not at all."""
    text = json.dumps(profile, indent=1) + "\n"
    if path in (None, "-"):
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    part = "%s.%d.part" % (path, os.getpid())
    try:
        with open(part, "x", encoding="utf-8") as out:
            out.write(text)
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


class watch:
    """Profiles a model while its own script trains it, on one machine.

    The forward pass counts from when the model is called, the backward pass
    from when the gradients of what it returned are there, so that the loss
    counts to the forward pass. After @warmup iterations, @repeat are taken;
    then the profile is written and the model is as it was.
    """

    def __init__(
        self, model, batch, path, warmup=5, repeat=20, name=None, instance="here"
    ):
        self.batch, self.path = batch, path
        self.warmup, self.repeat = warmup, repeat
        self.name = name or type(model).__name__
        self.instance = instance
        self.parameters = sum(p.numel() for p in model.parameters())
        self.clock = clock_of(model)
        self.begin = self.backward = self.end = None
        self.done, self.marked = 0, []
        self.gradients = Gradients(model, self.clock, self._ready)
        self.handles = [
            model.register_forward_pre_hook(self._called),
            model.register_forward_hook(self._returned),
        ]

    def _called(self, *_):
        if not torch.is_grad_enabled():
            return
        if self.begin is not None and self.backward is not None and self.end is not None:
            self._take()
        self.begin, self.backward, self.end = self.clock.mark(), None, None
        self.gradients.marks.clear()

    def _returned(self, _model, _arguments, output):
        for tensor in tensors_of(output):
            if tensor.requires_grad:
                tensor.register_hook(self._comes_back)

    def _comes_back(self, _gradient):
        if self.backward is None:
            self.backward = self.clock.mark()

    def _ready(self):
        self.end = self.clock.mark()

    def _take(self):
        self.done += 1
        if self.done > self.warmup:
            self.marked.append(
                (self.begin, self.backward, self.end, dict(self.gradients.marks))
            )
        if len(self.marked) == self.repeat:
            self.stop()

    def stop(self):
        """Ends watching, and writes what there is."""
        for handle in self.handles:
            handle.remove()
        self.gradients.remove()
        if not self.handles or not self.marked:
            return
        self.handles = []
        passes = take_passes(self.clock, self.marked)
        layers = self.gradients.layers()
        numbers = [("parameters", self.parameters)]
        by_batch = {self.batch: passes}
        profile = build(self.name, self.instance, layers, by_batch, numbers=numbers)
        write(profile, self.path)


def tensors_of(value):
    """All tensors of what a model returns."""
    if torch.is_tensor(value):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from tensors_of(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors_of(each)


def find(text, what):
    """MODULE:NAME, of a module that can be imported from here, too."""
    module, colon, name = text.partition(":")
    if not colon or not module or not name:
        raise Fault(2, '%s wants MODULE:NAME, not "%s"' % (what, text))
    sys.path.insert(0, os.getcwd())
    try:
        found = importlib.import_module(module)
    except ImportError as why:
        raise Fault(3, "cannot import %s: %s" % (module, why)) from why
    for part in name.split("."):
        if not hasattr(found, part):
            raise Fault(3, "%s has no %s" % (module, name))
        found = getattr(found, part)
    return found


def make_step(args, device):
    """The model, and what gives the loss of so many samples."""
    made = find(args.model, "--model")()
    if isinstance(made, tuple):
        if len(made) != 2 or not callable(made[1]):
            raise Fault(3, "%s gives neither a model nor (model, loss)" % args.model)
        model, loss = made[0].to(device), made[1]
        return model, lambda batch: loss(model, batch)
    model = made.to(device)
    if not args.input:
        raise Fault(2, "what does the model take? --input tells, as 3x224x224")
    shape = [int(n) for n in args.input.split("x")]
    inputs = {}

    def step(batch):
        if batch not in inputs:
            inputs.clear()
            inputs[batch] = torch.randn(batch, *shape, device=device)
        return sum(t.float().sum() for t in tensors_of(model(inputs[batch])))

    return model, step


def retries(model):
    """How often memory failed until the allocator had returned all that is free."""
    device = next(model.parameters()).device
    if device.type != "cuda":
        return 0
    return torch.cuda.memory_stats(device).get("num_alloc_retries", 0)


def fits(step, batch, model):
    """Does an iteration of so many samples fit into memory? One that fits only
    when all free memory is returned and taken anew each time would take longer
    than its computation."""
    try:
        for _ in range(3):
            before = retries(model)
            model.zero_grad()
            step(batch).backward()
        if retries(model) == before:
            return True
    except (MemoryError, RuntimeError) as why:
        if not isinstance(why, MemoryError) and not MEMORY.search(str(why)):
            raise
    model.zero_grad()
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    return False


def find_largest(fit, most):
    """The largest batch that fits: doubled until it does not, then bisected."""
    good, bad = 0, 1
    while bad <= most and fit(bad):
        good, bad = bad, 2 * bad
    bad = min(bad, most + 1)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if fit(middle) else (good, middle)
    if not good:
        raise Fault(4, "not a single sample fits into memory")
    return good


def find_batches(args, step, model):
    """1, B/3, 2B/3 and B, the largest batch (srift 4.1)."""
    if args.most is None and not any(p.is_cuda for p in model.parameters()):
        raise Fault(
            2,
            "--batches or --most is wanted: on the processor, memory fails"
            " after other programs did",
        )
    most = find_largest(lambda n: fits(step, n, model), args.most or BATCH_MAX)
    print("%s: the largest batch is %d samples" % (TOOL, most), file=sys.stderr)
    return sorted({1, max(1, round(most / 3)), max(1, round(2 * most / 3)), most})


def time_batch(step, batch, model, gradients, args):
    """The instants of args.repeat iterations, those before them left out."""
    clock, marked = gradients.clock, []
    for i in range(args.warmup + args.repeat):
        model.zero_grad()
        gradients.marks.clear()
        begin = clock.mark()
        loss = step(batch)
        backward = clock.mark()
        loss.backward()
        end = clock.mark()
        if i >= args.warmup:
            marked.append((begin, backward, end, dict(gradients.marks)))
    return take_passes(clock, marked)


def numbers_of(model, step, batch):
    """Parameters, and the operations of a sample's forward pass, of those that
    torch's profiler can count: products of matrices, convolutions, sums."""
    with torch.profiler.profile(with_flops=True) as seen:
        step(batch)
    flops = sum(event.flops for event in seen.key_averages()) / batch
    yield "parameters", sum(p.numel() for p in model.parameters())
    if flops >= 1:
        yield "flops", flops


def profile_model(args):
    torch.manual_seed(args.seed)
    if args.threads:
        torch.set_num_threads(args.threads)
    device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    model, step = make_step(args, device)
    model.train()
    gradients = Gradients(model, clock_of(model))
    by_batch = {}
    for batch in args.batches or find_batches(args, step, model):
        by_batch[batch] = time_batch(step, batch, model, gradients, args)
        print(
            "%s: %d samples: forward %.6g s, backward %.6g s"
            % (
                TOOL,
                batch,
                AVERAGES[args.average](p.forward_s for p in by_batch[batch]),
                AVERAGES[args.average](p.backward_s for p in by_batch[batch]),
            ),
            file=sys.stderr,
        )
    name = args.name or args.model
    layers = gradients.layers()
    numbers = numbers_of(model, step, min(by_batch))
    return build(name, args.instance, layers, by_batch, args.average, numbers)


def batches_of(text):
    numbers = [int(n) for n in text.split(",")]
    if numbers[0] < 1 or any(b <= a for a, b in zip(numbers, numbers[1:])):
        raise ValueError
    return numbers


def shape_of(text):
    if min(int(n) for n in text.split("x")) < 1:
        raise ValueError
    return text


def count(text):
    if int(text) < 1:
        raise ValueError
    return int(text)


def parse():
    parser = argparse.ArgumentParser(
        prog=TOOL,
        allow_abbrev=False,
        description="Takes a profile of a PyTorch model: plink-profile(5).",
        epilog="Exit: 0 done, 2 usage, 3 bad input, 4 system.",
    )
    parser.add_argument(
        "--model",
        required=True,
        metavar="MODULE:FACTORY",
        help="a function that gives the model, or (model, loss), loss(model, N)"
        " giving the loss of N samples",
    )
    parser.add_argument(
        "--batches",
        type=batches_of,
        metavar="LIST",
        help="samples of an iteration, ascending: 1,8,16,24 (1, B/3, 2B/3 and B,"
        " the largest batch that fits into memory, which is searched for)",
    )
    parser.add_argument(
        "--most",
        type=count,
        help="search for no larger batch; wanted on the processor",
    )
    parser.add_argument(
        "--input",
        type=shape_of,
        metavar="SHAPE",
        help="of a sample, where the factory gives the model alone: 3x224x224;"
        " the loss is the sum of what it returns",
    )
    parser.add_argument("--device", help="cpu, cuda, ... (cuda where there is one)")
    parser.add_argument(
        "--warmup", type=count, default=5, help="iterations before each batch (5)"
    )
    parser.add_argument(
        "--repeat", type=count, default=20, help="iterations timed of each batch (20)"
    )
    parser.add_argument(
        "--average",
        choices=AVERAGES,
        default="median",
        help="of the iterations' times: median, or mean, which knows the turns in"
        " which jobs that share a core have it (median)",
    )
    parser.add_argument("--threads", type=count, help="of torch")
    parser.add_argument("--seed", type=int, default=1, help="of torch (1)")
    parser.add_argument("--name", help="of the model, in the profile")
    parser.add_argument(
        "--instance", default="here", help="name of this type of machine (here)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="not to stdout")
    return parser.parse_args()


def main():
    args = parse()
    try:
        write(profile_model(args), args.output)
    except Fault as fault:
        print("%s: %s" % (TOOL, fault), file=sys.stderr)
        return fault.status
    except (OSError, RuntimeError) as why:
        print("%s: %s" % (TOOL, why), file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
