# SPDX-License-Identifier: BSD-3-Clause
# hub.py - PyTorch: parameters that live on hubs, which run the optimiser
"""The processes of a job, of which each computes gradients of its own:

    hub = plink.hub.Hub("job.schedule", rank, "h0:4711", secret)
    optimizer = plink.hub.HubOptimizer(model.parameters(), hub, "adam", lr=1e-3)

The first process' parameters go to all. Then optimizer.step() has the hubs of the
schedule (plink-hub(1)) change the parameters by the mean of the gradients, as
torch.optim.SGD and Adam do with the same settings, and brings them back."""
import ctypes

import torch

from plink.library import _check, _Error, _load

KINDS = {"sgd": 1, "adam": 2}
SETTINGS = {
    "sgd": {"lr": 1e-3, "momentum": 0, "dampening": 0, "nesterov": False},
    "adam": {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8},
}


class _Optimizer(ctypes.Structure):
    _fields_ = (
        [("kind", ctypes.c_int)]
        + [(n, ctypes.c_double) for n in ("scale", "rate", "weight_decay")]
        + [(n, ctypes.c_double) for n in ("momentum", "dampening")]
        + [("nesterov", ctypes.c_int)]
        + [(n, ctypes.c_double) for n in ("beta1", "beta2", "epsilon")]
    )


class _Meeting(ctypes.Structure):
    _fields_ = [("address", ctypes.c_char_p), ("secret", ctypes.c_char_p)]


def _functions():
    lib = _load()
    size, pointer = ctypes.c_size_t, ctypes.c_void_p
    error = ctypes.POINTER(_Error)
    call = [pointer, ctypes.c_uint32, pointer, size]
    push = [ctypes.POINTER(_Optimizer), error]
    meeting = ctypes.POINTER(_Meeting)
    for name, result, arguments in (
        ("pl_schedule_file_read", pointer, [ctypes.c_char_p, error]),
        ("pl_schedule_file_processes", size, [pointer]),
        ("pl_schedule_file_destroy", None, [pointer]),
        (
            "pl_communicator_meet",
            pointer,
            [pointer, size, meeting, ctypes.c_double, error],
        ),
        ("pl_communicator_destroy", None, [pointer]),
        ("pl_hub_put", ctypes.c_int, call + [error]),
        ("pl_hub_push", ctypes.c_int, call + push),
        ("pl_hub_pull", ctypes.c_int, call + [error]),
        ("pl_hub_push_pull", ctypes.c_int, call + push),
        ("pl_hub_async", ctypes.c_int, [pointer, ctypes.c_uint32, error]),
        ("pl_hub_async_pull", ctypes.c_int, call + [error]),
        ("pl_hub_async_push_pull", ctypes.c_int, call + push),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Hub:
    """The connections of one process; pl_hub_put() and so on of libplink(3) for flat
    float tensors."""

    def __init__(self, schedule, rank, address, secret, timeout=60.0):
        self.lib, self.communicator, self.file = _functions(), None, None
        self.keys = 0  # that optimisers have taken
        error = _Error()
        meeting = _Meeting(address.encode(), secret.encode())
        self.file = _check(
            self.lib.pl_schedule_file_read(schedule.encode(), error), error
        )
        self.processes = self.lib.pl_schedule_file_processes(self.file)
        self.communicator = _check(
            self.lib.pl_communicator_meet(
                self.file, rank, ctypes.byref(meeting), timeout, error
            ),
            error,
        )

    def _call(self, name, key, tensor, *optimizer):
        if not (
            tensor.dtype == torch.float32
            and tensor.device.type == "cpu"
            and tensor.is_contiguous()
        ):
            raise ValueError("not a contiguous tensor of floats in main memory")
        error = _Error()
        rc = getattr(self.lib, name)(
            self.communicator,
            key,
            tensor.data_ptr(),
            tensor.numel(),
            *map(ctypes.byref, optimizer),
            ctypes.byref(error)
        )
        _check(rc == 0, error)

    def put(self, key, parameters):
        self._call("pl_hub_put", key, parameters)

    def push(self, key, gradients, optimizer):
        self._call("pl_hub_push", key, gradients, optimizer)

    def pull(self, key, parameters):
        self._call("pl_hub_pull", key, parameters)

    def push_pull(self, key, buffer, optimizer):
        self._call("pl_hub_push_pull", key, buffer, optimizer)

    def begin_async(self, staleness):
        error = _Error()
        rc = self.lib.pl_hub_async(self.communicator, staleness, ctypes.byref(error))
        _check(rc == 0, error)

    def async_pull(self, key, parameters):
        self._call("pl_hub_async_pull", key, parameters)

    def async_push_pull(self, key, buffer, optimizer):
        self._call("pl_hub_async_push_pull", key, buffer, optimizer)

    def close(self):
        self.lib.pl_communicator_destroy(self.communicator)
        self.lib.pl_schedule_file_destroy(self.file)
        self.communicator = self.file = None


class HubOptimizer(torch.optim.Optimizer):
    """An optimiser whose state is on the hubs; each group of parameters is a key.
    @settings are those of torch.optim.SGD ("sgd") or Adam ("adam"). With @staleness,
    steps are asynchronous: the gradients of this process change the parameters by
    themselves, and it waits only if it is more than so many steps ahead of another."""

    def __init__(self, params, hub, kind, staleness=None, **settings):
        wrong = set(settings) - set(SETTINGS[kind]) - {"weight_decay"}
        if wrong:
            raise ValueError("no setting of %s: %s" % (kind, ", ".join(wrong)))
        self.hub, self.kind = hub, kind
        super().__init__(params, {**SETTINGS[kind], "weight_decay": 0, **settings})
        self.first_key = hub.keys
        hub.keys += len(self.param_groups)
        for key, group in enumerate(self.param_groups, self.first_key):
            self._exchange(group, [p.data for p in group["params"]], hub.put, key)
        self.push_pull = hub.push_pull
        if staleness is not None:
            hub.begin_async(staleness)
            self.push_pull = hub.async_push_pull

    @staticmethod
    def _exchange(group, tensors, call, key, *optimizer):
        flat = torch.cat([t.reshape(-1).float().cpu() for t in tensors])
        call(key, flat, *optimizer)
        at = 0
        for p in group["params"]:
            p.data.copy_(flat[at : at + p.numel()].view_as(p))
            at += p.numel()

    def _optimizer(self, group):
        beta1, beta2 = group.get("betas", (0, 0))
        return _Optimizer(
            KINDS[self.kind],
            1.0 / self.hub.processes,
            group.get("lr", 0),
            group["weight_decay"],
            group.get("momentum", 0),
            group.get("dampening", 0),
            group.get("nesterov", False),
            beta1,
            beta2,
            group.get("eps", 0),
        )

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for key, group in enumerate(self.param_groups, self.first_key):
            gradients = [
                torch.zeros_like(p) if p.grad is None else p.grad
                for p in group["params"]
            ]
            self._exchange(
                group, gradients, self.push_pull, key, self._optimizer(group)
            )
        return loss
