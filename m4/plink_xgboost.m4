dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_XGBOOST: --with-xgboost=yes|no|check, XGBoost for the bandwidth model of
dnl plink-srift. Sets XGBOOST_LIBS, xgboost_summary and the
dnl conditional HAVE_XGBOOST.
AC_DEFUN([PLINK_XGBOOST], [
  AC_ARG_WITH([xgboost], [AS_HELP_STRING([--with-xgboost=yes|no|check],
    [learned bandwidths in plink-srift (default: check)])],
    [], [with_xgboost=check])
  have_xgboost=no
  XGBOOST_LIBS=
  AS_IF([test "x$with_xgboost" != xno], [
    plink_saved_libs=$LIBS
    LIBS="-lxgboost $LIBS"
    AC_MSG_CHECKING([for XGBoost 1.7 or later])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([
      #include <xgboost/c_api.h>
      #include <xgboost/version_config.h>
      #if XGBOOST_VER_MAJOR * 100 + XGBOOST_VER_MINOR < 107
      #error old
      #endif], [
      BoosterHandle b;
      return XGBoosterCreate(0, 0, &b);])],
      [have_xgboost=yes])
    AC_MSG_RESULT([$have_xgboost])
    LIBS=$plink_saved_libs
    AS_IF([test "x$have_xgboost" = xyes], [XGBOOST_LIBS=-lxgboost],
      [AS_IF([test "x$with_xgboost" = xyes],
        [AC_MSG_ERROR([XGBoost not found: install libxgboost-dev])])])])
  xgboost_summary=$have_xgboost
  AC_SUBST([XGBOOST_LIBS])
  AM_CONDITIONAL([HAVE_XGBOOST], [test "x$have_xgboost" = xyes])
])
