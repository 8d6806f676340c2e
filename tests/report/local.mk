# SPDX-License-Identifier: BSD-3-Clause
# Tests of report/.
UNIT_TESTS += \
	tests/report/unit-report tests/report/unit-report-alloc
TOOL_TESTS += \
	tests/report/1500-report.t \
	tests/report/1510-report-browser.t \
	tests/report/1520-report-terminal.t \
	tests/report/1530-report-statistics.t \
	tests/report/1540-report-schedule.t
EXTRA_DIST += \
	tests/report/devtools.py tests/report/report.py

tests_report_unit_report_SOURCES = tests/report/unit-report.c tests/tap.h
tests_report_unit_report_LDADD = $(REPORT_LIBS)
tests_report_unit_report_alloc_SOURCES = tests/report/unit-report-alloc.c \
	tests/base/matrix-text.h tests/tap.h $(FAILALLOC_FILES)
tests_report_unit_report_alloc_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_report_unit_report_alloc_LDADD = $(REPORT_LIBS)
