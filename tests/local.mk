# SPDX-License-Identifier: BSD-3-Clause
# Tests: unit-X.c for the libraries, NNNN-theme.t for the tools.
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS) $(TOOL_TESTS)
EXTRA_DIST += tests/tap.h tests/tap.sh tests/layer.sh tests/machines.sh $(TOOL_TESTS)

UNIT_TESTS = \
	tests/unit-err tests/unit-hosts tests/unit-matrix \
	tests/unit-matrix-import tests/unit-number tests/unit-plan \
	tests/unit-stats tests/unit-text

TOOL_TESTS = \
	tests/0010-style.t \
	tests/0020-man.t \
	tests/0030-run.t \
	tests/0040-tools.t

# These judge times that they measure: nothing may run beside them. All others
# may, which "make check-beside" is for; "make check" runs all in turn.
ALONE_TESTS = \
	tests/unit-exchange tests/unit-prober tests/0520-testbed-delay.t \
	tests/0600-probe.t tests/0612-probe-extent.t \
	tests/0620-probe-testbed.t tests/0622-probe-wire.t \
	tests/0681-bandwidth-testbed.t tests/0687-bandwidth-few.t \
	tests/0740-order-live.t \
	tests/0840-end-to-end.t tests/1040-bench-shim.t \
	tests/1056-bench-shim-early.t tests/1058-bench-shim-machines.t \
	tests/1072-bench-shim-start.t

check-alone:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(ALONE_TESTS)'

check-beside:
	beside=; \
	for t in $(TESTS); do \
		case ' '$$(echo $(ALONE_TESTS))' ' in \
		*" $$t "*) ;; \
		*) beside="$$beside $$t" ;; \
		esac; \
	done; \
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$$beside"

.PHONY: check-alone check-beside

UNIT_LIBS = libplink-core.la $(RNG_LIBS) -lm

# Tests that refuse allocations: add tests/failalloc.c to their sources.
FAILALLOC_WRAP = -Wl,--wrap=malloc,--wrap=calloc \
	-Wl,--wrap=realloc,--wrap=free
FAILALLOC_FILES = tests/failalloc.c tests/failalloc.h

tests_unit_err_SOURCES = tests/unit-err.c
tests_unit_err_LDADD = $(UNIT_LIBS)

tests_unit_hosts_SOURCES = tests/unit-hosts.c $(FAILALLOC_FILES)
tests_unit_hosts_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_hosts_LDADD = $(UNIT_LIBS)

tests_unit_matrix_SOURCES = tests/unit-matrix.c tests/matrix-text.h
tests_unit_matrix_LDADD = $(UNIT_LIBS)

tests_unit_matrix_import_SOURCES = tests/unit-matrix-import.c \
	tests/matrix-text.h
tests_unit_matrix_import_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit-matrix-use tests/unit-matrix-write
tests_unit_matrix_use_SOURCES = tests/unit-matrix-use.c \
	tests/matrix-text.h $(FAILALLOC_FILES)
tests_unit_matrix_use_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_matrix_use_LDADD = $(UNIT_LIBS)
tests_unit_matrix_write_SOURCES = tests/unit-matrix-write.c \
	tests/matrix-text.h
tests_unit_matrix_write_LDADD = $(UNIT_LIBS)

TOOL_TESTS += tests/0100-matrix.t

UNIT_TESTS += tests/unit-tsplib
tests_unit_tsplib_SOURCES = tests/unit-tsplib.c tests/matrix-text.h
tests_unit_tsplib_LDADD = $(UNIT_LIBS)

tests_unit_number_SOURCES = tests/unit-number.c
tests_unit_number_LDADD = $(UNIT_LIBS)

tests_unit_plan_SOURCES = tests/unit-plan.c $(FAILALLOC_FILES)
tests_unit_plan_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_plan_LDADD = $(UNIT_LIBS)

tests_unit_stats_SOURCES = tests/unit-stats.c
tests_unit_stats_LDADD = $(UNIT_LIBS)

tests_unit_text_SOURCES = tests/unit-text.c $(FAILALLOC_FILES)
tests_unit_text_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_text_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit-examples
tests_unit_examples_SOURCES = tests/unit-examples.c
tests_unit_examples_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit-hostrange
tests_unit_hostrange_SOURCES = tests/unit-hostrange.c
tests_unit_hostrange_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit-size tests/unit-tiers
tests_unit_size_SOURCES = tests/unit-size.c
tests_unit_size_LDADD = $(UNIT_LIBS)
tests_unit_tiers_SOURCES = tests/unit-tiers.c tests/matrix-text.h
tests_unit_tiers_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit-tool
tests_unit_tool_SOURCES = tests/unit-tool.c
tests_unit_tool_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit-outfile
tests_unit_outfile_SOURCES = tests/unit-outfile.c
tests_unit_outfile_LDADD = $(UNIT_LIBS)

# reports
TOOL_TESTS += tests/1500-report.t tests/1510-report-browser.t \
	tests/1520-report-terminal.t
EXTRA_DIST += tests/devtools.py tests/report.py
UNIT_TESTS += tests/unit-report
tests_unit_report_SOURCES = tests/unit-report.c tests/tap.h
tests_unit_report_LDADD = $(REPORT_LIBS)
UNIT_TESTS += tests/unit-report-alloc
tests_unit_report_alloc_SOURCES = tests/unit-report-alloc.c \
	tests/matrix-text.h tests/tap.h $(FAILALLOC_FILES)
tests_unit_report_alloc_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_report_alloc_LDADD = $(REPORT_LIBS)
UNIT_TESTS += tests/unit-progress
tests_unit_progress_SOURCES = tests/unit-progress.c tests/tap.h
tests_unit_progress_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit-rng
tests_unit_rng_SOURCES = tests/unit-rng.c
tests_unit_rng_LDADD = $(UNIT_LIBS)

# costs and solvers
EXTRA_DIST += tests/solve.h
UNIT_TESTS += tests/unit-cost-ring tests/unit-ring-search tests/unit-ring-bound \
	tests/unit-points
SOLVE_TEST_LIBS = libplink-solver.la $(UNIT_LIBS) $(THREAD_LIBS)
tests_unit_cost_ring_SOURCES = tests/unit-cost-ring.c
tests_unit_cost_ring_LDADD = libplink-cost.la $(UNIT_LIBS)
UNIT_TESTS += tests/unit-ring-local
tests_unit_ring_local_SOURCES = tests/unit-ring-local.c tests/solve.h \
	tests/tap.h
tests_unit_ring_local_LDADD = $(SOLVE_TEST_LIBS)
UNIT_TESTS += tests/unit-ring-cross
tests_unit_ring_cross_SOURCES = tests/unit-ring-cross.c tests/solve.h \
	tests/tap.h
tests_unit_ring_cross_LDADD = $(SOLVE_TEST_LIBS)
tests_unit_ring_search_SOURCES = tests/unit-ring-search.c tests/solve.h \
	$(FAILALLOC_FILES)
tests_unit_ring_search_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_ring_search_LDADD = $(SOLVE_TEST_LIBS)
tests_unit_ring_bound_SOURCES = tests/unit-ring-bound.c tests/solve.h \
	$(FAILALLOC_FILES)
tests_unit_ring_bound_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_ring_bound_LDADD = $(SOLVE_TEST_LIBS)
tests_unit_points_SOURCES = tests/unit-points.c tests/solve.h \
	$(FAILALLOC_FILES)
tests_unit_points_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_points_LDADD = $(SOLVE_TEST_LIBS)
UNIT_TESTS += tests/unit-bottleneck
tests_unit_bottleneck_SOURCES = tests/unit-bottleneck.c tests/solve.h \
	$(FAILALLOC_FILES)
tests_unit_bottleneck_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_bottleneck_LDADD = $(SOLVE_TEST_LIBS)

# probes
UNIT_TESTS += tests/unit-packet tests/unit-schedule tests/unit-settle \
	tests/unit-prober tests/unit-exchange tests/unit-control \
	tests/unit-launch tests/unit-address
PROBE_TEST_LIBS = $(PROBE_LIBS) $(UNIT_LIBS)
tests_unit_packet_SOURCES = tests/unit-packet.c
tests_unit_packet_LDADD = $(PROBE_TEST_LIBS)
tests_unit_schedule_SOURCES = tests/unit-schedule.c
tests_unit_schedule_LDADD = $(PROBE_TEST_LIBS)
tests_unit_settle_SOURCES = tests/unit-settle.c
tests_unit_settle_LDADD = $(PROBE_TEST_LIBS)
tests_unit_prober_SOURCES = tests/unit-prober.c
tests_unit_prober_LDADD = $(PROBE_TEST_LIBS)
tests_unit_exchange_SOURCES = tests/unit-exchange.c
tests_unit_exchange_LDADD = $(PROBE_TEST_LIBS)
tests_unit_control_SOURCES = tests/unit-control.c
tests_unit_control_LDADD = $(PROBE_TEST_LIBS)
tests_unit_launch_SOURCES = tests/unit-launch.c
tests_unit_launch_LDADD = $(PROBE_TEST_LIBS)
tests_unit_address_SOURCES = tests/unit-address.c
tests_unit_address_LDADD = $(PROBE_TEST_LIBS)
TOOL_TESTS += tests/0690-probe-sparse.t tests/0692-probe-full.t
TOOL_TESTS += \
	tests/0600-probe.t tests/0610-probe-faults.t \
	tests/0620-probe-testbed.t tests/0622-probe-wire.t \
	tests/0640-probe-descriptors.t tests/0650-probe-push.t \
	tests/0652-probe-launchers.t tests/0654-probe-srun.t \
	tests/0655-probe-security.t tests/0657-probe-replay.t \
	tests/0658-probe-hostile.t tests/0660-probe-launch-faults.t \
	tests/0661-probe-tree.t tests/0662-probe-mpijob.t
UNIT_TESTS += tests/unit-audit-trips
tests_unit_audit_trips_SOURCES = tests/unit-audit-trips.c
tests_unit_audit_trips_LDADD = $(AUDIT_TEST_LIBS)
TOOL_TESTS += tests/0686-audit-rtt.t
UNIT_TESTS += tests/unit-fping
tests_unit_fping_SOURCES = tests/unit-fping.c
tests_unit_fping_LDADD = $(PROBE_TEST_LIBS)
TOOL_TESTS += tests/0680-bandwidth.t tests/0681-bandwidth-testbed.t \
	tests/0682-bandwidth-faults.t tests/0683-bandwidth-security.t \
	tests/0684-probe-fping.t tests/0685-bandwidth-ipv6.t \
	tests/0687-bandwidth-few.t
TOOL_TESTS += tests/0670-probe-mpi.t tests/0672-probe-mpich.t \
	tests/0674-probe-mpi-machines.t tests/0675-probe-mpich-machines.t
EXTRA_DIST += tests/probe-mpi.sh
UNIT_TESTS += tests/unit-priority
tests_unit_priority_SOURCES = tests/unit-priority.c
tests_unit_priority_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit-rounds
tests_unit_rounds_SOURCES = tests/unit-rounds.c $(FAILALLOC_FILES)
tests_unit_rounds_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_rounds_LDADD = $(PROBE_TEST_LIBS)
UNIT_TESTS += tests/unit-looks tests/unit-few tests/unit-again
tests_unit_looks_SOURCES = tests/unit-looks.c
tests_unit_looks_LDADD = $(PROBE_TEST_LIBS)
tests_unit_few_SOURCES = tests/unit-few.c $(FAILALLOC_FILES)
tests_unit_few_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_few_LDADD = $(PROBE_TEST_LIBS)
tests_unit_again_SOURCES = tests/unit-again.c $(FAILALLOC_FILES)
tests_unit_again_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_again_LDADD = $(PROBE_TEST_LIBS)
TOOL_TESTS += tests/0614-probe-4byte.t tests/0616-probe-killed.t \
	tests/0617-probe-alive.t tests/0619-probe-cut-off.t \
	tests/0618-probe-addresses.t
UNIT_TESTS += tests/unit-verbs tests/unit-silence tests/unit-guard
tests_unit_verbs_SOURCES = tests/unit-verbs.c
tests_unit_verbs_LDADD = $(PROBE_TEST_LIBS)
tests_unit_silence_SOURCES = tests/unit-silence.c
tests_unit_silence_LDADD = $(PROBE_TEST_LIBS)
tests_unit_guard_SOURCES = tests/unit-guard.c
tests_unit_guard_LDADD = $(PROBE_TEST_LIBS)
UNIT_TESTS += tests/unit-filter tests/unit-wire tests/unit-agent
tests_unit_filter_SOURCES = tests/unit-filter.c
tests_unit_filter_LDADD = $(PROBE_TEST_LIBS)
tests_unit_wire_SOURCES = tests/unit-wire.c
tests_unit_wire_LDADD = $(PROBE_TEST_LIBS)
tests_unit_agent_SOURCES = tests/unit-agent.c
tests_unit_agent_LDADD = $(PROBE_TEST_LIBS)
UNIT_TESTS += tests/unit-outbox tests/unit-frames
tests_unit_outbox_SOURCES = tests/unit-outbox.c $(FAILALLOC_FILES)
tests_unit_outbox_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_outbox_LDADD = $(PROBE_TEST_LIBS)
tests_unit_frames_SOURCES = tests/unit-frames.c $(FAILALLOC_FILES)
tests_unit_frames_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_frames_LDADD = $(PROBE_TEST_LIBS)
UNIT_TESTS += tests/unit-relay
tests_unit_relay_SOURCES = tests/unit-relay.c tests/relay-scene.h
tests_unit_relay_LDADD = $(PROBE_TEST_LIBS)
UNIT_TESTS += tests/unit-flow tests/unit-meter
tests_unit_flow_SOURCES = tests/unit-flow.c
tests_unit_flow_LDADD = $(PROBE_TEST_LIBS)
tests_unit_meter_SOURCES = tests/unit-meter.c
tests_unit_meter_LDADD = $(PROBE_TEST_LIBS)
UNIT_TESTS += tests/unit-push
tests_unit_push_SOURCES = tests/unit-push.c
tests_unit_push_LDADD = $(PROBE_TEST_LIBS)
UNIT_TESTS += tests/unit-probe-run
tests_unit_probe_run_SOURCES = tests/unit-probe-run.c $(FAILALLOC_FILES)
tests_unit_probe_run_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_probe_run_LDADD = $(PROBE_TEST_LIBS)

# plink-order
TOOL_TESTS += tests/0700-order-formats.t tests/0702-order-launchers.t \
	tests/0704-order-slurm.t tests/0706-order-nccl.t \
	tests/0710-order-rules.t \
	tests/0715-order-exact.t \
	tests/0720-order-refuses.t tests/0722-order-missing.t \
	tests/0730-order-verify.t \
	tests/0740-order-live.t tests/0750-order-algorithms.t \
	tests/0755-order-choose.t tests/0756-order-workload.t \
	tests/0757-order-ties.t \
	tests/0758-order-windows.t \
	tests/0760-order-predict.t tests/0765-order-forecast.t
ORDER_GOLDEN = hostfile seq rankfile names plan json report
EXTRA_DIST += tests/data/order/matrix \
	$(ORDER_GOLDEN:%=tests/data/order/%)
renew-order-golden: plink-order
	PLINK_GOLDEN=renew srcdir='$(abs_top_srcdir)' \
		builddir='$(abs_top_builddir)' \
		$(SHELL) $(srcdir)/tests/0700-order-formats.t
.PHONY: renew-order-golden
# plink-order --doctor
UNIT_TESTS += tests/unit-doctor
tests_unit_doctor_SOURCES = tests/unit-doctor.c $(FAILALLOC_FILES) \
	src/doctor/facts.c src/doctor/judge.c src/doctor/judge-clock.c \
	src/doctor/judge-ring.c src/doctor/script.c src/doctor/show.c \
	src/doctor/json.c
tests_unit_doctor_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_doctor_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_doctor_LDADD = $(PROBE_TEST_LIBS) $(JANSSON_LIBS)
TOOL_TESTS += tests/1430-doctor.t tests/1435-doctor-testbed.t
UNIT_TESTS += tests/unit-cover
tests_unit_cover_SOURCES = tests/unit-cover.c src/order/cover.c \
	$(FAILALLOC_FILES)
tests_unit_cover_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_cover_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit-order-child
tests_unit_order_child_SOURCES = tests/unit-order-child.c \
	src/order/launch.c
tests_unit_order_child_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit-nccl-choose
tests_unit_nccl_choose_SOURCES = tests/unit-nccl-choose.c src/order/nccl.c
tests_unit_nccl_choose_LDADD = -lm
UNIT_TESTS += tests/unit-exec
tests_unit_exec_SOURCES = tests/unit-exec.c $(FAILALLOC_FILES) \
	src/exec/change.c src/exec/lightgbm.c src/exec/machines.c \
	src/exec/numbers.c src/exec/program.c src/exec/seat.c \
	src/exec/torchrun.c src/exec/where.c shim/ranks.c shim/self.c
tests_unit_exec_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_exec_LDADD = libplink-core.la -lm
UNIT_TESTS += tests/unit-promise
tests_unit_promise_SOURCES = tests/unit-promise.c $(FAILALLOC_FILES) \
	src/order/blend.c src/order/candidates.c src/order/forecaster.c \
	src/order/network.c src/order/promise.c src/order/workload.c \
	src/order/workload-stats.c
tests_unit_promise_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_promise_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_promise_LDADD = libplink-orders.la libplink-predict.la $(UNIT_LIBS) \
	$(JANSSON_LIBS) $(THREAD_LIBS)
UNIT_TESTS += tests/unit-order-ring
tests_unit_order_ring_SOURCES = tests/unit-order-ring.c tests/solve.h
tests_unit_order_ring_LDADD = libplink-orders.la $(UNIT_LIBS) $(THREAD_LIBS)

UNIT_TESTS += tests/unit-script
tests_unit_script_SOURCES = tests/unit-script.c tests/pattern-traffic.h
tests_unit_script_LDADD = libplink-cost.la $(UNIT_LIBS)

UNIT_TESTS += tests/unit-objective
tests_unit_objective_SOURCES = tests/unit-objective.c tests/solve.h \
	$(FAILALLOC_FILES)
tests_unit_objective_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_objective_LDADD = libplink-cost.la $(UNIT_LIBS)

# audit
if HAVE_MPI
check_PROGRAMS += tests/mpi-collective
endif
tests_mpi_collective_SOURCES = tests/mpi-collective.c
tests_mpi_collective_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_collective_LDADD = $(MPI_LIBS)
if HAVE_PCAP
check_PROGRAMS += tests/make-capture
endif
tests_make_capture_SOURCES = tests/make-capture.c
tests_make_capture_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
tests_make_capture_LDADD = $(PCAP_LIBS)
TOOL_TESTS += tests/0930-audit-captures.t tests/0931-audit-monitoring.t \
	tests/0932-audit-testbed.t tests/0935-audit-show.t

# Gloo's real traffic against its patterns. The half in C++ is Gloo's headers for
# the most part, and compiled without sanitizers: their faults are not plink's.
TOOL_TESTS += tests/0910-traffic-gloo.t
if HAVE_GLOO
check_PROGRAMS += tests/gloo-compare
endif
tests_gloo_compare_SOURCES = tests/gloo-compare.c \
	tests/gloo-traffic.cc tests/gloo-traffic.h
tests_gloo_compare_CXXFLAGS = -std=gnu++17 -Wall -Wextra $(BASE_CFLAGS)
tests_gloo_compare_LDADD = libplink-cost.la $(UNIT_LIBS) $(GLOO_LIBS)

UNIT_TESTS += tests/unit-order-descent
tests_unit_order_descent_SOURCES = tests/unit-order-descent.c tests/shapes.h \
	tests/solve.h tests/tap.h
tests_unit_order_descent_LDADD = $(SOLVE_TEST_LIBS)

UNIT_TESTS += tests/unit-order-blocks
tests_unit_order_blocks_SOURCES = tests/unit-order-blocks.c tests/shapes.h \
	tests/solve.h $(FAILALLOC_FILES)
tests_unit_order_blocks_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_order_blocks_LDADD = $(SOLVE_TEST_LIBS)

UNIT_TESTS += tests/unit-order-bound
tests_unit_order_bound_SOURCES = tests/unit-order-bound.c tests/shapes.h \
	tests/solve.h $(FAILALLOC_FILES)
tests_unit_order_bound_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_order_bound_LDADD = $(SOLVE_TEST_LIBS)

UNIT_TESTS += tests/unit-order-cube
tests_unit_order_cube_SOURCES = tests/unit-order-cube.c tests/shapes.h \
	tests/solve.h $(FAILALLOC_FILES)
tests_unit_order_cube_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_order_cube_LDADD = $(SOLVE_TEST_LIBS)

UNIT_TESTS += tests/unit-predict tests/unit-predict-path
tests_unit_predict_path_SOURCES = tests/unit-predict-path.c \
	tests/predict-net.h
tests_unit_predict_path_LDADD = libplink-predict.la $(UNIT_LIBS)
UNIT_TESTS += tests/unit-predict-links tests/unit-bbr
tests_unit_bbr_SOURCES = tests/unit-bbr.c tests/predict-net.h
tests_unit_bbr_LDADD = libplink-predict.la $(UNIT_LIBS)
tests_unit_predict_links_SOURCES = tests/unit-predict-links.c \
	tests/predict-net.h
tests_unit_predict_links_LDADD = libplink-predict.la $(UNIT_LIBS)
tests_unit_predict_SOURCES = tests/unit-predict.c tests/predict-net.h
tests_unit_predict_LDADD = libplink-predict.la $(UNIT_LIBS)

# audit: its parts
UNIT_TESTS += tests/unit-audit-stream tests/unit-audit-merge \
	tests/unit-audit-rounds tests/unit-audit-memory
AUDIT_TEST_LIBS = $(AUDIT_LIBS) $(UNIT_LIBS)
tests_unit_audit_stream_SOURCES = tests/unit-audit-stream.c
tests_unit_audit_stream_LDADD = $(AUDIT_TEST_LIBS)
tests_unit_audit_merge_SOURCES = tests/unit-audit-merge.c
tests_unit_audit_merge_LDADD = $(AUDIT_TEST_LIBS)
tests_unit_audit_rounds_SOURCES = tests/unit-audit-rounds.c
tests_unit_audit_rounds_LDADD = $(AUDIT_TEST_LIBS)
tests_unit_audit_memory_SOURCES = tests/unit-audit-memory.c $(FAILALLOC_FILES)
tests_unit_audit_memory_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_audit_memory_LDADD = $(AUDIT_TEST_LIBS)

# audit: Gloo in an emulated cluster
TOOL_TESTS += tests/0934-audit-gloo.t
if HAVE_GLOO
check_PROGRAMS += tests/gloo-collective
endif
tests_gloo_collective_SOURCES = tests/gloo-collective.cc
tests_gloo_collective_CXXFLAGS = -std=gnu++17 -Wall -Wextra $(BASE_CFLAGS)
tests_gloo_collective_LDADD = $(GLOO_LIBS)
UNIT_TESTS += tests/unit-gloo tests/unit-lightgbm
tests_unit_gloo_SOURCES = tests/unit-gloo.c tests/pattern-traffic.h
tests_unit_gloo_LDADD = libplink-cost.la $(UNIT_LIBS)
tests_unit_lightgbm_SOURCES = tests/unit-lightgbm.c tests/pattern-traffic.h
tests_unit_lightgbm_LDADD = libplink-cost.la $(UNIT_LIBS)

UNIT_TESTS += tests/unit-predict-network
tests_unit_predict_network_SOURCES = tests/unit-predict-network.c \
	tests/matrix-text.h $(FAILALLOC_FILES)
tests_unit_predict_network_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_predict_network_LDADD = libplink-predict.la $(UNIT_LIBS)

UNIT_TESTS += tests/unit-ring-cuts
tests_unit_ring_cuts_SOURCES = tests/unit-ring-cuts.c tests/solve.h \
	$(FAILALLOC_FILES)
tests_unit_ring_cuts_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_ring_cuts_LDADD = $(SOLVE_TEST_LIBS)

UNIT_TESTS += tests/unit-order-proof
tests_unit_order_proof_SOURCES = tests/unit-order-proof.c tests/shapes.h \
	tests/solve.h $(FAILALLOC_FILES)
tests_unit_order_proof_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_order_proof_LDADD = $(SOLVE_TEST_LIBS)
UNIT_TESTS += tests/unit-anneal
tests_unit_anneal_SOURCES = tests/unit-anneal.c tests/shapes.h \
	tests/solve.h $(FAILALLOC_FILES)
tests_unit_anneal_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_anneal_LDADD = $(SOLVE_TEST_LIBS)

# numbers that others gave, by a plan: plink-exec
TOOL_TESTS += tests/1100-exec.t tests/1101-exec-lightgbm.t \
	tests/1102-exec-torchrun.t tests/1104-exec-slurm.t
EXTRA_DIST += tests/exec/ranks.py tests/slurm.sh tests/thesis.sh

# NCCL on a plan's order
UNIT_TESTS += tests/unit-nccl-tables
tests_unit_nccl_tables_SOURCES = tests/unit-nccl-tables.c \
	shim/nccl/cache.c shim/nccl/cache.h \
	shim/nccl/comms.c shim/nccl/comms.h \
	shim/nccl/handles.c shim/nccl/handles.h \
	shim/nccl/same-host.c shim/nccl/same-host.h
tests_unit_nccl_tables_LDADD = $(UNIT_LIBS) $(THREAD_LIBS)
TOOL_TESTS += tests/1110-nccl-abi.t tests/1112-nccl-library.t tests/1114-nccl-decides.t \
	tests/1116-nccl-stats.t

# what the network looks like
TOPOLOGY_TEST_LIBS = libplink-topology.la $(UNIT_LIBS) $(JANSSON_LIBS)
UNIT_TESTS += tests/unit-places tests/unit-told tests/unit-sample \
	tests/unit-fabric
tests_unit_fabric_SOURCES = tests/unit-fabric.c
tests_unit_fabric_LDADD = $(TOPOLOGY_TEST_LIBS)
TOOL_TESTS += tests/1220-order-topology.t
tests_unit_places_SOURCES = tests/unit-places.c $(FAILALLOC_FILES)
tests_unit_places_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_places_LDADD = $(TOPOLOGY_TEST_LIBS)
UNIT_TESTS += tests/unit-sparse
tests_unit_sparse_SOURCES = tests/unit-sparse.c $(FAILALLOC_FILES)
tests_unit_sparse_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_sparse_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_unit_sample_SOURCES = tests/unit-sample.c $(FAILALLOC_FILES)
tests_unit_sample_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_sample_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_unit_told_SOURCES = tests/unit-told.c $(FAILALLOC_FILES)
tests_unit_told_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_told_LDADD = $(TOPOLOGY_TEST_LIBS)
UNIT_TESTS += tests/unit-affinity
tests_unit_affinity_SOURCES = tests/unit-affinity.c $(FAILALLOC_FILES)
tests_unit_affinity_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_affinity_LDADD = $(TOPOLOGY_TEST_LIBS)

TOOL_TESTS += tests/1200-groups.t
UNIT_TESTS += tests/unit-cluster tests/unit-racks
tests_unit_cluster_SOURCES = tests/unit-cluster.c $(FAILALLOC_FILES)
tests_unit_cluster_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_cluster_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_unit_racks_SOURCES = tests/unit-racks.c $(FAILALLOC_FILES)
tests_unit_racks_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_racks_LDADD = $(TOPOLOGY_TEST_LIBS)
UNIT_TESTS += tests/unit-racks-part
tests_unit_racks_part_LDADD = $(TOPOLOGY_TEST_LIBS)
UNIT_TESTS += tests/unit-rates
tests_unit_rates_SOURCES = tests/unit-rates.c tests/fair.h tests/made-net.h \
	$(FAILALLOC_FILES)
tests_unit_rates_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_rates_LDADD = $(TOPOLOGY_TEST_LIBS)
UNIT_TESTS += tests/unit-rates-plan
tests_unit_rates_plan_SOURCES = tests/unit-rates-plan.c tests/fair.h \
	tests/made-net.h $(FAILALLOC_FILES)
tests_unit_rates_plan_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_rates_plan_LDADD = $(TOPOLOGY_TEST_LIBS)

UNIT_TESTS += tests/unit-linked
tests_unit_linked_SOURCES = tests/unit-linked.c $(FAILALLOC_FILES)
tests_unit_linked_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_linked_LDADD = libplink-topology.la $(UNIT_LIBS) $(JANSSON_LIBS)

UNIT_TESTS += tests/unit-estimate
tests_unit_estimate_SOURCES = tests/unit-estimate.c $(FAILALLOC_FILES)
tests_unit_estimate_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_estimate_LDADD = libplink-topology.la $(EMBED_LIBS) $(JANSSON_LIBS)
UNIT_TESTS += tests/unit-off
tests_unit_off_SOURCES = tests/unit-off.c src/probe/choice.c src/probe/off.c \
	$(FAILALLOC_FILES)
tests_unit_off_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_off_LDADD = libplink-topology.la $(EMBED_LIBS) $(PROBE_TEST_LIBS) \
	$(JANSSON_LIBS)

UNIT_TESTS += tests/unit-embed
tests_unit_embed_SOURCES = tests/unit-embed.c $(FAILALLOC_FILES)
tests_unit_embed_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_embed_LDADD = $(EMBED_LIBS)

# the library, as programs link it
UNIT_TESTS += tests/unit-lib
tests_unit_lib_SOURCES = tests/unit-lib.c
tests_unit_lib_LDADD = libplink.la -lm
TOOL_TESTS += tests/1400-library.t tests/1410-completion.t \
	tests/1420-packaging.t

# what documents have their readers type
TOOL_TESTS += tests/1440-documents.t tests/1442-documents-machines.t \
	tests/1444-documents-slurm.t tests/1446-documents-trouble.t
EXTRA_DIST += tests/documents/blocks.py tests/documents/machines.sh \
	tests/documents/messages.py
