/* SPDX-License-Identifier: BSD-3-Clause */
/* hubs.c - how hubs come to a job: what rank 0 gives them, and where */
#include "config.h"

#include "lib/hubs.h"

#include "base/mem.h"
#include "base/text/text.h"
#include "lib/parts.h"
#include "lib/rendezvous.h"
#include "lib/service.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECRET_MAX 4096

void pl_card_digest(struct pl_card *card, uint64_t digest)
{
	for (int i = 0; i < 8; i++)
		card->digest[i] = (unsigned char)(digest >> (8 * (7 - i)));
}

uint64_t pl_card_get_digest(const struct pl_card *card)
{
	uint64_t digest = 0;

	for (int i = 0; i < 8; i++)
		digest = digest << 8 | card->digest[i];
	return digest;
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

	if (pl_text_load_secret(&text, path, SECRET_MAX, err))
		return NULL;
	if (!pl_text_next(&text, &line) || line.len == 0 || line.s[0] == '#')
		pl_err_set(err, PL_EINPUT, "%s: no secret in the first line, or a comment",
			   text.name);
	else if (!(secret = pl_string_copy(line.s, line.len)))
		pl_err_nomem(err);
	pl_text_fini(&text);
	return secret;
}

/* Of rank 0 and the hubs, member @k; every one brings as much as rank 0, a hub its own card first.
 * @hub, unless NULL, becomes the cards of the hubs. */
static int gather(const struct pl_schedules *s, size_t k, const struct pl_meeting *meeting,
		  struct pl_card *card, size_t n, struct pl_card *hub, double timeout_s,
		  struct pl_err *err)
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
	for (size_t i = 0; rc == 0 && hub && i < s->n_aggregators; i++)
		hub[i] = all[(i + 1) * n];
	free(all);
	return rc;
}

/* Has all come, to rank 0. */
static int wait_for_all(const struct pl_schedules *s, const struct pl_meeting *meeting,
			const struct pl_card *card, size_t n, double timeout_s, struct pl_err *err)
{
	struct pl_card *mine = pl_array_create(n, sizeof(*mine));
	int rc;

	if (!mine)
		return pl_err_nomem(err);
	memcpy(mine, card, n * sizeof(*mine));
	rc = gather(s, 0, meeting, mine, n, NULL, timeout_s, err);
	free(mine);
	return rc;
}

/* Is the first of "HOST:PORT,..." there again? It would be asked for a second part of the job, and
 * drop the first. */
static bool is_again(const char *hubs)
{
	const size_t len = strcspn(hubs, ",");

	for (const char *at = hubs + len; *at == ','; at += strcspn(at, ",")) {
		at++;
		if (strcspn(at, ",") == len && strncmp(at, hubs, len) == 0)
			return true;
	}
	return false;
}

/* Asks the hubs that listen at "HOST:PORT,...", in the order of the schedules' aggregators. */
static int ask_all(const struct pl_schedules *s, const char *hubs, struct pl_service_name *name,
		   struct pl_service *service, double timeout_s, struct pl_err *err)
{
	const char *at = hubs;
	int rc = 0;

	for (size_t k = 0; rc == 0 && k < s->n_aggregators; k++) {
		const size_t len = strcspn(at, ",");
		char *address = pl_string_copy(at, len);

		if (!address)
			return pl_err_nomem(err);
		if (len == 0 || (at[len] == ',') != (k + 1 < s->n_aggregators))
			rc = pl_err_set(
				err, PL_EUSAGE,
				"PLINK_HUBS=%s: there are %zu hubs, and each needs a HOST:PORT",
				hubs, s->n_aggregators);
		else if (is_again(at))
			rc = pl_err_set(err, PL_EUSAGE, "PLINK_HUBS=%s: %s stands here twice", hubs,
					address);
		name->address = address;
		service->aggregator = k;
		if (rc == 0)
			rc = pl_service_ask(name, service, s, timeout_s, err);
		at += len + (at[len] == ',');
		free(address);
	}
	return rc;
}

int pl_hubs_serve(const struct pl_schedules *s, const struct pl_card *card, size_t n,
		  double timeout_s, struct pl_err *err)
{
	const char *file = getenv("PLINK_HUB_SECRET");
	const char *hubs = getenv("PLINK_HUBS"), *job = getenv("PLINK_HUB_JOB");
	struct pl_meeting meeting = {.address = getenv("PLINK_HUB_MEET")};
	struct pl_service_name name = {.job = job ? job : ""};
	struct pl_service service = {.card = card, .n = n};
	char *secret;
	int rc;

	if (!(meeting.address || hubs) || !file)
		return pl_err_set(
			err, PL_EUSAGE,
			"the schedules have hubs (\"%s\"): set PLINK_HUB_MEET=HOST:PORT, where "
			"rank 0 waits for them, and PLINK_HUB_SECRET=FILE, with their secret",
			s->aggregator[0]);
	secret = pl_hubs_secret(file, err);
	if (!secret)
		return -1;
	meeting.secret = name.secret = secret;
	rc = hubs ? ask_all(s, hubs, &name, &service, timeout_s, err)
		  : wait_for_all(s, &meeting, card, n, timeout_s, err);
	free(secret);
	return rc;
}

int pl_hubs_go(const struct pl_schedules *s, size_t k, const struct pl_meeting *meeting,
	       struct pl_card *card, size_t n, struct pl_card *hub, double timeout_s,
	       struct pl_err *err)
{
	card[0] = hub[k];
	return gather(s, k + 1, meeting, card, n, hub, timeout_s, err);
}
