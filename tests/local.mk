# SPDX-License-Identifier: BSD-3-Clause
# Tests: unit-X.c for the libraries, NNNN-theme.t for the tools.
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS) $(TOOL_TESTS)
UNIT_TESTS =
TOOL_TESTS =
EXTRA_DIST += tests/tap.h tests/tap.sh tests/captures.sh tests/layer.sh tests/testbed.sh \
	tests/machines.sh \
	tests/openmpi.sh tests/torchrun.sh $(TOOL_TESTS)

# These judge times that they measure: "make check-times" is to have a processor for
# each of them. "make check-beside" runs all others; "make check" runs all. The two that
# judge rates, 0687 and 0681, are so far apart that on two processors one ends before the
# other begins.
TIME_TESTS = \
	tests/plink-probe/0687-bandwidth-few.t \
	tests/probes/unit-exchange tests/probes/unit-prober tests/testbed/0520-testbed-delay.t \
	tests/plink-probe/0600-probe.t tests/plink-probe/0612-probe-extent.t \
	tests/plink-probe/0620-probe-testbed.t tests/plink-probe/0622-probe-wire.t \
	tests/bench/0840-end-to-end.t tests/plink-probe/0681-bandwidth-testbed.t \
	tests/order/0740-order-live.t tests/bench/1040-bench-shim.t \
	tests/bench/1056-bench-shim-early.t tests/bench/1058-bench-shim-machines.t \
	tests/bench/1072-bench-shim-start.t

check-times:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(TIME_TESTS)'

# Those that take long beside others (bench/results/tests.txt) begin before all others, so
# that none of them is left at the end with an idle processor beside it.
LONG_TESTS = \
	tests/costmodels/0900-traffic-openmpi.t tests/shim-mpi/1064-mpi-engine.t \
	tests/shim-mpi/1060-mpi-shadow.t tests/shim-mpi/1066-mpi-engine-machines.t \
	tests/order/0750-order-algorithms.t \
	tests/order/0742-order-ssh.t \
	tests/order/0756-order-workload.t tests/shim-mpi/1070-mpi-stats.t \
	tests/shim-mpi/1010-mpi-shim-plans.t tests/plink-probe/0610-probe-faults.t \
	tests/shim-nccl/1132-nccl-two-level.t tests/plink-probe/0670-probe-mpi.t \
	tests/shim-nccl/1142-nccl-gpu.t tests/planner/1325-srift-grid.t \
	tests/tools/1404-hub.t $(GOLDEN_TESTS)

# Whole jobs of PyTorch, what other tests check with fewer ranks, a benchmark's script, the
# format of the sources: not part of "make check-beside", but with SLOW=yes.
SLOW_TESTS = \
	tests/bench/0842-bench-promise.t \
	tests/costmodels/0902-traffic-openmpi-16.t \
	tests/costmodels/0906-traffic-mpich-16.t \
	tests/costmodels/0912-traffic-gloo-16.t tests/documents/0011-format.t \
	tests/documents/1448-documents-srift.t tests/predict/0862-predict-32.t \
	tests/planner/1355-srift-ddp.t tests/planner/1372-stalls-run.t \
	tests/planner/1384-batch-mpi.t tests/python/1510-torchrun.t \
	tests/tools/1407-hub-forged.t

check-slow:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(SLOW_TESTS)'

SLOW = no
check-beside:
	beside=; \
	[ $(SLOW) = yes ] && slow= || slow='$(SLOW_TESTS)'; \
	for t in $(LONG_TESTS) $(TESTS); do \
		case ' '$$(echo $(TIME_TESTS) $$slow)" $$beside " in \
		*" $$t "*) ;; \
		*) beside="$$beside $$t" ;; \
		esac; \
	done; \
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$$beside"

# What is worth its time with sanitizers on every change: whatever parses, speaks to
# others, runs within foreign programs or searches. (1061 and 1092 run shadow mode, as 1060
# does. 1066 has 1064's engine on machines; 1078, 1090 and 1098 are for MPICH what others
# are for Open MPI, of the same sources.)
check-sanitized:
	some=; \
	for t in $(TESTS); do \
		case ' '$$(echo $(TIME_TESTS))' ' in \
		*" $$t "*) continue ;; \
		esac; \
		case $$t in \
		*/1060-mpi-shadow.t | */1066-mpi-engine-machines.t) continue ;; \
		*/1078-* | */1090-* | */1098-* | */golden/*) continue ;; \
		*/unit-* | tests/base/* | tests/solver/* | \
		tests/shim-mpi/* | tests/shim-nccl/* | \
		tests/plink-probe/06[0-6]*) some="$$some $$t" ;; \
		esac; \
	done; \
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$$some"

.PHONY: check-times check-slow check-beside check-sanitized

UNIT_LIBS = $(BASE_A) $(RNG_LIBS) -lm

# Tests that refuse allocations: add tests/failalloc.c to their sources.
FAILALLOC_WRAP = -Wl,--wrap=malloc,--wrap=calloc \
	-Wl,--wrap=realloc,--wrap=free
FAILALLOC_FILES = tests/failalloc.c tests/failalloc.h

# For programs whose ranks outnumber the processors; plink's own tools get the same by
# LD_PRELOAD.
check_LIBRARIES += libplink-test-yield.a
libplink_test_yield_a_SOURCES = bench/yield-block.c tests/yield.c
libplink_test_yield_a_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS)
MPI_TEST_LIBS = bench/libplink_test_yield_a-yield-block.$(OBJEXT) $(MPI_LIBS)
MPICH_TEST_LIBS = tests/libplink_test_yield_a-yield.$(OBJEXT) $(MPICH_LIBS)

check_PROGRAMS += libplink-test-yield.so
libplink_test_yield_so_SOURCES = tests/yield.c
libplink_test_yield_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS)
libplink_test_yield_so_LDFLAGS = -shared

SOLVE_TEST_LIBS = $(SOLVER_A) $(UNIT_LIBS) $(THREAD_LIBS)

PROBE_TEST_LIBS = $(PROBE_LIBS) $(UNIT_LIBS)

AUDIT_TEST_LIBS = $(AUDIT_LIBS) $(UNIT_LIBS)

EXTRA_DIST += tests/slurm.sh tests/ssh.sh tests/strangers.py tests/thesis.sh

TOPOLOGY_TEST_LIBS = $(TOPOLOGY_A) $(UNIT_LIBS) $(JANSSON_LIBS)
PLANNER_TEST_LIBS = $(PLANNER_A) $(UNIT_LIBS) $(JANSSON_LIBS)
TRANSIENT_TEST_LIBS = $(TRANSIENT_A) $(PLANNER_TEST_LIBS)
LEARNED_TEST_LIBS = $(LEARNED_A) $(PLANNER_TEST_LIBS) $(XGBOOST_LIBS)
