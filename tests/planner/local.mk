# SPDX-License-Identifier: BSD-3-Clause
# Tests of planner/.
UNIT_TESTS += \
	tests/planner/unit-fit \
	tests/planner/unit-spot-fit tests/planner/unit-spot-hours \
	tests/planner/unit-spot-lives \
	tests/planner/unit-spot-replay tests/planner/unit-spot-risk \
	tests/planner/unit-batch-laws tests/planner/unit-batch-noise \
	tests/planner/unit-srift-busbw tests/planner/unit-srift-catalogue \
	tests/planner/unit-srift-exchange tests/planner/unit-srift-grid \
	tests/planner/unit-srift-history tests/planner/unit-srift-hub-costs \
	tests/planner/unit-srift-hooks tests/planner/unit-srift-iteration \
	tests/planner/unit-srift-kineto tests/planner/unit-srift-learned \
	tests/planner/unit-srift-memory tests/planner/unit-srift-plan \
	tests/planner/unit-srift-profile tests/planner/unit-srift-progress \
	tests/planner/unit-srift-published tests/planner/unit-srift-replan \
	tests/planner/unit-srift-search tests/planner/unit-srift-slow \
	tests/planner/unit-srift-straggler \
	tests/planner/unit-stalls
TOOL_TESTS += \
	tests/planner/1300-srift-predict.t tests/planner/1310-srift-plan.t \
	tests/planner/1312-srift-job.t \
	tests/planner/1320-srift-train.t tests/planner/1325-srift-grid.t \
	tests/planner/1330-srift-recommend.t tests/planner/1332-srift-spot.t \
	tests/planner/1334-srift-hubs.t \
	tests/planner/1340-srift-watch.t \
	tests/planner/1345-srift-watch-testbed.t \
	tests/planner/1350-srift-profile.t tests/planner/1352-profile-numbers.t \
	tests/planner/1355-srift-ddp.t \
	tests/planner/1360-srift-sweep.t \
	tests/planner/1370-stalls.t tests/planner/1372-stalls-run.t \
	tests/planner/1375-spot.t \
	tests/planner/1380-batch.t tests/planner/1382-batch-norms.t \
	tests/planner/1384-batch-mpi.t \
	tests/planner/1390-srift-hub-costs.t
EXTRA_DIST += \
	tests/planner/stalls_train.py \
	tests/data/srift/three-layers.json tests/data/srift/all-reduce-8.txt \
	tests/data/srift/figure8.json tests/data/srift/ddp-h100.json.gz \
	tests/data/srift/shufflenet.json \
	tests/data/srift/table4.csv tests/data/srift/vgg19.json

tests_planner_unit_fit_SOURCES = tests/planner/unit-fit.c
tests_planner_unit_fit_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_spot_fit_SOURCES = tests/planner/unit-spot-fit.c $(FAILALLOC_FILES)
tests_planner_unit_spot_fit_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_spot_fit_LDADD = $(TRANSIENT_TEST_LIBS)
tests_planner_unit_spot_hours_SOURCES = tests/planner/unit-spot-hours.c
tests_planner_unit_spot_hours_LDADD = $(TRANSIENT_TEST_LIBS)
tests_planner_unit_spot_lives_SOURCES = tests/planner/unit-spot-lives.c $(FAILALLOC_FILES)
tests_planner_unit_spot_lives_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_spot_lives_LDADD = $(TRANSIENT_TEST_LIBS)
tests_planner_unit_spot_replay_SOURCES = tests/planner/unit-spot-replay.c $(FAILALLOC_FILES)
tests_planner_unit_spot_replay_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_spot_replay_LDADD = $(TRANSIENT_TEST_LIBS)
tests_planner_unit_spot_risk_SOURCES = tests/planner/unit-spot-risk.c $(FAILALLOC_FILES)
tests_planner_unit_spot_risk_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_spot_risk_LDADD = $(TRANSIENT_TEST_LIBS)
tests_planner_unit_batch_laws_SOURCES = tests/planner/unit-batch-laws.c
tests_planner_unit_batch_laws_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_batch_noise_SOURCES = tests/planner/unit-batch-noise.c
tests_planner_unit_batch_noise_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_hub_costs_SOURCES = tests/planner/unit-srift-hub-costs.c \
	$(FAILALLOC_FILES)
tests_planner_unit_srift_hub_costs_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_planner_unit_srift_hub_costs_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_hub_costs_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_profile_SOURCES = tests/planner/unit-srift-profile.c \
	$(FAILALLOC_FILES)
tests_planner_unit_srift_profile_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_profile_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_exchange_SOURCES = tests/planner/unit-srift-exchange.c \
	$(FAILALLOC_FILES)
tests_planner_unit_srift_exchange_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_exchange_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_memory_SOURCES = tests/planner/unit-srift-memory.c $(FAILALLOC_FILES)
tests_planner_unit_srift_memory_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_memory_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_straggler_SOURCES = tests/planner/unit-srift-straggler.c
tests_planner_unit_srift_straggler_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_busbw_SOURCES = tests/planner/unit-srift-busbw.c $(FAILALLOC_FILES)
tests_planner_unit_srift_busbw_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_busbw_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_iteration_SOURCES = tests/planner/unit-srift-iteration.c \
	$(FAILALLOC_FILES)
tests_planner_unit_srift_iteration_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_planner_unit_srift_iteration_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_iteration_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_published_SOURCES = tests/planner/unit-srift-published.c
tests_planner_unit_srift_published_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_kineto_SOURCES = tests/planner/unit-srift-kineto.c $(FAILALLOC_FILES)
tests_planner_unit_srift_kineto_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_planner_unit_srift_kineto_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_kineto_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_slow_SOURCES = tests/planner/unit-srift-slow.c
tests_planner_unit_srift_slow_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_planner_unit_srift_slow_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_replan_SOURCES = tests/planner/unit-srift-replan.c
tests_planner_unit_srift_replan_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_planner_unit_srift_replan_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_progress_SOURCES = tests/planner/unit-srift-progress.c
tests_planner_unit_srift_progress_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_planner_unit_srift_progress_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_history_SOURCES = tests/planner/unit-srift-history.c
tests_planner_unit_srift_history_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_planner_unit_srift_history_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_hooks_SOURCES = tests/planner/unit-srift-hooks.c
tests_planner_unit_srift_hooks_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_plan_SOURCES = tests/planner/unit-srift-plan.c $(FAILALLOC_FILES)
tests_planner_unit_srift_plan_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_plan_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_search_SOURCES = tests/planner/unit-srift-search.c $(FAILALLOC_FILES)
tests_planner_unit_srift_search_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_search_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_catalogue_SOURCES = tests/planner/unit-srift-catalogue.c
tests_planner_unit_srift_catalogue_LDADD = $(PLANNER_TEST_LIBS)
tests_planner_unit_srift_grid_SOURCES = tests/planner/unit-srift-grid.c $(FAILALLOC_FILES)
tests_planner_unit_srift_grid_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_planner_unit_srift_grid_LDADD = $(LEARNED_TEST_LIBS)
tests_planner_unit_srift_learned_SOURCES = tests/planner/unit-srift-learned.c $(MADE_GRID)
tests_planner_unit_srift_learned_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_planner_unit_srift_learned_LDADD = $(LEARNED_TEST_LIBS)
tests_planner_unit_stalls_SOURCES = tests/planner/unit-stalls.c
tests_planner_unit_stalls_LDADD = $(PLANNER_TEST_LIBS)
