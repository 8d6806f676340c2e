# SPDX-License-Identifier: BSD-3-Clause
# Tests of probes/.
UNIT_TESTS += \
	tests/probes/unit-address tests/probes/unit-again \
	tests/probes/unit-agent tests/probes/unit-control \
	tests/probes/unit-exchange tests/probes/unit-few \
	tests/probes/unit-flow \
	tests/probes/unit-guard tests/probes/unit-launch \
	tests/probes/unit-looks tests/probes/unit-meter tests/probes/unit-off \
	 tests/probes/unit-packet \
	tests/probes/unit-probe-run tests/probes/unit-prober \
	tests/probes/unit-push \
	tests/probes/unit-rounds tests/probes/unit-settle \
	tests/probes/unit-silence tests/probes/unit-verbs \
	tests/probes/unit-wire

tests_probes_unit_packet_SOURCES = tests/probes/unit-packet.c
tests_probes_unit_packet_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_settle_SOURCES = tests/probes/unit-settle.c
tests_probes_unit_settle_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_prober_SOURCES = tests/probes/unit-prober.c
tests_probes_unit_prober_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_exchange_SOURCES = tests/probes/unit-exchange.c
tests_probes_unit_exchange_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_control_SOURCES = tests/probes/unit-control.c
tests_probes_unit_control_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_launch_SOURCES = tests/probes/unit-launch.c
tests_probes_unit_launch_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_address_SOURCES = tests/probes/unit-address.c
tests_probes_unit_address_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_rounds_SOURCES = tests/probes/unit-rounds.c $(FAILALLOC_FILES)
tests_probes_unit_rounds_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_probes_unit_rounds_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_looks_SOURCES = tests/probes/unit-looks.c
tests_probes_unit_looks_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_few_SOURCES = tests/probes/unit-few.c $(FAILALLOC_FILES)
tests_probes_unit_few_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_probes_unit_few_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_again_SOURCES = tests/probes/unit-again.c $(FAILALLOC_FILES)
tests_probes_unit_again_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_probes_unit_again_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_verbs_SOURCES = tests/probes/unit-verbs.c
tests_probes_unit_verbs_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_silence_SOURCES = tests/probes/unit-silence.c
tests_probes_unit_silence_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_guard_SOURCES = tests/probes/unit-guard.c
tests_probes_unit_guard_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_wire_SOURCES = tests/probes/unit-wire.c
tests_probes_unit_wire_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_gettime
tests_probes_unit_wire_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_agent_SOURCES = tests/probes/unit-agent.c
tests_probes_unit_agent_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_flow_SOURCES = tests/probes/unit-flow.c
tests_probes_unit_flow_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_meter_SOURCES = tests/probes/unit-meter.c
tests_probes_unit_meter_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_push_SOURCES = tests/probes/unit-push.c
tests_probes_unit_push_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_probe_run_SOURCES = tests/probes/unit-probe-run.c $(FAILALLOC_FILES)
tests_probes_unit_probe_run_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_probes_unit_probe_run_LDADD = $(PROBE_TEST_LIBS)
tests_probes_unit_off_SOURCES = tests/probes/unit-off.c src/probe/choice.c src/probe/off.c \
	$(FAILALLOC_FILES)
tests_probes_unit_off_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_probes_unit_off_LDADD = $(TOOL_A) $(TOPOLOGY_A) $(EMBED_LIBS) $(PROBE_TEST_LIBS) \
	$(JANSSON_LIBS)
