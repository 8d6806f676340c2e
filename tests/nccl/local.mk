# SPDX-License-Identifier: BSD-3-Clause
# A libnccl.so.2 that needs no GPU, and programs that use NCCL: they go with a
# preload library that knows nothing of sanitizers, and so are built without.
NCCL_TEST_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS)
EXTRA_DIST += tests/nccl/exports.awk tests/nccl/nccl.sh tests/nccl/README

check_LTLIBRARIES += libplink-test-nccl.la
libplink_test_nccl_la_SOURCES = \
	tests/nccl/double/api-collectives.c \
	tests/nccl/double/api-comm.c \
	tests/nccl/double/api-library.c \
	tests/nccl/double/api-life.c \
	tests/nccl/double/api-newer.c \
	tests/nccl/double/board.c tests/nccl/double/board.h \
	tests/nccl/double/comm.c tests/nccl/double/double.h \
	tests/nccl/double/group.c \
	tests/nccl/double/held.c \
	tests/nccl/double/jobs.c \
	tests/nccl/double/log.c \
	tests/nccl/double/move.c \
	tests/nccl/double/ops.c \
	tests/nccl/double/reduce.c \
	tests/nccl/double/signal.c \
	tests/nccl/double/stream.c \
	tests/nccl/types.c tests/nccl/types.h
libplink_test_nccl_la_CFLAGS = $(NCCL_TEST_CFLAGS)
libplink_test_nccl_la_LDFLAGS =
EXTRA_DIST += tests/nccl/double/version.c

# The versions that it can be: one from before ncclCommSplit, one that is in use,
# the newest that the table knows, and one with a name that nobody knows.
NCCL_DOUBLES = tests/nccl/2.17/libnccl.so.2 tests/nccl/2.28/libnccl.so.2 \
	tests/nccl/2.30/libnccl.so.2 tests/nccl/2.31/libnccl.so.2
check_DATA = $(NCCL_DOUBLES)
CLEANFILES += $(NCCL_DOUBLES) $(NCCL_DOUBLES:%=%.map)
NCCL_DOUBLE_NEEDS = libplink-test-nccl.la tests/nccl/double/version.c \
	tests/nccl/exports.awk shim/nccl/functions
nccl_double = $(AM_V_at)$(MKDIR_P) $(@D) && \
	$(AWK) -v version=$(1) -v also="$(3)" \
	-f $(srcdir)/tests/nccl/exports.awk \
	$(srcdir)/shim/nccl/functions >$@.map && \
	$(CC) -I$(srcdir) -I. -DHAVE_CONFIG_H $(NCCL_TEST_CFLAGS) $(CFLAGS) \
	-fPIC -shared -DDOUBLE_VERSION=$(2) -o $@ \
	-Wl,-soname,libnccl.so.2 -Wl,--version-script=$@.map \
	$(srcdir)/tests/nccl/double/version.c \
	-Wl,--whole-archive .libs/libplink-test-nccl.a \
	-Wl,--no-whole-archive -ldl -lpthread -lm
tests/nccl/2.17/libnccl.so.2: $(NCCL_DOUBLE_NEEDS)
	$(call nccl_double,2.17.1,21701,)
tests/nccl/2.28/libnccl.so.2: $(NCCL_DOUBLE_NEEDS)
	$(call nccl_double,2.28.9,22809,)
tests/nccl/2.30/libnccl.so.2: $(NCCL_DOUBLE_NEEDS)
	$(call nccl_double,2.30.7,23007,)
tests/nccl/2.31/libnccl.so.2: $(NCCL_DOUBLE_NEEDS)
	$(call nccl_double,2.31.0,23100,ncclNewest)

NCCL_JOB_FILES = tests/nccl/device.c tests/nccl/device.h \
	tests/nccl/job.c tests/nccl/job.h tests/nccl/types.c tests/nccl/types.h
NCCL_LIFE_FILES = tests/nccl/life.h tests/nccl/life-use.c $(NCCL_JOB_FILES)
NCCL_JOB_LIBS = tests/nccl/2.28/libnccl.so.2 -ldl -lpthread -lm
check_PROGRAMS += tests/nccl/matrix tests/nccl/life tests/nccl/astray
tests_nccl_matrix_SOURCES = tests/nccl/matrix.c $(NCCL_JOB_FILES)
tests_nccl_matrix_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_matrix_LDFLAGS =
tests_nccl_matrix_LDADD = $(NCCL_JOB_LIBS)
tests_nccl_life_SOURCES = tests/nccl/life.c $(NCCL_LIFE_FILES) \
	tests/nccl/life-end.c tests/nccl/life-make.c tests/nccl/life-own.c \
	tests/nccl/life-split.c tests/nccl/life-stuck.c \
	tests/nccl/life-threads.c \
	tests/nccl/life-wrong.c
tests_nccl_life_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_life_LDFLAGS =
tests_nccl_life_LDADD = $(NCCL_JOB_LIBS)
check_PROGRAMS += tests/nccl/newer
tests_nccl_newer_SOURCES = tests/nccl/newer.c $(NCCL_LIFE_FILES)
tests_nccl_newer_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_newer_LDFLAGS =
tests_nccl_newer_LDADD = tests/nccl/2.30/libnccl.so.2 -ldl -lpthread -lm
TOOL_TESTS += tests/1115-nccl-refused.t tests/1118-nccl-newer.t \
	tests/1119-nccl-unknown.t
tests_nccl_astray_SOURCES = tests/nccl/astray.c $(NCCL_JOB_FILES)
tests_nccl_astray_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_astray_LDFLAGS =
tests_nccl_astray_LDADD = $(NCCL_JOB_LIBS)
check_PROGRAMS += tests/nccl/counted
tests_nccl_counted_SOURCES = tests/nccl/counted.c $(NCCL_JOB_FILES)
tests_nccl_counted_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_counted_LDFLAGS =
tests_nccl_counted_LDADD = $(NCCL_JOB_LIBS)

# Programs that come to NCCL in other ways than by linking with it as it is.
check_PROGRAMS += tests/nccl/linked tests/nccl/linked-rpath \
	tests/nccl/linked-newest tests/nccl/linked-static tests/nccl/opened
NCCL_LINKED_FILES = tests/nccl/linked.c tests/nccl/device.c \
	tests/nccl/device.h tests/nccl/job.c tests/nccl/job.h
tests_nccl_linked_SOURCES = $(NCCL_LINKED_FILES)
tests_nccl_linked_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_linked_LDFLAGS =
tests_nccl_linked_LDADD = $(NCCL_JOB_LIBS)
tests_nccl_linked_rpath_SOURCES = $(NCCL_LINKED_FILES)
tests_nccl_linked_rpath_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_linked_rpath_LDFLAGS = -Wl,--disable-new-dtags \
	-Wl,-rpath,$(abs_builddir)/tests/nccl/2.28
tests_nccl_linked_rpath_LDADD = $(NCCL_JOB_LIBS)
tests_nccl_linked_newest_SOURCES = $(NCCL_LINKED_FILES)
tests_nccl_linked_newest_CPPFLAGS = $(AM_CPPFLAGS) -DNEWEST
tests_nccl_linked_newest_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_linked_newest_LDFLAGS = -Wl,-z,lazy
tests_nccl_linked_newest_LDADD = tests/nccl/2.31/libnccl.so.2 \
	-ldl -lpthread -lm
tests_nccl_linked_static_SOURCES = $(NCCL_LINKED_FILES) \
	tests/nccl/double/version.c
tests_nccl_linked_static_CPPFLAGS = $(AM_CPPFLAGS) -DDOUBLE_VERSION=22809
tests_nccl_linked_static_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_linked_static_LDFLAGS =
tests_nccl_linked_static_LDADD = libplink-test-nccl.la -ldl -lpthread -lm
tests_nccl_opened_SOURCES = tests/nccl/opened.c
tests_nccl_opened_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_opened_LDFLAGS =
tests_nccl_opened_LDADD = -ldl
EXTRA_DIST += tests/nccl/opened.py

# A library that writes down what it is called with, and a program that calls all
# there is by both its names.
EXTRA_DIST += tests/nccl/forwards.awk
NCCL_FORWARDS = tests/nccl/recorder.c tests/nccl/caller.c
CLEANFILES += $(NCCL_FORWARDS) tests/nccl/recorder/libnccl.so.2
$(NCCL_FORWARDS): tests/nccl/%.c: $(srcdir)/tests/nccl/forwards.awk \
		shim/nccl/prototypes.h
	$(AM_V_at)$(MKDIR_P) tests/nccl
	$(AM_V_GEN)$(AWK) -v make=$* -f $(srcdir)/tests/nccl/forwards.awk \
		shim/nccl/prototypes.h >$@.tmp && mv $@.tmp $@
check_DATA += tests/nccl/recorder/libnccl.so.2
tests/nccl/recorder/libnccl.so.2: tests/nccl/recorder.c \
		tests/nccl/forwards.c tests/nccl/forwards.h
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) -I$(srcdir) -I. -DHAVE_CONFIG_H $(NCCL_TEST_CFLAGS) \
		$(CFLAGS) -fPIC -shared -Wl,-soname,libnccl.so.2 -o $@ \
		tests/nccl/recorder.c $(srcdir)/tests/nccl/forwards.c
check_PROGRAMS += tests/nccl/caller
tests_nccl_caller_SOURCES = tests/nccl/forwards.c tests/nccl/forwards.h
nodist_tests_nccl_caller_SOURCES = tests/nccl/caller.c
tests_nccl_caller_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_nccl_caller_LDFLAGS =
tests_nccl_caller_LDADD = tests/nccl/recorder/libnccl.so.2
TOOL_TESTS += tests/1117-nccl-forwards.t

# For a machine with a GPU; the double in its place, where there is none.
EXTRA_DIST += tests/gpu/run tests/gpu/parts.sh tests/gpu/checks.sh \
	tests/gpu/train.py
TOOL_TESTS += tests/1142-nccl-gpu.t

TOOL_TESTS += tests/1120-nccl-double.t tests/1130-nccl-shim.t \
	tests/1140-nccl-load.t
