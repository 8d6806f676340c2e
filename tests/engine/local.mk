# SPDX-License-Identifier: BSD-3-Clause
# Tests of engine/.
EXTRA_DIST += tests/engine/loopback.h tests/engine/tuned-job.h
UNIT_TESTS += \
	tests/engine/unit-allreduce tests/engine/unit-deal tests/engine/unit-engine \
	tests/engine/unit-fifo tests/engine/unit-finetune \
	tests/engine/unit-hub tests/engine/unit-hub-shares \
	tests/engine/unit-keys tests/engine/unit-levels tests/engine/unit-live \
	tests/engine/unit-no-memory tests/engine/unit-queue tests/engine/unit-reduce \
	tests/engine/unit-schedule-pattern tests/engine/unit-shares \
	tests/engine/unit-slices tests/engine/unit-tuner \
	tests/engine/unit-tuning tests/engine/unit-window

TWO_LEVEL = tests/engine/two-level.c tests/engine/two-level.h
tests_engine_unit_deal_SOURCES = tests/engine/unit-deal.c
tests_engine_unit_deal_LDADD = $(ENGINE_A) $(UNIT_LIBS) $(RNG_LIBS)
tests_engine_unit_fifo_SOURCES = tests/engine/unit-fifo.c
tests_engine_unit_fifo_LDADD = $(ENGINE_A) $(UNIT_LIBS)
tests_engine_unit_hub_SOURCES = tests/engine/unit-hub.c
tests_engine_unit_hub_LDADD = $(ENGINE_A) $(UNIT_LIBS) $(THREAD_LIBS)
tests_engine_unit_hub_shares_SOURCES = tests/engine/unit-hub-shares.c
tests_engine_unit_hub_shares_LDADD = $(ENGINE_A) $(UNIT_LIBS) $(RNG_LIBS)
tests_engine_unit_live_SOURCES = tests/engine/unit-live.c
tests_engine_unit_live_LDADD = $(ENGINE_A) $(UNIT_LIBS) $(THREAD_LIBS)
tests_engine_unit_keys_SOURCES = tests/engine/unit-keys.c
tests_engine_unit_keys_LDADD = $(ENGINE_A) $(UNIT_LIBS) $(THREAD_LIBS)
tests_engine_unit_slices_SOURCES = tests/engine/unit-slices.c
tests_engine_unit_slices_LDADD = $(ENGINE_A) $(UNIT_LIBS)
tests_engine_unit_allreduce_SOURCES = tests/engine/unit-allreduce.c
tests_engine_unit_allreduce_LDADD = $(ENGINE_A) $(UNIT_LIBS)
tests_engine_unit_engine_SOURCES = tests/engine/unit-engine.c $(TWO_LEVEL)
tests_engine_unit_engine_LDADD = $(ENGINE_A) $(UNIT_LIBS) -lpthread
tests_engine_unit_no_memory_SOURCES = tests/engine/unit-no-memory.c \
	$(FAILALLOC_FILES)
tests_engine_unit_no_memory_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_engine_unit_no_memory_LDADD = $(ENGINE_A) $(UNIT_LIBS) $(THREAD_LIBS)
tests_engine_unit_queue_SOURCES = tests/engine/unit-queue.c $(TWO_LEVEL)
tests_engine_unit_queue_LDADD = $(ENGINE_A) $(UNIT_LIBS) $(THREAD_LIBS)
tests_engine_unit_tuner_SOURCES = tests/engine/unit-tuner.c $(FAILALLOC_FILES)
tests_engine_unit_tuner_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_engine_unit_tuner_LDADD = $(ENGINE_A) $(UNIT_LIBS)
tests_engine_unit_finetune_SOURCES = tests/engine/unit-finetune.c
tests_engine_unit_finetune_LDADD = $(ENGINE_A) $(UNIT_LIBS)
tests_engine_unit_tuning_SOURCES = tests/engine/unit-tuning.c $(FAILALLOC_FILES)
tests_engine_unit_tuning_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_engine_unit_tuning_LDADD = $(ENGINE_A) $(UNIT_LIBS) $(THREAD_LIBS)
tests_engine_unit_levels_SOURCES = tests/engine/unit-levels.c $(TWO_LEVEL)
tests_engine_unit_levels_LDADD = $(ENGINE_A) $(UNIT_LIBS)
tests_engine_unit_window_SOURCES = tests/engine/unit-window.c
tests_engine_unit_window_LDADD = $(ENGINE_A) $(UNIT_LIBS)
tests_engine_unit_shares_SOURCES = tests/engine/unit-shares.c
tests_engine_unit_shares_LDADD = $(ENGINE_A) $(UNIT_LIBS)
tests_engine_unit_schedule_pattern_SOURCES = tests/engine/unit-schedule-pattern.c $(TWO_LEVEL)
tests_engine_unit_schedule_pattern_LDADD = $(ENGINE_A) $(UNIT_LIBS)
tests_engine_unit_reduce_SOURCES = tests/engine/unit-reduce.c
tests_engine_unit_reduce_LDADD = $(ENGINE_A) $(UNIT_LIBS)
