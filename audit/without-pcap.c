/* SPDX-License-Identifier: BSD-3-Clause */
/* without-pcap.c - what there is of captures where libpcap is not */
#include "config.h"

#include "audit/capture.h"
#include "audit/savefile.h"

static int not_built_in(struct pl_err *err)
{
	return pl_err_set(err, PL_ESYSTEM,
			  "captures are not built in: plink was built without libpcap");
}

FILE *pl_savefile_open(const char *path)
{
	return fopen(path, "re");
}

int pl_savefile_read(struct pl_trace *t, FILE *f, struct pl_err *err)
{
	(void)t;
	fclose(f);
	return not_built_in(err);
}

int pl_capture_run(const struct pl_capture_options *o, struct pl_capture_report *report,
		   struct pl_err *err)
{
	(void)o;
	*report = (struct pl_capture_report){.status = 0};
	return not_built_in(err);
}
