dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_SANITIZERS: --enable-asan, --enable-ubsan.
dnl Sets SANITIZE_FLAGS (compile and link), SANITIZE_NAMES.
AC_DEFUN([PLINK_SANITIZERS], [
  AC_ARG_ENABLE([asan], [AS_HELP_STRING([--enable-asan],
    [build with AddressSanitizer])], [], [enable_asan=no])
  AC_ARG_ENABLE([ubsan], [AS_HELP_STRING([--enable-ubsan],
    [build with UndefinedBehaviorSanitizer])], [], [enable_ubsan=no])
  SANITIZE_FLAGS=
  SANITIZE_NAMES=
  AS_IF([test "x$enable_asan" = xyes], [
    SANITIZE_FLAGS="-fsanitize=address -fno-omit-frame-pointer"
    SANITIZE_NAMES="address"])
  AS_IF([test "x$enable_ubsan" = xyes], [
    SANITIZE_FLAGS="$SANITIZE_FLAGS -fsanitize=undefined -fno-sanitize-recover=undefined"
    SANITIZE_NAMES="$SANITIZE_NAMES undefined"])
  AC_SUBST([SANITIZE_FLAGS])
  AM_CONDITIONAL([SANITIZED], [test -n "$SANITIZE_FLAGS"])
])
