dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_GLOO: --with-gloo=yes|no|check, Gloo for the test that holds its
dnl patterns against it. Sets GLOO_LIBS, gloo_summary and the conditional
dnl HAVE_GLOO.
AC_DEFUN([PLINK_GLOO], [
  AC_ARG_WITH([gloo], [AS_HELP_STRING([--with-gloo=yes|no|check],
    [test the patterns against Gloo (default: check)])], [], [with_gloo=check])
  have_gloo=no
  GLOO_LIBS=
  AS_IF([test "x$with_gloo" != xno], [
    plink_saved_libs=$LIBS
    LIBS="-lgloo -lpthread $LIBS"
    AC_LANG_PUSH([C++])
    AC_MSG_CHECKING([for Gloo with its TCP transport])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([
      #include <gloo/rendezvous/file_store.h>
      #include <gloo/transport/tcp/device.h>], [
      gloo::rendezvous::FileStore store("/");
      return !gloo::transport::tcp::CreateDevice("127.0.0.1");])],
      [have_gloo=yes])
    AC_MSG_RESULT([$have_gloo])
    AC_LANG_POP([C++])
    LIBS=$plink_saved_libs
    AS_IF([test "x$have_gloo" = xyes], [GLOO_LIBS="-lgloo -lpthread"],
      [AS_IF([test "x$with_gloo" = xyes],
        [AC_MSG_ERROR([Gloo not found: install libgloo-dev])])])])
  gloo_summary=$have_gloo
  AC_SUBST([GLOO_LIBS])
  AM_CONDITIONAL([HAVE_GLOO], [test "x$have_gloo" = xyes])
])
