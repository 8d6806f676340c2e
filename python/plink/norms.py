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
    iteration when the next one has begun. Without @path the file that
    plink-batch run has named is written; if there is none, nothing is done.
    @batch is that of a worker; all workers have the same.
    """

    def __init__(self, model, batch, path=None):
        self.path = path or os.environ.get("PLINK_BATCH_NORMS")
        if not self.path:
            return
        self.group = model.process_group
        self.workers = torch.distributed.get_world_size(self.group)
        self.out = None
        if torch.distributed.get_rank(self.group) == 0:
            self.out = open(self.path, "w", encoding="utf-8")
            self.out.write(
                "# plink-norms 1\nworkers %d\nbatch %d\n"
                % (self.workers, self.workers * batch)
            )
        self.iteration, self.told = 0, None
        self._begin()
        model.register_comm_hook(None, self._hook)

    def loss(self, value):
        """The loss of this iteration, for the log; called after its backward
        pass."""
        self.told = value

    def _begin(self):
        self.begin = None
        self.locals, self.means, self.work = [], [], None

    def _hook(self, _state, bucket):
        buffer = bucket.buffer()
        now = time.perf_counter()
        if bucket.index() == 0 and self.locals:
            self._write(now)
        self.begin = self.begin or now
        self.locals.append(square(buffer))
        if bucket.is_last():
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
            self.means.append(square(mean))
            return mean

        return future.then(take)

    def _write(self, now):
        """The line of the iteration before."""
        self.work.wait()
        if self.out:
            mean = torch.stack(self.means).sum()
            line = "step %d %.9g %.9g seconds=%.9g" % (
                self.iteration,
                self.local.item(),
                mean.item(),
                now - self.begin,
            )
            if self.told is not None:
                line += " loss=%.9g" % float(self.told)
            self.out.write(line + "\n")
            self.out.flush()
        self.iteration += 1
        self.told = None
        self._begin()


def square(buffer):
    """The squared norm, in single precision at least."""
    values = buffer.float() if buffer.dtype in (torch.half, torch.bfloat16) else buffer
    return torch.dot(values, values).float()
