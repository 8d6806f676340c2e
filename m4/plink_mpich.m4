dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_MPICH: --with-mpich=yes|no|check, MPICH for libplink-mpich.so; its
dnl C++ and Fortran bindings only tests need. Call after AC_PROG_CXX and
dnl AC_PROG_FC. Sets MPICH_CFLAGS, MPICH_LIBS, mpich_summary and the conditionals
dnl HAVE_MPICH, HAVE_MPICH_CXX and HAVE_MPICH_FORTRAN.
AC_DEFUN([PLINK_MPICH], [
  AC_ARG_WITH([mpich], [AS_HELP_STRING([--with-mpich=yes|no|check],
    [build libplink-mpich.so (default: check)])], [], [with_mpich=check])
  have_mpich=no
  have_mpich_cxx=no
  have_mpich_fortran=no
  mpich_summary=no
  AS_IF([test "x$with_mpich" != xno], [
    PKG_CHECK_MODULES([MPICH], [mpich >= 4], [have_mpich=yes], [have_mpich=no])
    AS_IF([test "x$have_mpich" = xyes], [
      dnl without what MPICH itself is linked with
      MPICH_LIBS="$($PKG_CONFIG --libs-only-L mpich) -lmpich"
      mpich_summary="yes ($($PKG_CONFIG --modversion mpich))"],
      [AS_IF([test "x$with_mpich" = xyes],
        [AC_MSG_ERROR([MPICH not found: install libmpich-dev])])])])
  AS_IF([test "x$have_mpich" = xyes], [
    AC_LANG_PUSH([C++])
    plink_save_CXXFLAGS=$CXXFLAGS
    plink_save_LIBS=$LIBS
    CXXFLAGS="$CXXFLAGS $MPICH_CFLAGS"
    LIBS="-lmpichcxx $MPICH_LIBS $LIBS"
    AC_MSG_CHECKING([for C++ bindings of MPICH])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([#include <mpi.h>], [MPI::Init()])],
      [have_mpich_cxx=yes])
    AC_MSG_RESULT([$have_mpich_cxx])
    CXXFLAGS=$plink_save_CXXFLAGS
    LIBS=$plink_save_LIBS
    AC_LANG_POP([C++])
  ])
  AS_IF([test "x$have_mpich" = xyes && test -n "$FC"], [
    AC_LANG_PUSH([Fortran])
    plink_save_FCFLAGS=$FCFLAGS
    plink_save_LIBS=$LIBS
    FCFLAGS="$FCFLAGS $MPICH_CFLAGS"
    LIBS="-lmpichfort $MPICH_LIBS $LIBS"
    AC_MSG_CHECKING([for Fortran programs that use MPICH's mpi_f08])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [      use mpi_f08
      call MPI_Init()])], [have_mpich_fortran=yes])
    AC_MSG_RESULT([$have_mpich_fortran])
    FCFLAGS=$plink_save_FCFLAGS
    LIBS=$plink_save_LIBS
    AC_LANG_POP([Fortran])
  ])
  AM_CONDITIONAL([HAVE_MPICH], [test "x$have_mpich" = xyes])
  AM_CONDITIONAL([HAVE_MPICH_CXX], [test "x$have_mpich_cxx" = xyes])
  AM_CONDITIONAL([HAVE_MPICH_FORTRAN], [test "x$have_mpich_fortran" = xyes])
])
