# SPDX-License-Identifier: BSD-3-Clause
# opened.py - NCCL from Python by ctypes, as inference servers use it
#
#     RANK=0 WORLD_SIZE=4 NCCL_COMM_ID=127.0.0.1:29555 python3 opened.py LIBRARY
import ctypes
import os
import sys


class UniqueId(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_byte * 128)]


nccl = ctypes.CDLL(sys.argv[1])
init = nccl.ncclCommInitRank
init.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, UniqueId,
                 ctypes.c_int]
all_reduce = nccl.ncclAllReduce
all_reduce.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t,
                       ctypes.c_int, ctypes.c_int, ctypes.c_void_p,
                       ctypes.c_void_p]
destroy = nccl.ncclCommDestroy
destroy.argtypes = [ctypes.c_void_p]


def must(result):
    if result:
        sys.exit("not ok - %d" % result)


rank = int(os.environ["RANK"])
n = int(os.environ["WORLD_SIZE"])
unique = UniqueId()
comm = ctypes.c_void_p()
data = ctypes.c_int32(rank + 1)
must(nccl.ncclGetUniqueId(ctypes.byref(unique)))
must(init(ctypes.byref(comm), n, unique, rank))
must(all_reduce(ctypes.byref(data), ctypes.byref(data), 1, 2, 0, comm, None))
must(destroy(comm))
print("rank %d: 1 checks, %d failed" % (rank, data.value != n * (n + 1) // 2))
