# SPDX-License-Identifier: BSD-3-Clause
# Tests of audit/.
UNIT_TESTS += \
	tests/audit/unit-audit-memory tests/audit/unit-audit-merge \
	tests/audit/unit-audit-rounds tests/audit/unit-audit-stream
TOOL_TESTS += \
	tests/audit/0930-audit-captures.t tests/audit/0931-audit-monitoring.t \
	tests/audit/0932-audit-testbed.t tests/audit/0934-audit-gloo.t \
	tests/audit/0935-audit-show.t tests/audit/0936-audit-engine.t

if HAVE_MPI
check_PROGRAMS += tests/audit/mpi-collective
endif
tests_audit_mpi_collective_SOURCES = tests/audit/mpi-collective.c
tests_audit_mpi_collective_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_audit_mpi_collective_LDADD = $(MPI_TEST_LIBS)
if HAVE_PCAP
check_PROGRAMS += tests/audit/make-capture
endif
tests_audit_make_capture_SOURCES = tests/audit/make-capture.c
tests_audit_make_capture_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
tests_audit_make_capture_LDADD = $(PCAP_LIBS)
tests_audit_unit_audit_stream_SOURCES = tests/audit/unit-audit-stream.c
tests_audit_unit_audit_stream_LDADD = $(AUDIT_TEST_LIBS)
tests_audit_unit_audit_merge_SOURCES = tests/audit/unit-audit-merge.c
tests_audit_unit_audit_merge_LDADD = $(AUDIT_TEST_LIBS)
tests_audit_unit_audit_rounds_SOURCES = tests/audit/unit-audit-rounds.c
tests_audit_unit_audit_rounds_LDADD = $(AUDIT_TEST_LIBS)
tests_audit_unit_audit_memory_SOURCES = tests/audit/unit-audit-memory.c $(FAILALLOC_FILES)
tests_audit_unit_audit_memory_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_audit_unit_audit_memory_LDADD = $(AUDIT_TEST_LIBS)
if HAVE_GLOO
check_PROGRAMS += tests/audit/gloo-collective
endif
tests_audit_gloo_collective_SOURCES = tests/audit/gloo-collective.cc
tests_audit_gloo_collective_CXXFLAGS = -std=gnu++17 -Wall -Wextra $(BASE_CFLAGS)
tests_audit_gloo_collective_LDADD = $(GLOO_LIBS)
