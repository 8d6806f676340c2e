/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.c - schedules for engine mode of libplink-mpi (plink-schedule(5)) */
#include "config.h"

#include "src/order/format/format.h"

#include "base/clock.h"
#include "src/order/schedules.h"

#include <string.h>

static int write_schedules(const struct pl_reorder_answer *a, FILE *out,
			   struct pl_err *err)
{
	char by[] = PL_REORDER_TOOL " " PACKAGE_VERSION;
	char created[32], digest[PL_DIGEST_CHARS];
	struct pl_schedules file = a->schedules->file; /* borrowed */

	pl_clock_date(created);
	memcpy(digest, a->from->digest, sizeof(digest));
	file.job.created = created;
	file.job.by = by;
	file.job.matrix = digest;
	file.job.has_seed = true;
	file.job.seed = a->o->request.seed;
	return pl_schedules_write(&file, out, err);
}

const struct pl_reorder_form pl_form_schedule = {
	.name = "schedule",
	.file = "job.schedule",
	.flags = PL_FORM_NO_REPEAT,
	.write = write_schedules,
};
