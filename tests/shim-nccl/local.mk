# SPDX-License-Identifier: BSD-3-Clause
# A libnccl.so.2 that needs no GPU, and programs that use NCCL: they go with a
# preload library that knows nothing of sanitizers, and so are built without.
NCCL_TEST_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS)
EXTRA_DIST += tests/shim-nccl/exports.awk tests/shim-nccl/nccl.sh tests/shim-nccl/README

check_LIBRARIES += libplink-test-nccl.a
libplink_test_nccl_a_SOURCES = \
	tests/shim-nccl/double/api-collectives.c \
	tests/shim-nccl/double/api-comm.c \
	tests/shim-nccl/double/api-library.c \
	tests/shim-nccl/double/api-life.c \
	tests/shim-nccl/double/api-newer.c \
	tests/shim-nccl/double/board.c tests/shim-nccl/double/board.h \
	tests/shim-nccl/double/comm.c tests/shim-nccl/double/double.h \
	tests/shim-nccl/double/group.c \
	tests/shim-nccl/double/held.c \
	tests/shim-nccl/double/jobs.c \
	tests/shim-nccl/double/log.c \
	tests/shim-nccl/double/move.c \
	tests/shim-nccl/double/ops.c \
	tests/shim-nccl/double/reduce.c \
	tests/shim-nccl/double/signal.c \
	tests/shim-nccl/double/stream.c \
	tests/shim-nccl/types.c tests/shim-nccl/types.h
libplink_test_nccl_a_CFLAGS = $(NCCL_TEST_CFLAGS)
EXTRA_DIST += tests/shim-nccl/double/version.c

# The versions that it can be: one from before ncclCommSplit, one that is in use,
# the newest that the table knows, and one with a name that nobody knows.
NCCL_DOUBLES = tests/shim-nccl/2.17/libnccl.so.2 tests/shim-nccl/2.28/libnccl.so.2 \
	tests/shim-nccl/2.30/libnccl.so.2 tests/shim-nccl/2.31/libnccl.so.2
check_DATA += $(NCCL_DOUBLES)
CLEANFILES += $(NCCL_DOUBLES) $(NCCL_DOUBLES:%=%.map)
NCCL_DOUBLE_NEEDS = libplink-test-nccl.a tests/shim-nccl/double/version.c \
	tests/shim-nccl/exports.awk shim/nccl/functions
nccl_double = $(AM_V_at)$(MKDIR_P) $(@D) && \
	$(AWK) -v version=$(1) -v also="$(3)" \
	-f $(srcdir)/tests/shim-nccl/exports.awk \
	$(srcdir)/shim/nccl/functions >$@.map && \
	$(CC) -I$(srcdir) -I. -DHAVE_CONFIG_H $(NCCL_TEST_CFLAGS) $(CFLAGS) \
	-fPIC -shared -DDOUBLE_VERSION=$(2) -o $@ \
	-Wl,-soname,libnccl.so.2 -Wl,--version-script=$@.map \
	$(srcdir)/tests/shim-nccl/double/version.c \
	-Wl,--whole-archive libplink-test-nccl.a \
	-Wl,--no-whole-archive -ldl -lpthread -lm
tests/shim-nccl/2.17/libnccl.so.2: $(NCCL_DOUBLE_NEEDS)
	$(call nccl_double,2.17.1,21701,)
tests/shim-nccl/2.28/libnccl.so.2: $(NCCL_DOUBLE_NEEDS)
	$(call nccl_double,2.28.9,22809,)
tests/shim-nccl/2.30/libnccl.so.2: $(NCCL_DOUBLE_NEEDS)
	$(call nccl_double,2.30.7,23007,)
tests/shim-nccl/2.31/libnccl.so.2: $(NCCL_DOUBLE_NEEDS)
	$(call nccl_double,2.31.0,23100,ncclNewest)

# A libcuda.so.1 for programs that open it.
EXTRA_DIST += tests/shim-nccl/cuda.c
NCCL_CUDA = tests/shim-nccl/cuda/libcuda.so.1
check_DATA += $(NCCL_CUDA)
CLEANFILES += $(NCCL_CUDA)
$(NCCL_CUDA): tests/shim-nccl/cuda.c
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) -I$(srcdir) -I. -DHAVE_CONFIG_H $(NCCL_TEST_CFLAGS) \
		$(CFLAGS) -fPIC -shared -Wl,-soname,libcuda.so.1 -o $@ \
		$(srcdir)/tests/shim-nccl/cuda.c
TOOL_TESTS += tests/shim-nccl/1124-nccl-bw.t
UNIT_TESTS += tests/shim-nccl/unit-nccl-bw
tests_shim_nccl_unit_nccl_bw_SOURCES = tests/shim-nccl/unit-nccl-bw.c \
	src/nccl-bw/matrix.c src/nccl-bw/nccl-bw.h
tests_shim_nccl_unit_nccl_bw_LDADD = $(UNIT_LIBS) -lm

NCCL_JOB_FILES = tests/shim-nccl/device.c tests/shim-nccl/device.h \
	tests/shim-nccl/job.c tests/shim-nccl/job.h tests/shim-nccl/types.c tests/shim-nccl/types.h
NCCL_LIFE_FILES = tests/shim-nccl/life.h tests/shim-nccl/life-use.c $(NCCL_JOB_FILES)
NCCL_JOB_LIBS = tests/shim-nccl/2.28/libnccl.so.2 -ldl -lpthread -lm
check_PROGRAMS += tests/shim-nccl/matrix tests/shim-nccl/life tests/shim-nccl/astray
tests_shim_nccl_matrix_SOURCES = tests/shim-nccl/matrix.c $(NCCL_JOB_FILES)
tests_shim_nccl_matrix_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_matrix_LDFLAGS =
tests_shim_nccl_matrix_LDADD = $(NCCL_JOB_LIBS)
tests_shim_nccl_life_SOURCES = tests/shim-nccl/life.c $(NCCL_LIFE_FILES) \
	tests/shim-nccl/life-end.c tests/shim-nccl/life-make.c tests/shim-nccl/life-memory.c \
	tests/shim-nccl/life-own.c \
	tests/shim-nccl/life-split.c tests/shim-nccl/life-stuck.c \
	tests/shim-nccl/life-threads.c \
	tests/shim-nccl/life-wrong.c
tests_shim_nccl_life_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_life_LDFLAGS =
tests_shim_nccl_life_LDADD = $(NCCL_JOB_LIBS)
check_PROGRAMS += tests/shim-nccl/levels
tests_shim_nccl_levels_SOURCES = tests/shim-nccl/levels.c $(NCCL_JOB_FILES)
tests_shim_nccl_levels_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_levels_LDFLAGS =
tests_shim_nccl_levels_LDADD = $(NCCL_JOB_LIBS)
TOOL_TESTS += tests/shim-nccl/1132-nccl-two-level.t
check_PROGRAMS += tests/shim-nccl/newer
tests_shim_nccl_newer_SOURCES = tests/shim-nccl/newer.c $(NCCL_LIFE_FILES)
tests_shim_nccl_newer_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_newer_LDFLAGS =
tests_shim_nccl_newer_LDADD = tests/shim-nccl/2.30/libnccl.so.2 -ldl -lpthread -lm
TOOL_TESTS += tests/shim-nccl/1115-nccl-refused.t tests/shim-nccl/1118-nccl-newer.t \
	tests/shim-nccl/1119-nccl-unknown.t
tests_shim_nccl_astray_SOURCES = tests/shim-nccl/astray.c $(NCCL_JOB_FILES)
tests_shim_nccl_astray_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_astray_LDFLAGS =
tests_shim_nccl_astray_LDADD = $(NCCL_JOB_LIBS)
check_PROGRAMS += tests/shim-nccl/counted
tests_shim_nccl_counted_SOURCES = tests/shim-nccl/counted.c $(NCCL_JOB_FILES)
tests_shim_nccl_counted_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_counted_LDFLAGS =
tests_shim_nccl_counted_LDADD = $(NCCL_JOB_LIBS)

# Programs that come to NCCL in other ways than by linking with it as it is.
check_PROGRAMS += tests/shim-nccl/linked tests/shim-nccl/linked-rpath \
	tests/shim-nccl/linked-newest tests/shim-nccl/linked-static tests/shim-nccl/opened
NCCL_LINKED_FILES = tests/shim-nccl/linked.c tests/shim-nccl/device.c \
	tests/shim-nccl/device.h tests/shim-nccl/job.c tests/shim-nccl/job.h
tests_shim_nccl_linked_SOURCES = $(NCCL_LINKED_FILES)
tests_shim_nccl_linked_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_linked_LDFLAGS =
tests_shim_nccl_linked_LDADD = $(NCCL_JOB_LIBS)
tests_shim_nccl_linked_rpath_SOURCES = $(NCCL_LINKED_FILES)
tests_shim_nccl_linked_rpath_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_linked_rpath_LDFLAGS = -Wl,--disable-new-dtags \
	-Wl,-rpath,$(abs_builddir)/tests/shim-nccl/2.28
tests_shim_nccl_linked_rpath_LDADD = $(NCCL_JOB_LIBS)
tests_shim_nccl_linked_newest_SOURCES = $(NCCL_LINKED_FILES)
tests_shim_nccl_linked_newest_CPPFLAGS = $(AM_CPPFLAGS) -DNEWEST
tests_shim_nccl_linked_newest_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_linked_newest_LDFLAGS = -Wl,-z,lazy
tests_shim_nccl_linked_newest_LDADD = tests/shim-nccl/2.31/libnccl.so.2 \
	-ldl -lpthread -lm
tests_shim_nccl_linked_static_SOURCES = $(NCCL_LINKED_FILES) \
	tests/shim-nccl/double/version.c
tests_shim_nccl_linked_static_CPPFLAGS = $(AM_CPPFLAGS) -DDOUBLE_VERSION=22809
tests_shim_nccl_linked_static_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_linked_static_LDFLAGS =
tests_shim_nccl_linked_static_LDADD = libplink-test-nccl.a -ldl -lpthread -lm
tests_shim_nccl_opened_SOURCES = tests/shim-nccl/opened.c
tests_shim_nccl_opened_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_opened_LDFLAGS =
tests_shim_nccl_opened_LDADD = -ldl
EXTRA_DIST += tests/shim-nccl/opened.py

# A library that writes down what it is called with, and a program that calls all
# there is by both its names.
EXTRA_DIST += tests/shim-nccl/forwards.awk
NCCL_FORWARDS = tests/shim-nccl/recorder.c tests/shim-nccl/caller.c
CLEANFILES += $(NCCL_FORWARDS) tests/shim-nccl/recorder/libnccl.so.2
$(NCCL_FORWARDS): tests/shim-nccl/%.c: $(srcdir)/tests/shim-nccl/forwards.awk \
		shim/nccl/prototypes.h
	$(AM_V_at)$(MKDIR_P) tests/shim-nccl
	$(AM_V_GEN)$(AWK) -v make=$* -f $(srcdir)/tests/shim-nccl/forwards.awk \
		shim/nccl/prototypes.h >$@.tmp && mv $@.tmp $@
check_DATA += tests/shim-nccl/recorder/libnccl.so.2
tests/shim-nccl/recorder/libnccl.so.2: tests/shim-nccl/recorder.c \
		tests/shim-nccl/forwards.c tests/shim-nccl/forwards.h
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) -I$(srcdir) -I. -DHAVE_CONFIG_H $(NCCL_TEST_CFLAGS) \
		$(CFLAGS) -fPIC -shared -Wl,-soname,libnccl.so.2 -o $@ \
		tests/shim-nccl/recorder.c $(srcdir)/tests/shim-nccl/forwards.c
check_PROGRAMS += tests/shim-nccl/caller
tests_shim_nccl_caller_SOURCES = tests/shim-nccl/forwards.c tests/shim-nccl/forwards.h
nodist_tests_shim_nccl_caller_SOURCES = tests/shim-nccl/caller.c
tests_shim_nccl_caller_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_caller_LDFLAGS =
tests_shim_nccl_caller_LDADD = tests/shim-nccl/recorder/libnccl.so.2
TOOL_TESTS += tests/shim-nccl/1117-nccl-forwards.t

# A program that calls the profiler plugin in NCCL's place.
check_PROGRAMS += tests/shim-nccl/profiled
tests_shim_nccl_profiled_SOURCES = tests/shim-nccl/profiled.c
tests_shim_nccl_profiled_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_profiled_LDFLAGS =
tests_shim_nccl_profiled_LDADD = -ldl -lpthread
TOOL_TESTS += tests/shim-nccl/1122-nccl-profiler.t

# One that asks the tuner plugin in NCCL's place.
check_PROGRAMS += tests/shim-nccl/tuned
tests_shim_nccl_tuned_SOURCES = tests/shim-nccl/tuned.c
tests_shim_nccl_tuned_CFLAGS = $(NCCL_TEST_CFLAGS)
tests_shim_nccl_tuned_LDFLAGS =
tests_shim_nccl_tuned_LDADD = -ldl
TOOL_TESTS += tests/shim-nccl/1126-nccl-tuner.t

# For a machine with a GPU; the double in its place, where there is none.
EXTRA_DIST += tests/gpu/run tests/gpu/parts.sh tests/gpu/checks.sh \
	tests/gpu/train.py
TOOL_TESTS += tests/shim-nccl/1142-nccl-gpu.t

TOOL_TESTS += tests/shim-nccl/1120-nccl-double.t tests/shim-nccl/1130-nccl-shim.t \
	tests/shim-nccl/1140-nccl-load.t

UNIT_TESTS += \
	tests/shim-nccl/unit-nccl-tables
TOOL_TESTS += \
	tests/shim-nccl/1110-nccl-abi.t tests/shim-nccl/1112-nccl-library.t \
	tests/shim-nccl/1114-nccl-decides.t tests/shim-nccl/1116-nccl-stats.t

tests_shim_nccl_unit_nccl_tables_SOURCES = tests/shim-nccl/unit-nccl-tables.c \
	shim/nccl/cache.c \
	shim/nccl/comms.c shim/nccl/comms.h \
	shim/nccl/handles.c shim/nccl/handles.h \
	shim/nccl/same-host.c shim/nccl/same-host.h
tests_shim_nccl_unit_nccl_tables_LDADD = $(UNIT_LIBS) $(THREAD_LIBS)
