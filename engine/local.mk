# SPDX-License-Identifier: BSD-3-Clause
# The aggregation engine: schedules of all-reduces, and what runs them.
# What reads schedules, and what runs them: in the preload libraries, too.
SCHEDULE_READER = \
	engine/schedule.c engine/schedule.h \
	engine/schedule-read.c \
	engine/slice.c engine/slice.h \
	engine/slices.c engine/slices.h
ENGINE_CORE = $(SCHEDULE_READER) \
	engine/allreduce.c engine/allreduce.h \
	engine/arrival.c engine/arrival.h \
	engine/carrier.h \
	engine/cut.c engine/cut.h \
	engine/deal.c engine/deal.h \
	engine/engine.c engine/engine.h \
	engine/fifo.c engine/fifo.h \
	engine/hello.c engine/hello.h \
	engine/hub.c engine/hub.h \
	engine/lane.c engine/lane.h \
	engine/live/live.c engine/live/live.h \
	engine/live/output.c engine/live/output.h \
	engine/live/record.c engine/live/record.h \
	engine/levels.c engine/levels.h \
	engine/masters.c engine/masters.h \
	engine/mesh.c engine/mesh.h \
	engine/part.c engine/part.h \
	engine/program.c engine/program.h \
	engine/queue.c engine/queue.h \
	engine/reader.c engine/reader.h \
	engine/reduce.c engine/reduce.h \
	engine/shares.c engine/shares.h \
	engine/tune/control.c engine/tune/control.h \
	engine/tune/retune.c engine/tune/retune.h \
	engine/tune/sent.c engine/tune/sent.h \
	engine/tune/traffic.c engine/tune/traffic.h \
	engine/tune/tuner.c engine/tune/tuner.h \
	engine/tune/tuning.c engine/tune/tuning.h
noinst_LIBRARIES += libplink-engine.a
libplink_engine_a_SOURCES = $(ENGINE_CORE) \
	engine/execution.c engine/execution.h \
	engine/hub-network.c engine/hub-network.h \
	engine/hub-racks.c engine/hub-racks.h \
	engine/hub-shares.c engine/hub-shares.h \
	engine/keys.c engine/keys.h \
	engine/pattern-slices.c \
	engine/roles.c engine/roles.h \
	engine/schedule-pattern.c engine/schedule-pattern.h \
	engine/update.c engine/update.h \
	engine/way.c engine/way.h \
	engine/window.c engine/window.h
libplink_engine_a_CFLAGS = $(AM_CFLAGS) -fopenmp-simd -fno-math-errno
ENGINE_A = libplink-engine.a $(COST_A)
