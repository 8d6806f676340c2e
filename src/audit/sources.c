/* SPDX-License-Identifier: BSD-3-Clause */
/* sources.c - where an audit knows from what was sent */
#include "config.h"

#include "src/audit/sources.h"

#include "audit/merge.h"
#include "audit/savefile.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT_MAX ((size_t)256 << 20)

/* Text begins with a '#'; no capture does. What can be read only once (a pipe) is a capture. */
static int is_text(const char *path, bool *text, struct pl_err *err)
{
	struct stat st;
	FILE *f;
	int c;

	*text = false;
	if (!strcmp(path, "-"))
		return 0;
	if (stat(path, &st))
		return pl_err_errno(err, "cannot read %s", path);
	if (!S_ISREG(st.st_mode))
		return 0;
	f = fopen(path, "re");
	if (!f)
		return pl_err_errno(err, "cannot read %s", path);
	c = getc(f);
	*text = c == '#';
	fclose(f);
	if (c == EOF)
		return pl_err_at(err, (struct pl_place){.file = path}, "empty");
	return 0;
}

static int add_capture(struct audit_sources *s, const char *path, const volatile sig_atomic_t *stop,
		       struct pl_err *err)
{
	struct pl_trace *t = &s->trace[s->n_traces];
	const bool is_stdin = !strcmp(path, "-");
	FILE *f = is_stdin ? fdopen(0, "r") : pl_savefile_open(path);

	if (!f)
		return pl_err_errno(err, "cannot read %s", path);
	if (pl_trace_init(t, is_stdin ? "stdin" : path, err)) {
		fclose(f);
		return -1;
	}
	s->trace[s->n_traces++].stop = stop;
	return pl_savefile_read(t, f, err);
}

static int add_monitoring(struct audit_sources *s, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	rc = pl_monitoring_add(&s->monitoring, &text, err);
	pl_text_fini(&text);
	return rc;
}

static int read_files(struct audit_sources *s, struct audit *a, const volatile sig_atomic_t *stop,
		      struct pl_err *err)
{
	s->trace = pl_array_create(a->o->n_inputs, sizeof(*s->trace));
	if (!s->trace)
		return pl_err_nomem(err);
	for (size_t i = 0; i < a->o->n_inputs; i++) {
		const char *path = a->o->input[i];
		bool text;

		if (is_text(path, &text, err))
			return -1;
		if (i && text != a->monitored)
			return pl_err_set(
				err, PL_EUSAGE,
				"captures and files of Open MPI's monitoring cannot be combined");
		a->monitored = text;
		if (text ? add_monitoring(s, path, err) : add_capture(s, path, stop, err))
			return -1;
	}
	a->n_sources = a->o->n_inputs;
	return 0;
}

/* The ranks: by the hosts, as said, or by the files. */
static int find_job(struct audit_sources *s, struct audit *a, struct pl_err *err)
{
	const size_t said = a->o->call.n_pos;
	size_t n;

	if (!a->monitored)
		return pl_err_set(err, PL_EUSAGE,
				  "--hosts is missing: a capture holds addresses, not ranks");
	n = said ? said : s->monitoring.n_ranks;
	if (!n)
		return pl_err_set(err, PL_EUSAGE,
				  "--ranks is missing: the monitoring does not give their number");
	return pl_placement_of_ranks(&a->job, n, err);
}

/* -1 and the reason. */
static int no_wire(const struct audit_options *o, struct pl_err *err)
{
	(void)pl_wire_of(o->algorithm, o->call.radix, err);
	return -1;
}

int audit_sources_open(struct audit_sources *s, struct audit *a, const volatile sig_atomic_t *stop,
		       struct pl_err *err)
{
	const struct audit_options *o = a->o;
	struct pl_placement listed = {.n_ranks = 0};

	if (o->hosts && pl_placement_read(&listed, o->hosts, err))
		return -1;
	a->job = listed;
	if (read_files(s, a, stop, err))
		return -1;
	if (!o->hosts)
		return find_job(s, a, err);
	if (a->monitored) {
		/* it counts ranks, wherever they run */
		pl_placement_fini(&a->job);
		return pl_placement_of_ranks(&a->job, listed.n_ranks, err);
	}
	if (!o->wire)
		return no_wire(o, err);
	return pl_who_add_hosts(&s->who, &a->job.node, err);
}

int audit_sources_count(struct audit_sources *s, struct audit *a, struct pl_err *err)
{
	const struct pl_capture_merge merge = {.trace = s->trace,
					       .n_traces = s->n_traces,
					       .who = &s->who,
					       .n_nodes = a->job.node.n,
					       .wire = a->o->wire,
					       .ports = &a->o->ports,
					       .not_ports = &a->o->not_ports,
					       .times = pl_placement_is_spread(&a->job)};

	if (a->monitored)
		return pl_monitoring_count(&s->monitoring, &a->pairs, a->job.n_ranks, err);
	return pl_merge_traces(&a->pairs, &merge, &a->sums, err);
}

void audit_sources_fini(struct audit_sources *s)
{
	for (size_t i = 0; i < s->n_traces; i++)
		pl_trace_fini(&s->trace[i]);
	free(s->trace);
	pl_who_fini(&s->who);
	pl_monitoring_fini(&s->monitoring);
}
