# SPDX-License-Identifier: BSD-3-Clause
# Tests of the benchmarks.
TOOL_TESTS += \
	tests/bench/0696-bench-probe.t tests/bench/0698-bench-launch.t \
	tests/bench/0800-yield-block.t tests/bench/0810-allreduce.t \
	tests/bench/0820-compare-orders.t tests/bench/0830-planted-orders.t \
	tests/bench/0840-end-to-end.t tests/bench/0842-bench-promise.t \
	tests/bench/0846-bench-smpi.t \
	tests/bench/0850-matrix-io.t tests/bench/0852-bench-tsplib.t \
	tests/bench/0933-audit-read.t \
	tests/bench/1040-bench-shim.t tests/bench/1056-bench-shim-early.t \
	tests/bench/1058-bench-shim-machines.t \
	tests/bench/1072-bench-shim-start.t tests/bench/1103-bench-exec.t \
	tests/bench/1144-bench-nccl.t tests/bench/1202-bench-embed.t \
	tests/bench/1322-bench-srift-learned.t \
	tests/bench/1530-bench-report.t

check_PROGRAMS += tests/bench/yield-loop
tests_bench_yield_loop_SOURCES = tests/bench/yield-loop.c
tests_bench_yield_loop_LDADD = $(TOOL_A)
if HAVE_MPI
check_PROGRAMS += libplink-test-mpi-flip.so
endif
libplink_test_mpi_flip_so_SOURCES = tests/bench/mpi-flip.c
libplink_test_mpi_flip_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_test_mpi_flip_so_LDFLAGS = -shared
