dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_COMPILER_FLAGS: language level, warnings, reproducible floating point.
dnl Sets WARN_CFLAGS (C only) and BASE_CFLAGS (C and C++).
AC_DEFUN([PLINK_COMPILER_FLAGS], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror],
    [treat compiler warnings as errors])], [], [enable_werror=no])
  WARN_CFLAGS="-std=gnu11 -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith"
  dnl -ffp-contract=off: a fused multiply-add would give other last bits, and so
  dnl another order, on machines that have it.
  dnl -fPIC: what is in an archive is linked into shared libraries, too.
  BASE_CFLAGS="-fPIC -ffp-contract=off -fno-strict-aliasing"
  AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
  AC_SUBST([WARN_CFLAGS])
  AC_SUBST([BASE_CFLAGS])
])
