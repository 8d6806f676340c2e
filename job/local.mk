# SPDX-License-Identifier: BSD-3-Clause
# What a job sends in a step: its communicators, and their calls.
noinst_LIBRARIES += libplink-job.a
libplink_job_a_SOURCES = \
	job/job.c job/job.h \
	job/job-read.c job/job-write.c \
	job/kind-words.c job/kind-words.h \
	job/layout.c job/layout.h \
	job/layout-complete.c job/layout-write.c \
	job/mesh.c job/mesh.h
JOB_A = libplink-job.a $(COST_A)

# What plink's own libraries count.
noinst_LIBRARIES += libplink-stats.a
libplink_stats_a_SOURCES = job/stats.c job/stats.h
libplink_stats_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

# Makes JSON of what import does not read.
dist_bin_SCRIPTS = job/import/plink_flight.py

# Readers of what others write of a job stand apart: they need JSON and zlib.
noinst_LIBRARIES += libplink-import.a
libplink_import_a_SOURCES = \
	job/import/audit.c \
	job/import/blocks.c job/import/blocks.h \
	job/import/execution.c \
	job/import/flight.c job/import/forms.h \
	job/import/guess.c \
	job/import/import.c job/import/import.h \
	job/import/joined.c job/import/joined.h \
	job/import/kinds.c job/import/kinds.h \
	job/import/kineto.c \
	job/import/monitoring.c \
	job/import/operation.c job/import/operation.h \
	job/import/nccl-log.c \
	job/import/ras.c \
	job/import/recording.c job/import/recording.h \
	job/import/stats.c
libplink_import_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
IMPORT_A = libplink-import.a libplink-stats.a libplink-audit.a $(JOB_A) $(JSON_A)
