dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_MPI: --with-mpi=yes|no|check, Open MPI for libplink-mpi.so and the
dnl benchmarks.
dnl Sets MPI_CFLAGS, MPI_LIBS and the conditional HAVE_MPI.
AC_DEFUN([PLINK_MPI], [
  AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi=yes|no|check],
    [build libplink-mpi.so and the MPI benchmarks (default: check)])], [], [with_mpi=check])
  have_mpi=no
  mpi_summary="no"
  AS_IF([test "x$with_mpi" != xno], [
    PKG_CHECK_MODULES([MPI], [ompi-c], [have_mpi=yes], [have_mpi=no])
    AS_IF([test "x$have_mpi" = xyes],
      [mpi_summary="yes ($($PKG_CONFIG --modversion ompi-c))"],
      [AS_IF([test "x$with_mpi" = xyes],
        [AC_MSG_ERROR([Open MPI not found: install libopenmpi-dev])])])])
  AM_CONDITIONAL([HAVE_MPI], [test "x$have_mpi" = xyes])
])
