# SPDX-License-Identifier: BSD-3-Clause
# The emulated cluster: plink-testbed.
noinst_PROGRAMS += plink-testbed

noinst_LIBRARIES += libplink-testbed.a
libplink_testbed_a_SOURCES = \
	tests/testbed/network/calibrate.c tests/testbed/network/calibrate.h \
	tests/testbed/network/chance.c tests/testbed/network/chance.h \
	tests/testbed/change.c tests/testbed/change.h \
	tests/testbed/cluster.c tests/testbed/cluster.h \
	tests/testbed/cmd-change.c \
	tests/testbed/cmd-exec.c tests/testbed/commands.h \
	tests/testbed/cmd-matrix.c \
	tests/testbed/cmd-schedule.c \
	tests/testbed/cmd-status.c \
	tests/testbed/cmd-trips.c \
	tests/testbed/cmd-up.c \
	tests/testbed/cpu.c tests/testbed/cpu.h \
	tests/testbed/down.c \
	tests/testbed/network/engine.c tests/testbed/network/engine.h \
	tests/testbed/network/generate.c tests/testbed/network/generate.h \
	tests/testbed/network/heap.c tests/testbed/network/heap.h \
	tests/testbed/holder.c tests/testbed/holder.h \
	tests/testbed/network/ledger.c tests/testbed/network/ledger.h \
	tests/testbed/network/netdev.c tests/testbed/network/netdev.h \
	tests/testbed/options.c tests/testbed/options.h \
	tests/testbed/proc.c tests/testbed/proc.h \
	tests/testbed/network/rates.c tests/testbed/network/rates.h \
	tests/testbed/records.c \
	tests/testbed/running.c tests/testbed/running.h \
	tests/testbed/schedule.c tests/testbed/schedule.h \
	tests/testbed/show-rates.c tests/testbed/show-rates.h \
	tests/testbed/session.c tests/testbed/session.h \
	tests/testbed/state.c tests/testbed/state.h \
	tests/testbed/network/topology.c tests/testbed/network/topology.h \
	tests/testbed/network/trace.c tests/testbed/network/trace.h \
	tests/testbed/network/trips.c tests/testbed/network/trips.h \
	tests/testbed/wire.c tests/testbed/wire.h
libplink_testbed_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
TESTBED_A = libplink-testbed.a $(JANSSON_LIBS) $(BASE_A)

plink_testbed_SOURCES = tests/testbed/plink-testbed.c
plink_testbed_LDADD = $(TESTBED_A) $(TOOL_A) $(JANSSON_LIBS) $(RNG_LIBS)

UNIT_TESTS += \
	tests/testbed/unit-testbed-chance \
	tests/testbed/unit-testbed-heap \
	tests/testbed/unit-testbed-proc \
	tests/testbed/unit-testbed-rates \
	tests/testbed/unit-testbed-topology \
	tests/testbed/unit-testbed-trips
TOOL_TESTS += \
	tests/testbed/0500-testbed-life.t \
	tests/testbed/0510-testbed-input.t \
	tests/testbed/0520-testbed-delay.t \
	tests/testbed/0525-testbed-change.t \
	tests/testbed/0526-testbed-rates.t \
	tests/testbed/0528-testbed-cpu.t \
	tests/testbed/0530-testbed-mpi.t
TESTBED_TEST_LIBS = $(TESTBED_A) $(UNIT_LIBS)
tests_testbed_unit_testbed_chance_SOURCES = tests/testbed/unit-testbed-chance.c
tests_testbed_unit_testbed_chance_LDADD = $(TESTBED_TEST_LIBS)
tests_testbed_unit_testbed_heap_SOURCES = tests/testbed/unit-testbed-heap.c
tests_testbed_unit_testbed_heap_LDADD = $(TESTBED_TEST_LIBS)
tests_testbed_unit_testbed_proc_SOURCES = tests/testbed/unit-testbed-proc.c
tests_testbed_unit_testbed_proc_LDADD = $(TESTBED_TEST_LIBS)
tests_testbed_unit_testbed_rates_SOURCES = tests/testbed/unit-testbed-rates.c
tests_testbed_unit_testbed_rates_LDADD = $(TESTBED_TEST_LIBS)
tests_testbed_unit_testbed_topology_SOURCES = tests/testbed/unit-testbed-topology.c
tests_testbed_unit_testbed_topology_LDADD = $(TESTBED_TEST_LIBS)
tests_testbed_unit_testbed_trips_SOURCES = tests/testbed/unit-testbed-trips.c
tests_testbed_unit_testbed_trips_LDADD = $(TESTBED_A) $(PROBE_TEST_LIBS)
