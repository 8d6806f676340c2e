/* SPDX-License-Identifier: BSD-3-Clause */
/* link.h - what the files that use libpcap share; not for others */
#ifndef PLINK_AUDIT_LINK_H
#define PLINK_AUDIT_LINK_H

#include "audit/frame.h"

/* pcap's number for how packets begin. 0, or -1 where plink cannot read it. */
int pl_link_of(int dlt, enum pl_capture_link *link);

#endif
