/* SPDX-License-Identifier: BSD-3-Clause */
/* monitoring.c - the messages that Open MPI's monitoring counted, as traffic */
#include "config.h"

#include "job/import/forms.h"

#include "audit/monitoring.h"

static int add_messages(struct pl_recording *r, const struct pl_monitoring *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct pl_recorded_message message = {
			.src = m->v[i].src,
			.dst = m->v[i].dst,
			.bytes = (double)m->v[i].bytes,
			.messages = (double)m->v[i].messages,
		};

		if (pl_recording_message(r, &message))
			return -1;
	}
	return 0;
}

/* The rank whose file it is, if it is one rank's alone. */
static size_t rank_of(const struct pl_monitoring *m)
{
	size_t rank = PL_RECORDED_NO_RANK;

	for (size_t i = 0; i < m->n_ranks; i++) {
		if (!m->has[i])
			continue;
		if (rank != PL_RECORDED_NO_RANK)
			return PL_RECORDED_NO_RANK;
		rank = i;
	}
	return rank;
}

int pl_import_monitoring(struct pl_recording *r, struct pl_text *text, double n_steps,
			 struct pl_err *err)
{
	struct pl_monitoring m = {0};
	struct pl_recorded_file file = {.place = {.file = text->name}, .at_least = true};
	int rc = pl_monitoring_add(&m, text, err);

	if (rc == 0 && pl_import_steps(r, &n_steps))
		rc = pl_err_nomem(err);
	if (rc == 0) {
		file.n_ranks = m.n_ranks;
		file.rank = rank_of(&m);
		file.n_steps = n_steps;
		rc = pl_recording_begin(r, &file, err);
	}
	if (rc == 0 && (add_messages(r, &m) || pl_recording_end(r)))
		rc = pl_err_nomem(err);
	pl_monitoring_fini(&m);
	return rc;
}
