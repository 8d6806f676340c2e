dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_MPI_FORTRAN: Open MPI's Fortran bindings, which only tests need.
dnl Call after PLINK_MPI and AC_PROG_FC. Sets MPI_FCFLAGS, MPI_FCLIBS and the
dnl conditional HAVE_MPI_FORTRAN.
AC_DEFUN([PLINK_MPI_FORTRAN], [
  AC_CHECK_PROGS([MPIFORT], [mpifort.openmpi mpifort])
  have_mpi_fortran=no
  AS_IF([test "x$have_mpi" = xyes && test -n "$FC" && test -n "$MPIFORT"], [
    MPI_FCFLAGS=$($MPIFORT --showme:compile 2>/dev/null)
    MPI_FCLIBS=$($MPIFORT --showme:link 2>/dev/null)
    AC_LANG_PUSH([Fortran])
    plink_save_FCFLAGS=$FCFLAGS
    plink_save_LIBS=$LIBS
    FCFLAGS="$FCFLAGS $MPI_FCFLAGS"
    LIBS="$MPI_FCLIBS $LIBS"
    AC_MSG_CHECKING([for Fortran programs that use mpi_f08])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [      use mpi_f08
      call MPI_Init()])], [have_mpi_fortran=yes])
    AC_MSG_RESULT([$have_mpi_fortran])
    FCFLAGS=$plink_save_FCFLAGS
    LIBS=$plink_save_LIBS
    AC_LANG_POP([Fortran])
  ])
  AC_SUBST([MPI_FCFLAGS])
  AC_SUBST([MPI_FCLIBS])
  AM_CONDITIONAL([HAVE_MPI_FORTRAN], [test "x$have_mpi_fortran" = xyes])
])
