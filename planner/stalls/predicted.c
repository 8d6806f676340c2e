/* SPDX-License-Identifier: BSD-3-Clause */
/* predicted.c - the steps of a run, predicted from a profile of the model */
#include "config.h"

#include "planner/stalls/predicted.h"

#include "planner/srift/iteration/iteration.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DRAWS 1000
#define SEED 1
#define CHOICE_CHARS (PL_STALL_NAME_MAX + 64)

/* The machines of @type with @gpus in all, each GPU with the samples of the run. */
static int select_machines(struct pl_selection *sel, const char *type, uint64_t gpus,
			   const struct pl_stall_run *run, const struct pl_profile *profile,
			   struct pl_err *err)
{
	const struct pl_profile_instance *in = pl_profile_find(profile, type, strlen(type));
	const uint64_t ranks = in ? in->ranks : 1;
	char choice[CHOICE_CHARS];

	if (gpus % ranks)
		return pl_err_set(err, PL_EINPUT,
				  "%s has %" PRIu64 " accelerators in the profile: %" PRIu64
				  " are no whole machines",
				  type, ranks, gpus);
	snprintf(choice, sizeof(choice), "%" PRIu64 "x%s@%" PRIu64, gpus / ranks, type,
		 run->batch * ranks);
	if (pl_selection_parse(sel, choice, 0, profile, err)) {
		err->code = PL_EINPUT; /* no choice of the command line's */
		return -1;
	}
	return 0;
}

/* An iteration on these GPUs. */
static int iterate(double *s, const char *type, const struct pl_stall_run *run,
		   const struct pl_profile *profile, const struct pl_comm *comm, struct pl_err *err)
{
	const struct pl_iteration_options o = {
		.draws = DRAWS,
		.seed = SEED,
		.buckets = {.first_bytes = PL_DDP_FIRST_BYTES, .bytes = PL_DDP_BUCKET_BYTES},
		.at_once = 1,
	};
	struct pl_selection sel = {0};
	struct pl_iteration it = {.seconds = 0};
	int rc = select_machines(&sel, type, run->gpus, run, profile, err);

	if (rc == 0)
		rc = pl_iterate(&it, profile, &sel, comm, &o, err);
	*s = it.seconds;
	pl_iteration_fini(&it);
	pl_selection_fini(&sel);
	return rc;
}

/* What the GPUs of a machine compute, each for itself. */
static int compute(double *s, const struct pl_stall_run *run, const struct pl_profile *profile,
		   struct pl_err *err)
{
	struct pl_selection sel = {0};

	if (select_machines(&sel, run->machine, run->gpus, run, profile, err))
		return -1;
	*s = sel.part[0].forward_s + sel.part[0].backward_s;
	pl_selection_fini(&sel);
	return 0;
}

int pl_stall_predict(double t_s[PL_STALL_STEPS], const struct pl_stall_run *run,
		     const struct pl_profile *profile, const struct pl_stall_nets *nets,
		     struct pl_err *err)
{
	for (int i = 0; i < PL_STALL_STEPS; i++)
		t_s[i] = NAN;
	if (run->batch == 0)
		return pl_err_set(err, PL_EINPUT, "the line \"batch\" is missing");
	if (compute(&t_s[PL_STALL_T1], run, profile, err))
		return -1;
	if (run->gpus == 1)
		t_s[PL_STALL_T2] = t_s[PL_STALL_T1];
	else if (nets->inside &&
		 iterate(&t_s[PL_STALL_T2], run->machine, run, profile, nets->inside, err))
		return -1;
	if (run->machines == 0 || !nets->between)
		return 0;
	return iterate(&t_s[PL_STALL_T5], run->apart ? run->apart : run->machine, run, profile,
		       nets->between, err);
}
