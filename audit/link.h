/* SPDX-License-Identifier: BSD-3-Clause */
/* link.h - shared by the files that use libpcap, and by no others */
#ifndef PLINK_AUDIT_LINK_H
#define PLINK_AUDIT_LINK_H

#include "audit/frame.h"

/* The link type for a number of libpcap (DLT_...). 0, or -1 if plink cannot
 * read it. */
int pl_link_of(int dlt, enum pl_capture_link *link);

#endif
