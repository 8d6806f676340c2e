/* SPDX-License-Identifier: BSD-3-Clause */
/* without-pcap.c - what there is of captures where libpcap is not */
#include "config.h"

#include "audit/savefile.h"

FILE *pl_savefile_open(const char *path)
{
	return fopen(path, "re");
}

int pl_savefile_read(struct pl_trace *t, FILE *f, struct pl_err *err)
{
	(void)t;
	fclose(f);
	return pl_err_set(err, PL_ESYSTEM,
			  "captures are not built in: plink was built without libpcap");
}
