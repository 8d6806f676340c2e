#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0672-probe-mpich.t - plink-probe-mpich, within jobs of MPICH on one machine
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/shim-mpi/mpi.sh"
probe=$tmp/plink-probe-mpich # whose ranks give way to others while they wait
printf '#!/bin/sh\nLD_PRELOAD=%s exec %s "$@"\n' "$builddir/libplink-test-yield.so" \
	"$builddir/plink-probe-mpich" >"$probe"
chmod +x "$probe"
version="MPICH Version"
. "$srcdir/tests/plink-probe/probe-mpi.sh"
done_testing
