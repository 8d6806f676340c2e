dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_SVM: --with-svm=yes|no|check, libsvm for the support vector regression of
dnl plink-spot. Sets SVM_LIBS, svm_summary and the conditional HAVE_SVM.
AC_DEFUN([PLINK_SVM], [
  AC_ARG_WITH([svm], [AS_HELP_STRING([--with-svm=yes|no|check],
    [support vector regression in plink-spot (default: check)])],
    [], [with_svm=check])
  have_svm=no
  SVM_LIBS=
  AS_IF([test "x$with_svm" != xno], [
    plink_saved_libs=$LIBS
    LIBS="-lsvm $LIBS"
    AC_MSG_CHECKING([for libsvm 3 or later])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([
      #include <libsvm/svm.h>
      #if LIBSVM_VERSION < 300
      #error old
      #endif], [
      svm_set_print_string_function(0);])],
      [have_svm=yes])
    AC_MSG_RESULT([$have_svm])
    LIBS=$plink_saved_libs
    AS_IF([test "x$have_svm" = xyes], [SVM_LIBS=-lsvm],
      [AS_IF([test "x$with_svm" = xyes],
        [AC_MSG_ERROR([libsvm not found: install libsvm-dev])])])])
  svm_summary=$have_svm
  AC_SUBST([SVM_LIBS])
  AM_CONDITIONAL([HAVE_SVM], [test "x$have_svm" = xyes])
])
