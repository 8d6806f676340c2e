# SPDX-License-Identifier: BSD-3-Clause
# Programs that libplink-mpi.so is preloaded into.
if HAVE_MPI
check_PROGRAMS += tests/mpi-shim/ranks tests/mpi-shim/same \
	tests/mpi-shim/spawn
endif
EXTRA_DIST += tests/mpi-shim/mpi.sh
tests_mpi_shim_ranks_SOURCES = tests/mpi-shim/ranks.c
tests_mpi_shim_ranks_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_ranks_LDADD = $(MPI_LIBS)
tests_mpi_shim_same_SOURCES = tests/mpi-shim/same.c \
	tests/mpi-shim/callbacks.c tests/mpi-shim/check.h \
	tests/mpi-shim/shapes.c
tests_mpi_shim_same_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_same_LDADD = $(MPI_LIBS)
tests_mpi_shim_spawn_SOURCES = tests/mpi-shim/spawn.c
tests_mpi_shim_spawn_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_shim_spawn_LDADD = $(MPI_LIBS)
TOOL_TESTS += tests/1000-mpi-shim.t tests/1010-mpi-shim-plans.t

UNIT_TESTS += tests/unit-ranks
tests_unit_ranks_SOURCES = tests/unit-ranks.c \
	shim/ranks.c shim/ranks.h shim/self.c shim/self.h
tests_unit_ranks_LDADD = $(UNIT_LIBS)
