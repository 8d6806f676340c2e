# SPDX-License-Identifier: BSD-3-Clause
# The aggregation engine: schedules of all-reduces, and what runs them.
noinst_LTLIBRARIES += libplink-engine.la
libplink_engine_la_SOURCES = \
	engine/allreduce.c engine/allreduce.h \
	engine/execution.c engine/execution.h \
	engine/program.c engine/program.h \
	engine/slice.c engine/slice.h \
	engine/slices.c engine/slices.h
libplink_engine_la_LIBADD = libplink-cost.la
