dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_PCG: the PCG random number headers (C++), needed by base/rng.cc.
dnl Sets PCG_LIBS, what a C program must link with besides.
AC_DEFUN([PLINK_PCG], [
  AC_LANG_PUSH([C++])
  AC_CHECK_HEADER([pcg_random.hpp], [],
    [AC_MSG_ERROR([pcg_random.hpp not found: install libpcg-cpp-dev])])
  AC_LANG_POP([C++])
  PCG_LIBS=-lstdc++
  AC_SUBST([PCG_LIBS])
])
