# SPDX-License-Identifier: BSD-3-Clause
# Programs that libplink-mpi.so is preloaded into.
if HAVE_MPI
check_PROGRAMS += tests/shim-mpi/ranks tests/shim-mpi/same \
	tests/shim-mpi/collectives tests/shim-mpi/sent \
	tests/shim-mpi/requests tests/shim-mpi/killed \
	tests/shim-mpi/unequal \
	tests/shim-mpi/spawn tests/shim-mpi/told
endif
EXTRA_DIST += tests/shim-mpi/engine.sh tests/shim-mpi/grids.sh \
	tests/shim-mpi/mpi.sh
tests_shim_mpi_requests_SOURCES = tests/shim-mpi/programs/requests.c \
	tests/shim-mpi/programs/check.h
tests_shim_mpi_requests_CPPFLAGS = $(libplink_mpi_so_CPPFLAGS)
tests_shim_mpi_requests_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_requests_LDADD = $(MPI_TEST_LIBS)
tests_shim_mpi_unequal_SOURCES = tests/shim-mpi/programs/unequal.c
tests_shim_mpi_unequal_CPPFLAGS = $(libplink_mpi_so_CPPFLAGS)
tests_shim_mpi_unequal_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_unequal_LDADD = $(MPI_TEST_LIBS)
tests_shim_mpi_killed_SOURCES = tests/shim-mpi/programs/killed.c
tests_shim_mpi_killed_CPPFLAGS = $(libplink_mpi_so_CPPFLAGS)
tests_shim_mpi_killed_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_killed_LDADD = $(MPI_TEST_LIBS)
tests_shim_mpi_ranks_SOURCES = tests/shim-mpi/programs/ranks.c
tests_shim_mpi_ranks_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_ranks_LDADD = $(MPI_TEST_LIBS)
tests_shim_mpi_same_SOURCES = tests/shim-mpi/programs/same.c \
	tests/shim-mpi/programs/callbacks.c tests/shim-mpi/programs/check.h \
	tests/shim-mpi/programs/shapes.c
tests_shim_mpi_same_CPPFLAGS = $(libplink_mpi_so_CPPFLAGS)
tests_shim_mpi_same_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_same_LDADD = $(MPI_TEST_LIBS)
tests_shim_mpi_collectives_SOURCES = tests/shim-mpi/programs/collectives.c \
	tests/shim-mpi/programs/check.h tests/shim-mpi/programs/collectives.h \
	tests/shim-mpi/programs/in-place.c tests/shim-mpi/programs/large.h \
	tests/shim-mpi/programs/lives.c tests/shim-mpi/programs/results.c \
	tests/shim-mpi/programs/wrong.c
tests_shim_mpi_collectives_CPPFLAGS = $(libplink_mpi_so_CPPFLAGS)
tests_shim_mpi_collectives_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -pthread
tests_shim_mpi_collectives_LDADD = $(MPI_TEST_LIBS)
tests_shim_mpi_sent_SOURCES = tests/shim-mpi/programs/sent.c
tests_shim_mpi_sent_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_sent_LDFLAGS = $(AM_LDFLAGS) -rdynamic
tests_shim_mpi_sent_LDADD = $(MPI_TEST_LIBS)
tests_shim_mpi_spawn_SOURCES = tests/shim-mpi/programs/spawn.c
tests_shim_mpi_spawn_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_spawn_LDADD = $(MPI_LIBS)
tests_shim_mpi_told_SOURCES = tests/shim-mpi/programs/told.c
tests_shim_mpi_told_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_told_LDADD = $(MPI_TEST_LIBS)

# The same from Fortran, once for each of its three ways to know MPI.
if HAVE_MPI_FORTRAN
check_PROGRAMS += tests/shim-mpi/mpif tests/shim-mpi/use-mpi \
	tests/shim-mpi/use-mpi-f08
endif
tests_shim_mpi_mpif_SOURCES = tests/shim-mpi/programs/fortran.F90
tests_shim_mpi_mpif_FCFLAGS = $(MPI_FCFLAGS) -DTOLD=told_mpif -DWORLD=0
tests_shim_mpi_mpif_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_mpif_LDFLAGS =
tests_shim_mpi_use_mpi_SOURCES = tests/shim-mpi/programs/fortran.F90
tests_shim_mpi_use_mpi_FCFLAGS = $(MPI_FCFLAGS) -DTOLD=told_mpi -DWORLD=0 \
	-DUSE_MPI
tests_shim_mpi_use_mpi_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_use_mpi_LDFLAGS =
tests_shim_mpi_use_mpi_f08_SOURCES = tests/shim-mpi/programs/fortran.F90
tests_shim_mpi_use_mpi_f08_FCFLAGS = $(MPI_FCFLAGS) -DTOLD=told_mpi_f08 \
	-DWORLD=0 -DUSE_MPI_F08
tests_shim_mpi_use_mpi_f08_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_use_mpi_f08_LDFLAGS =
if HAVE_MPI_FORTRAN
check_PROGRAMS += tests/shim-mpi/collectives-mpif \
	tests/shim-mpi/collectives-mpi tests/shim-mpi/collectives-f08
endif
tests_shim_mpi_collectives_mpif_SOURCES = tests/shim-mpi/programs/collectives.F90
tests_shim_mpi_collectives_mpif_FCFLAGS = $(MPI_FCFLAGS)
tests_shim_mpi_collectives_mpif_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_collectives_mpif_LDFLAGS =
tests_shim_mpi_collectives_mpi_SOURCES = tests/shim-mpi/programs/collectives.F90
tests_shim_mpi_collectives_mpi_FCFLAGS = $(MPI_FCFLAGS) -DUSE_MPI
tests_shim_mpi_collectives_mpi_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_collectives_mpi_LDFLAGS =
tests_shim_mpi_collectives_f08_SOURCES = tests/shim-mpi/programs/collectives.F90
tests_shim_mpi_collectives_f08_FCFLAGS = $(MPI_FCFLAGS) -DUSE_MPI_F08
tests_shim_mpi_collectives_f08_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_collectives_f08_LDFLAGS =

CLEANFILES += told_mpif.mod told_mpi.mod told_mpi_f08.mod

# All that once more for MPICH, and what only MPICH has.
if HAVE_MPICH
check_PROGRAMS += tests/shim-mpi/mpich/ranks tests/shim-mpi/mpich/same \
	tests/shim-mpi/mpich/spawn tests/shim-mpi/mpich/mpi4 \
	tests/shim-mpi/mpich/collectives tests/shim-mpi/mpich/large \
	tests/shim-mpi/mpich/placed tests/shim-mpi/mpich/requests \
	tests/shim-mpi/mpich/unequal
endif
tests_shim_mpi_mpich_unequal_SOURCES = $(tests_shim_mpi_unequal_SOURCES)
tests_shim_mpi_mpich_unequal_CPPFLAGS = $(libplink_mpich_so_CPPFLAGS)
tests_shim_mpi_mpich_unequal_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_unequal_LDADD = $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_requests_SOURCES = $(tests_shim_mpi_requests_SOURCES)
tests_shim_mpi_mpich_requests_CPPFLAGS = $(libplink_mpich_so_CPPFLAGS)
tests_shim_mpi_mpich_requests_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_requests_LDADD = $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_ranks_SOURCES = $(tests_shim_mpi_ranks_SOURCES)
tests_shim_mpi_mpich_ranks_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_ranks_LDADD = $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_same_SOURCES = $(tests_shim_mpi_same_SOURCES)
tests_shim_mpi_mpich_same_CPPFLAGS = $(libplink_mpich_so_CPPFLAGS)
tests_shim_mpi_mpich_same_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_same_LDADD = $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_spawn_SOURCES = $(tests_shim_mpi_spawn_SOURCES)
tests_shim_mpi_mpich_spawn_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_spawn_LDADD = $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_mpi4_SOURCES = tests/shim-mpi/programs/mpi4.c
tests_shim_mpi_mpich_mpi4_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_mpi4_LDADD = $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_collectives_SOURCES = \
	$(tests_shim_mpi_collectives_SOURCES)
tests_shim_mpi_mpich_collectives_CPPFLAGS = $(libplink_mpich_so_CPPFLAGS)
tests_shim_mpi_mpich_collectives_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS) -pthread
tests_shim_mpi_mpich_collectives_LDADD = $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_large_SOURCES = $(tests_shim_mpi_collectives_SOURCES)
tests_shim_mpi_mpich_large_CPPFLAGS = $(libplink_mpich_so_CPPFLAGS) \
	-DPL_TEST_LARGE
tests_shim_mpi_mpich_large_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS) -pthread
tests_shim_mpi_mpich_large_LDADD = $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_placed_SOURCES = tests/shim-mpi/programs/placed.c
tests_shim_mpi_mpich_placed_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_placed_LDFLAGS = $(AM_LDFLAGS) -rdynamic
tests_shim_mpi_mpich_placed_LDADD = $(MPICH_TEST_LIBS)
if HAVE_MPICH_CXX
check_PROGRAMS += tests/shim-mpi/mpich/cxx
endif
tests_shim_mpi_mpich_cxx_SOURCES = tests/shim-mpi/programs/cxx.cc
tests_shim_mpi_mpich_cxx_CXXFLAGS = $(AM_CXXFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_cxx_LDADD = -lmpichcxx $(MPICH_TEST_LIBS)
if HAVE_MPICH_FORTRAN
check_PROGRAMS += tests/shim-mpi/mpich/mpif tests/shim-mpi/mpich/use-mpi \
	tests/shim-mpi/mpich/use-mpi-f08
endif
MPICH_WORLD = -DWORLD=1140850688
tests_shim_mpi_mpich_mpif_SOURCES = tests/shim-mpi/programs/fortran.F90
tests_shim_mpi_mpich_mpif_FCFLAGS = $(MPICH_CFLAGS) $(MPICH_WORLD) \
	-DTOLD=told_mpich_mpif
tests_shim_mpi_mpich_mpif_LDADD = -lmpichfort $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_mpif_LDFLAGS =
tests_shim_mpi_mpich_use_mpi_SOURCES = tests/shim-mpi/programs/fortran.F90
tests_shim_mpi_mpich_use_mpi_FCFLAGS = $(MPICH_CFLAGS) $(MPICH_WORLD) \
	-DTOLD=told_mpich_mpi -DUSE_MPI
tests_shim_mpi_mpich_use_mpi_LDADD = -lmpichfort $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_use_mpi_LDFLAGS =
tests_shim_mpi_mpich_use_mpi_f08_SOURCES = tests/shim-mpi/programs/fortran.F90
tests_shim_mpi_mpich_use_mpi_f08_FCFLAGS = $(MPICH_CFLAGS) $(MPICH_WORLD) \
	-DTOLD=told_mpich_mpi_f08 -DUSE_MPI_F08
tests_shim_mpi_mpich_use_mpi_f08_LDADD = -lmpichfort $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_use_mpi_f08_LDFLAGS =
if HAVE_MPICH_FORTRAN
check_PROGRAMS += tests/shim-mpi/mpich/collectives-mpif \
	tests/shim-mpi/mpich/collectives-f08
endif
tests_shim_mpi_mpich_collectives_mpif_SOURCES = tests/shim-mpi/programs/collectives.F90
tests_shim_mpi_mpich_collectives_mpif_FCFLAGS = $(MPICH_CFLAGS)
tests_shim_mpi_mpich_collectives_mpif_LDADD = -lmpichfort $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_collectives_mpif_LDFLAGS =
tests_shim_mpi_mpich_collectives_f08_SOURCES = tests/shim-mpi/programs/collectives.F90
tests_shim_mpi_mpich_collectives_f08_FCFLAGS = $(MPICH_CFLAGS) -DUSE_MPI_F08
tests_shim_mpi_mpich_collectives_f08_LDADD = -lmpichfort $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_collectives_f08_LDFLAGS =
CLEANFILES += told_mpich_mpif.mod told_mpich_mpi.mod told_mpich_mpi_f08.mod

# Fortran bindings that a plugin brings along
if HAVE_MPI_FORTRAN
check_PROGRAMS += tests/shim-mpi/plugin
endif
tests_shim_mpi_plugin_SOURCES = tests/shim-mpi/programs/plugin.c
tests_shim_mpi_plugin_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_plugin_LDADD = $(MPI_LIBS)

# A tool that wraps MPI functions, preloaded in front.
if HAVE_MPI
check_PROGRAMS += libplink-test-mpi-tool.so libplink-test-mpi-foreign.so \
	libplink-test-mpi-below.so libplink-test-mpi-seen.so
endif
libplink_test_mpi_tool_so_SOURCES = tests/shim-mpi/programs/tool.c
libplink_test_mpi_tool_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_test_mpi_tool_so_LDFLAGS = -shared

if HAVE_MPICH
check_PROGRAMS += libplink-test-mpich-tool.so libplink-test-mpich-below.so \
	libplink-test-mpich-seen.so
endif
libplink_test_mpich_seen_so_SOURCES = tests/shim-mpi/programs/seen.c
libplink_test_mpich_seen_so_CPPFLAGS = $(libplink_mpich_so_CPPFLAGS)
libplink_test_mpich_seen_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPICH_CFLAGS)
libplink_test_mpich_seen_so_LDFLAGS = -shared
libplink_test_mpich_below_so_SOURCES = tests/shim-mpi/programs/calls.c
libplink_test_mpich_below_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPICH_CFLAGS)
libplink_test_mpich_below_so_LDFLAGS = -shared
libplink_test_mpich_tool_so_SOURCES = tests/shim-mpi/programs/tool.c
libplink_test_mpich_tool_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPICH_CFLAGS)
libplink_test_mpich_tool_so_LDFLAGS = -shared

# A library that tells of its all-reduces.
libplink_test_mpi_seen_so_SOURCES = tests/shim-mpi/programs/seen.c
libplink_test_mpi_seen_so_CPPFLAGS = $(libplink_mpi_so_CPPFLAGS)
libplink_test_mpi_seen_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_test_mpi_seen_so_LDFLAGS = -shared

# A library in which a function fails.
libplink_test_mpi_below_so_SOURCES = tests/shim-mpi/programs/below.c
libplink_test_mpi_below_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_test_mpi_below_so_LDFLAGS = -shared

# A library that is another MPI, as far as it says.
libplink_test_mpi_foreign_so_SOURCES = tests/shim-mpi/programs/foreign.c
libplink_test_mpi_foreign_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_test_mpi_foreign_so_LDFLAGS = -shared

# A double of an MPI library with the standard ABI, and programs: one linked with it, one
# with a library that is, and one that loads this library as it runs.
check_PROGRAMS += tests/shim-mpi/abi/libmpi_abi.so.0 tests/shim-mpi/abi/libjob.so \
	tests/shim-mpi/abi/direct tests/shim-mpi/abi/indirect tests/shim-mpi/abi/loads
ABI_SO = tests/shim-mpi/abi/libmpi_abi.so.0
tests_shim_mpi_abi_libmpi_abi_so_0_SOURCES = tests/shim-mpi/programs/abi.c \
	tests/shim-mpi/programs/abi.h
tests_shim_mpi_abi_libmpi_abi_so_0_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS)
tests_shim_mpi_abi_libmpi_abi_so_0_LDFLAGS = -shared -Wl,-soname,libmpi_abi.so.0
ABI_JOB = tests/shim-mpi/programs/abi-job.c tests/shim-mpi/programs/abi-job.h \
	tests/shim-mpi/programs/abi.h
tests_shim_mpi_abi_libjob_so_SOURCES = $(ABI_JOB)
tests_shim_mpi_abi_libjob_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS)
tests_shim_mpi_abi_libjob_so_LDFLAGS = -shared -Wl,-soname,libjob.so
tests_shim_mpi_abi_libjob_so_LDADD = $(ABI_SO)
tests_shim_mpi_abi_direct_SOURCES = tests/shim-mpi/programs/abi-main.c $(ABI_JOB)
tests_shim_mpi_abi_direct_LDADD = $(ABI_SO)
tests_shim_mpi_abi_indirect_SOURCES = tests/shim-mpi/programs/abi-main.c \
	tests/shim-mpi/programs/abi-job.h
tests_shim_mpi_abi_indirect_LDFLAGS = $(AM_LDFLAGS) -Wl,-rpath-link,tests/shim-mpi/abi
tests_shim_mpi_abi_indirect_LDADD = tests/shim-mpi/abi/libjob.so
tests_shim_mpi_abi_loads_SOURCES = $(tests_shim_mpi_abi_indirect_SOURCES)
tests_shim_mpi_abi_loads_CPPFLAGS = $(AM_CPPFLAGS) -DTEST_LOADS
TOOL_TESTS += tests/shim-mpi/1096-mpi-abi.t

# PLINK_STATS: calls that are known, from C and Fortran
if HAVE_MPI
check_PROGRAMS += tests/shim-mpi/counted
endif
tests_shim_mpi_counted_SOURCES = tests/shim-mpi/programs/counted.c
tests_shim_mpi_counted_CPPFLAGS = $(libplink_mpi_so_CPPFLAGS)
tests_shim_mpi_counted_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_counted_LDADD = $(MPI_TEST_LIBS) $(THREAD_LIBS)
if HAVE_MPI_FORTRAN
check_PROGRAMS += tests/shim-mpi/counted-mpif tests/shim-mpi/counted-mpi-f08
endif
tests_shim_mpi_counted_mpif_SOURCES = tests/shim-mpi/programs/counted.F90
tests_shim_mpi_counted_mpif_FCFLAGS = $(MPI_FCFLAGS)
tests_shim_mpi_counted_mpif_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_counted_mpif_LDFLAGS =
tests_shim_mpi_counted_mpi_f08_SOURCES = tests/shim-mpi/programs/counted.F90
tests_shim_mpi_counted_mpi_f08_FCFLAGS = $(MPI_FCFLAGS) -DUSE_MPI_F08
tests_shim_mpi_counted_mpi_f08_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_counted_mpi_f08_LDFLAGS =
if HAVE_MPICH
check_PROGRAMS += tests/shim-mpi/mpich/counted
endif
tests_shim_mpi_mpich_counted_SOURCES = tests/shim-mpi/programs/counted.c
tests_shim_mpi_mpich_counted_CPPFLAGS = $(libplink_mpich_so_CPPFLAGS)
tests_shim_mpi_mpich_counted_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_counted_LDADD = $(MPICH_TEST_LIBS) $(THREAD_LIBS)
TOOL_TESTS += tests/shim-mpi/1070-mpi-stats.t tests/shim-mpi/1078-mpich-stats.t
EXTRA_DIST += tests/shim-mpi/counted-rows

# the same with noise
if HAVE_MPI
check_PROGRAMS += tests/shim-mpi/noisy
endif
tests_shim_mpi_noisy_SOURCES = tests/shim-mpi/programs/noisy.c
tests_shim_mpi_noisy_CPPFLAGS = $(libplink_mpi_so_CPPFLAGS)
tests_shim_mpi_noisy_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_noisy_LDADD = $(MPI_TEST_LIBS)
if HAVE_MPICH
check_PROGRAMS += tests/shim-mpi/mpich/noisy
endif
tests_shim_mpi_mpich_noisy_SOURCES = tests/shim-mpi/programs/noisy.c
tests_shim_mpi_mpich_noisy_CPPFLAGS = $(libplink_mpich_so_CPPFLAGS)
tests_shim_mpi_mpich_noisy_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_noisy_LDADD = $(MPICH_TEST_LIBS)
TOOL_TESTS += tests/shim-mpi/1072-mpi-noise.t

# Grids and graphs
if HAVE_MPI
check_PROGRAMS += tests/shim-mpi/grids
endif
tests_shim_mpi_grids_SOURCES = tests/shim-mpi/programs/grids.c
tests_shim_mpi_grids_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_grids_LDADD = $(MPI_TEST_LIBS)
if HAVE_MPI_FORTRAN
check_PROGRAMS += tests/shim-mpi/grid-mpif tests/shim-mpi/grid-f08
endif
tests_shim_mpi_grid_mpif_SOURCES = tests/shim-mpi/programs/grid.F90
tests_shim_mpi_grid_mpif_FCFLAGS = $(MPI_FCFLAGS)
tests_shim_mpi_grid_mpif_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_grid_mpif_LDFLAGS =
tests_shim_mpi_grid_f08_SOURCES = tests/shim-mpi/programs/grid.F90
tests_shim_mpi_grid_f08_FCFLAGS = $(MPI_FCFLAGS) -DUSE_MPI_F08
tests_shim_mpi_grid_f08_LDADD = $(MPI_FCLIBS)
tests_shim_mpi_grid_f08_LDFLAGS =
if HAVE_MPICH
check_PROGRAMS += tests/shim-mpi/mpich/grids
endif
tests_shim_mpi_mpich_grids_SOURCES = $(tests_shim_mpi_grids_SOURCES)
tests_shim_mpi_mpich_grids_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_shim_mpi_mpich_grids_LDADD = $(MPICH_TEST_LIBS)
if HAVE_MPICH_FORTRAN
check_PROGRAMS += tests/shim-mpi/mpich/grid-mpif tests/shim-mpi/mpich/grid-f08
endif
tests_shim_mpi_mpich_grid_mpif_SOURCES = tests/shim-mpi/programs/grid.F90
tests_shim_mpi_mpich_grid_mpif_FCFLAGS = $(MPICH_CFLAGS)
tests_shim_mpi_mpich_grid_mpif_LDADD = -lmpichfort $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_grid_mpif_LDFLAGS =
tests_shim_mpi_mpich_grid_f08_SOURCES = tests/shim-mpi/programs/grid.F90
tests_shim_mpi_mpich_grid_f08_FCFLAGS = $(MPICH_CFLAGS) -DUSE_MPI_F08
tests_shim_mpi_mpich_grid_f08_LDADD = -lmpichfort $(MPICH_TEST_LIBS)
tests_shim_mpi_mpich_grid_f08_LDFLAGS =
TOOL_TESTS += tests/shim-mpi/1097-mpi-grids.t tests/shim-mpi/1098-mpich-grids.t

# What LightGBM and Horovod call.
if HAVE_MPI
check_PROGRAMS += tests/shim-mpi/lightgbm tests/shim-mpi/horovod
endif
tests_shim_mpi_lightgbm_SOURCES = tests/shim-mpi/programs/lightgbm.c
tests_shim_mpi_lightgbm_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_lightgbm_LDADD = $(MPI_LIBS)
tests_shim_mpi_horovod_SOURCES = tests/shim-mpi/programs/horovod.c
tests_shim_mpi_horovod_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_shim_mpi_horovod_LDADD = $(MPI_TEST_LIBS)
TOOL_TESTS += tests/shim-mpi/1074-mpi-callers.t tests/shim-mpi/1076-mpi-callers-machines.t

TOOL_TESTS += tests/shim-mpi/1000-mpi-shim.t tests/shim-mpi/1010-mpi-shim-plans.t \
	tests/shim-mpi/1020-mpi-shim-fortran.t tests/shim-mpi/1030-mpi-shim-tools.t \
	tests/shim-mpi/1060-mpi-shadow.t tests/shim-mpi/1061-mpi-shadow-orders.t \
	tests/shim-mpi/1064-mpi-engine.t tests/shim-mpi/1066-mpi-engine-machines.t \
	tests/shim-mpi/1068-mpi-live.t \
	tests/shim-mpi/1094-mpich-engine.t \
	tests/shim-mpi/1050-mpi-shim-machines.t tests/shim-mpi/1055-mpi-shim-early.t \
	tests/shim-mpi/1090-mpich-shim.t tests/shim-mpi/1092-mpich-shadow.t tests/shim-mpi/1095-conformance.t

UNIT_TESTS += tests/shim-mpi/unit-ranks tests/shim-mpi/unit-shadow \
	tests/shim-mpi/unit-topology
tests_shim_mpi_unit_topology_SOURCES = tests/shim-mpi/unit-topology.c \
	$(TOPOLOGY_FIT)
tests_shim_mpi_unit_topology_LDADD = $(UNIT_LIBS)
tests_shim_mpi_unit_shadow_SOURCES = tests/shim-mpi/unit-shadow.c \
	shim/mpi/shadow/choose.c shim/mpi/shadow/choose.h
tests_shim_mpi_unit_shadow_LDADD = $(UNIT_LIBS)
tests_shim_mpi_unit_ranks_SOURCES = tests/shim-mpi/unit-ranks.c \
	shim/ranks.c shim/ranks.h shim/self.c shim/self.h
tests_shim_mpi_unit_ranks_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/shim-mpi/unit-shim-stats
tests_shim_mpi_unit_shim_stats_SOURCES = tests/shim-mpi/unit-shim-stats.c \
	shim/say.c shim/say.h \
	shim/stats/clock.c shim/stats/clock.h \
	shim/stats/groups.c shim/stats/groups.h \
	shim/stats/sums.c shim/stats/sums.h \
	shim/stats/table.c shim/stats/table.h \
	shim/stats/write.c shim/stats/write.h $(FAILALLOC_FILES)
tests_shim_mpi_unit_shim_stats_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_shim_mpi_unit_shim_stats_CPPFLAGS = $(AM_CPPFLAGS) -DPL_SHIM_NAME='"unit"'
tests_shim_mpi_unit_shim_stats_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_shim_mpi_unit_shim_stats_LDADD = $(UNIT_LIBS) $(JANSSON_LIBS) $(THREAD_LIBS)

# plink-mpirun
TOOL_TESTS += tests/tools/1080-mpirun.t tests/tools/1082-mpirun-mpich.t \
	tests/tools/1085-mpirun-machines.t
UNIT_TESTS += tests/tools/unit-mpirun
tests_tools_unit_mpirun_SOURCES = tests/tools/unit-mpirun.c $(FAILALLOC_FILES) \
	$(MPIRUN_PARTS)
tests_tools_unit_mpirun_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_tools_unit_mpirun_LDADD = $(TOOL_A) $(UNIT_LIBS)
