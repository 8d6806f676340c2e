/* SPDX-License-Identifier: BSD-3-Clause */
/* audit.c - what hosts sent one another, as plink-audit --json tells */
/*
 *   "pattern": {"ranks": 4, ...}, "hosts": ["a", "b", ...],
 *   "pairs": [{"src": "a", "dst": "b", "sent_bytes": 262144, ...}, ...]
 *
 * Each host becomes a rank.
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/text/names.h"

#include <string.h>

static int fault(struct pl_json_stream *s, const char *what, struct pl_err *err)
{
	return pl_err_at(err, pl_json_stream_place(s), "%s", what);
}

/* The hosts in their order. */
static int read_hosts(struct pl_names *hosts, struct pl_json_stream *s, size_t *n,
		      struct pl_err *err)
{
	const json_t *list = json_object_get(pl_json_stream_beside(s), "hosts");

	*n = json_array_size(list);
	if (*n == 0 || *n > PL_JOB_RANKS_MAX)
		return fault(s, "no list of hosts before the pairs", err);
	for (size_t i = 0; i < *n; i++) {
		const char *name = json_string_value(json_array_get(list, i));
		const int rc = name ? pl_names_add(hosts, name, strlen(name), i) : 1;

		if (rc < 0)
			return pl_err_nomem(err);
		if (rc > 0)
			return fault(s, "a host without a name, or twice", err);
	}
	return 0;
}

static ptrdiff_t find(const struct pl_names *hosts, const json_t *pair, const char *key)
{
	const char *name = json_string_value(json_object_get(pair, key));

	return name ? pl_names_find(hosts, name, strlen(name)) : -1;
}

/* 0; 1 if the element is no pair; -1: out of memory. */
static int add_pair(struct pl_recording *r, const struct pl_names *hosts, const json_t *pair)
{
	const ptrdiff_t src = find(hosts, pair, "src");
	const ptrdiff_t dst = find(hosts, pair, "dst");
	const json_t *bytes = json_object_get(pair, "sent_bytes");
	const json_t *messages = json_object_get(pair, "sent_messages");
	struct pl_recorded_message message = {0};

	if (src < 0 || dst < 0 || !json_is_integer(bytes) || json_integer_value(bytes) < 0)
		return 1;
	if (json_integer_value(bytes) == 0 || src == dst)
		return 0;
	/* captures tell no messages */
	if (!json_is_integer(messages) || json_integer_value(messages) < 1)
		messages = json_object_get(pair, "messages");
	message.src = (uint32_t)src;
	message.dst = (uint32_t)dst;
	message.bytes = (double)json_integer_value(bytes);
	message.messages = (double)json_integer_value(messages);
	if (!(message.messages >= 1))
		message.messages = 1;
	return pl_recording_message(r, &message);
}

static int read_pairs(struct pl_recording *r, const struct pl_names *hosts,
		      struct pl_json_stream *s, struct pl_err *err)
{
	json_t *pair;
	int rc;

	while ((rc = pl_json_stream_next(s, &pair, err)) > 0) {
		rc = add_pair(r, hosts, pair);
		json_decref(pair);
		if (rc)
			return rc < 0 ? pl_err_nomem(err)
				      : fault(s, "a pair without src, dst or sent_bytes", err);
	}
	return rc;
}

static int add_all(struct pl_recording *r, const struct pl_names *hosts, size_t n_hosts,
		   struct pl_json_stream *s, double n_steps, struct pl_err *err)
{
	const json_t *ranks =
		json_object_get(json_object_get(pl_json_stream_beside(s), "pattern"), "ranks");
	struct pl_recorded_file file = {.rank = PL_RECORDED_NO_RANK};

	if (pl_import_steps(r, &n_steps))
		return pl_err_nomem(err);
	file.place = (struct pl_place){.file = pl_json_stream_place(s).file};
	file.n_ranks = n_hosts;
	file.n_steps = n_steps;
	if (pl_recording_begin(r, &file, err) || read_pairs(r, hosts, s, err))
		return -1;
	if (json_integer_value(ranks) > (json_int_t)n_hosts &&
	    pl_recording_lose(
		    r, "the file tells what hosts sent, not ranks: each host becomes one rank"))
		return pl_err_nomem(err);
	return pl_recording_end(r) ? pl_err_nomem(err) : 0;
}

int pl_import_audit(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		    struct pl_err *err)
{
	struct pl_names hosts = {0};
	size_t n;
	int rc = read_hosts(&hosts, s, &n, err);

	if (rc == 0)
		rc = add_all(r, &hosts, n, s, n_steps, err);
	pl_names_fini(&hosts);
	return rc;
}
