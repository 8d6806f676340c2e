# SPDX-License-Identifier: BSD-3-Clause
# Tests of planners and what they read.
PLANNER_TEST_LIBS = libplink-planner.la $(UNIT_LIBS) $(JANSSON_LIBS)
UNIT_TESTS += tests/unit-srift-profile tests/unit-srift-exchange
tests_unit_srift_profile_SOURCES = tests/unit-srift-profile.c \
	$(FAILALLOC_FILES)
tests_unit_srift_profile_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_srift_profile_LDADD = $(PLANNER_TEST_LIBS)
tests_unit_srift_exchange_SOURCES = tests/unit-srift-exchange.c \
	$(FAILALLOC_FILES)
tests_unit_srift_exchange_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_srift_exchange_LDADD = $(PLANNER_TEST_LIBS)
UNIT_TESTS += tests/unit-srift-memory
tests_unit_srift_memory_SOURCES = tests/unit-srift-memory.c $(FAILALLOC_FILES)
tests_unit_srift_memory_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_srift_memory_LDADD = $(PLANNER_TEST_LIBS)
UNIT_TESTS += tests/unit-srift-straggler tests/unit-srift-busbw
tests_unit_srift_straggler_SOURCES = tests/unit-srift-straggler.c
tests_unit_srift_straggler_LDADD = $(PLANNER_TEST_LIBS)
tests_unit_srift_busbw_SOURCES = tests/unit-srift-busbw.c $(FAILALLOC_FILES)
tests_unit_srift_busbw_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_srift_busbw_LDADD = $(PLANNER_TEST_LIBS)
UNIT_TESTS += tests/unit-srift-iteration tests/unit-srift-published
tests_unit_srift_iteration_SOURCES = tests/unit-srift-iteration.c \
	$(FAILALLOC_FILES)
tests_unit_srift_iteration_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_srift_iteration_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_srift_iteration_LDADD = $(PLANNER_TEST_LIBS)
tests_unit_srift_published_SOURCES = tests/unit-srift-published.c
tests_unit_srift_published_LDADD = $(PLANNER_TEST_LIBS)
UNIT_TESTS += tests/unit-srift-kineto
tests_unit_srift_kineto_SOURCES = tests/unit-srift-kineto.c $(FAILALLOC_FILES)
tests_unit_srift_kineto_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_srift_kineto_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_srift_kineto_LDADD = $(PLANNER_TEST_LIBS)
TOOL_TESTS += tests/1350-srift-profile.t tests/1355-srift-ddp.t
TOOL_TESTS += tests/1300-srift-predict.t tests/1310-srift-plan.t
EXTRA_DIST += tests/data/srift/three-layers.json \
	tests/data/srift/all-reduce-8.txt
UNIT_TESTS += tests/unit-srift-plan
UNIT_TESTS += tests/unit-srift-replan
tests_unit_srift_replan_SOURCES = tests/unit-srift-replan.c
tests_unit_srift_replan_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_srift_replan_LDADD = $(PLANNER_TEST_LIBS)
UNIT_TESTS += tests/unit-srift-progress tests/unit-srift-hooks
tests_unit_srift_progress_SOURCES = tests/unit-srift-progress.c
tests_unit_srift_progress_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_srift_progress_LDADD = $(PLANNER_TEST_LIBS)
tests_unit_srift_hooks_SOURCES = tests/unit-srift-hooks.c
tests_unit_srift_hooks_LDADD = $(PLANNER_TEST_LIBS)
EXTRA_DIST += tests/data/srift/figure8.json
TOOL_TESTS += tests/1340-srift-watch.t tests/1345-srift-watch-testbed.t
tests_unit_srift_plan_SOURCES = tests/unit-srift-plan.c $(FAILALLOC_FILES)
tests_unit_srift_plan_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_srift_plan_LDADD = $(PLANNER_TEST_LIBS)
UNIT_TESTS += tests/unit-srift-search
tests_unit_srift_search_SOURCES = tests/unit-srift-search.c $(FAILALLOC_FILES)
tests_unit_srift_search_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_srift_search_LDADD = $(PLANNER_TEST_LIBS)
TOOL_TESTS += tests/1330-srift-recommend.t
UNIT_TESTS += tests/unit-srift-catalogue
tests_unit_srift_catalogue_SOURCES = tests/unit-srift-catalogue.c
tests_unit_srift_catalogue_LDADD = $(PLANNER_TEST_LIBS)
EXTRA_DIST += tests/data/srift/shufflenet.json tests/data/srift/table4.csv \
	tests/data/srift/vgg19.json

# learned bandwidths
LEARNED_TEST_LIBS = libplink-learned.la $(PLANNER_TEST_LIBS) $(XGBOOST_LIBS)
UNIT_TESTS += tests/unit-srift-grid
tests_unit_srift_grid_SOURCES = tests/unit-srift-grid.c $(FAILALLOC_FILES)
tests_unit_srift_grid_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_srift_grid_LDADD = $(LEARNED_TEST_LIBS)
UNIT_TESTS += tests/unit-srift-learned
tests_unit_srift_learned_SOURCES = tests/unit-srift-learned.c $(MADE_GRID)
tests_unit_srift_learned_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_srift_learned_LDADD = $(LEARNED_TEST_LIBS)
TOOL_TESTS += tests/1320-srift-train.t
