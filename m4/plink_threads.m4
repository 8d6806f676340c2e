dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_THREADS: POSIX threads. Sets THREAD_LIBS.
AC_DEFUN([PLINK_THREADS], [
  plink_save_LIBS=$LIBS
  LIBS=
  AC_SEARCH_LIBS([pthread_create], [pthread], [],
    [AC_MSG_ERROR([POSIX threads not found])])
  THREAD_LIBS=$LIBS
  LIBS=$plink_save_LIBS
  AC_SUBST([THREAD_LIBS])
])
