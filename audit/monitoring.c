/* SPDX-License-Identifier: BSD-3-Clause */
/* monitoring.c - what Open MPI's monitoring wrote of its messages */
/*
 * A line of point-to-point messages, with tabs between:
 *
 *   E  SRC  DST  BYTES "bytes"  COUNT "msgs sent"  HISTOGRAM
 *
 * E are messages of the program (of all, where monitoring does not tell
 * them apart), I those of the library. The rest tells the same another way.
 */
#include "config.h"

#include "audit/monitoring.h"

#include "audit/placement.h"
#include "base/mem.h"
#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "# POINT TO POINT";

bool pl_monitoring_is(const char *data, size_t len)
{
	return len >= sizeof(mark) - 1 && memcmp(data, mark, sizeof(mark) - 1) == 0;
}

static int want_number(struct pl_line *line, uint64_t max, uint64_t *value, struct pl_err *err)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return pl_err_at(err, pl_line_place(line), "a number is missing");
	if (pl_uint_parse(word.s, word.len, max, value))
		return pl_err_at(err, word.place, "\"%.*s\" is not a number up to %llu",
				 (int)word.len, word.s, (unsigned long long)max);
	return 0;
}

static int want_word(struct pl_line *line, const char *s, struct pl_err *err)
{
	struct pl_word word;

	if (pl_line_next(line, &word) && pl_word_is(&word, s))
		return 0;
	return pl_err_at(err, pl_line_place(line), "\"%s\" is missing", s);
}

/* Its file is among those read. */
static void see_rank(struct pl_monitoring *m, uint64_t rank)
{
	m->has[rank] = true;
	m->n_ranks = rank + 1 > m->n_ranks ? rank + 1 : m->n_ranks;
}

/* A rank that sent nothing stands in its file's name alone:
 * "NAME.RANK.prof". */
static void see_name(struct pl_monitoring *m, const char *name)
{
	static const char suffix[] = ".prof";
	const size_t n_suffix = sizeof(suffix) - 1, len = strlen(name);
	size_t end, at;
	uint64_t rank;

	if (len < n_suffix || strcmp(name + len - n_suffix, suffix) != 0)
		return;
	end = at = len - n_suffix;
	while (at > 0 && name[at - 1] != '.')
		at--;
	if (at > 0 && !pl_uint_parse(name + at, end - at, PL_PLACEMENT_RANKS_MAX - 1, &rank))
		see_rank(m, rank);
}

static int take_messages(struct pl_monitoring *m, struct pl_line *line, bool internal,
			 struct pl_err *err)
{
	uint64_t src, dst, bytes, messages;

	if (want_number(line, PL_PLACEMENT_RANKS_MAX - 1, &src, err) ||
	    want_number(line, PL_PLACEMENT_RANKS_MAX - 1, &dst, err) ||
	    want_number(line, UINT64_MAX, &bytes, err) || want_word(line, "bytes", err) ||
	    want_number(line, UINT64_MAX, &messages, err) || want_word(line, "msgs", err) ||
	    want_word(line, "sent", err))
		return -1;
	if (pl_array_grow((void **)&m->v, &m->room, m->n, sizeof(*m->v)))
		return pl_err_nomem(err);
	m->v[m->n++] =
		(struct pl_monitored){(uint32_t)src, (uint32_t)dst, bytes, messages, internal};
	see_rank(m, src);
	m->n_ranks = dst + 1 > m->n_ranks ? dst + 1 : m->n_ranks;
	m->has_internal |= internal;
	return 0;
}

/* Lines of one-sided messages, of collectives, of communicators. */
static bool is_other(const struct pl_word *word)
{
	static const char *const others[] = {"S", "R", "C", "D", "O2A", "A2O", "A2A"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (pl_word_is(word, others[i]))
			return true;
	return word->s[0] == '#';
}

static int take_line(struct pl_monitoring *m, struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return 0;
	if (pl_word_is(&word, "E"))
		return take_messages(m, line, false, err);
	if (pl_word_is(&word, "I"))
		return take_messages(m, line, true, err);
	if (is_other(&word))
		return 0;
	return pl_err_at(err, word.place, "no line of Open MPI's monitoring begins with \"%.*s\"",
			 (int)word.len, word.s);
}

int pl_monitoring_add(struct pl_monitoring *m, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;

	if (!pl_monitoring_is(text->data, text->len))
		return pl_err_at(err, (struct pl_place){.file = text->name, .line = 1, .col = 1},
				 "neither a capture nor a file of Open MPI's monitoring");
	if (!m->has)
		m->has = pl_array_create(PL_PLACEMENT_RANKS_MAX, sizeof(*m->has));
	if (!m->has)
		return pl_err_nomem(err);
	see_name(m, text->name);
	while (pl_text_next(text, &line))
		if (take_line(m, &line, err))
			return -1;
	return 0;
}

int pl_monitoring_count(const struct pl_monitoring *m, struct pl_audit_pairs *pairs, size_t n_ranks,
			struct pl_err *err)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct pl_monitored *one = &m->v[i];
		struct pl_audit_pair *pair;

		if (one->src >= n_ranks || one->dst >= n_ranks)
			return pl_err_set(err, PL_EINPUT,
					  "the monitoring names rank %u, but the job has %zu ranks",
					  one->src > one->dst ? one->src : one->dst, n_ranks);
		if (one->src == one->dst || one->internal != m->has_internal)
			continue;
		pair = pl_pairs_get(pairs, one->src, one->dst);
		if (!pair)
			return pl_err_nomem(err);
		pl_pair_add(&pair->seen_bytes, one->bytes);
		pl_pair_add(&pair->seen_messages, one->messages);
	}
	for (size_t i = 0; i < pairs->n; i++)
		pairs->v[i].unseen = !m->has || !m->has[pairs->v[i].src];
	return 0;
}

void pl_monitoring_fini(struct pl_monitoring *m)
{
	free(m->v);
	free(m->has);
	memset(m, 0, sizeof(*m));
}
