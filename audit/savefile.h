/* SPDX-License-Identifier: BSD-3-Clause */
/* savefile.h - captures in files: pcap and pcapng */
#ifndef PLINK_AUDIT_SAVEFILE_H
#define PLINK_AUDIT_SAVEFILE_H

#include "audit/trace.h"
#include "base/err.h"

#include <stdio.h>

/* Opens a file to be read so, faster than fopen() would. NULL and errno. */
FILE *pl_savefile_open(const char *path);

/*
 * Reads a capture from the place where @f stands to its end into a trace, which
 * must have been made; @f is closed. 0, or -1 with @err set: PL_EINPUT where it
 * is no capture, ends within a packet, or is of a link that plink cannot read;
 * PL_EPARTIAL where t->stop says so; PL_ESYSTEM.
 */
int pl_savefile_read(struct pl_trace *t, FILE *f, struct pl_err *err);

#endif
