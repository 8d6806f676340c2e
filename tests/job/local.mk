# SPDX-License-Identifier: BSD-3-Clause
# Tests of job/.
UNIT_TESTS += tests/job/unit-job
tests_job_unit_job_SOURCES = tests/job/unit-job.c $(FAILALLOC_FILES)
tests_job_unit_job_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_job_unit_job_LDADD = $(JOB_A) $(UNIT_LIBS)

UNIT_TESTS += tests/job/unit-layout
tests_job_unit_layout_SOURCES = tests/job/unit-layout.c $(FAILALLOC_FILES)
tests_job_unit_layout_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_job_unit_layout_LDADD = $(JOB_A) $(UNIT_LIBS)
