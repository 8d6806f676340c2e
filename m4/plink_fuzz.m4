dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_FUZZ: --enable-fuzz builds the libFuzzer targets of tests/fuzz (clang).
AC_DEFUN([PLINK_FUZZ], [
  AC_ARG_ENABLE([fuzz], [AS_HELP_STRING([--enable-fuzz],
    [build the libFuzzer targets (needs clang)])], [], [enable_fuzz=no])
  AS_IF([test "x$enable_fuzz" = xyes], [
    plink_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -fsanitize=fuzzer"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[
      #include <stddef.h>
      #include <stdint.h>
      int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
      int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
      { (void)data; (void)size; return 0; }]])], [],
      [AC_MSG_ERROR([--enable-fuzz needs a compiler with -fsanitize=fuzzer (CC=clang)])])
    CFLAGS=$plink_save_CFLAGS
    SANITIZE_FLAGS="$SANITIZE_FLAGS -fsanitize=fuzzer-no-link"])
  AM_CONDITIONAL([FUZZ], [test "x$enable_fuzz" = xyes])
])
