#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1094-mpich-engine.t - engine mode in programs of MPICH
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/shim-mpi/engine.sh"

schedule 2+1
compare "two levels" 3 "$programs/collectives" 20 8 8
compare "large counts" 3 "$programs/large" 20 8 8
compare "nonblocking, persistent" 3 "$programs/requests" all
unseen "the forms" 3 "$programs/requests"
PLINK_TRANSPORT=mpi
export PLINK_TRANSPORT
compare "by messages" 3 "$programs/collectives" 5 3 3
unequal mpi

done_testing
