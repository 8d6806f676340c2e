/* SPDX-License-Identifier: BSD-3-Clause */
/* savefile.h - reading captures from files: pcap and pcapng */
#ifndef PLINK_AUDIT_SAVEFILE_H
#define PLINK_AUDIT_SAVEFILE_H

#include "audit/trace.h"
#include "base/err.h"

#include <stdio.h>

/* Opens a file for pl_savefile_read, which then is faster than with fopen(). NULL with errno
 * set. */
FILE *pl_savefile_open(const char *path);

/*
 * Reads a capture, from the present position of @f to its end, into a trace that pl_trace_init has
 * made. Always closes @f. 0, or -1 with @err set: PL_EINPUT if @f is not a capture, ends within a
 * packet, or has a link type that plink cannot read; PL_EPARTIAL if *t->stop is not 0; PL_ESYSTEM
 * for memory or without libpcap.
 */
int pl_savefile_read(struct pl_trace *t, FILE *f, struct pl_err *err);

#endif
