# SPDX-License-Identifier: BSD-3-Clause
# torchrun.sh - can $python's torchrun start anything? source it after tap.sh. Its store
# wants libuv from PyTorch 2.4 on, without which Debian's is built.
torchrun_meets() {
	"$python" -c 'from torch.distributed import TCPStore
TCPStore("127.0.0.1", 0, 1, True)' >/dev/null 2>&1
}
