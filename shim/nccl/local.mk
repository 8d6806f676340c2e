# SPDX-License-Identifier: BSD-3-Clause
# libplink-nccl.so: NCCL's all-reduces follow a plan. Its SONAME is libnccl.so.2.
EXTRA_DIST += shim/nccl/compile shim/nccl/functions shim/nccl/generate.awk

# What the table of functions says, as C; for tests as well.
NCCL_MADE = shim/nccl/prototypes.h shim/nccl/calls.h
BUILT_SOURCES = $(NCCL_MADE)
CLEANFILES += $(NCCL_MADE) shim/nccl/forward.c
$(NCCL_MADE): shim/nccl/%.h: $(srcdir)/shim/nccl/generate.awk \
		$(srcdir)/shim/nccl/functions
	$(AM_V_at)$(MKDIR_P) shim/nccl
	$(AM_V_GEN)$(AWK) -v make=$* -f $(srcdir)/shim/nccl/generate.awk \
		$(srcdir)/shim/nccl/functions >$@.tmp && mv $@.tmp $@
shim/nccl/forward.c: $(srcdir)/shim/nccl/generate.awk \
		$(srcdir)/shim/nccl/functions
	$(AM_V_at)$(MKDIR_P) shim/nccl
	$(AM_V_GEN)$(AWK) -v make=forward -f $(srcdir)/shim/nccl/generate.awk \
		$(srcdir)/shim/nccl/functions >$@.tmp && mv $@.tmp $@

# shim/nccl/compile takes the lists of sources from here, engine/ and shim/.
NCCL_SOURCES = \
	shim/nccl/creations.c shim/nccl/creations.h \
	shim/nccl/cache.c \
	shim/nccl/collectives.c \
	shim/nccl/comms.c shim/nccl/comms.h \
	shim/nccl/find.c shim/nccl/find.h \
	shim/nccl/groups.c shim/nccl/groups.h \
	shim/nccl/handles.c shim/nccl/handles.h \
	shim/nccl/init.c \
	shim/nccl/lacking.c shim/nccl/lacking.h \
	shim/nccl/life.c \
	shim/nccl/make.c shim/nccl/make.h \
	shim/nccl/meanwhile.c shim/nccl/meanwhile.h \
	shim/nccl/nccl-abi.h \
	shim/nccl/objects.c shim/nccl/objects.h \
	shim/nccl/open.c shim/nccl/real.h \
	shim/nccl/order.c shim/nccl/order.h \
	shim/nccl/reach.c \
	shim/nccl/same-host.c shim/nccl/same-host.h \
	shim/nccl/stats/counted.c \
	shim/nccl/stats/name.c \
	shim/nccl/stats/own.c shim/nccl/stats/own.h \
	shim/nccl/stats/seen.c shim/nccl/stats/seen.h \
	shim/nccl/stats/stats.c shim/nccl/stats/stats.h \
	shim/nccl/tell.c shim/nccl/tell.h \
	shim/nccl/twins.c \
	shim/nccl/two-level.c shim/nccl/two-level.h \
	shim/nccl/two-level-make.c \
	shim/nccl/types.h \
	shim/nccl/watch.c shim/nccl/watch.h

shimexec_PROGRAMS += libplink-nccl.so
libplink_nccl_so_SOURCES = $(SHIM_NAMED) $(NCCL_SOURCES)
nodist_libplink_nccl_so_SOURCES = shim/nccl/forward.c
libplink_nccl_so_CPPFLAGS = $(AM_CPPFLAGS) -DPL_SHIM_NAME='"libplink-nccl"'
libplink_nccl_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) -fvisibility=hidden
libplink_nccl_so_LDFLAGS = -shared $(SHIM_STAYS) -Wl,-soname,libnccl.so.2
libplink_nccl_so_LDADD = libplink-shim.a -ldl -lpthread

# libnccl-profiler-plink.so: NCCL loads it by itself, and tells what it runs.
PROFILER_SOURCES = \
	shim/nccl/nccl-abi.h \
	shim/nccl/profiler/profiler.c shim/nccl/profiler/profiler.h \
	shim/nccl/profiler/profiler-abi.h \
	shim/nccl/profiler/timed.c shim/nccl/profiler/timed.h \
	shim/nccl/profiler/versions.c \
	shim/nccl/stats/name.c \
	shim/nccl/stats/own.c shim/nccl/stats/own.h
shimexec_PROGRAMS += libnccl-profiler-plink.so
libnccl_profiler_plink_so_SOURCES = $(SHIM_NAMED) $(PROFILER_SOURCES)
libnccl_profiler_plink_so_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPL_SHIM_NAME='"libnccl-profiler-plink"'
libnccl_profiler_plink_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) -fvisibility=hidden
libnccl_profiler_plink_so_LDFLAGS = -shared $(SHIM_STAYS)
libnccl_profiler_plink_so_LDADD = libplink-shim.a -lpthread

# libnccl-tuner-plink.so: NCCL loads it by itself, and asks it for algorithms.
TUNER_SOURCES = \
	shim/nccl/nccl-abi.h \
	shim/nccl/tuner/tuner.c shim/nccl/tuner/tuner-abi.h \
	shim/say.c shim/say.h
shimexec_PROGRAMS += libnccl-tuner-plink.so
libnccl_tuner_plink_so_SOURCES = $(TUNER_SOURCES)
libnccl_tuner_plink_so_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPL_SHIM_NAME='"libnccl-tuner-plink"'
libnccl_tuner_plink_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) -fvisibility=hidden
libnccl_tuner_plink_so_LDFLAGS = -shared $(SHIM_STAYS)
libnccl_tuner_plink_so_LDADD = libplink-shim.a -lpthread
