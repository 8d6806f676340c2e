dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_RSVG: --with-rsvg=yes|no|check, librsvg (and fontconfig) for pictures as
dnl PNG. Sets RSVG_CFLAGS, RSVG_LIBS, rsvg_summary and the conditional HAVE_RSVG.
AC_DEFUN([PLINK_RSVG], [
  AC_ARG_WITH([rsvg], [AS_HELP_STRING([--with-rsvg=yes|no|check],
    [pictures as PNG in plink-report (default: check)])], [], [with_rsvg=check])
  have_rsvg=no
  rsvg_summary="no"
  AS_IF([test "x$with_rsvg" != xno], [
    PKG_CHECK_MODULES([RSVG], [librsvg-2.0 >= 2.52 cairo-png fontconfig],
      [have_rsvg=yes], [have_rsvg=no])
    AS_IF([test "x$have_rsvg" = xyes],
      [rsvg_summary="yes ($($PKG_CONFIG --modversion librsvg-2.0))"],
      [AS_IF([test "x$with_rsvg" = xyes],
        [AC_MSG_ERROR([librsvg not found: install librsvg2-dev])])])])
  AM_CONDITIONAL([HAVE_RSVG], [test "x$have_rsvg" = xyes])
])
