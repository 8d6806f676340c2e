/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - launchers that read a line per rank: srun, LightGBM */
#include "config.h"

#include "src/order/format/format.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

/* The arbitrary distribution of srun: task i runs on the host of line i. */
const struct pl_reorder_form pl_form_slurm = {
	.name = "slurm",
	.launcher = "srun",
	.file = "hostfile",
	.flags = PL_FORM_NO_IPV6 | PL_FORM_VERIFIED,
	.write = pl_reorder_write_ranks,
};

/* LightGBM's own default of local_listen_port. */
#define LIGHTGBM_PORT 12400

static bool is_ipv4(const char *s, struct in_addr *addr)
{
	return s && inet_pton(AF_INET, s, addr) == 1;
}

/* A machine finds its rank by comparing the list with the IPv4 addresses of its interfaces, as
 * text; so names cannot be used. NULL: not known. */
static const char *address(const struct pl_host *h, struct in_addr *addr)
{
	return is_ipv4(h->name, addr) ? h->name : is_ipv4(h->addr, addr) ? h->addr : NULL;
}

/* Where the rank of slot 0 listens. */
static int first_port(const struct pl_host *h, const struct pl_reorder_options *o)
{
	return h->port ? h->port : o->job_port ? o->job_port : LIGHTGBM_PORT;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Address and port of every rank of the host, as numbers. */
static int add_ends(uint64_t *end, size_t *n, const struct pl_host *h,
		    const struct pl_reorder_options *o, struct pl_err *err)
{
	const int port = first_port(h, o);
	struct in_addr addr;

	if (!address(h, &addr))
		return pl_err_set(err, PL_EINPUT,
				  "host \"%s\": LightGBM needs its IPv4 address; list the host by "
				  "that, or measure it (a matrix of plink-probe has it)",
				  h->name);
	if (port + h->slots - 1 > UINT16_MAX)
		return pl_err_set(
			err, PL_EINPUT,
			"host \"%s\": no ports for %d ranks from %d on; name a lower --job-port",
			h->name, h->slots, port);
	for (int slot = 0; slot < h->slots; slot++)
		end[(*n)++] = (uint64_t)ntohl(addr.s_addr) << 16 | (uint64_t)(port + slot);
	return 0;
}

static int check_lightgbm(const struct pl_hosts *hosts, const struct pl_reorder_options *o,
			  struct pl_err *err)
{
	const size_t n_ranks = pl_hosts_ranks(hosts);
	uint64_t *end = pl_array_create(n_ranks, sizeof(*end));
	size_t n = 0;
	int rc = end ? 0 : pl_err_nomem(err);

	for (size_t h = 0; rc == 0 && h < hosts->n; h++)
		rc = add_ends(end, &n, &hosts->v[h], o, err);
	if (rc == 0)
		qsort(end, n, sizeof(*end), by_value);
	for (size_t i = 1; rc == 0 && i < n; i++)
		if (end[i] == end[i - 1])
			rc = pl_err_set(err, PL_EINPUT,
					"two ranks at port %" PRIu64
					" of one address: LightGBM tells them by that; give them "
					"ports in the host list",
					end[i] & UINT16_MAX);
	free(end);
	return rc;
}

static int write_lightgbm(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	(void)err;
	for (size_t k = 0; k < a->in->hosts.n; k++) {
		const struct pl_host *h = pl_reorder_host(a, k);
		const int port = first_port(h, a->o);
		struct in_addr addr;

		for (int slot = 0; slot < h->slots; slot++)
			fprintf(out, "%s %d\n", address(h, &addr), port + slot);
	}
	return 0;
}

/* The port that all ranks listen at; 0: it differs. */
static int common_port(const struct pl_reorder_answer *a)
{
	const int port = first_port(&a->in->hosts.v[0], a->o);

	for (size_t h = 0; h < a->in->hosts.n; h++)
		if (a->in->hosts.v[h].slots > 1 || first_port(&a->in->hosts.v[h], a->o) != port)
			return 0;
	return port;
}

static char *command_lightgbm(const struct pl_reorder_answer *a, const char *file, const char **who)
{
	const int port = common_port(a);
	struct pl_words words = {0};
	char n[32];

	*who = port ? "LightGBM, on every host"
		    : "LightGBM, on every host for each PORT behind its address";
	snprintf(n, sizeof(n), "%zu", pl_hosts_ranks(&a->in->hosts));
	pl_words_add(&words, "lightgbm");
	pl_words_add(&words, "config=train.conf");
	pl_words_add_pair(&words, "num_machines", n);
	pl_words_add_pair(&words, "machine_list_filename", file);
	snprintf(n, sizeof(n), "%d", port);
	pl_words_add_pair(&words, "local_listen_port", port ? n : "PORT");
	return pl_reorder_command(&words);
}

const struct pl_reorder_form pl_form_lightgbm = {
	.name = "lightgbm",
	.launcher = "LightGBM",
	.library = "lightgbm",
	.file = "machines",
	.flags = PL_FORM_JOB_PORT | PL_FORM_HOST_PORTS,
	.check = check_lightgbm,
	.write = write_lightgbm,
	.command = command_lightgbm,
};
