/* SPDX-License-Identifier: BSD-3-Clause */
/* shell.h - the line of shell that runs fping on a host when told to */
#ifndef PLINK_PROBES_FPING_SHELL_H
#define PLINK_PROBES_FPING_SHELL_H

/*
 * A command for a launcher, one line for any login shell; static. It says
 *
 *	plink-fping VERSION        then
 *	node NAME                  and for each address
 *	addr IFACE ADDRESS[/PREFIX]
 *	ready
 *
 * or "error TEXT", and ends. Then it reads its input, a command a line, until
 * "end" (to which it says "bye") or the end:
 *
 *	p TURN COUNT PERIOD TIMEOUT SOURCE TARGET [-q]
 *
 * pings TARGET from SOURCE, times in whole ms: "begin TURN", what fping prints,
 * "done TURN STATUS".
 */
extern const char pl_fping_command[];

/* Bytes behind the ICMP header: with it and IPv4's 60, as a packet of plink's
 * own probes has. */
#define PL_FPING_DATA_BYTES 32

#endif
