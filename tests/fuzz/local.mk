# SPDX-License-Identifier: BSD-3-Clause
# Fuzz targets, a parser each: configure --enable-fuzz CC=clang CXX=clang++, or
# ./run fuzz. Their seeds are in tests/fuzz/seeds/NAME.
FUZZ_TARGETS =
FUZZ_LINK = -fsanitize=fuzzer
EXTRA_DIST += tests/fuzz/seeds

FUZZ_TARGETS += tests/fuzz/fuzz-hosts
tests_fuzz_fuzz_hosts_SOURCES = tests/fuzz/fuzz-hosts.c
tests_fuzz_fuzz_hosts_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_hosts_LDADD = $(BASE_A)

FUZZ_TARGETS += tests/fuzz/fuzz-plan
tests_fuzz_fuzz_plan_SOURCES = tests/fuzz/fuzz-plan.c
tests_fuzz_fuzz_plan_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_plan_LDADD = $(BASE_A)

FUZZ_TARGETS += tests/fuzz/fuzz-matrix
tests_fuzz_fuzz_matrix_SOURCES = tests/fuzz/fuzz-matrix.c
tests_fuzz_fuzz_matrix_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_matrix_LDADD = $(BASE_A)

FUZZ_TARGETS += tests/fuzz/fuzz-packet
tests_fuzz_fuzz_packet_SOURCES = tests/fuzz/fuzz-packet.c
tests_fuzz_fuzz_packet_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_packet_LDADD = $(AGENT_A)

FUZZ_TARGETS += tests/fuzz/fuzz-control
tests_fuzz_fuzz_control_SOURCES = tests/fuzz/fuzz-control.c
tests_fuzz_fuzz_control_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_control_LDADD = $(AGENT_A)

FUZZ_TARGETS += tests/fuzz/fuzz-elf
tests_fuzz_fuzz_elf_SOURCES = tests/fuzz/fuzz-elf.c
tests_fuzz_fuzz_elf_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_elf_LDADD = libplink-probes.a $(BASE_A)

if HAVE_PCAP
FUZZ_TARGETS += tests/fuzz/fuzz-capture
endif
tests_fuzz_fuzz_capture_SOURCES = tests/fuzz/fuzz-capture.c
tests_fuzz_fuzz_capture_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_capture_LDADD = $(AUDIT_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-monitoring
tests_fuzz_fuzz_monitoring_SOURCES = tests/fuzz/fuzz-monitoring.c
tests_fuzz_fuzz_monitoring_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_monitoring_LDADD = $(AUDIT_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-mpirun
tests_fuzz_fuzz_mpirun_SOURCES = tests/fuzz/fuzz-mpirun.c $(MPIRUN_PARTS)
tests_fuzz_fuzz_mpirun_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_mpirun_LDADD = $(TOOL_A)

FUZZ_TARGETS += tests/fuzz/fuzz-commands
tests_fuzz_fuzz_commands_SOURCES = tests/fuzz/fuzz-commands.c \
	src/exec/commands.c src/exec/commands.h
tests_fuzz_fuzz_commands_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_commands_LDADD = $(BASE_A)

FUZZ_TARGETS += tests/fuzz/fuzz-machines
tests_fuzz_fuzz_machines_SOURCES = tests/fuzz/fuzz-machines.c \
	src/exec/machines.c src/exec/machines.h
tests_fuzz_fuzz_machines_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_machines_LDADD = $(BASE_A)

FUZZ_TARGETS += tests/fuzz/fuzz-places
tests_fuzz_fuzz_places_SOURCES = tests/fuzz/fuzz-places.c
tests_fuzz_fuzz_places_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_places_LDADD = $(TOPOLOGY_A) \
	$(JANSSON_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-kineto
tests_fuzz_fuzz_kineto_SOURCES = tests/fuzz/fuzz-kineto.c
tests_fuzz_fuzz_kineto_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_kineto_LDADD = $(PLANNER_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-import
tests_fuzz_fuzz_import_SOURCES = tests/fuzz/fuzz-import.c
tests_fuzz_fuzz_import_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_import_LDADD = $(IMPORT_A)

FUZZ_TARGETS += tests/fuzz/fuzz-catalogue
tests_fuzz_fuzz_catalogue_SOURCES = tests/fuzz/fuzz-catalogue.c
tests_fuzz_fuzz_catalogue_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_catalogue_LDADD = $(PLANNER_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-stalls
tests_fuzz_fuzz_stalls_SOURCES = tests/fuzz/fuzz-stalls.c
tests_fuzz_fuzz_stalls_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_stalls_LDADD = $(PLANNER_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-hub
tests_fuzz_fuzz_hub_SOURCES = tests/fuzz/fuzz-hub.c
tests_fuzz_fuzz_hub_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_hub_LDADD = $(ENGINE_A)

FUZZ_TARGETS += tests/fuzz/fuzz-service
tests_fuzz_fuzz_service_SOURCES = tests/fuzz/fuzz-service.c \
	lib/proof.c lib/service.c
tests_fuzz_fuzz_service_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
tests_fuzz_fuzz_service_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_service_LDADD = $(ENGINE_A) $(SODIUM_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-jobs
tests_fuzz_fuzz_jobs_SOURCES = tests/fuzz/fuzz-jobs.c \
	lib/proof.c lib/service.c src/hub/jobs.c
tests_fuzz_fuzz_jobs_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
tests_fuzz_fuzz_jobs_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_jobs_LDADD = $(ENGINE_A) $(SODIUM_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-prices
tests_fuzz_fuzz_prices_SOURCES = tests/fuzz/fuzz-prices.c
tests_fuzz_fuzz_prices_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_fuzz_fuzz_prices_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_prices_LDADD = $(PLANNER_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-profile tests/fuzz/fuzz-busbw
tests_fuzz_fuzz_profile_SOURCES = tests/fuzz/fuzz-profile.c
tests_fuzz_fuzz_profile_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_profile_LDADD = $(PLANNER_LIBS)
tests_fuzz_fuzz_busbw_SOURCES = tests/fuzz/fuzz-busbw.c
tests_fuzz_fuzz_busbw_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_busbw_LDADD = $(PLANNER_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-lives
tests_fuzz_fuzz_lives_SOURCES = tests/fuzz/fuzz-lives.c
tests_fuzz_fuzz_lives_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_lives_LDADD = $(TRANSIENT_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-grid
tests_fuzz_fuzz_grid_SOURCES = tests/fuzz/fuzz-grid.c
tests_fuzz_fuzz_grid_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_grid_LDADD = $(LEARNED_LIBS)
if HAVE_XGBOOST
FUZZ_TARGETS += tests/fuzz/fuzz-model
endif
tests_fuzz_fuzz_model_SOURCES = tests/fuzz/fuzz-model.c
tests_fuzz_fuzz_model_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_fuzz_fuzz_model_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_model_LDADD = $(LEARNED_LIBS)
FUZZ_TARGETS += tests/fuzz/fuzz-watch
tests_fuzz_fuzz_watch_SOURCES = tests/fuzz/fuzz-watch.c
tests_fuzz_fuzz_watch_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_watch_LDADD = $(PLANNER_LIBS)
FUZZ_TARGETS += tests/fuzz/fuzz-doctor
tests_fuzz_fuzz_doctor_SOURCES = tests/fuzz/fuzz-doctor.c \
	src/doctor/facts.c src/doctor/judge.c src/doctor/judge-clock.c \
	src/doctor/judge-ring.c src/doctor/json.c src/doctor/show.c
tests_fuzz_fuzz_doctor_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_fuzz_fuzz_doctor_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_doctor_LDADD = $(TOOL_A) $(PROBE_LIBS) $(JANSSON_LIBS)


FUZZ_TARGETS += tests/fuzz/fuzz-job tests/fuzz/fuzz-placement \
	tests/fuzz/fuzz-stats
tests_fuzz_fuzz_job_SOURCES = tests/fuzz/fuzz-job.c
tests_fuzz_fuzz_job_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_job_LDADD = $(JOB_A)
tests_fuzz_fuzz_placement_SOURCES = tests/fuzz/fuzz-placement.c
tests_fuzz_fuzz_placement_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_placement_LDADD = $(AUDIT_LIBS)
tests_fuzz_fuzz_stats_SOURCES = tests/fuzz/fuzz-stats.c
tests_fuzz_fuzz_stats_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_stats_LDADD = $(CALLS_LIBS) $(JANSSON_LIBS)

FUZZ_TARGETS += tests/fuzz/fuzz-schedule tests/fuzz/fuzz-lane \
	tests/fuzz/fuzz-hello
tests_fuzz_fuzz_schedule_SOURCES = tests/fuzz/fuzz-schedule.c
tests_fuzz_fuzz_schedule_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_schedule_LDADD = $(ENGINE_A)
tests_fuzz_fuzz_lane_SOURCES = tests/fuzz/fuzz-lane.c
tests_fuzz_fuzz_lane_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_lane_LDADD = $(ENGINE_A)
tests_fuzz_fuzz_hello_SOURCES = tests/fuzz/fuzz-hello.c
tests_fuzz_fuzz_hello_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_hello_LDADD = $(ENGINE_A)

FUZZ_TARGETS += tests/fuzz/fuzz-norms tests/fuzz/fuzz-points
tests_fuzz_fuzz_norms_SOURCES = tests/fuzz/fuzz-norms.c
tests_fuzz_fuzz_norms_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_norms_LDADD = $(PLANNER_LIBS)
tests_fuzz_fuzz_points_SOURCES = tests/fuzz/fuzz-points.c
tests_fuzz_fuzz_points_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LINK)
tests_fuzz_fuzz_points_LDADD = $(PLANNER_LIBS)

if FUZZ
noinst_PROGRAMS += $(FUZZ_TARGETS)
endif

.PHONY: fuzz-targets
fuzz-targets: $(FUZZ_TARGETS)
