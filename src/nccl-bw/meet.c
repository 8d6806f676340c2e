/* SPDX-License-Identifier: BSD-3-Clause */
/* meet.c - all ranks meet and learn who is where */
#include "config.h"

#include "src/nccl-bw/nccl-bw.h"

#include "base/mem.h"
#include "base/text/names.h"
#include "lib/parts.h"
#include "lib/rendezvous.h"
#include "shim/self.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What each rank brings; made of bytes. Ranks that measure something else would wait for one
 * another. */
struct card {
	char name[PL_HOST_NAME_MAX + 1], node[PL_HOST_NAME_MAX + 1];
	char bytes[24], repeat[24];
	ncclUniqueId id; /* of rank 0; the others' have no meaning */
};

static int make_card(struct card *card, const struct nccl_bw_options *o, const ncclUniqueId *id,
		     struct pl_err *err)
{
	struct pl_self self = {0};

	memset(card, 0, sizeof(*card));
	if (pl_self_init_names(&self, err))
		return -1;
	snprintf(card->name, sizeof(card->name), "%s", self.named ? self.named : self.node);
	snprintf(card->node, sizeof(card->node), "%s", self.node);
	snprintf(card->bytes, sizeof(card->bytes), "%" PRIu64, o->bytes);
	snprintf(card->repeat, sizeof(card->repeat), "%" PRIu64, o->repeat);
	card->id = *id;
	pl_self_fini(&self);
	return 0;
}

/* The network may have brought texts without an end. */
static void end_texts(struct card *all, int n)
{
	for (struct card *card = all; card < all + n; card++) {
		card->name[sizeof(card->name) - 1] = '\0';
		card->node[sizeof(card->node) - 1] = '\0';
		card->bytes[sizeof(card->bytes) - 1] = '\0';
		card->repeat[sizeof(card->repeat) - 1] = '\0';
	}
}

static int check_card(const struct card *all, int rank, struct pl_err *err)
{
	const struct card *card = &all[rank];
	const char *fault;
	size_t at;

	fault = pl_host_name_fault(card->name, strlen(card->name), &at);
	if (fault)
		return pl_err_set(
			err, PL_EINPUT,
			"rank %d is on \"%s\": %s; set PLINK_HOST to give hosts other names", rank,
			card->name, fault);
	if (!pl_matrix_is_word(card->node))
		return pl_err_set(err, PL_EINPUT,
				  "rank %d is on a machine with the node name \"%s\": a matrix "
				  "cannot hold it",
				  rank, card->node);
	if (strcmp(card->bytes, all[0].bytes) || strcmp(card->repeat, all[0].repeat))
		return pl_err_set(err, PL_EUSAGE, "rank %d has other options than rank 0", rank);
	return 0;
}

/* Host by host in the order of first ranks; host_of[n] by rank. */
static int take_hosts(struct nccl_bw_job *job, const struct card *all, size_t *host_of,
		      struct pl_err *err)
{
	struct pl_names names = {0};
	int rc = 0;

	for (int r = 0; rc == 0 && r < job->n; r++) {
		const struct card *card = &all[r];
		const struct pl_host host = {
			.name = (char *)card->name, .node = (char *)card->node, .slots = 1};
		const size_t len = strlen(card->name);
		const ptrdiff_t known = pl_names_find(&names, card->name, len);

		rc = check_card(all, r, err);
		if (rc)
			break;
		host_of[r] = known < 0 ? job->hosts.n : (size_t)known;
		if (known >= 0)
			job->hosts.v[known].slots++;
		else if (pl_names_add(&names, card->name, len, job->hosts.n) ||
			 pl_hosts_add(&job->hosts, &host))
			rc = pl_err_nomem(err);
	}
	pl_names_fini(&names);
	return rc;
}

static int check_hosts(const struct nccl_bw_job *job, struct pl_err *err)
{
	const struct pl_host *host = job->hosts.v;

	if (job->hosts.n == 1)
		return pl_err_set(err, PL_EUSAGE,
				  "%d ranks, all on %s: there is nothing to measure; set "
				  "PLINK_HOST to tell hosts of the same name apart",
				  job->n, host[0].name);
	for (size_t h = 1; h < job->hosts.n; h++)
		if (host[h].slots != host[0].slots)
			return pl_err_set(err, PL_EUSAGE,
					  "%d ranks on %s, %d on %s: each host must have as many",
					  host[h].slots, host[h].name, host[0].slots, host[0].name);
	if (host[0].slots > NCCL_BW_RAILS_MAX)
		return pl_err_set(err, PL_EUSAGE, "%d ranks on a host: at most %d are measured",
				  host[0].slots, NCCL_BW_RAILS_MAX);
	return 0;
}

static int take_rails(struct nccl_bw_job *job, const size_t *host_of, struct pl_err *err)
{
	size_t *filled = pl_array_create(job->hosts.n, sizeof(*filled));

	job->n_rails = (size_t)job->hosts.v[0].slots;
	job->rank_at = pl_array_create((size_t)job->n, sizeof(*job->rank_at));
	if (!filled || !job->rank_at) {
		free(filled);
		return pl_err_nomem(err);
	}
	for (int r = 0; r < job->n; r++) {
		const size_t host = host_of[r], rail = filled[host]++;

		job->rank_at[host * job->n_rails + rail] = r;
		if (r != job->rank)
			continue;
		job->host = host;
		job->rail = rail;
	}
	free(filled);
	return 0;
}

static int take(struct nccl_bw_job *job, const struct card *all, struct pl_err *err)
{
	size_t *host_of = pl_array_create((size_t)job->n, sizeof(*host_of));
	int rc = host_of ? 0 : pl_err_nomem(err);

	if (!rc)
		rc = take_hosts(job, all, host_of, err);
	if (!rc)
		rc = check_hosts(job, err);
	if (!rc)
		rc = take_rails(job, host_of, err);
	free(host_of);
	job->id = all[0].id;
	return rc;
}

int nccl_bw_meet(struct nccl_bw_job *job, const struct nccl_bw_options *o, const ncclUniqueId *id,
		 bool *shared, struct pl_err *err)
{
	/* NCCL does not check who takes part, either: plink-nccl-bw(1) */
	struct pl_rendezvous r = {
		.meeting = {.address = o->address, .secret = ""},
		.rank = (size_t)o->rank,
		.n = (size_t)o->n,
		.timeout_s = o->timeout_s,
		.hub = NULL,
	};
	struct card *all = pl_array_create((size_t)o->n, sizeof(*all));
	struct pl_error error = {.code = PL_ERROR_NONE};
	struct card mine;
	int rc = all ? 0 : pl_err_nomem(err);

	*shared = false;
	job->rank = o->rank;
	job->n = o->n;
	if (!rc)
		rc = make_card(&mine, o, id, err);
	if (!rc && pl_rendezvous_gather(&r, &mine, sizeof(mine), all, &error))
		rc = pl_lib_back(err, &error);
	if (!rc) {
		end_texts(all, o->n);
		rc = take(job, all, err);
		*shared = rc && err->code != PL_ESYSTEM;
	}
	free(all);
	return rc;
}

void nccl_bw_job_fini(struct nccl_bw_job *job)
{
	pl_hosts_fini(&job->hosts);
	free(job->rank_at);
	job->rank_at = NULL;
}
