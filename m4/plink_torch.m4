dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_TORCH: --with-torch=yes|no|check, PyTorch for the c10d backend. After
dnl PLINK_SANITIZERS: Python itself has no sanitizers, so that it could not load a
dnl libplink that has them. Sets TORCH_CPPFLAGS, TORCH_LIBS, torch_summary and the
dnl conditional HAVE_TORCH.
AC_DEFUN([PLINK_TORCH], [
  AC_ARG_WITH([torch], [AS_HELP_STRING([--with-torch=yes|no|check],
    [a c10d backend for PyTorch (default: check)])], [], [with_torch=check])
  AC_ARG_VAR([TORCH_PYTHON],
    [a Python that has PyTorch (default: python3, /usr/bin/python3)])
  have_torch=no
  torch_summary=no
  TORCH_CPPFLAGS=
  TORCH_LIBS=
  AS_IF([test -n "$SANITIZE_FLAGS"], [torch_summary="no (sanitizers)"],
    [test "x$with_torch" != xno], [
    AC_MSG_CHECKING([for PyTorch with Gloo])
    for plink_python in ${TORCH_PYTHON:-python3 /usr/bin/python3}; do
      plink_torch=$($plink_python -c '
import sysconfig, torch
from torch._C._distributed_c10d import ProcessGroupGloo
from torch.utils import cpp_extension
folders = cpp_extension.include_paths() + [[sysconfig.get_path("include")]]
flags = [["-isystem " + folder for folder in folders]]
flags += [["-D_GLIBCXX_USE_CXX11_ABI=%d" % torch._C._GLIBCXX_USE_CXX11_ABI]]
for name in "COMPILER_TYPE", "STDLIB", "BUILD_ABI":  # what pybind11 compares
    value = getattr(torch._C, "_PYBIND11_" + name, None)
    flags += [["-DPYBIND11_" + name + r"=\\\"" + value + r"\\\""]] if value else [[]]
print("plink: version=" + torch.__version__)
print("plink: flags=\"" + " ".join(flags) + "\"")
print("plink: libs=\"" + " ".join("-L" + f for f in cpp_extension.library_paths()) + "\"")
' 2>/dev/null | sed -n 's/^plink: //p')
      test -z "$plink_torch" || break
    done
    AS_IF([test -n "$plink_torch"], [
      eval "$plink_torch"
      AC_MSG_RESULT([$version ($plink_python)])
      AC_MSG_CHECKING([for headers of PyTorch])
      # to read them all takes the compiler as long as the rest of configure
      have_torch=yes
      for plink_header in torch/csrc/utils/pybind.h pybind11/pybind11.h Python.h \
        torch/csrc/distributed/c10d/ProcessGroup.hpp; do
        printf '%s\n' "@%:@if !__has_include(<$plink_header>)" '@%:@error' '@%:@endif' |
          $CXX $CPPFLAGS $flags -x c++ -E - >/dev/null 2>&1 || have_torch=no
      done
      AC_MSG_RESULT([$have_torch])], [AC_MSG_RESULT([no])])
    AS_IF([test $have_torch = yes], [
        torch_summary="yes ($version)"
        TORCH_PYTHON=$plink_python
        TORCH_CPPFLAGS=$flags
        TORCH_LIBS="$libs -ltorch_python -ltorch_cpu -lc10"],
      [test "x$with_torch" = xyes],
        [AC_MSG_ERROR([PyTorch not found: install python3-torch, python3-setuptools, libtorch-dev and pybind11-dev])])])
  AC_SUBST([TORCH_CPPFLAGS])
  AC_SUBST([TORCH_LIBS])
  AM_CONDITIONAL([HAVE_TORCH], [test $have_torch = yes])
])
