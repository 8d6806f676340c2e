# SPDX-License-Identifier: BSD-3-Clause
# The emulated cluster: plink-testbed.
noinst_PROGRAMS += plink-testbed

TESTBED_SOURCES = \
	tests/testbed/calibrate.c tests/testbed/calibrate.h \
	tests/testbed/cluster.c tests/testbed/cluster.h \
	tests/testbed/cmd-exec.c tests/testbed/commands.h \
	tests/testbed/cmd-matrix.c \
	tests/testbed/cmd-status.c \
	tests/testbed/cmd-up.c \
	tests/testbed/down.c \
	tests/testbed/engine.c tests/testbed/engine.h \
	tests/testbed/generate.c tests/testbed/generate.h \
	tests/testbed/heap.c tests/testbed/heap.h \
	tests/testbed/holder.c tests/testbed/holder.h \
	tests/testbed/ledger.c tests/testbed/ledger.h \
	tests/testbed/netdev.c tests/testbed/netdev.h \
	tests/testbed/options.c tests/testbed/options.h \
	tests/testbed/proc.c tests/testbed/proc.h \
	tests/testbed/rates.c tests/testbed/rates.h \
	tests/testbed/records.c \
	tests/testbed/session.c tests/testbed/session.h \
	tests/testbed/state.c tests/testbed/state.h \
	tests/testbed/topology.c tests/testbed/topology.h \
	tests/testbed/wire.c tests/testbed/wire.h

plink_testbed_SOURCES = tests/testbed/plink-testbed.c $(TESTBED_SOURCES)
plink_testbed_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_testbed_LDADD = libplink-core.la $(RNG_LIBS) $(JANSSON_LIBS) -lm
