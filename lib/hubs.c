/* SPDX-License-Identifier: BSD-3-Clause */
/* hubs.c - how hubs come to a job: what rank 0 gives them, and where */
#include "config.h"

#include "lib/hubs.h"

#include "base/mem.h"
#include "base/text/text.h"
#include "lib/parts.h"
#include "lib/rendezvous.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECRET_MAX 4096

void pl_card_digest(struct pl_card *card, uint64_t digest)
{
	for (int i = 0; i < 8; i++)
		card->digest[i] = (unsigned char)(digest >> (8 * (7 - i)));
}

void pl_hubs_name(struct pl_mesh_options *o, const struct pl_schedules *s)
{
	o->first_hub = (uint32_t)pl_hosts_ranks(&s->job.hosts);
	o->hub = s->n_aggregators > 0 ? s->aggregator : NULL;
}

char *pl_hubs_secret(const char *path, struct pl_err *err)
{
	struct pl_text text;
	struct pl_line line;
	char *secret = NULL;

	if (pl_text_load(&text, path, SECRET_MAX, err))
		return NULL;
	if (!pl_text_next(&text, &line) || line.len == 0)
		pl_err_set(err, PL_EINPUT, "%s: no secret in the first line",
			   text.name);
	else if (!(secret = pl_string_copy(line.s, line.len)))
		pl_err_nomem(err);
	pl_text_fini(&text);
	return secret;
}

/* Of rank 0 and the hubs, member @k; every one brings as much as rank 0. */
static int gather(const struct pl_schedules *s, size_t k,
		  const struct pl_meeting *meeting, struct pl_card *card,
		  size_t n, double timeout_s, struct pl_err *err)
{
	struct pl_rendezvous r = {.meeting = *meeting,
				  .rank = k,
				  .n = 1 + s->n_aggregators,
				  .timeout_s = timeout_s,
				  .hub = s->aggregator};
	struct pl_card *all = pl_array_create(r.n, n * sizeof(*all));
	struct pl_error why;
	int rc;

	if (!all)
		return pl_err_nomem(err);
	rc = pl_rendezvous_gather(&r, card, n * sizeof(*card), all, &why);
	if (rc)
		pl_lib_back(err, &why);
	else
		memcpy(card, all, n * sizeof(*card));
	free(all);
	return rc;
}

int pl_hubs_serve(const struct pl_schedules *s, const struct pl_card *card,
		  size_t n, double timeout_s, struct pl_err *err)
{
	const char *file = getenv("PLINK_HUB_SECRET");
	struct pl_meeting meeting = {.address = getenv("PLINK_HUB_MEET")};
	struct pl_card *mine;
	char *secret;
	int rc;

	if (!meeting.address || !file)
		return pl_err_set(
			err, PL_EUSAGE,
			"the schedules have hubs (\"%s\"): set "
			"PLINK_HUB_MEET=HOST:PORT, where rank 0 waits "
			"for them, and PLINK_HUB_SECRET=FILE, with "
			"their secret",
			s->aggregator[0]);
	secret = pl_hubs_secret(file, err);
	mine = pl_array_create(n, sizeof(*mine));
	if (!secret || !mine) {
		rc = secret ? pl_err_nomem(err) : -1;
	} else {
		memcpy(mine, card, n * sizeof(*mine));
		meeting.secret = secret;
		rc = gather(s, 0, &meeting, mine, n, timeout_s, err);
	}
	free(secret);
	free(mine);
	return rc;
}

int pl_hubs_go(const struct pl_schedules *s, size_t k,
	       const struct pl_meeting *meeting, struct pl_card *card, size_t n,
	       double timeout_s, struct pl_err *err)
{
	return gather(s, k + 1, meeting, card, n, timeout_s, err);
}
