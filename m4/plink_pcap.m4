dnl SPDX-License-Identifier: BSD-3-Clause
dnl PLINK_PCAP: --with-pcap=yes|no|check, libpcap for the captures that plink-audit reads.
dnl Sets PCAP_CFLAGS, PCAP_LIBS and the conditional HAVE_PCAP.
AC_DEFUN([PLINK_PCAP], [
  AC_ARG_WITH([pcap], [AS_HELP_STRING([--with-pcap=yes|no|check],
    [captures in plink-audit (default: check)])], [], [with_pcap=check])
  have_pcap=no
  pcap_summary="no"
  AS_IF([test "x$with_pcap" != xno], [
    PKG_CHECK_MODULES([PCAP], [libpcap >= 1.9], [have_pcap=yes], [have_pcap=no])
    AS_IF([test "x$have_pcap" = xyes],
      [pcap_summary="yes ($($PKG_CONFIG --modversion libpcap))"],
      [AS_IF([test "x$with_pcap" = xyes],
        [AC_MSG_ERROR([libpcap not found: install libpcap-dev])])])])
  AM_CONDITIONAL([HAVE_PCAP], [test "x$have_pcap" = xyes])
])
