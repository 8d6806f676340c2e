# SPDX-License-Identifier: BSD-3-Clause
# libplink: what the tools do, for programs. Only what plink.map names is seen from
# outside; the rest of plink is inside, of no concern to whoever links it.
lib_LTLIBRARIES += libplink.la
include_HEADERS += lib/plink.h
libplink_la_SOURCES = \
	lib/communicator.c \
	lib/error.c \
	lib/net.c \
	lib/parts.h lib/plink.h \
	lib/goal.c \
	lib/rendezvous.c lib/rendezvous.h \
	lib/saved.c \
	lib/schedule-file.c \
	lib/solve.c \
	shim/self.c shim/self.h
# (the orders bring cost models, solvers and base/ with them)
libplink_la_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
libplink_la_LIBADD = libplink-engine.la $(ORDERS_LA) $(RNG_LIBS) \
	$(SODIUM_LIBS) $(THREAD_LIBS) -lm
libplink_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 \
	-Wl,--version-script=$(srcdir)/lib/plink.map
EXTRA_libplink_la_DEPENDENCIES = lib/plink.map
EXTRA_DIST += lib/plink.map
pkgconfig_DATA += lib/libplink.pc

# The worked examples, compiled as a reader would, and installed to be read.
example_DATA += lib/example.c lib/example-allreduce.c bench/data/racks-4x4.matrix
EXTRA_DIST += lib/example.c lib/example-allreduce.c
check_PROGRAMS += lib/example lib/example-allreduce
lib_example_SOURCES = lib/example.c
lib_example_CPPFLAGS = -I$(srcdir)/lib
lib_example_LDADD = libplink.la
lib_example_allreduce_SOURCES = lib/example-allreduce.c
lib_example_allreduce_CPPFLAGS = -I$(srcdir)/lib
lib_example_allreduce_LDADD = libplink.la
