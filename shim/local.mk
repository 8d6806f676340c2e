# SPDX-License-Identifier: BSD-3-Clause
# Preload libraries. They go into programs that know nothing of sanitizers or of
# plink: own objects of what they need from the core (libplink-shim.a, for all of
# them), and nothing but what the wrapped library has (and plink_mpi_made_for) is to be
# seen from outside.
SHIM_CORE = \
	base/clock.c base/clock.h \
	base/err.c base/err.h \
	base/hosts/hosts.c base/hosts/hosts.h \
	base/mem.c base/mem.h \
	base/text/kind.c base/text/kind.h \
	base/text/names.c base/text/names.h \
	base/text/number.c base/text/number.h \
	base/text/size.c base/text/size.h \
	base/text/outfile.c base/text/outfile.h \
	base/text/sizesignal.c base/text/sizesignal.h \
	base/text/path.c base/text/path.h \
	base/text/scratch.c base/text/scratch.h \
	base/plan/plan.c base/plan/plan.h base/plan/plan-read.c base/plan/plan-read.h \
	base/plan/plan-read-costs.c base/plan/plan-read-order.c \
	base/text/text.c base/text/text.h
SHIM_SOURCES = \
	shim/plan.c shim/plan.h \
	shim/ranks.c shim/ranks.h \
	shim/self.c shim/self.h \
	shim/stats/clock.c shim/stats/clock.h \
	shim/stats/groups.c shim/stats/groups.h \
	shim/stats/path.c shim/stats/path.h \
	shim/stats/sums.c shim/stats/sums.h \
	shim/stats/table.c shim/stats/table.h
# The same for those whose messages have PL_SHIM_NAME: compiled for each library.
SHIM_NAMED = shim/say.c shim/say.h shim/stats/write.c shim/stats/write.h

# What holds a program's environment and its functions never goes away again.
SHIM_STAYS = -Wl,-z,nodelete

# libplink-mpi.so: MPI_COMM_WORLD follows a plan
shimexecdir = $(pkglibdir)
shimexec_PROGRAMS =
install-shimexecPROGRAMS uninstall-shimexecPROGRAMS: transform = s,x,x,
EXTRA_DIST += shim/mpi/generate.awk
if HAVE_MPI
shimexec_PROGRAMS += libplink-mpi.so
endif
# What comes in several forms (shadow/forms.h).
MPI_FORMS = \
	shim/mpi/shadow/allgather.c \
	shim/mpi/shadow/blocking.c \
	shim/mpi/shadow/forms.h \
	shim/mpi/shadow/nonblocking.c \
	shim/mpi/shadow/persistent.c
# The placement of processes in grids and graphs, without MPI.
TOPOLOGY_FIT = \
	shim/mpi/topology/descend.c \
	shim/mpi/topology/fit.c shim/mpi/topology/fit.h \
	shim/mpi/topology/graph.c \
	shim/mpi/topology/grow.c \
	shim/mpi/topology/tile.c

noinst_LIBRARIES += libplink-shim.a
libplink_shim_a_SOURCES = $(SHIM_CORE) $(SHIM_SOURCES) $(ENGINE_CORE) \
	base/pace.c base/pace.h \
	base/socket.c base/socket.h \
	base/visitors.c base/visitors.h \
	$(TOPOLOGY_FIT)
libplink_shim_a_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) -fvisibility=hidden \
	-fopenmp-simd

# Of any MPI library; what is a single one's own, its header says.
MPI_SHIM_SOURCES = $(SHIM_NAMED) \
	shim/mpi/attributes.c shim/mpi/attributes.h \
	shim/mpi/engine/allreduce.c \
	shim/mpi/engine/begin.c \
	shim/mpi/engine/comms.c \
	shim/mpi/engine/complete.c \
	shim/mpi/engine/link.c \
	shim/mpi/engine/messages.c \
	shim/mpi/engine/mode.h \
	shim/mpi/engine/parts.h \
	shim/mpi/engine/requests.c \
	shim/mpi/errors.c shim/mpi/errors.h \
	shim/mpi/init.c \
	shim/mpi/library.c shim/mpi/library.h \
	shim/mpi/load.c shim/mpi/load.h \
	shim/mpi/made-for.c shim/mpi/made-for.h \
	shim/mpi/present.c \
	shim/mpi/refuse.c shim/mpi/refuse.h \
	$(MPI_FORMS) \
	shim/mpi/shadow/barrier.c \
	shim/mpi/shadow/begin.c \
	shim/mpi/shadow/calls.h \
	shim/mpi/shadow/choose.c shim/mpi/shadow/choose.h \
	shim/mpi/shadow/free.c \
	shim/mpi/shadow/in-place.h \
	shim/mpi/shadow/make.c \
	shim/mpi/shadow/pick.h \
	shim/mpi/shadow/raise.c \
	shim/mpi/shadow/records.c \
	shim/mpi/shadow/shadow.h \
	shim/mpi/share.c shim/mpi/share.h \
	shim/mpi/start.c \
	shim/mpi/stats/bytes.c shim/mpi/stats/bytes.h \
	shim/mpi/stats/groups.c shim/mpi/stats/groups.h \
	shim/mpi/stats/log.c shim/mpi/stats/log.h \
	shim/mpi/stats/noise.c shim/mpi/stats/noise.h \
	shim/mpi/stats/stats.c shim/mpi/stats/stats.h \
	shim/mpi/stats/tree.c shim/mpi/stats/tree.h \
	shim/mpi/topology/create.c \
	shim/mpi/topology/map.c \
	shim/mpi/topology/network.c shim/mpi/topology/network.h \
	shim/mpi/topology/records.c shim/mpi/topology/records.h \
	shim/mpi/world.h
libplink_mpi_so_SOURCES = $(MPI_SHIM_SOURCES) \
	shim/mpi/early.c \
	shim/mpi/fortran.c shim/mpi/fortran.h shim/mpi/fortran-callbacks.c \
	shim/mpi/open-mpi.h
nodist_libplink_mpi_so_SOURCES = shim/mpi/wrappers.c
libplink_mpi_so_CPPFLAGS = $(AM_CPPFLAGS) -DPL_SHIM_NAME='"libplink-mpi"' \
	-DPL_MPI_LIBRARY_H='"shim/mpi/open-mpi.h"'
libplink_mpi_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) -fvisibility=hidden \
	-fopenmp-simd $(MPI_CFLAGS) -Wno-deprecated-declarations
libplink_mpi_so_LDADD = libplink-shim.a $(MPI_LIBS) -lm
libplink_mpi_so_LDFLAGS = -shared $(SHIM_STAYS)

# libplink-mpich.so: the same for MPICH
if HAVE_MPICH
shimexec_PROGRAMS += libplink-mpich.so
noinst_LIBRARIES += libplink-mpich-large.a
endif
libplink_mpich_so_SOURCES = $(MPI_SHIM_SOURCES) \
	shim/mpi/mpich.c shim/mpi/mpich.h \
	shim/mpi/shadow/in-place.c
nodist_libplink_mpich_so_SOURCES = shim/mpi/wrappers-mpich.c
libplink_mpich_so_CPPFLAGS = $(AM_CPPFLAGS) -DPL_SHIM_NAME='"libplink-mpich"' \
	-DPL_MPI_LIBRARY_H='"shim/mpi/mpich.h"'
libplink_mpich_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) -fvisibility=hidden \
	-fopenmp-simd $(MPICH_CFLAGS) -Wno-deprecated-declarations
libplink_mpich_so_LDADD = libplink-mpich-large.a libplink-shim.a $(MPICH_LIBS) -lm
libplink_mpich_so_LDFLAGS = -shared $(SHIM_STAYS)

# Collectives with large counts.
libplink_mpich_large_a_SOURCES = $(MPI_FORMS)
libplink_mpich_large_a_CPPFLAGS = $(libplink_mpich_so_CPPFLAGS) \
	-DPL_SHADOW_LARGE
libplink_mpich_large_a_CFLAGS = $(libplink_mpich_so_CFLAGS)

# Written by hand: what must go to the real world or to both, and what hands a
# communicator to a function of the program; and what makes a grid or graph. Two are
# left alone: MPI_Comm_c2f (the handle of MPI_COMM_WORLD is known to Fortran; MPICH up
# to 4.1 has a macro), and MPI_Errhandler_set of MPICH, which calls
# MPI_Comm_set_errhandler.
MPI_BY_HAND = Abort Attr_delete Attr_get Attr_put Comm_delete_attr \
	Comm_get_attr Comm_set_attr Comm_set_errhandler \
	Cart_create Cart_map Dist_graph_create Dist_graph_create_adjacent \
	Graph_create Graph_map
# Counted where PLINK_STATS asks for it; each with its other forms, MPI_IX and
# MPI_X_init, where the library has them. What is here has a pl_bytes_X.
MPI_TIMED = Allreduce Bcast Reduce Allgather Reduce_scatter Barrier \
	Allgatherv Alltoall Alltoallv Alltoallw Exscan Gather Gatherv \
	Reduce_scatter_block Scan Scatter Scatterv \
	Send Bsend Rsend Ssend Sendrecv Sendrecv_replace
# What may run on a shadow, and what of it has large counts with MPI 4.
MPI_SHADOWED = Allreduce Bcast Reduce Barrier Allgather \
	Iallreduce Ibcast Ireduce Ibarrier \
	Allreduce_init Bcast_init Reduce_init Barrier_init
MPI_SHADOWED_LARGE = Allreduce_c Bcast_c Reduce_c Allgather_c \
	Iallreduce_c Ibcast_c Ireduce_c \
	Allreduce_init_c Bcast_init_c Reduce_init_c
shim/mpi/wrappers.c: $(srcdir)/shim/mpi/generate.awk \
		$(srcdir)/shim/mpi/open-mpi.h $(srcdir)/shim/local.mk
	$(AM_V_at)$(MKDIR_P) shim/mpi
	$(AM_V_GEN)$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) $(MPI_CFLAGS) -E -P \
		-x c $(srcdir)/shim/mpi/open-mpi.h >$@.i && \
		$(AWK) -v by_hand="$(MPI_BY_HAND) Comm_c2f" \
		-v timed="$(MPI_TIMED)" \
		-v shadowed="$(MPI_SHADOWED)" \
		-f $(srcdir)/shim/mpi/generate.awk $@.i >$@.tmp && \
		rm -f $@.i && mv $@.tmp $@
shim/mpi/wrappers-mpich.c: $(srcdir)/shim/mpi/generate.awk \
		$(srcdir)/shim/mpi/mpich.h $(srcdir)/shim/local.mk
	$(AM_V_at)$(MKDIR_P) shim/mpi
	$(AM_V_GEN)$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) $(MPICH_CFLAGS) -E -P \
		-x c $(srcdir)/shim/mpi/mpich.h >$@.i && \
		$(AWK) -v by_hand="$(MPI_BY_HAND) Errhandler_set Comm_c2f?" \
		-v timed="$(MPI_TIMED)" \
		-v shadowed="$(MPI_SHADOWED) $(MPI_SHADOWED_LARGE)" \
		-f $(srcdir)/shim/mpi/generate.awk $@.i >$@.tmp && \
		rm -f $@.i && mv $@.tmp $@
CLEANFILES += shim/mpi/wrappers.c shim/mpi/wrappers.c.i shim/mpi/wrappers.c.tmp \
	shim/mpi/wrappers-mpich.c shim/mpi/wrappers-mpich.c.i \
	shim/mpi/wrappers-mpich.c.tmp
