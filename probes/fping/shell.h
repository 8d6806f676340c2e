/* SPDX-License-Identifier: BSD-3-Clause */
/* shell.h - the shell command that runs fping on a host on demand */
#ifndef PLINK_PROBES_FPING_SHELL_H
#define PLINK_PROBES_FPING_SHELL_H

/*
 * A command for a launcher, one line for any login shell; static. It prints
 *
 *	plink-fping VERSION        then
 *	node NAME                  and for each address
 *	addr IFACE ADDRESS[/PREFIX]
 *	ready
 *
 * or "error TEXT", and ends. Then it reads commands from its input, one a line,
 * until "end" (which it answers by "bye") or the end of input:
 *
 *	p TURN COUNT PERIOD TIMEOUT SOURCE TARGET [-q]
 *
 * pings TARGET from SOURCE, times in whole ms, and prints "begin TURN", the
 * output of fping, "done TURN STATUS".
 */
extern const char pl_fping_command[];

/* Payload bytes after the ICMP header; with the headers of ICMP and IPv4 60
 * bytes, as in a packet of plink's own probes. */
#define PL_FPING_DATA_BYTES 32

#endif
