# SPDX-License-Identifier: BSD-3-Clause
# The ground: hosts, matrices, plans, statistics, text, errors, time, random numbers.
noinst_LIBRARIES += libplink-base.a
libplink_base_a_SOURCES = \
	base/child.c base/child.h \
	base/spawn.c base/spawn.h \
	base/clock.c base/clock.h \
	base/err.c base/err.h \
	base/fnv.h \
	base/gcd.h \
	base/mem.c base/mem.h \
	base/nocore.c base/nocore.h \
	base/pace.c base/pace.h \
	base/priority.c base/priority.h \
	base/tournament.c base/tournament.h \
	base/visitors.c base/visitors.h \
	base/socket.c base/socket.h \
	base/stats.c base/stats.h \
	base/stop.c base/stop.h \
	base/terminal.c base/terminal.h \
	base/hosts/hostrange.c base/hosts/hostrange.h \
	base/hosts/hosts.c base/hosts/hosts.h \
	base/hosts/hosts-read.c \
	base/hosts/hosts-slurm.c base/hosts/hosts-slurm.h \
	base/matrix/cells.c base/matrix/cells.h \
	base/matrix/csv.c \
	base/matrix/few.c base/matrix/few.h \
	base/matrix/forms.h \
	base/matrix/header.c base/matrix/header.h \
	base/matrix/header-line.c \
	base/matrix/label.c base/matrix/label.h \
	base/matrix/layer.c \
	base/matrix/matrix.c base/matrix/matrix.h \
	base/matrix/measured.c \
	base/matrix/message-cost.c base/matrix/message-cost.h \
	base/matrix/own.c \
	base/matrix/read.c \
	base/matrix/square.c \
	base/matrix/tiers.c base/matrix/tiers.h \
	base/matrix/tiers-lines.c \
	base/matrix/units.c \
	base/matrix/write.c \
	base/plan/plan.c base/plan/plan.h \
	base/plan/plan-read.c base/plan/plan-read.h \
	base/plan/plan-read-costs.c base/plan/plan-read-order.c \
	base/plan/plan-restrict.c \
	base/text/element.c base/text/element.h \
	base/text/fields.c base/text/fields.h \
	base/text/kind.c base/text/kind.h \
	base/text/names.c base/text/names.h \
	base/text/nearest.c \
	base/text/number.c base/text/number.h \
	base/text/outfile.c base/text/outfile.h \
	base/text/path.c base/text/path.h \
	base/text/scratch.c base/text/scratch.h \
	base/text/shell.c base/text/shell.h \
	base/text/sizesignal.c base/text/sizesignal.h \
	base/text/size.c base/text/size.h \
	base/text/text.c base/text/text.h \
	base/text/utf8.c base/text/utf8.h \
	base/text/words.c base/text/words.h
libplink_base_a_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
BASE_A = libplink-base.a $(SODIUM_LIBS) -lm

# Long JSON stands apart: it alone needs Jansson and zlib.
noinst_LIBRARIES += libplink-json.a
libplink_json_a_SOURCES = \
	base/json-clean.c base/json-clean.h \
	base/json-scan.c base/json-scan.h \
	base/json-stream.c base/json-stream.h
libplink_json_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
JSON_A = libplink-json.a $(JANSSON_LIBS) $(ZLIB_LIBS) $(BASE_A)

# The bridge to PCG stands apart: it alone needs the C++ library.
noinst_LIBRARIES += libplink-rng.a
libplink_rng_a_SOURCES = base/rng.cc base/rng.h
RNG_LIBS = libplink-rng.a $(PCG_LIBS)
