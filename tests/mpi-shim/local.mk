# SPDX-License-Identifier: BSD-3-Clause
# Programs that libplink-mpi.so is preloaded into.
if HAVE_MPI
check_PROGRAMS += tests/mpi-shim/ranks tests/mpi-shim/same \
	tests/mpi-shim/collectives tests/mpi-shim/sent \
	tests/mpi-shim/spawn tests/mpi-shim/told
endif
EXTRA_DIST += tests/mpi-shim/mpi.sh
tests_mpi_shim_ranks_SOURCES = tests/mpi-shim/ranks.c
tests_mpi_shim_ranks_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_ranks_LDADD = $(MPI_LIBS)
tests_mpi_shim_same_SOURCES = tests/mpi-shim/same.c \
	tests/mpi-shim/callbacks.c tests/mpi-shim/check.h \
	tests/mpi-shim/shapes.c
tests_mpi_shim_same_CPPFLAGS = $(libplink_mpi_la_CPPFLAGS)
tests_mpi_shim_same_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_same_LDADD = $(MPI_LIBS)
tests_mpi_shim_collectives_SOURCES = tests/mpi-shim/collectives.c \
	tests/mpi-shim/check.h tests/mpi-shim/collectives.h \
	tests/mpi-shim/in-place.c tests/mpi-shim/large.h \
	tests/mpi-shim/lives.c tests/mpi-shim/results.c tests/mpi-shim/wrong.c
tests_mpi_shim_collectives_CPPFLAGS = $(libplink_mpi_la_CPPFLAGS)
tests_mpi_shim_collectives_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -pthread
tests_mpi_shim_collectives_LDADD = $(MPI_LIBS)
tests_mpi_shim_sent_SOURCES = tests/mpi-shim/sent.c
tests_mpi_shim_sent_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_sent_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_mpi_shim_sent_LDADD = $(MPI_LIBS)
tests_mpi_shim_spawn_SOURCES = tests/mpi-shim/spawn.c
tests_mpi_shim_spawn_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_spawn_LDADD = $(MPI_LIBS)
tests_mpi_shim_told_SOURCES = tests/mpi-shim/told.c
tests_mpi_shim_told_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_told_LDADD = $(MPI_LIBS)

# The same from Fortran, once for each of its three ways to know MPI.
if HAVE_MPI_FORTRAN
check_PROGRAMS += tests/mpi-shim/mpif tests/mpi-shim/use-mpi \
	tests/mpi-shim/use-mpi-f08
endif
tests_mpi_shim_mpif_SOURCES = tests/mpi-shim/fortran.F90
tests_mpi_shim_mpif_FCFLAGS = $(MPI_FCFLAGS) -DTOLD=told_mpif -DWORLD=0
tests_mpi_shim_mpif_LDADD = $(MPI_FCLIBS)
tests_mpi_shim_mpif_LDFLAGS =
tests_mpi_shim_use_mpi_SOURCES = tests/mpi-shim/fortran.F90
tests_mpi_shim_use_mpi_FCFLAGS = $(MPI_FCFLAGS) -DTOLD=told_mpi -DWORLD=0 \
	-DUSE_MPI
tests_mpi_shim_use_mpi_LDADD = $(MPI_FCLIBS)
tests_mpi_shim_use_mpi_LDFLAGS =
tests_mpi_shim_use_mpi_f08_SOURCES = tests/mpi-shim/fortran.F90
tests_mpi_shim_use_mpi_f08_FCFLAGS = $(MPI_FCFLAGS) -DTOLD=told_mpi_f08 \
	-DWORLD=0 -DUSE_MPI_F08
tests_mpi_shim_use_mpi_f08_LDADD = $(MPI_FCLIBS)
tests_mpi_shim_use_mpi_f08_LDFLAGS =
if HAVE_MPI_FORTRAN
check_PROGRAMS += tests/mpi-shim/collectives-mpif \
	tests/mpi-shim/collectives-mpi tests/mpi-shim/collectives-f08
endif
tests_mpi_shim_collectives_mpif_SOURCES = tests/mpi-shim/collectives.F90
tests_mpi_shim_collectives_mpif_FCFLAGS = $(MPI_FCFLAGS)
tests_mpi_shim_collectives_mpif_LDADD = $(MPI_FCLIBS)
tests_mpi_shim_collectives_mpif_LDFLAGS =
tests_mpi_shim_collectives_mpi_SOURCES = tests/mpi-shim/collectives.F90
tests_mpi_shim_collectives_mpi_FCFLAGS = $(MPI_FCFLAGS) -DUSE_MPI
tests_mpi_shim_collectives_mpi_LDADD = $(MPI_FCLIBS)
tests_mpi_shim_collectives_mpi_LDFLAGS =
tests_mpi_shim_collectives_f08_SOURCES = tests/mpi-shim/collectives.F90
tests_mpi_shim_collectives_f08_FCFLAGS = $(MPI_FCFLAGS) -DUSE_MPI_F08
tests_mpi_shim_collectives_f08_LDADD = $(MPI_FCLIBS)
tests_mpi_shim_collectives_f08_LDFLAGS =

CLEANFILES += told_mpif.mod told_mpi.mod told_mpi_f08.mod

# All that once more for MPICH, and what only MPICH has.
if HAVE_MPICH
check_PROGRAMS += tests/mpi-shim/mpich/ranks tests/mpi-shim/mpich/same \
	tests/mpi-shim/mpich/spawn tests/mpi-shim/mpich/mpi4 \
	tests/mpi-shim/mpich/collectives tests/mpi-shim/mpich/large \
	tests/mpi-shim/mpich/placed
endif
tests_mpi_shim_mpich_ranks_SOURCES = $(tests_mpi_shim_ranks_SOURCES)
tests_mpi_shim_mpich_ranks_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_mpi_shim_mpich_ranks_LDADD = $(MPICH_LIBS)
tests_mpi_shim_mpich_same_SOURCES = $(tests_mpi_shim_same_SOURCES)
tests_mpi_shim_mpich_same_CPPFLAGS = $(libplink_mpich_la_CPPFLAGS)
tests_mpi_shim_mpich_same_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_mpi_shim_mpich_same_LDADD = $(MPICH_LIBS)
tests_mpi_shim_mpich_spawn_SOURCES = $(tests_mpi_shim_spawn_SOURCES)
tests_mpi_shim_mpich_spawn_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_mpi_shim_mpich_spawn_LDADD = $(MPICH_LIBS)
tests_mpi_shim_mpich_mpi4_SOURCES = tests/mpi-shim/mpi4.c
tests_mpi_shim_mpich_mpi4_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_mpi_shim_mpich_mpi4_LDADD = $(MPICH_LIBS)
tests_mpi_shim_mpich_collectives_SOURCES = \
	$(tests_mpi_shim_collectives_SOURCES)
tests_mpi_shim_mpich_collectives_CPPFLAGS = $(libplink_mpich_la_CPPFLAGS)
tests_mpi_shim_mpich_collectives_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS) -pthread
tests_mpi_shim_mpich_collectives_LDADD = $(MPICH_LIBS)
tests_mpi_shim_mpich_large_SOURCES = $(tests_mpi_shim_collectives_SOURCES)
tests_mpi_shim_mpich_large_CPPFLAGS = $(libplink_mpich_la_CPPFLAGS) \
	-DPL_TEST_LARGE
tests_mpi_shim_mpich_large_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS) -pthread
tests_mpi_shim_mpich_large_LDADD = $(MPICH_LIBS)
tests_mpi_shim_mpich_placed_SOURCES = tests/mpi-shim/placed.c
tests_mpi_shim_mpich_placed_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_mpi_shim_mpich_placed_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_mpi_shim_mpich_placed_LDADD = $(MPICH_LIBS)
if HAVE_MPICH_CXX
check_PROGRAMS += tests/mpi-shim/mpich/cxx
endif
tests_mpi_shim_mpich_cxx_SOURCES = tests/mpi-shim/cxx.cc
tests_mpi_shim_mpich_cxx_CXXFLAGS = $(AM_CXXFLAGS) $(MPICH_CFLAGS)
tests_mpi_shim_mpich_cxx_LDADD = -lmpichcxx $(MPICH_LIBS)
if HAVE_MPICH_FORTRAN
check_PROGRAMS += tests/mpi-shim/mpich/mpif tests/mpi-shim/mpich/use-mpi \
	tests/mpi-shim/mpich/use-mpi-f08
endif
MPICH_WORLD = -DWORLD=1140850688
tests_mpi_shim_mpich_mpif_SOURCES = tests/mpi-shim/fortran.F90
tests_mpi_shim_mpich_mpif_FCFLAGS = $(MPICH_CFLAGS) $(MPICH_WORLD) \
	-DTOLD=told_mpich_mpif
tests_mpi_shim_mpich_mpif_LDADD = -lmpichfort $(MPICH_LIBS)
tests_mpi_shim_mpich_mpif_LDFLAGS =
tests_mpi_shim_mpich_use_mpi_SOURCES = tests/mpi-shim/fortran.F90
tests_mpi_shim_mpich_use_mpi_FCFLAGS = $(MPICH_CFLAGS) $(MPICH_WORLD) \
	-DTOLD=told_mpich_mpi -DUSE_MPI
tests_mpi_shim_mpich_use_mpi_LDADD = -lmpichfort $(MPICH_LIBS)
tests_mpi_shim_mpich_use_mpi_LDFLAGS =
tests_mpi_shim_mpich_use_mpi_f08_SOURCES = tests/mpi-shim/fortran.F90
tests_mpi_shim_mpich_use_mpi_f08_FCFLAGS = $(MPICH_CFLAGS) $(MPICH_WORLD) \
	-DTOLD=told_mpich_mpi_f08 -DUSE_MPI_F08
tests_mpi_shim_mpich_use_mpi_f08_LDADD = -lmpichfort $(MPICH_LIBS)
tests_mpi_shim_mpich_use_mpi_f08_LDFLAGS =
if HAVE_MPICH_FORTRAN
check_PROGRAMS += tests/mpi-shim/mpich/collectives-mpif \
	tests/mpi-shim/mpich/collectives-f08
endif
tests_mpi_shim_mpich_collectives_mpif_SOURCES = tests/mpi-shim/collectives.F90
tests_mpi_shim_mpich_collectives_mpif_FCFLAGS = $(MPICH_CFLAGS)
tests_mpi_shim_mpich_collectives_mpif_LDADD = -lmpichfort $(MPICH_LIBS)
tests_mpi_shim_mpich_collectives_mpif_LDFLAGS =
tests_mpi_shim_mpich_collectives_f08_SOURCES = tests/mpi-shim/collectives.F90
tests_mpi_shim_mpich_collectives_f08_FCFLAGS = $(MPICH_CFLAGS) -DUSE_MPI_F08
tests_mpi_shim_mpich_collectives_f08_LDADD = -lmpichfort $(MPICH_LIBS)
tests_mpi_shim_mpich_collectives_f08_LDFLAGS =
CLEANFILES += told_mpich_mpif.mod told_mpich_mpi.mod told_mpich_mpi_f08.mod

# Fortran bindings that a plugin brings along
if HAVE_MPI_FORTRAN
check_PROGRAMS += tests/mpi-shim/plugin
endif
tests_mpi_shim_plugin_SOURCES = tests/mpi-shim/plugin.c
tests_mpi_shim_plugin_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_plugin_LDADD = $(MPI_LIBS)

# A tool that wraps MPI functions, preloaded in front.
if HAVE_MPI
check_LTLIBRARIES += libplink-test-mpi-tool.la libplink-test-mpi-foreign.la \
	libplink-test-mpi-below.la
endif
libplink_test_mpi_tool_la_SOURCES = tests/mpi-shim/tool.c
libplink_test_mpi_tool_la_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_test_mpi_tool_la_LDFLAGS = -module -avoid-version -shared \
	-rpath $(abs_builddir)

if HAVE_MPICH
check_LTLIBRARIES += libplink-test-mpich-tool.la libplink-test-mpich-below.la
endif
libplink_test_mpich_below_la_SOURCES = tests/mpi-shim/calls.c
libplink_test_mpich_below_la_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPICH_CFLAGS)
libplink_test_mpich_below_la_LDFLAGS = -module -avoid-version -shared \
	-rpath $(abs_builddir)
libplink_test_mpich_tool_la_SOURCES = tests/mpi-shim/tool.c
libplink_test_mpich_tool_la_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPICH_CFLAGS)
libplink_test_mpich_tool_la_LDFLAGS = -module -avoid-version -shared \
	-rpath $(abs_builddir)

# A library in which a function fails.
libplink_test_mpi_below_la_SOURCES = tests/mpi-shim/below.c
libplink_test_mpi_below_la_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_test_mpi_below_la_LDFLAGS = -module -avoid-version -shared \
	-rpath $(abs_builddir)

# A library that is another MPI, as far as it says.
libplink_test_mpi_foreign_la_SOURCES = tests/mpi-shim/foreign.c
libplink_test_mpi_foreign_la_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_test_mpi_foreign_la_LDFLAGS = -module -avoid-version -shared \
	-rpath $(abs_builddir)

# PLINK_STATS: calls that are known, from C and Fortran
if HAVE_MPI
check_PROGRAMS += tests/mpi-shim/counted
endif
tests_mpi_shim_counted_SOURCES = tests/mpi-shim/counted.c
tests_mpi_shim_counted_CPPFLAGS = $(libplink_mpi_la_CPPFLAGS)
tests_mpi_shim_counted_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_counted_LDADD = $(MPI_LIBS) $(THREAD_LIBS)
if HAVE_MPI_FORTRAN
check_PROGRAMS += tests/mpi-shim/counted-mpif tests/mpi-shim/counted-mpi-f08
endif
tests_mpi_shim_counted_mpif_SOURCES = tests/mpi-shim/counted.F90
tests_mpi_shim_counted_mpif_FCFLAGS = $(MPI_FCFLAGS)
tests_mpi_shim_counted_mpif_LDADD = $(MPI_FCLIBS)
tests_mpi_shim_counted_mpif_LDFLAGS =
tests_mpi_shim_counted_mpi_f08_SOURCES = tests/mpi-shim/counted.F90
tests_mpi_shim_counted_mpi_f08_FCFLAGS = $(MPI_FCFLAGS) -DUSE_MPI_F08
tests_mpi_shim_counted_mpi_f08_LDADD = $(MPI_FCLIBS)
tests_mpi_shim_counted_mpi_f08_LDFLAGS =
if HAVE_MPICH
check_PROGRAMS += tests/mpi-shim/mpich/counted
endif
tests_mpi_shim_mpich_counted_SOURCES = tests/mpi-shim/counted.c
tests_mpi_shim_mpich_counted_CPPFLAGS = $(libplink_mpich_la_CPPFLAGS)
tests_mpi_shim_mpich_counted_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_mpi_shim_mpich_counted_LDADD = $(MPICH_LIBS) $(THREAD_LIBS)
TOOL_TESTS += tests/1070-mpi-stats.t tests/1078-mpich-stats.t
EXTRA_DIST += tests/mpi-shim/counted-rows

# What LightGBM and Horovod call.
if HAVE_MPI
check_PROGRAMS += tests/mpi-shim/lightgbm tests/mpi-shim/horovod
endif
tests_mpi_shim_lightgbm_SOURCES = tests/mpi-shim/lightgbm.c
tests_mpi_shim_lightgbm_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_lightgbm_LDADD = $(MPI_LIBS)
tests_mpi_shim_horovod_SOURCES = tests/mpi-shim/horovod.c
tests_mpi_shim_horovod_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_horovod_LDADD = $(MPI_LIBS)
TOOL_TESTS += tests/1074-mpi-callers.t tests/1076-mpi-callers-machines.t

TOOL_TESTS += tests/1000-mpi-shim.t tests/1010-mpi-shim-plans.t \
	tests/1020-mpi-shim-fortran.t tests/1030-mpi-shim-tools.t \
	tests/1060-mpi-shadow.t tests/1061-mpi-shadow-orders.t \
	tests/1050-mpi-shim-machines.t tests/1055-mpi-shim-early.t \
	tests/1090-mpich-shim.t tests/1092-mpich-shadow.t tests/1095-conformance.t

UNIT_TESTS += tests/unit-ranks tests/unit-shadow
tests_unit_shadow_SOURCES = tests/unit-shadow.c \
	shim/mpi/shadow/choose.c shim/mpi/shadow/choose.h
tests_unit_shadow_LDADD = $(UNIT_LIBS)
tests_unit_ranks_SOURCES = tests/unit-ranks.c \
	shim/ranks.c shim/ranks.h shim/self.c shim/self.h
tests_unit_ranks_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit-shim-stats
tests_unit_shim_stats_SOURCES = tests/unit-shim-stats.c \
	shim/stats/clock.c shim/stats/clock.h \
	shim/stats/sums.c shim/stats/sums.h \
	shim/stats/table.c shim/stats/table.h \
	shim/stats/write.c shim/stats/write.h $(FAILALLOC_FILES)
tests_unit_shim_stats_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_shim_stats_CPPFLAGS = $(AM_CPPFLAGS) -DPL_SHIM_NAME='"unit"'
tests_unit_shim_stats_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_shim_stats_LDADD = $(UNIT_LIBS) $(JANSSON_LIBS) $(THREAD_LIBS)

# plink-mpirun
TOOL_TESTS += tests/1080-mpirun.t tests/1082-mpirun-mpich.t \
	tests/1085-mpirun-machines.t
UNIT_TESTS += tests/unit-mpirun
tests_unit_mpirun_SOURCES = tests/unit-mpirun.c $(FAILALLOC_FILES) \
	$(MPIRUN_PARTS)
tests_unit_mpirun_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_mpirun_LDADD = $(UNIT_LIBS)
