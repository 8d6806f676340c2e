dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_Z3: --with-z3=yes|no|check, Z3 for proofs of small orders. Sets Z3_LIBS,
dnl Z3_CFLAGS, z3_summary and the conditional HAVE_Z3.
AC_DEFUN([PLINK_Z3], [
  AC_ARG_WITH([z3], [AS_HELP_STRING([--with-z3=yes|no|check],
    [proofs and refinement of orders by Z3 (default: check)])],
    [], [with_z3=check])
  have_z3=no
  z3_summary=no
  AS_IF([test "x$with_z3" != xno], [
    PKG_CHECK_MODULES([Z3], [z3 >= 4.8], [have_z3=yes], [have_z3=no])
    AS_IF([test "x$have_z3" = xyes],
      [z3_summary="yes ($($PKG_CONFIG --modversion z3))"],
      [AS_IF([test "x$with_z3" = xyes],
        [AC_MSG_ERROR([Z3 not found: install libz3-dev])])])])
  AM_CONDITIONAL([HAVE_Z3], [test "x$have_z3" = xyes])
])
