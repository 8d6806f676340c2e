/* SPDX-License-Identifier: BSD-3-Clause */
/* live.c - what processes have sent and waited for, out of their files */
#include "config.h"

#include "src/report/live.h"

#include "base/mem.h"
#include "base/text/shell.h"
#include "base/text/text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)1 << 30)
/* that a matrix can have */
#define PROCESSES_MAX PL_MATRIX_HOSTS_MAX

void live_fini(struct live *live)
{
	pl_report_fini(&live->r);
	pl_matrix_destroy(live->m);
	for (size_t i = 0; i < live->n; i++) {
		free(live->process[i].host);
		free(live->process[i].sent);
		free(live->process[i].waited_s);
	}
	for (size_t i = 0; i < live->n_samples; i++)
		free(live->sample[i].why);
	free(live->process);
	free(live->sample);
	free(live->cell_of);
	memset(live, 0, sizeof(*live));
}

static const char mark[] = "{\"plink_live\":";

bool live_is(const struct pl_text *text)
{
	return strncmp(text->data + text->pos, mark, sizeof(mark) - 1) == 0;
}

/* Of a process that has written nothing yet, or not even that much. */
static bool is_begun(const struct pl_text *text)
{
	const size_t left = text->len - text->pos;

	return left < sizeof(mark) - 1 && memcmp(text->data + text->pos, mark, left) == 0;
}

/* More than there are, and not too few. */
static size_t more_room(size_t room, size_t wanted)
{
	return wanted > 2 * room ? wanted : 2 * room;
}

/* The process of that number, on host @name. NULL: out of memory. */
static struct live_process *take_process(struct live *live, size_t number, const char *name)
{
	if (number >= live->n_room) {
		const size_t room = more_room(live->n_room, number + 1);
		void *p = realloc(live->process, room * sizeof(*live->process));

		if (!p)
			return NULL;
		live->process = p;
		memset(live->process + live->n_room, 0,
		       (room - live->n_room) * sizeof(*live->process));
		live->n_room = room;
	}
	if (number >= live->n)
		live->n = number + 1;
	if (!live->process[number].host)
		live->process[number].host = pl_string_copy(name, strlen(name));
	return live->process[number].host ? &live->process[number] : NULL;
}

/* Adds to what the process has to do with another. */
static int add_peer(struct live_process *p, size_t peer, double sent, double waited_s)
{
	if (peer >= p->n) {
		const size_t n = more_room(p->n, peer + 1);
		double *to = realloc(p->sent, n * sizeof(*to));
		double *for_it;

		p->sent = to ? to : p->sent;
		for_it = realloc(p->waited_s, n * sizeof(*for_it));
		p->waited_s = for_it ? for_it : p->waited_s;
		if (!to || !for_it)
			return -1;
		for (size_t k = p->n; k < n; k++)
			p->sent[k] = p->waited_s[k] = 0;
		p->n = n;
	}
	p->sent[peer] += sent;
	p->waited_s[peer] += waited_s;
	return 0;
}

static int take_sample(struct live *live, const struct live_sample *sample, const char *why)
{
	void *array = live->sample;
	struct live_sample *s;

	if (pl_array_grow(&array, &live->room, live->n_samples, sizeof(*live->sample)))
		return -1;
	live->sample = array;
	s = &live->sample[live->n_samples++];
	*s = *sample;
	s->why = why ? pl_string_copy(why, strlen(why)) : NULL;
	return why && !s->why ? -1 : 0;
}

static bool is_amount(double x)
{
	return isfinite(x) && x >= 0;
}

/* 1: it has no form that we know; -1: out of memory. */
static int take_peers(struct live *live, size_t number, const json_t *peers)
{
	const json_t *peer;
	size_t i;

	json_array_foreach(peers, i, peer)
	{
		const char *host;
		json_int_t p;
		double sent, waited_s;

		if (json_unpack((json_t *)peer, "{s:I, s:s, s:F, s:F}", "process", &p, "host",
				&host, "sent_bytes", &sent, "waited_seconds", &waited_s) ||
		    p < 0 || p >= PROCESSES_MAX || !is_amount(sent) || !is_amount(waited_s))
			return 1;
		if (!take_process(live, (size_t)p, host) ||
		    add_peer(&live->process[number], (size_t)p, sent, waited_s))
			return -1;
	}
	return 0;
}

static int take_object(struct live *live, const json_t *object)
{
	const char *host, *why = NULL;
	struct live_sample s = {0};
	json_int_t version, number;
	const json_t *peers;
	double changes;

	if (json_unpack((json_t *)object, "{s:I, s:I, s:s, s:F, s:F, s:F, s:F, s:F, s:o}",
			"plink_live", &version, "process", &number, "host", &host, "time", &s.time,
			"seconds", &s.seconds, "bytes", &s.bytes, "calls", &s.calls, "changes",
			&changes, "peers", &peers) ||
	    version != 1 || number < 0 || number >= PROCESSES_MAX || !is_amount(s.time) ||
	    !is_amount(s.seconds) || !is_amount(s.bytes) || !json_is_array(peers))
		return 1;
	if (changes > 0)
		why = json_string_value(json_object_get(object, "why"));
	if (!take_process(live, (size_t)number, host))
		return -1;
	live->process[number].is_known = true;
	if (live->n_samples == 0)
		live->first = (size_t)number;
	if (live->first == (size_t)number && take_sample(live, &s, why))
		return -1;
	return take_peers(live, (size_t)number, peers);
}

/* A file's last line may have been cut off with its process. */
static int take_text(struct live *live, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;

	while (pl_text_next(text, &line)) {
		const bool is_last = text->pos >= text->len;
		json_t *object;
		int rc = 1;

		if (line.len == 0)
			continue;
		object = json_loadb(line.s, line.len, 0, NULL);
		if (object)
			rc = take_object(live, object);
		json_decref(object);
		if (rc < 0)
			return pl_err_nomem(err);
		if (rc > 0 && (object || !is_last))
			return pl_err_at(err, pl_line_place(&line),
					 "not a line of live statistics (PLINK_LIVE)");
	}
	return 0;
}

static int take_files(struct live *live, struct pl_text *text, const struct report_options *o,
		      struct pl_err *err)
{
	int rc = take_text(live, text, err);

	for (size_t i = 0; rc == 0 && i < o->n_plans; i++) {
		struct pl_text more;

		if (pl_text_load(&more, o->plan[i], FILE_MAX, err))
			return -1;
		if (live_is(&more) || is_begun(&more))
			rc = take_text(live, &more, err);
		else
			rc = pl_err_set(err, PL_EINPUT, "%s: not live statistics, as %s is",
					o->plan[i], o->matrix);
		pl_text_fini(&more);
	}
	return rc;
}

/* The bytes as a matrix, of which a host may have several rows. */
static int make_matrix(struct live *live, struct pl_err *err)
{
	struct pl_hosts hosts = {0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < live->n; i++) {
		char name[PL_REPORT_LINE];

		snprintf(name, sizeof(name), "%zu:%s", i,
			 live->process[i].host ? live->process[i].host : "?");
		rc = pl_hosts_add(&hosts, &(struct pl_host){.name = name, .slots = 1});
	}
	live->cell_of = pl_array_create(live->n, sizeof(*live->cell_of));
	if (rc || !live->cell_of) {
		pl_hosts_fini(&hosts);
		return pl_err_nomem(err);
	}
	live->m = pl_matrix_create(&hosts, err);
	pl_hosts_fini(&hosts);
	if (!live->m)
		return -1;
	live->m->layer[0].quantity = PL_COUNT;
	for (size_t i = 0; i < live->n; i++) {
		const struct live_process *p = &live->process[i];

		live->cell_of[i] = i;
		for (size_t k = 0; k < live->n; k++)
			live->m->layer[0].cell[i * live->n + k] = k < p->n ? p->sent[k] : 0;
	}
	return 0;
}

static int add_facts(struct live *live, const struct report_options *o)
{
	char *line = pl_shell_command(o->argv);
	size_t n_known = 0;
	int rc = line ? pl_report_add(&live->r, PL_REPORT_ASKED, "command line", "%s", line) : -1;

	free(line);
	for (size_t i = 0; i < live->n; i++)
		n_known += live->process[i].is_known;
	if (rc == 0 && n_known < live->n)
		rc = pl_report_add(&live->r, PL_REPORT_WARNING, "",
				   "%zu of %zu processes: the files of the others are not here",
				   n_known, live->n);
	return rc ? -1 : live_add_tables(live);
}

int live_find(struct live *live, struct pl_text *text, const struct report_options *o,
	      struct pl_err *err)
{
	struct pl_report_source from = {.tool = REPORT_TOOL};
	char number[PL_REPORT_NUMBER];
	double sum = 0;

	if (o->has_symmetrize || o->has_unit || o->topology)
		return pl_err_set(err, PL_EUSAGE,
				  "%s has live statistics: --symmetrize, --topology and --unit are "
				  "not for these",
				  o->matrix);
	if (take_files(live, text, o, err) || make_matrix(live, err))
		return -1;
	for (size_t i = 0; i < live->n * live->n; i++)
		sum += live->m->layer[0].cell[i];
	snprintf(live->title, sizeof(live->title),
		 "Who has sent how many bytes to whom: %zu processes, %s in all", live->n,
		 pl_report_bytes(number, sum));
	from.matrix = live->m;
	from.hosts = &live->m->hosts;
	from.cell_of = live->cell_of;
	from.c = live->m->layer[0].cell;
	from.traffic = live->title;
	if (pl_report_init(&live->r, &from, err))
		return -1;
	return add_facts(live, o) ? pl_err_nomem(err) : 0;
}
