# SPDX-License-Identifier: BSD-3-Clause
# What a job sends in a step: its communicators, and their calls.
noinst_LIBRARIES += libplink-job.a
libplink_job_a_SOURCES = \
	job/job.c job/job.h \
	job/job-read.c job/job-write.c \
	job/layout.c job/layout.h \
	job/layout-complete.c job/layout-write.c \
	job/mesh.c job/mesh.h
JOB_A = libplink-job.a $(COST_A)
