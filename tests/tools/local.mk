# SPDX-License-Identifier: BSD-3-Clause
# Tests of tools that have no folder of their own here.
UNIT_TESTS += \
	tests/tools/unit-communicator \
	tests/tools/unit-doctor tests/tools/unit-exec tests/tools/unit-lib \
	tests/tools/unit-no-memory \
	tests/tools/unit-progress tests/tools/unit-tool
TOOL_TESTS += \
	tests/tools/0030-run.t tests/tools/0040-tools.t tests/tools/0050-files.t \
	tests/tools/0060-readonly.t \
	tests/tools/1100-exec.t tests/tools/1101-exec-lightgbm.t \
	tests/tools/1102-exec-torchrun.t tests/tools/1103-exec-hidden.t \
	tests/tools/1104-exec-slurm.t \
	tests/tools/1106-exec-xgboost.t tests/tools/1108-slurm-filter.t \
	tests/tools/1150-lightgbm.t tests/tools/1152-xgboost.t \
	tests/tools/1400-library.t \
	tests/tools/1402-library-allreduce.t tests/tools/1404-hub.t tests/tools/1406-hub-jobs.t \
	tests/tools/1407-hub-forged.t tests/tools/1409-hub-secrets.t \
	tests/tools/1408-hub-async.t \
	tests/tools/1410-completion.t tests/tools/1420-packaging.t \
	tests/tools/1422-kubernetes.t \
	tests/tools/1430-doctor.t tests/tools/1435-doctor-testbed.t
EXTRA_DIST += \
	tests/tools/hubs.sh tests/tools/rabit-trees \
	tests/tools/rabit_tracker.py tests/tools/ranks.py \
	tests/tools/torchrun-names.py

if HAVE_XGBOOST
check_PROGRAMS += tests/tools/xgboost-worker
endif
tests_tools_xgboost_worker_SOURCES = tests/tools/xgboost-worker.c \
	tests/costmodels/pattern-traffic.h
tests_tools_xgboost_worker_LDADD = $(COST_A) $(BASE_A) $(XGBOOST_LIBS)

check_PROGRAMS += tests/tools/hub-async
tests_tools_hub_async_SOURCES = tests/tools/hub-async.c
tests_tools_hub_async_LDFLAGS = $(AM_LDFLAGS) $(FIND_LIBPLINK)
tests_tools_hub_async_LDADD = libplink.so

tests_tools_unit_tool_SOURCES = tests/tools/unit-tool.c
tests_tools_unit_tool_LDADD = $(TOOL_A) $(UNIT_LIBS)
tests_tools_unit_progress_SOURCES = tests/tools/unit-progress.c tests/tap.h
tests_tools_unit_progress_LDADD = $(TOOL_A) $(UNIT_LIBS)
tests_tools_unit_doctor_SOURCES = tests/tools/unit-doctor.c $(FAILALLOC_FILES) \
	src/doctor/facts.c src/doctor/judge.c src/doctor/judge-clock.c \
	src/doctor/judge-ring.c src/doctor/script.c src/doctor/show.c \
	src/doctor/json.c
tests_tools_unit_doctor_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_tools_unit_doctor_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_tools_unit_doctor_LDADD = $(TOOL_A) $(PROBE_TEST_LIBS) $(JANSSON_LIBS)
tests_tools_unit_exec_SOURCES = tests/tools/unit-exec.c $(FAILALLOC_FILES) \
	src/exec/change.c src/exec/commands.c src/exec/hidden.c \
	src/exec/lightgbm.c src/exec/machines.c src/exec/numbers.c \
	src/exec/program.c src/exec/seat.c src/exec/torchrun.c \
	src/exec/where.c shim/ranks.c shim/self.c
tests_tools_unit_exec_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_tools_unit_exec_LDADD = $(TOOL_A) -lm
tests_tools_unit_communicator_SOURCES = tests/tools/unit-communicator.c
tests_tools_unit_communicator_LDFLAGS = $(AM_LDFLAGS) $(FIND_LIBPLINK)
tests_tools_unit_communicator_LDADD = libplink.so -lpthread
tests_tools_unit_no_memory_SOURCES = tests/tools/unit-no-memory.c \
	$(FAILALLOC_FILES) lib/communicator.c lib/error.c lib/hubs.c \
	lib/parameters.c lib/proof.c lib/rendezvous.c lib/schedule-file.c \
	lib/service.c shim/self.c src/hub/async.c src/hub/jobs.c src/hub/serve.c \
	src/hub/team.c
tests_tools_unit_no_memory_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
tests_tools_unit_no_memory_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_tools_unit_no_memory_LDADD = $(TOOL_A) $(ENGINE_A) $(UNIT_LIBS) \
	$(SODIUM_LIBS) $(THREAD_LIBS)
tests_tools_unit_lib_SOURCES = tests/tools/unit-lib.c
tests_tools_unit_lib_LDFLAGS = $(AM_LDFLAGS) $(FIND_LIBPLINK)
tests_tools_unit_lib_LDADD = libplink.so -lm
