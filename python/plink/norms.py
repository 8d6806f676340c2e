# SPDX-License-Identifier: BSD-3-Clause
# norms.py - the norms of gradients, logged for plink-batch(1)
"""Logs the norms of a model's gradients while its own script trains it.

In the script, with the model as DistributedDataParallel has made it:
    import plink.norms
    plink.norms.watch(model, batch=64, path="norms.log")
"""
import os
import time

import torch


class watch:
    """Logs the norms of gradients while a DistributedDataParallel model trains.

    A hook takes the place of DDP's own all-reduce and makes the same: the mean
    of each bucket, while the backward pass goes on. Of each bucket it takes two
    norms, that of this worker and that of the mean; one more all-reduce, of a
    number, averages the workers' squares. Rank 0 writes a line for each
    iteration with norms when the next one has begun; on a GPU, when one more
    has. Norms are taken once in @every iterations. Without @path the file that
    plink-batch run has named is written, with all iterations; if there is none,
    nothing is done. @batch is that of a worker; all workers have the same.
    """

    def __init__(self, model, batch, path=None, every=10):
        self.path = path or os.environ.get("PLINK_BATCH_NORMS")
        if not self.path:
            return
        self.every = every if path else 1
        self.group = model.process_group
        self.workers = torch.distributed.get_world_size(self.group)
        self.out = None
        if torch.distributed.get_rank(self.group) == 0:
            self.out = open(self.path, "w", encoding="utf-8")
            self.out.write(
                "# plink-norms 1\nworkers %d\nbatch %d\n"
                % (self.workers, self.workers * batch)
            )
        self.iteration, self.taken, self.told = -1, False, None
        self.kept = None  # what a GPU may still compute, and what its line needs
        model.register_comm_hook(None, self._hook)

    def loss(self, value):
        """The loss of this iteration, for the log; called after its backward
        pass."""
        self.told = value

    def _hook(self, _state, bucket):
        if bucket.index() == 0:
            self._begin(time.perf_counter())
        buffer, taken = bucket.buffer(), self.taken
        if taken:
            self.locals.append(square(buffer))
        if taken and bucket.is_last():
            self.local = torch.stack(self.locals).sum() / self.workers
            self.work = torch.distributed.all_reduce(
                self.local, group=self.group, async_op=True
            )
        buffer.div_(self.workers)
        future = torch.distributed.all_reduce(
            buffer, group=self.group, async_op=True
        ).get_future()

        def take(done):
            mean = done.value()[0]
            if taken:
                self.means.append(square(mean))
            return mean

        return future.then(take)

    def _begin(self, now):
        """An iteration begins, and the one before has ended."""
        if self.taken:
            self._end(now)
        self.iteration += 1
        self.taken = self.iteration % self.every == 0
        self.begin, self.told = now, None
        self.locals, self.means = [], []

    def _end(self, now):
        """What a GPU makes of an iteration is written when the next one with norms
        has ended, too: it is there by then, and nothing waits for it."""
        self.work.wait()
        self._write()
        norms = torch.stack([self.local, torch.stack(self.means).sum()])
        there = None
        if norms.is_cuda:
            norms = torch.empty(2, pin_memory=True).copy_(norms, non_blocking=True)
            there = torch.cuda.Event()
            there.record()
        self.kept = self.iteration, norms, there, now - self.begin, self.told
        if not there:
            self._write()

    def _write(self):
        if self.kept is None:
            return
        iteration, norms, there, seconds, loss = self.kept
        self.kept = None
        if there:
            there.synchronize()
        if self.out:
            line = "step %d %.9g %.9g" % (iteration, *norms.tolist())
            line += " seconds=%.9g" % seconds
            if loss is not None:
                line += " loss=%.9g" % float(loss)
            self.out.write(line + "\n")
            self.out.flush()


def square(buffer):
    """The squared norm, in single precision at least."""
    values = buffer.float() if buffer.dtype in (torch.half, torch.bfloat16) else buffer
    return torch.dot(values, values).float()
