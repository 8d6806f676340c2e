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

UNIT_TESTS += tests/job/unit-import
tests_job_unit_import_SOURCES = tests/job/unit-import.c $(FAILALLOC_FILES)
tests_job_unit_import_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_job_unit_import_LDADD = $(IMPORT_A) $(UNIT_LIBS)

TOOL_TESTS += tests/job/1380-job.t tests/job/1385-job-import.t \
	tests/job/1387-job-recorders.t
EXTRA_DIST += tests/data/job/flight-h100.json tests/data/job/ras-h100.json
