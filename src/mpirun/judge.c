/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c - can the job follow the plan, and which rank does each process
 * get? */
#include "config.h"

#include "src/mpirun/judge.h"

#include "base/mem.h"
#include "shim/ranks.h"
#include "src/common/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAID_MAX 20 /* faults that are reported one by one */

/* "Open MPI 4" for "Open MPI v4.1.4, package", "MPICH 4" for "MPICH Version: 4.0.2": the form in
 * which the library says what it is made for. */
static void major_of(const char *version, char *buf, size_t size)
{
	int major;

	if (sscanf(version, "Open MPI v%d.", &major) == 1)
		snprintf(buf, size, "Open MPI %d", major);
	else if (sscanf(version, "MPICH Version: %d.", &major) == 1)
		snprintf(buf, size, "MPICH %d", major);
	else
		snprintf(buf, size, "another MPI");
}

/* Open MPI's mpirun only fits its library's release series; Hydra starts any program that speaks
 * its protocol. */
static bool fits_mpirun(const struct pl_mpi *mpirun, const char *version)
{
	int own[2], other[2];

	if (mpirun->kind == PL_MPI_MPICH)
		return strncmp(version, "MPICH", 5) == 0;
	return sscanf(version, "Open MPI v%d.%d", &own[0], &own[1]) == 2 &&
	       sscanf(mpirun->name, "Open MPI %d.%d", &other[0], &other[1]) == 2 &&
	       own[0] == other[0] && own[1] == other[1];
}

static int judge_mpi(const struct pl_judge *judge, const struct pl_checked *c, struct pl_err *err)
{
	const char *version = c->mpi ? c->mpi : "none";
	/* the rest says where and how it was built */
	const size_t end = strcspn(version, ",");
	const int len = end < 60 ? (int)end : 60;
	char major[64];

	major_of(version, major, sizeof(major));
	if (!c->made_for)
		return pl_err_set(
			err, PL_EPARTIAL,
			"the preload library is not plink's: name plink's with --library");
	if (strcmp(c->made_for, major) != 0)
		return pl_err_set(err, PL_EPARTIAL,
				  "the MPI library is \"%.*s\", and what is to be preloaded is "
				  "made for %s: --library names another",
				  len, version, c->made_for);
	if (!fits_mpirun(judge->mpirun, version))
		return pl_err_set(err, PL_EPARTIAL, "the MPI library is \"%.*s\", and mpirun is %s",
				  len, version, judge->mpirun->name);
	return 0;
}

/* Rank 0 reads the plan for all. If others can read it, too, it must be the same. */
static int judge_plan(const struct pl_judge *judge, size_t rank, struct pl_err *err)
{
	const struct pl_checked *c = &judge->check->rank[rank];

	if (c->plan_fault)
		return rank > 0 ? 0
				: pl_err_set(err, PL_EPARTIAL,
					     "%s; the launcher's rank 0 must read the plan",
					     c->plan_fault);
	if (c->plan != judge->digest)
		return pl_err_set(err, PL_EPARTIAL,
				  "the plan there is another one than here: copy this one there");
	return 0;
}

static int judge_host(const struct pl_judge *judge, const struct pl_checked *c, int *host,
		      struct pl_err *err)
{
	*host = pl_self_find(&c->self, &judge->plan->hosts);
	if (*host >= 0)
		return pl_self_check_same(&c->self, &judge->plan->hosts.v[*host], err);
	if (*host == PL_SELF_AMBIGUOUS)
		return pl_err_set(
			err, PL_EPARTIAL,
			"several hosts of the plan could be this one, name one in PLINK_HOST");
	if (c->named)
		return pl_err_set(err, PL_EPARTIAL,
				  "PLINK_HOST is \"%s\", and the plan has no host of that name",
				  c->named);
	return pl_err_set(err, PL_EPARTIAL,
			  "the plan has no host with this name or an address of it: name one in "
			  "PLINK_HOST there, or make a plan with it");
}

int pl_judge_process(const struct pl_judge *judge, size_t rank, int *host, struct pl_err *err)
{
	const struct pl_checked *c = &judge->check->rank[rank];

	if (!c->ended)
		return pl_err_set(err, PL_EPARTIAL, "no answer, or not all of it");
	if (c->library_fault)
		return pl_err_set(err, PL_EPARTIAL,
				  "cannot load the library: %s (--library names it)",
				  c->library_fault);
	if (judge_mpi(judge, c, err) || judge_plan(judge, rank, err))
		return -1;
	return judge_host(judge, c, host, err);
}

void pl_judge_list(const bool *flag, size_t n, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < n && len < size; i++) {
		size_t last = i;

		if (!flag[i])
			continue;
		while (last + 1 < n && flag[last + 1])
			last++;
		len += (size_t)snprintf(buf + len, size - len, "%s%zu", len ? "," : "", i);
		if (last > i && len < size)
			len += (size_t)snprintf(buf + len, size - len, "-%zu", last);
		i = last;
	}
}

/* The faults of all processes, by rank; {.code = PL_OK} where there is none. */
struct faults {
	struct pl_err *of;  /* [n] */
	bool *said, *alike; /* [n] */
};

static void faults_fini(struct faults *f)
{
	free(f->of);
	free(f->said);
	free(f->alike);
}

/* Reports a fault once for all processes of the machine that have it. */
static void say_fault(const struct pl_check *check, struct faults *f, size_t rank)
{
	const char *node = check->rank[rank].self.node;
	char list[128];
	size_t n_alike = 0;

	for (size_t i = 0; i < check->n; i++) {
		f->alike[i] = f->of[i].code && strcmp(f->of[i].text, f->of[rank].text) == 0 &&
			      strcmp(check->rank[i].self.node, node) == 0;
		f->said[i] |= f->alike[i];
		n_alike += f->alike[i];
	}
	pl_judge_list(f->alike, check->n, list, sizeof(list));
	pl_tool_warn(PL_MPIRUN_TOOL, "%s%s%s %s%s: %s", node, *node ? " (" : "",
		     n_alike > 1 ? "ranks" : "rank", list, *node ? ")" : "", f->of[rank].text);
}

static int say_faults(const struct pl_check *check, struct faults *f, struct pl_err *err)
{
	size_t n_said = 0, n_faults = 0;

	for (size_t rank = 0; rank < check->n; rank++) {
		n_faults += f->of[rank].code != PL_OK;
		if (!f->of[rank].code || f->said[rank] || n_said == SAID_MAX)
			continue;
		say_fault(check, f, rank);
		n_said++;
	}
	if (n_faults == 0)
		return 0;
	return pl_err_set(
		err, PL_EPARTIAL,
		"%zu of %zu processes could not follow the plan; nothing is run (--no-check would)",
		n_faults, check->n);
}

static int judge_all(const struct pl_judge *judge, int *host_of, struct pl_err *err)
{
	const size_t n = judge->check->n;
	struct faults f = {
		.of = pl_array_create(n, sizeof(*f.of)),
		.said = pl_array_create(n, sizeof(*f.said)),
		.alike = pl_array_create(n, sizeof(*f.alike)),
	};
	int rc;

	if (f.of && f.said && f.alike) {
		for (size_t rank = 0; rank < n; rank++)
			pl_judge_process(judge, rank, &host_of[rank], &f.of[rank]);
		rc = say_faults(judge->check, &f, err);
	} else {
		rc = pl_err_nomem(err);
	}
	faults_fini(&f);
	return rc;
}

/* The first host with more ranks than its slots in the plan; NULL: none. */
static const struct pl_host *find_crowded(const struct pl_judge *judge,
					  const struct pl_mpirun_verdict *v)
{
	const struct pl_hosts *hosts = &judge->plan->hosts;

	for (size_t i = 0; i < hosts->n; i++) {
		int n = 0;

		for (size_t rank = 0; rank < v->n; rank++)
			n += v->host_of[rank] == (int)i;
		if (n > hosts->v[i].slots)
			return &hosts->v[i];
	}
	return NULL;
}

/* Adds what to do about ranks that are elsewhere than the plan has them. */
static int explain_slots(const struct pl_judge *judge, const struct pl_mpirun_verdict *v,
			 struct pl_err *err)
{
	const enum pl_mpi_kind kind = judge->mpirun->kind;
	const struct pl_host *host = find_crowded(judge, v);
	struct pl_err why;

	if (!host || !err || err->code != PL_EPARTIAL ||
	    (kind != PL_MPI_OPENMPI_4 && kind != PL_MPI_OPENMPI_5))
		return -1;
	why = *err;
	return pl_err_set(err, why.code,
			  "%s; Open MPI starts one on each core of a host that its host file gives "
			  "no slots: write \"%s slots=%d\" there, and so for the other hosts",
			  why.text, host->name, host->slots);
}

static int give_ranks(const struct pl_judge *judge, struct pl_mpirun_verdict *v, struct pl_err *err)
{
	if (judge->mode != PL_MPIRUN_OFF &&
	    pl_shim_ranks(judge->plan, v->host_of, v->n, v->new_rank, err))
		return explain_slots(judge, v, err);
	for (size_t rank = 0; rank < v->n; rank++) {
		if (judge->mode != PL_MPIRUN_WORLD)
			v->new_rank[rank] = (int)rank;
		if (v->new_rank[rank] == 0)
			v->first = (int)rank;
		v->n_without_plan += judge->check->rank[rank].plan_fault != NULL;
	}
	v->identity = pl_shim_is_identity(v->new_rank, v->n);
	return 0;
}

int pl_judge(const struct pl_judge *judge, struct pl_mpirun_verdict *verdict, struct pl_err *err)
{
	const size_t n = judge->check->n;

	verdict->n = n;
	verdict->host_of = pl_array_create(n, sizeof(int));
	verdict->new_rank = pl_array_create(n, sizeof(int));
	if (!verdict->host_of || !verdict->new_rank)
		pl_err_nomem(err);
	else if (judge_all(judge, verdict->host_of, err) == 0 &&
		 give_ranks(judge, verdict, err) == 0)
		return 0;
	pl_verdict_fini(verdict);
	return -1;
}

void pl_verdict_fini(struct pl_mpirun_verdict *verdict)
{
	free(verdict->host_of);
	free(verdict->new_rank);
	*verdict = (struct pl_mpirun_verdict){0};
}
