#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1098-mpich-grids.t - grids and graphs that may be reordered follow the plan's network: libplink-mpich.so
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/shim-mpi/grids.sh"
done_testing
