dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_GLPK: --with-glpk=yes|no|check, GLPK for the full bound of rings. Sets
dnl GLPK_LIBS, glpk_summary and the conditional HAVE_GLPK.
AC_DEFUN([PLINK_GLPK], [
  AC_ARG_WITH([glpk], [AS_HELP_STRING([--with-glpk=yes|no|check],
    [linear programs for the full bound of rings (default: check)])],
    [], [with_glpk=check])
  have_glpk=no
  GLPK_LIBS=
  AS_IF([test "x$with_glpk" != xno], [
    plink_saved_libs=$LIBS
    LIBS="-lglpk $LIBS"
    AC_MSG_CHECKING([for GLPK 5 or later])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([
      #include <glpk.h>
      #if GLP_MAJOR_VERSION < 5
      #error old
      #endif], [
      return glp_get_it_cnt(glp_create_prob());])],
      [have_glpk=yes])
    AC_MSG_RESULT([$have_glpk])
    LIBS=$plink_saved_libs
    AS_IF([test "x$have_glpk" = xyes], [GLPK_LIBS=-lglpk],
      [AS_IF([test "x$with_glpk" = xyes],
        [AC_MSG_ERROR([GLPK not found: install libglpk-dev])])])])
  glpk_summary=$have_glpk
  AC_SUBST([GLPK_LIBS])
  AM_CONDITIONAL([HAVE_GLPK], [test "x$have_glpk" = xyes])
])
