# SPDX-License-Identifier: BSD-3-Clause
# The core library: hosts, matrix, plan, statistics, random numbers, errors.
noinst_LTLIBRARIES += libplink-core.la
libplink_core_la_SOURCES = \
	src/err.c src/err.h \
	src/hostrange.c src/hostrange.h \
	src/hosts.c src/hosts.h src/hosts-read.c \
	src/matrix.c src/matrix.h \
	src/matrix-csv.c \
	src/matrix-forms.h \
	src/matrix-header.c src/matrix-header.h \
	src/matrix-names.c \
	src/matrix-own.c \
	src/matrix-read.c \
	src/matrix-select.c \
	src/matrix-square.c \
	src/matrix-write.c \
	src/mem.c src/mem.h \
	src/names.c src/names.h \
	src/number.c src/number.h \
	src/outfile.c src/outfile.h \
	src/plan.c src/plan.h src/plan-read.c \
	src/stats.c src/stats.h \
	src/text.c src/text.h \
	src/tool.c src/tool.h \
	src/tsplib.c src/tsplib.h \
	src/tsplib-distance.c
libplink_core_la_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
libplink_core_la_LIBADD = $(SODIUM_LIBS) -lm

# The bridge to PCG stands apart: it alone needs the C++ library, which whoever
# links it names too (libtool takes it for implied and leaves it out).
noinst_LTLIBRARIES += libplink-rng.la
libplink_rng_la_SOURCES = src/rng.cc src/rng.h
RNG_LIBS = libplink-rng.la $(PCG_LIBS)
