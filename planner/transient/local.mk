# SPDX-License-Identifier: BSD-3-Clause
# Machines that may be taken away: what that costs a job. Only this planner needs libsvm.
noinst_LIBRARIES += libplink-transient.a
libplink_transient_a_SOURCES = \
	planner/transient/folds.c \
	planner/transient/hours.c planner/transient/hours.h \
	planner/transient/interval.c planner/transient/interval.h \
	planner/transient/job.c planner/transient/job.h \
	planner/transient/lifetimes.c planner/transient/lifetimes.h \
	planner/transient/lifetimes-read.c \
	planner/transient/prices.c planner/transient/prices.h \
	planner/transient/regress.c planner/transient/regress.h \
	planner/transient/replay.c planner/transient/replay.h \
	planner/transient/risk.c planner/transient/risk.h \
	planner/transient/samples.c planner/transient/samples.h \
	planner/transient/survival.c planner/transient/survival.h \
	planner/transient/svr.h \
	planner/transient/trace.c planner/transient/trace.h
if HAVE_SVM
libplink_transient_a_SOURCES += planner/transient/svr.c
else
libplink_transient_a_SOURCES += planner/transient/svr-none.c
endif
libplink_transient_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
TRANSIENT_A = libplink-transient.a $(PLANNER_A) $(SVM_LIBS)
TRANSIENT_LIBS = $(TRANSIENT_A) $(PLANNER_LIBS)
