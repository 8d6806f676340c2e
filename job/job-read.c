/* SPDX-License-Identifier: BSD-3-Clause */
/* job-read.c - the reader of jobs (plink-job(5)) */
#include "config.h"

#include "job/job.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "base/text/number.h"
#include "base/text/size.h"
#include "costmodels/catalogue.h"
#include "job/kind-words.h"
#include "job/mesh.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 30)

struct reader {
	struct pl_job *job;
	struct pl_rank_mesh mesh; /* the last one; n == 0: none yet */
	uint32_t *in_kind;        /* [n_ranks] the last kind with a group of the rank,
				   * counted from 1 */
	bool along_given;         /* the last kind has its groups from the mesh */
	/* [n_ranks] of an all-to-all with lines "send", the group of each member, counted from 1 */
	uint32_t *group_of;
	size_t n_members; /* of all groups */
	struct pl_err *err;
};

static struct pl_job_kind *last_kind(const struct reader *r)
{
	return r->job->n_kinds ? &r->job->kind[r->job->n_kinds - 1] : NULL;
}

static int read_count(struct reader *r, struct pl_line *line, size_t max, size_t *to)
{
	struct pl_word word;
	uint64_t n;

	if (!pl_line_word(line, &word) || pl_uint_parse(word.s, word.len, max, &n) || n == 0)
		return pl_err_at(r->err, word.place, "a number from 1 to %zu must stand here", max);
	if (*to)
		return pl_err_at(r->err, word.place, "given twice");
	*to = (size_t)n;
	return pl_line_end(line, r->err);
}

static int read_ranks(struct reader *r, struct pl_line *line)
{
	const struct pl_place place = pl_line_place(line);

	r->job->line = place.line;
	r->job->col = place.col;
	if (read_count(r, line, PL_JOB_RANKS_MAX, &r->job->n_ranks))
		return -1;
	r->in_kind = pl_array_create(r->job->n_ranks, sizeof(*r->in_kind));
	return r->in_kind ? 0 : pl_err_nomem(r->err);
}

static int read_cards(struct reader *r, struct pl_line *line)
{
	return read_count(r, line, 4096, &r->job->cards);
}

/* Is it the name of a library? */
static int check_library(struct reader *r, const struct pl_word *word)
{
	char name[PL_RANK_MESH_NAME_MAX + 1] = "";
	enum pl_impl impl;
	struct pl_err why = {0};

	if (word->len < sizeof(name))
		memcpy(name, word->s, word->len);
	if (pl_impl_parse(name, &impl, &why))
		return pl_err_at(r->err, word->place, "%s", why.text);
	return 0;
}

static int read_library(struct reader *r, struct pl_line *line)
{
	struct pl_word word;

	if (!pl_line_word(line, &word))
		return pl_err_at(r->err, word.place, "the name of a library must stand here");
	if (r->job->library)
		return pl_err_at(r->err, word.place, "given twice");
	if (check_library(r, &word))
		return -1;
	r->job->library = pl_string_copy(word.s, word.len);
	return r->job->library ? pl_line_end(line, r->err) : pl_err_nomem(r->err);
}

/* "NAME=SIZE" */
static int read_dim(struct reader *r, const struct pl_word *word, struct pl_rank_mesh *mesh)
{
	const char *equals = memchr(word->s, '=', word->len);
	const size_t len = equals ? (size_t)(equals - word->s) : 0;
	uint64_t size;

	if (mesh->n == PL_RANK_MESH_DIMS_MAX)
		return pl_err_at(r->err, word->place, "a mesh has at most %d dimensions",
				 PL_RANK_MESH_DIMS_MAX);
	if (len == 0 || len > PL_RANK_MESH_NAME_MAX || memchr(word->s, ',', len) ||
	    pl_uint_parse(equals + 1, word->len - len - 1, PL_JOB_RANKS_MAX, &size) || size == 0)
		return pl_err_at(r->err, word->place,
				 "a dimension and its size must stand here, as in tp=8");
	if (pl_rank_mesh_find(mesh, word->s, len) < mesh->n)
		return pl_err_at(r->err, word->place, "this dimension stands here twice");
	memcpy(mesh->dim[mesh->n].name, word->s, len);
	mesh->dim[mesh->n++].size = (size_t)size;
	return 0;
}

static int read_mesh(struct reader *r, struct pl_line *line)
{
	const struct pl_place start = pl_line_place(line);
	struct pl_rank_mesh mesh = {0};
	struct pl_word word;
	size_t n;

	while (pl_line_word(line, &word))
		if (read_dim(r, &word, &mesh))
			return -1;
	n = pl_rank_mesh_ranks(&mesh);
	if (n == SIZE_MAX)
		return pl_err_at(r->err, start, "the mesh has more than %zu ranks",
				 PL_JOB_RANKS_MAX);
	if (n != r->job->n_ranks)
		return pl_err_at(r->err, start, "the mesh has %zu ranks, the job %zu", n,
				 r->job->n_ranks);
	r->mesh = mesh;
	return 0;
}

/* What the words say must make sense for what the kind calls. */
static int check_words(struct reader *r, const struct pl_kind_words *w,
		       const struct pl_job_kind *kind, struct pl_place end)
{
	const bool barrier = kind->form == PL_JOB_COLLECTIVE && kind->collective == PL_BARRIER;
	const bool sizeless = barrier || pl_job_has_sends(kind);

	if (w->microbatches.s && kind->form != PL_JOB_PIPELINE)
		return pl_err_at(r->err, w->microbatches.place, "only a pipeline has microbatches");
	if (w->vpp.s && kind->form != PL_JOB_PIPELINE)
		return pl_err_at(r->err, w->vpp.place,
				 "only a pipeline has stages of several parts");
	if ((w->forward.s || w->backward.s) && kind->form != PL_JOB_PIPELINE)
		return pl_err_at(r->err, w->forward.s ? w->forward.place : w->backward.place,
				 "only a pipeline computes");
	if (w->algorithm.s && kind->form != PL_JOB_COLLECTIVE)
		return pl_err_at(r->err, w->algorithm.place, "only a collective has an algorithm");
	if (w->along.s && kind->form == PL_JOB_TRAFFIC)
		return pl_err_at(r->err, w->along.place,
				 "traffic has no groups: lines \"send\" follow it");
	if (w->bytes.s && sizeless)
		return pl_err_at(r->err, w->bytes.place, "%s has no size of its own",
				 barrier ? "a barrier" : pl_job_calls_name(kind));
	if (!w->bytes.s && !sizeless)
		return pl_err_at(r->err, end, "the bytes of a call must stand here");
	return w->library.s ? check_library(r, &w->library) : 0;
}

static int count_members(struct reader *r, size_t more, struct pl_place place)
{
	r->n_members += more;
	if (r->n_members <= PL_JOB_MEMBERS_MAX)
		return 0;
	return pl_err_at(r->err, place, "the groups of all kinds have more than %zu members",
			 PL_JOB_MEMBERS_MAX);
}

/* "DIM,DIM": the groups of the last kind. */
static int take_along(struct reader *r, const struct pl_word *dims)
{
	bool along[PL_RANK_MESH_DIMS_MAX] = {false};
	size_t from = 0;

	while (from <= dims->len) {
		const char *s = dims->s + from;
		const char *comma = memchr(s, ',', dims->len - from);
		const size_t len = comma ? (size_t)(comma - s) : dims->len - from;
		const size_t d = pl_rank_mesh_find(&r->mesh, s, len);
		struct pl_place place = dims->place;

		place.col += (long)from;
		if (d == r->mesh.n)
			return pl_err_at(r->err, place,
					 r->mesh.n ? "not a dimension of the mesh above"
						   : "no mesh above");
		if (along[d])
			return pl_err_at(r->err, place, "this dimension stands here twice");
		along[d] = true;
		from += len + 1;
	}
	if (count_members(r, r->job->n_ranks, dims->place))
		return -1;
	return pl_rank_mesh_groups(&r->mesh, along, last_kind(r)) ? pl_err_nomem(r->err) : 0;
}

static int parse_calls(struct reader *r, const struct pl_word *word, struct pl_job_kind *kind)
{
	char name[PL_RANK_MESH_NAME_MAX + 1] = "";
	struct pl_err why = {0};

	if (pl_word_is(word, "pipeline")) {
		kind->form = PL_JOB_PIPELINE;
		return 0;
	}
	if (pl_word_is(word, "alltoallv")) {
		kind->form = PL_JOB_ALLTOALLV;
		return 0;
	}
	if (pl_word_is(word, "traffic")) {
		kind->form = PL_JOB_TRAFFIC;
		return 0;
	}
	if (word->len < sizeof(name))
		memcpy(name, word->s, word->len);
	if (pl_collective_parse(name, &kind->collective, &why))
		return pl_err_at(r->err, word->place, "%s; or alltoallv, pipeline or traffic",
				 why.text);
	return 0;
}

/* Copies of the words of a line; to be freed. */
static int own_names(const struct pl_word *name, const struct pl_kind_words *w,
		     struct pl_job_kind *kind)
{
	const struct pl_word *library = &w->library, *algorithm = &w->algorithm;

	kind->name = pl_string_copy(name->s, name->len);
	if (library->s)
		kind->library = pl_string_copy(library->s, library->len);
	if (algorithm->s)
		kind->algorithm = pl_string_copy(algorithm->s, algorithm->len);
	return kind->name && !kind->library == !library->s && !kind->algorithm == !algorithm->s
		       ? 0
		       : -1;
}

static int add_kind(struct reader *r, const struct pl_word *name, const struct pl_kind_words *w,
		    struct pl_job_kind *kind)
{
	const int lost = own_names(name, w, kind) || !pl_job_add(r->job, kind);

	free(kind->name);
	free(kind->library);
	free(kind->algorithm);
	return lost ? pl_err_nomem(r->err) : 0;
}

static int check_name(struct reader *r, const struct pl_word *name)
{
	for (size_t i = 0; i < r->job->n_kinds; i++)
		if (pl_word_is(name, r->job->kind[i].name))
			return pl_err_at(r->err, name->place, "a kind of this name stands above");
	return 0;
}

/* Megatron interleaves as many microbatches as there are stages at a time. */
static int check_stages(struct reader *r, const struct pl_job_kind *kind)
{
	const struct pl_place place = {.file = r->job->file, .line = kind->line, .col = kind->col};

	for (size_t g = 0; kind->vpp > 1 && g < kind->n_groups; g++) {
		const size_t n = kind->first[g + 1] - kind->first[g];

		if (kind->microbatches % n != 0)
			return pl_err_at(r->err, place,
					 "kind \"%s\": with vpp=%" PRIu64 ", microbatches=%" PRIu64
					 " must be a multiple of its %zu stages",
					 kind->name, kind->vpp, kind->microbatches, n);
	}
	return 0;
}

static int check_sent(struct reader *r, const struct pl_job_kind *kind)
{
	const struct pl_place place = {.file = r->job->file, .line = kind->line, .col = kind->col};
	uint64_t bytes;

	if (pl_job_sent(kind, &bytes) == 0)
		return 0;
	return pl_err_at(r->err, place, "kind \"%s\": its messages have 2^63 bytes or more in all",
			 kind->name);
}

/* The last kind is complete: does it have what its form needs? */
static int end_kind(struct reader *r, struct pl_place place)
{
	const struct pl_job_kind *kind = last_kind(r);

	if (kind && kind->form != PL_JOB_TRAFFIC && kind->n_groups == 0)
		return pl_err_at(r->err, place, "kind \"%s\" has no group", kind->name);
	if (kind && pl_job_has_sends(kind) && kind->n_sends == 0)
		return pl_err_at(r->err, place, "kind \"%s\" has no send", kind->name);
	return kind && (check_stages(r, kind) || check_sent(r, kind)) ? -1 : 0;
}

/* kind NAME CALLS [BYTES] [key=value]... */
static int read_kind(struct reader *r, struct pl_line *line)
{
	const struct pl_place start = pl_line_place(line);
	struct pl_job_kind kind = {0};
	struct pl_kind_words w = {0};
	struct pl_word name, calls, word;

	if (end_kind(r, start))
		return -1;
	if (!pl_line_word(line, &name))
		return pl_err_at(r->err, name.place, "the name of a kind must stand here");
	kind.line = name.place.line;
	kind.col = name.place.col;
	if (check_name(r, &name))
		return -1;
	if (!pl_line_word(line, &calls))
		return pl_err_at(r->err, calls.place,
				 "a collective must stand here, or pipeline, or traffic");
	if (parse_calls(r, &calls, &kind))
		return -1;
	while (pl_line_word(line, &word))
		if (pl_kind_words_take(&w, &word, r->err))
			return -1;
	if (pl_kind_words_numbers(&w, &kind, r->err) || check_words(r, &w, &kind, word.place) ||
	    add_kind(r, &name, &w, &kind))
		return -1;
	r->along_given = w.along.s != NULL;
	return w.along.s ? take_along(r, &w.along) : 0;
}

static int parse_rank(struct reader *r, const struct pl_word *word, uint32_t *rank)
{
	uint64_t n;

	if (pl_uint_parse(word->s, word->len, r->job->n_ranks - 1, &n))
		return pl_err_at(r->err, word->place, "a rank must stand here, from 0 to %zu",
				 r->job->n_ranks - 1);
	*rank = (uint32_t)n;
	return 0;
}

/* group RANK... */
static int read_group(struct reader *r, const struct pl_word *key, struct pl_line *line)
{
	struct pl_job_kind *kind = last_kind(r);
	struct pl_word word;
	uint32_t rank;

	if (!kind || kind->form == PL_JOB_TRAFFIC || r->along_given)
		return pl_err_at(r->err, key->place,
				 "a group stands behind a collective or a pipeline without along=");
	if (kind->n_sends > 0)
		return pl_err_at(r->err, key->place,
				 "the groups of a kind stand before its lines \"send\"");
	if (pl_job_begin_group(kind))
		return pl_err_nomem(r->err);
	while (pl_line_word(line, &word)) {
		if (parse_rank(r, &word, &rank))
			return -1;
		if (r->in_kind[rank] == r->job->n_kinds)
			return pl_err_at(r->err, word.place, "rank %u is in this kind already",
					 (unsigned)rank);
		r->in_kind[rank] = (uint32_t)r->job->n_kinds;
		if (count_members(r, 1, word.place))
			return -1;
		if (pl_job_add_member(kind, rank))
			return pl_err_nomem(r->err);
	}
	if (kind->first[kind->n_groups - 1] == kind->n_members)
		return pl_err_at(r->err, word.place, "a rank must stand here");
	return 0;
}

/* Notes the groups of an all-to-all before its first line "send". */
static int note_groups(struct reader *r, const struct pl_job_kind *kind)
{
	const size_t bytes = r->job->n_ranks * sizeof(*r->group_of);

	if (!r->group_of)
		r->group_of = pl_array_create(1, bytes);
	if (!r->group_of)
		return pl_err_nomem(r->err);
	memset(r->group_of, 0, bytes);
	for (size_t g = 0; g < kind->n_groups; g++)
		for (size_t i = kind->first[g]; i < kind->first[g + 1]; i++)
			r->group_of[kind->member[i]] = (uint32_t)g + 1;
	return 0;
}

/* An all-to-all sends within its groups. */
static int check_send(struct reader *r, const struct pl_job_kind *kind, struct pl_job_send send,
		      struct pl_place place)
{
	if (kind->form == PL_JOB_TRAFFIC)
		return 0;
	if (kind->n_sends == 0 && note_groups(r, kind))
		return -1;
	if (r->group_of[send.src] == 0 || r->group_of[send.src] != r->group_of[send.dst])
		return pl_err_at(r->err, place, "no group of this kind has both ranks");
	return 0;
}

/* send SRC DST BYTES [messages=N] */
static int read_send(struct reader *r, const struct pl_word *key, struct pl_line *line)
{
	struct pl_job_kind *kind = last_kind(r);
	struct pl_job_send send = {.messages = 1};
	struct pl_word word, value;

	if (!kind || !pl_job_has_sends(kind))
		return pl_err_at(r->err, key->place,
				 "\"send\" stands behind a kind of traffic or alltoallv");
	pl_line_word(line, &word);
	if (parse_rank(r, &word, &send.src))
		return -1;
	pl_line_word(line, &word);
	if (parse_rank(r, &word, &send.dst) || check_send(r, kind, send, word.place))
		return -1;
	if (!pl_line_word(line, &word) || pl_size_parse(word.s, word.len, &send.bytes))
		return pl_err_at(r->err, word.place, "a size in bytes must stand here");
	if (pl_line_word(line, &word) &&
	    (!pl_word_value(&word, "messages", &value) ||
	     pl_uint_parse(value.s, value.len, INT64_MAX, &send.messages) || send.messages == 0))
		return pl_err_at(r->err, word.place, "only messages=N may stand here, from 1 on");
	if (kind->n_sends == PL_JOB_SENDS_MAX)
		return pl_err_at(r->err, key->place, "more than %zu lines \"send\"",
				 PL_JOB_SENDS_MAX);
	if (pl_job_add_send(kind, send))
		return pl_err_nomem(r->err);
	return pl_line_end(line, r->err);
}

static int read_line(struct reader *r, const struct pl_word *key, struct pl_line *line)
{
	if (pl_word_is(key, "ranks"))
		return read_ranks(r, line);
	if (pl_word_is(key, "cards"))
		return read_cards(r, line);
	if (pl_word_is(key, "library"))
		return read_library(r, line);
	if (r->job->n_ranks == 0)
		return pl_err_at(
			r->err, key->place,
			"\"ranks\" stands first, then cards, library, mesh, kind, group, send");
	if (pl_word_is(key, "mesh"))
		return read_mesh(r, line);
	if (pl_word_is(key, "kind"))
		return read_kind(r, line);
	if (pl_word_is(key, "group"))
		return read_group(r, key, line);
	if (pl_word_is(key, "send"))
		return read_send(r, key, line);
	return pl_err_at(
		r->err, key->place,
		"a line of a job starts with ranks, cards, library, mesh, kind, group, send or #");
}

/* The first line: "# plink-job 1". */
static int read_header(struct reader *r, struct pl_text *text)
{
	const struct pl_place start = {.file = text->name, .line = 1, .col = 1};
	struct pl_line line;
	struct pl_word mark, type, version;

	if (!pl_text_next(text, &line) || !pl_line_next(&line, &mark) || !pl_word_is(&mark, "#") ||
	    !pl_line_next(&line, &type) || !pl_word_is(&type, "plink-job"))
		return pl_err_at(r->err, start, "a job starts with \"# plink-job 1\"");
	if (!pl_line_word(&line, &version) || !pl_word_is(&version, "1"))
		return pl_err_at(r->err, version.place,
				 "unknown version of plink-job: only version 1 can be read");
	return 0;
}

static int read_all(struct reader *r, struct pl_text *text)
{
	struct pl_place end = {.file = text->name};
	struct pl_line line;
	struct pl_word key;

	if (read_header(r, text))
		return -1;
	while (pl_text_next(text, &line)) {
		end.line = line.number;
		end.col = 1;
		if (!pl_line_next(&line, &key) || key.s[0] == '#')
			continue;
		if (read_line(r, &key, &line))
			return -1;
	}
	if (end_kind(r, end))
		return -1;
	if (r->job->n_kinds == 0)
		return pl_err_at(r->err, end, "no kind in this job");
	return 0;
}

int pl_job_parse(struct pl_job *job, struct pl_text *text, struct pl_err *err)
{
	struct pl_err own = {0};
	struct reader r = {.job = job, .err = err ? err : &own};
	int rc;

	job->file = pl_string_copy(text->name, strlen(text->name));
	rc = job->file ? read_all(&r, text) : pl_err_nomem(err);
	free(r.in_kind);
	free(r.group_of);
	if (rc) {
		pl_job_fini(job);
		pl_kind_blame(text, PL_KIND_JOB, err);
	}
	return rc;
}

int pl_job_read(struct pl_job *job, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	rc = pl_job_parse(job, &text, err);
	pl_text_fini(&text);
	return rc;
}
