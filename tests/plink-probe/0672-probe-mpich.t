#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0672-probe-mpich.t - plink-probe-mpich, within jobs of MPICH on one machine
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/shim-mpi/mpi.sh"
probe=$builddir/plink-probe-mpich
version="MPICH Version"
. "$srcdir/tests/plink-probe/probe-mpi.sh"
done_testing
