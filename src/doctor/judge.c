/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c - what is wrong with the hosts of a run, and what to do about it */
#include "config.h"

#include "src/doctor/judge.h"

#include "base/mem.h"
#include "base/text/shell.h"
#include "probes/launch/launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const subjects[] = {
	[PL_DOCTOR_REACH] = "reach", [PL_DOCTOR_AGENT] = "agent", [PL_DOCTOR_PLINK] = "plink",
	[PL_DOCTOR_MPI] = "mpi",     [PL_DOCTOR_SHIM] = "shim",   [PL_DOCTOR_NCCL] = "nccl",
	[PL_DOCTOR_TIME] = "clock",  [PL_DOCTOR_UDP] = "udp",     [PL_DOCTOR_TCP] = "tcp",
};

static const char on_path[] =
	"install it there, or add its directory to the PATH of non-interactive commands";
static const char one_version[] = "install the same version on all hosts";

const char *pl_doctor_subject_name(enum pl_doctor_subject subject)
{
	return subjects[subject];
}

bool pl_doctor_is_of_pairs(enum pl_doctor_subject subject)
{
	return subject == PL_DOCTOR_UDP || subject == PL_DOCTOR_TCP;
}

int pl_doctor_find(struct pl_doctor_verdict *verdict, size_t host, enum pl_doctor_subject subject,
		   const char *remedy, const char *fmt, ...)
{
	struct pl_doctor_finding *f;
	va_list ap;

	if (pl_array_grow((void **)&verdict->v, &verdict->room, verdict->n, sizeof(*verdict->v)))
		return -1;
	f = &verdict->v[verdict->n++];
	f->host = host;
	f->subject = subject;
	va_start(ap, fmt);
	vsnprintf(f->what, sizeof(f->what), fmt, ap);
	va_end(ap);
	snprintf(f->remedy, sizeof(f->remedy), "%s", remedy);
	return 0;
}

/* A text that some hosts have, and that should be the same on all. */
struct trait {
	enum pl_doctor_subject subject;
	const char *(*of)(const struct pl_doctor_facts *f);
	const char *name, *remedy_none;
};

static const char *mpi_of(const struct pl_doctor_facts *f)
{
	return f->mpi;
}

static const char *nccl_of(const struct pl_doctor_facts *f)
{
	return f->nccl;
}

/* Builds for another machine differ in any case. */
static const char *shim_of(const struct pl_doctor_facts *f)
{
	return f->mpi[0] && f->shim[0] ? f->machine : "";
}

static const struct trait mpi = {PL_DOCTOR_MPI, mpi_of, "mpirun", on_path};
static const struct trait nccl = {PL_DOCTOR_NCCL, nccl_of, "libnccl",
				  "install it there, or take these hosts out"};

/* The text that most hosts have (the first of several), and how many. */
static const char *most(const struct pl_doctor_seen *s,
			const char *(*of)(const struct pl_doctor_facts *f), size_t *n)
{
	const char *best = "";

	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const char *text = of(&s->v[i]);
		size_t same = 0;

		if (!s->v[i].whole || !text[0] || strcmp(text, best) == 0)
			continue;
		for (size_t j = i; j < s->n; j++)
			same += s->v[j].whole && !strcmp(of(&s->v[j]), text);
		if (same > *n) {
			best = text;
			*n = same;
		}
	}
	return best;
}

static size_t n_whole(const struct pl_doctor_seen *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->v[i].whole;
	return n;
}

static int judge_trait(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s,
		       const struct trait *t)
{
	size_t n, whole = n_whole(s);
	const char *common = most(s, t->of, &n);

	snprintf(verdict->common[t->subject], PL_DOCTOR_TEXT, "%s", common);
	if (n == 0)
		return 0;
	verdict->judged[t->subject] = whole;
	for (size_t i = 0; i < s->n; i++) {
		const char *text = t->of(&s->v[i]);

		if (!s->v[i].whole || !strcmp(text, common))
			continue;
		if (!text[0] && pl_doctor_find(verdict, i, t->subject, t->remedy_none,
					       "it has no %s, %zu of %zu hosts have \"%s\"",
					       t->name, n, whole, common))
			return -1;
		if (text[0] && pl_doctor_find(verdict, i, t->subject, one_version,
					      "it has \"%s\", %zu of %zu hosts have \"%s\"", text,
					      n, whole, common))
			return -1;
	}
	return 0;
}

/* If the mpirun here differs from that of all hosts, it cannot start jobs there. */
static int judge_here(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s)
{
	const char *common = verdict->common[PL_DOCTOR_MPI];

	if (!s->here->mpi[0] || !common[0] || !strcmp(s->here->mpi, common))
		return 0;
	return pl_doctor_find(verdict, PL_DOCTOR_HERE, PL_DOCTOR_MPI,
			      "start the job on one of the hosts, or install their version here",
			      "it has \"%s\", the hosts \"%s\"", s->here->mpi, common);
}

/* A command to try, which does nothing. */
static void try_by_hand(const struct pl_doctor_seen *s, const char *host,
			char remedy[PL_DOCTOR_TEXT])
{
	char **argv = pl_launch_argv(s->launch, host, "true", NULL);
	char *command = argv ? pl_shell_command(argv) : NULL;

	snprintf(remedy, PL_DOCTOR_TEXT, "this must work without a question: %.180s",
		 command ? command : s->launch);
	free(command);
	free(argv);
}

static int judge_reach(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s)
{
	char remedy[PL_DOCTOR_TEXT], *known;

	verdict->judged[PL_DOCTOR_REACH] = s->n;
	for (size_t i = 0; i < s->n; i++) {
		const struct pl_doctor_facts *f = &s->v[i];
		int rc;

		if (f->whole)
			continue;
		try_by_hand(s, f->name, remedy);
		known = f->known ? pl_launch_fault_text(f->known->remedy, &f->name, 1) : NULL;
		rc = pl_doctor_find(verdict, i, PL_DOCTOR_REACH, known ? known : remedy, "%s",
				    f->fault);
		free(known);
		if (rc)
			return -1;
	}
	return 0;
}

static int judge_agent(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s, size_t i)
{
	const struct pl_doctor_facts *f = &s->v[i];
	char version[PL_DOCTOR_TEXT];
	const char *known = pl_doctor_version(f->agent, "plink-agent", version);

	if (!s->pushed && !known)
		return pl_doctor_find(
			verdict, i, PL_DOCTOR_AGENT,
			"install plink there, give its path with --agent, or send one with --push",
			"no plink-agent answers there: %s",
			f->agent[0] ? f->agent : "it prints nothing");
	if (!s->pushed && strcmp(known, s->version) != 0)
		return pl_doctor_find(verdict, i, PL_DOCTOR_AGENT,
				      "install this version there, or send it with --push",
				      "its plink-agent is %s, this is %s", known, s->version);
	if (f->probe_fault[0])
		return pl_doctor_find(verdict, i, PL_DOCTOR_AGENT,
				      "repair what it reports, then check again",
				      "its plink-agent does not take part: %s", f->probe_fault);
	return 0;
}

static bool has_version(const char *text, const char *version)
{
	char other[PL_DOCTOR_TEXT];
	const char *known = pl_doctor_version(text, "plink-exec", other);

	return known && !strcmp(known, version);
}

static const char *plink_of(const struct pl_doctor_facts *f)
{
	return f->plink;
}

/* The programs that start and renumber jobs there, besides the agent. */
static int judge_plink(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s, size_t i,
		       size_t n_have)
{
	const struct pl_doctor_facts *f = &s->v[i];

	if (!f->plink[0])
		return pl_doctor_find(verdict, i, PL_DOCTOR_PLINK, on_path,
				      "it has no plink-exec, other hosts have (%zu of %zu)", n_have,
				      n_whole(s));
	if (has_version(f->plink, s->version))
		return 0;
	return pl_doctor_find(verdict, i, PL_DOCTOR_PLINK, one_version,
			      "its plink-exec says \"%s\", this is plink %s", f->plink, s->version);
}

/* The library that most hosts of that machine type have. */
static const char *shim_like(const struct pl_doctor_seen *s, const struct pl_doctor_facts *f,
			     size_t *n)
{
	const char *best = "";

	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		size_t same = 0;

		if (!s->v[i].whole || strcmp(shim_of(&s->v[i]), f->machine) != 0)
			continue;
		for (size_t j = i; j < s->n; j++)
			same += s->v[j].whole && !strcmp(shim_of(&s->v[j]), f->machine) &&
				!strcmp(s->v[j].shim, s->v[i].shim);
		if (same > *n) {
			best = s->v[i].shim;
			*n = same;
		}
	}
	return best;
}

static int judge_shim(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s, size_t i)
{
	const struct pl_doctor_facts *f = &s->v[i];
	size_t n;

	if (!f->mpi[0])
		return 0; /* what is said about its MPI */
	if (!f->shim[0])
		return pl_doctor_find(verdict, i, PL_DOCTOR_SHIM,
				      "install plink's library for that MPI there",
				      "it lacks the library to be preloaded that other hosts have");
	if (f->shim_fault[0])
		return pl_doctor_find(verdict, i, PL_DOCTOR_SHIM,
				      "install the MPI that it was made for, or add its directory "
				      "to LD_LIBRARY_PATH",
				      "the library to be preloaded cannot be loaded: %s",
				      f->shim_fault);
	if (strcmp(f->shim, shim_like(s, f, &n)) != 0)
		return pl_doctor_find(
			verdict, i, PL_DOCTOR_SHIM, one_version,
			"the library to be preloaded is another build than on %zu hosts", n);
	return 0;
}

/* What is judged for each host by itself, if any host has it. */
static int judge_hosts(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s)
{
	const size_t whole = n_whole(s);
	size_t n_shims, n_plinks, ignored;
	int bad = 0;

	n_shims = n_plinks = 0;
	for (size_t i = 0; i < s->n; i++) {
		n_shims += s->v[i].whole && shim_of(&s->v[i])[0];
		n_plinks += s->v[i].whole && s->v[i].plink[0];
	}
	verdict->judged[PL_DOCTOR_AGENT] = whole;
	verdict->judged[PL_DOCTOR_PLINK] = n_plinks ? whole : 0;
	verdict->judged[PL_DOCTOR_SHIM] = n_shims ? whole : 0;
	snprintf(verdict->common[PL_DOCTOR_PLINK], PL_DOCTOR_TEXT, "%s",
		 most(s, plink_of, &ignored));
	for (size_t i = 0; i < s->n && !bad; i++) {
		if (!s->v[i].whole)
			continue;
		bad = judge_agent(verdict, s, i);
		if (!bad && n_plinks)
			bad = judge_plink(verdict, s, i, n_plinks);
		if (!bad && n_shims)
			bad = judge_shim(verdict, s, i);
	}
	return bad;
}

static int compare(const void *a, const void *b)
{
	const struct pl_doctor_finding *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return (x->subject > y->subject) - (x->subject < y->subject);
}

int pl_doctor_judge(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s,
		    struct pl_err *err)
{
	if (judge_reach(verdict, s) || judge_hosts(verdict, s) || judge_trait(verdict, s, &mpi) ||
	    judge_trait(verdict, s, &nccl) || judge_here(verdict, s) ||
	    pl_doctor_judge_clocks(verdict, s) || pl_doctor_judge_ring(verdict, s)) {
		pl_doctor_verdict_fini(verdict);
		return pl_err_nomem(err);
	}
	if (verdict->n > 1)
		qsort(verdict->v, verdict->n, sizeof(*verdict->v), compare);
	for (int k = 0; k < PL_DOCTOR_SUBJECTS; k++)
		if (!pl_doctor_is_of_pairs((enum pl_doctor_subject)k))
			verdict->well[k] = verdict->judged[k];
	for (size_t i = 0; i < verdict->n; i++)
		if (verdict->v[i].host < s->n && !pl_doctor_is_of_pairs(verdict->v[i].subject))
			verdict->well[verdict->v[i].subject]--;
	return 0;
}

void pl_doctor_verdict_fini(struct pl_doctor_verdict *verdict)
{
	free(verdict->v);
	*verdict = (struct pl_doctor_verdict){0};
}
