dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_STATIC_AGENT: can plink-agent be linked statically? It is copied to
dnl and started on every host, so it should need nothing that is not in it.
AC_DEFUN([PLINK_STATIC_AGENT], [
  AC_ARG_ENABLE([static-agent], [AS_HELP_STRING([--disable-static-agent],
    [link plink-agent with shared libraries])], [], [enable_static_agent=check])
  static_agent=no
  AS_IF([test "x$enable_static_agent" != xno -a -z "$SANITIZE_FLAGS"], [
    plink_save_LIBS=$LIBS
    plink_save_LDFLAGS=$LDFLAGS
    LIBS="$SODIUM_LIBS -lpthread"
    LDFLAGS="$LDFLAGS -static"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[int sodium_init(void);]],
      [[return sodium_init();]])], [static_agent=yes])
    LIBS=$plink_save_LIBS
    LDFLAGS=$plink_save_LDFLAGS
    AS_IF([test "x$enable_static_agent$static_agent" = xyesno],
      [AC_MSG_ERROR([plink-agent cannot be linked statically here])])])
  AM_CONDITIONAL([STATIC_AGENT], [test "x$static_agent" = xyes])
])
