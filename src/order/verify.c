/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.c - does the launcher keep the order? */
#include "config.h"

#include "src/order/report.h"

#include "base/child.h"
#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/scratch.h"
#include "base/text/text.h"
#include "src/order/format/format.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERIFY_NS (300 * (int64_t)1000000000)

/* Prints the rank (Open MPI, Hydra, others by PMIx) and the output of `hostname`. */
static const char *const probe_app[] = {
	"sh", "-c",
	"echo \"plink-rank ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}} $(hostname)\"", NULL};

/* Slurm has its own names for nodes. */
static const char *const slurm_app[] = {"sh", "-c",
					"echo \"plink-rank $SLURM_PROCID $SLURMD_NODENAME\"", NULL};

/* Up to so many misplaced ranks are listed one by one. */
#define NAMED_MAX 8

/* host[rank]: where it should be; seen[rank]: where it is. */
struct check {
	const char *launcher;
	const struct pl_host **host;
	char **seen;
	size_t n_ranks;
	bool by_list; /* compares the list's names, not those of the machines */
};

static int check_init(struct check *c, const struct pl_reorder_answer *a, struct pl_err *err)
{
	size_t rank = 0;

	c->n_ranks = pl_hosts_ranks(&a->in->hosts);
	c->host = pl_array_create(c->n_ranks, sizeof(*c->host));
	c->seen = pl_array_create(c->n_ranks, sizeof(*c->seen));
	if (!c->host || !c->seen)
		return pl_err_nomem(err);
	for (size_t k = 0; k < a->in->hosts.n; k++) {
		const struct pl_host *h = pl_reorder_host(a, k);

		for (int slot = 0; slot < h->slots; slot++)
			c->host[rank++] = h;
	}
	return 0;
}

static void check_fini(struct check *c)
{
	for (size_t i = 0; c->seen && i < c->n_ranks; i++)
		free(c->seen[i]);
	free(c->seen);
	free(c->host);
}

/* A rank's line; other lines are the launcher's own. */
static int take_line(struct check *c, struct pl_line *line, struct pl_err *err)
{
	struct pl_word word, rank, node;
	int64_t r;

	if (!pl_line_next(line, &word) || !pl_word_is(&word, "plink-rank") ||
	    !pl_line_next(line, &rank) || !pl_line_next(line, &node))
		return 0;
	if (pl_int_parse(rank.s, rank.len, 0, (int64_t)c->n_ranks - 1, &r) || c->seen[r])
		return pl_err_set(err, PL_EPARTIAL, "%s started an unexpected rank \"%.*s\"",
				  c->launcher, (int)rank.len, rank.s);
	c->seen[r] = pl_string_copy(node.s, node.len);
	return c->seen[r] ? 0 : pl_err_nomem(err);
}

static int take_output(struct check *c, const char *out, size_t len, struct pl_err *err)
{
	struct pl_text text;
	struct pl_line line;
	int rc = 0;

	if (memchr(out, '\0', len))
		return pl_err_set(err, PL_EPARTIAL, "cannot verify: %s printed a zero byte",
				  c->launcher);
	if (pl_text_copy(&text, c->launcher, out, len, err))
		return -1;
	while (rc == 0 && pl_text_next(&text, &line))
		rc = take_line(c, &line, err);
	pl_text_fini(&text);
	return rc;
}

static enum pl_alike alike(const struct check *c, const struct pl_host *h, const char *seen)
{
	return pl_host_names_alike(h->node && !c->by_list ? h->node : h->name, seen);
}

/* Is that name more like the host's than like any other's? *unclear: it is as much like another. */
static bool is_there(const struct check *c, const struct pl_host *h, const char *seen,
		     bool *unclear)
{
	const enum pl_alike own = alike(c, h, seen);
	const struct pl_host *before = NULL;

	*unclear = false;
	for (size_t r = 0; own && own < PL_ALIKE_SAME && r < c->n_ranks; r++) {
		const struct pl_host *other = c->host[r];

		if (other == before || other == h || !strcmp(other->name, h->name))
			continue;
		before = other;
		if (alike(c, other, seen) > own)
			return false;
		*unclear |= alike(c, other, seen) == own;
	}
	return own && !*unclear;
}

/* No machine's own name is an address. */
static bool is_address(const char *name)
{
	return strchr(name, ':') || strspn(name, "0123456789.") == strlen(name);
}

static int compare(const struct check *c, struct pl_err *err)
{
	size_t n_wrong = 0, n_silent = 0;

	for (size_t r = 0; r < c->n_ranks; r++) {
		const struct pl_host *h = c->host[r];
		bool unclear;

		if (!c->seen[r]) {
			n_silent++;
			continue;
		}
		if (!h->node && !c->by_list && is_address(h->name))
			return pl_err_set(err, PL_EPARTIAL,
					  "cannot verify: the node name of %s is not known (rank "
					  "%zu reports %s)",
					  h->name, r, c->seen[r]);
		if (is_there(c, h, c->seen[r], &unclear))
			continue;
		if (unclear)
			return pl_err_set(
				err, PL_EPARTIAL,
				"cannot verify: rank %zu is on a machine that calls itself "
				"%s, and several hosts could be that",
				r, c->seen[r]);
		if (n_wrong++ < NAMED_MAX)
			pl_reorder_warn("rank %zu is on %s, not on %s", r, c->seen[r], h->name);
	}
	if (n_silent)
		return pl_err_set(
			err, PL_EPARTIAL,
			"%zu of %zu ranks did not report; see the messages of mpirun above",
			n_silent, c->n_ranks);
	if (n_wrong)
		return pl_err_set(
			err, PL_EPARTIAL,
			"the order was not kept: %zu of %zu ranks are elsewhere; plink-mpirun and "
			"plink-exec follow a --plan where mpirun does not",
			n_wrong, c->n_ranks);
	pl_reorder_say("verified: all %zu ranks are on their hosts", c->n_ranks);
	return 0;
}

/* The format written for the launcher: a host file if the chosen one is not for a launcher. */
static enum pl_reorder_format file_format(const struct pl_reorder_answer *a)
{
	const enum pl_reorder_format format = a->o->format;

	return format == PL_FORMAT_RANKFILE || pl_reorder_form(format)->launcher
		       ? format
		       : PL_FORMAT_HOSTFILE;
}

/* The command that shows where each rank is. 0, or -1 with @err set. */
static int make_command(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
			const char *file, const struct check *c, struct pl_words *words,
			struct pl_err *err)
{
	const enum pl_reorder_format format = file_format(a);
	char *hosts = pl_reorder_list_hosts(a);
	const struct pl_mpi_job job = {
		.mpirun = c->launcher,
		.file = file,
		.hosts = format == PL_FORMAT_RANKFILE ? hosts : NULL,
		.format = format,
		.n_ranks = c->n_ranks,
		.ways = &a->from->ways,
		.app = c->by_list ? slurm_app : probe_app,
	};
	int rc = 0;

	if (!hosts)
		rc = pl_err_nomem(err);
	else if (pl_mpi_command(mpi, &job, words))
		rc = pl_err_set(err, PL_EPARTIAL,
				"cannot verify: no known way to make mpirun (%s) keep an order",
				mpi->name);
	free(hosts);
	return rc;
}

static int run(const struct pl_reorder_answer *a, const struct pl_mpi *mpi, const char *file,
	       const volatile sig_atomic_t *stop, struct check *c, struct pl_err *err)
{
	struct pl_words words = {0};
	struct pl_child_options child = {
		.err_to = PL_CHILD_STDERR_SHOWN,
		.timeout_ns = VERIFY_NS,
		.stop = stop,
	};
	char *out = NULL;
	size_t len;
	int status, rc;

	if (make_command(a, mpi, file, c, &words, err))
		return -1;
	child.argv = words.v;
	rc = pl_child_run(&child, &out, &len, &status, err);
	if (rc == 0 && status != 0) {
		fwrite(out, 1, len, stderr); /* mpirun's message explains the
					      * reason */
		rc = pl_err_set(err, PL_EPARTIAL, "cannot verify: %s ended with status %d",
				c->launcher, status);
	}
	if (rc == 0)
		rc = take_output(c, out, len, err);
	free(out);
	pl_words_fini(&words);
	return rc;
}

/* The file as the user would have it, under a temporary name. */
static int write_file(const struct pl_reorder_answer *a, struct pl_scratch_shared *file,
		      struct pl_err *err)
{
	FILE *f = pl_scratch_memory();

	if (f && pl_reorder_write(a, file_format(a), f, err)) {
		fclose(f);
		return -1;
	}
	/* PRRTE takes no rank file whose name has a "-" */
	if (!f || pl_scratch_share(file, "plink", f))
		return pl_err_errno(err, "cannot make a temporary file");
	return 0;
}

int pl_reorder_verify(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
		      const char *mpirun, const volatile sig_atomic_t *stop, struct pl_err *err)
{
	const bool by_srun = a->o->format == PL_FORMAT_SLURM;
	struct check c = {.launcher = by_srun ? "srun" : mpirun, .by_list = by_srun};
	struct pl_scratch_shared file = {0};
	int rc = -1;

	if (mpi->kind == PL_MPI_NONE && !by_srun)
		return pl_err_set(err, PL_EPARTIAL, "cannot verify: no %s here", mpirun);
	if (check_init(&c, a, err) == 0 && write_file(a, &file, err) == 0)
		rc = run(a, mpi, file.path, stop, &c, err);
	pl_scratch_unshare(&file);
	if (rc == 0)
		rc = compare(&c, err);
	check_fini(&c);
	return rc;
}
