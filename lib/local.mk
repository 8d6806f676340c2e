# SPDX-License-Identifier: BSD-3-Clause
# libplink: what the tools do, for programs. Only what plink.map names is seen from
# outside; the rest of plink is inside, of no concern to whoever links it.
# ("exec" in the names: installed before the hook below; and never renamed)
libplinkexecdir = $(libdir)
libplinkexec_PROGRAMS = libplink.so.0
install-libplinkexecPROGRAMS uninstall-libplinkexecPROGRAMS: transform = s,x,x,
noinst_DATA += libplink.so
CLEANFILES += libplink.so
include_HEADERS += lib/plink.h
libplink_so_0_SOURCES = \
	lib/communicator.c lib/communicator.h \
	lib/error.c \
	lib/net.c \
	lib/parameters.c \
	lib/parts.h lib/plink.h \
	lib/goal.c \
	lib/hubs.c lib/hubs.h \
	lib/proof.c lib/proof.h \
	lib/rendezvous.c lib/rendezvous.h \
	lib/saved.c \
	lib/service.c lib/service.h \
	lib/schedule-file.c \
	lib/solve.c \
	shim/self.c shim/self.h
# (the orders bring cost models, solvers and base/ with them)
libplink_so_0_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
libplink_so_0_LDADD = $(ENGINE_A) $(JOB_ORDER_A) $(RNG_LIBS) $(THREAD_LIBS) -lm
libplink_so_0_LDFLAGS = $(AM_LDFLAGS) -shared -Wl,-soname,libplink.so.0 \
	-Wl,--version-script=$(srcdir)/lib/plink.map
EXTRA_libplink_so_0_DEPENDENCIES = lib/plink.map
# The name by which programs are linked. What is built here finds it here.
libplink.so: libplink.so.0
	$(AM_V_GEN)ln -sf libplink.so.0 $@
install-exec-hook:
	cd '$(DESTDIR)$(libdir)' && ln -sf libplink.so.0 libplink.so
uninstall-libplink:
	rm -f '$(DESTDIR)$(libdir)/libplink.so'
FIND_LIBPLINK = -Wl,-rpath,$(abs_top_builddir)
EXTRA_DIST += lib/plink.map
pkgconfig_DATA += lib/libplink.pc

# The worked examples, compiled as a reader would, and installed to be read.
example_DATA += lib/example.c lib/example-allreduce.c bench/data/racks-4x4.matrix
EXTRA_DIST += lib/example.c lib/example-allreduce.c
check_PROGRAMS += lib/example lib/example-allreduce
lib_example_SOURCES = lib/example.c
lib_example_CPPFLAGS = -I$(srcdir)/lib
lib_example_LDFLAGS = $(AM_LDFLAGS) $(FIND_LIBPLINK)
lib_example_LDADD = libplink.so
lib_example_allreduce_SOURCES = lib/example-allreduce.c
lib_example_allreduce_CPPFLAGS = -I$(srcdir)/lib
lib_example_allreduce_LDFLAGS = $(AM_LDFLAGS) $(FIND_LIBPLINK)
lib_example_allreduce_LDADD = libplink.so
