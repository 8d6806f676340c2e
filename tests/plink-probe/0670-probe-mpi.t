#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0670-probe-mpi.t - plink-probe-mpi, within jobs of Open MPI on one machine
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=openmpi
. "$srcdir/tests/shim-mpi/mpi.sh"
probe=$builddir/plink-probe-mpi
version="Open MPI v"
. "$srcdir/tests/plink-probe/probe-mpi.sh"
done_testing
