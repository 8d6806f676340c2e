/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-log.c - logs of NCCL: its communicators and calls */
/*
 *   h:7:9 [0] NCCL INFO ncclCommInitRank comm 0x5f rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 1000
 *             commId 0x76b3 - Init COMPLETE
 *   h:7:9 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x7f recvbuff 0x7f count 1000 datatype 7 op 0
 *             root 0 comm 0x5f [nranks=4] stream 0x1
 *
 * NCCL_DEBUG=INFO with NCCL_DEBUG_SUBSYS=INIT,COLL, of one process or of all mixed, behind whatever
 * launchers write before a line. A rank is a process (host and number) and its GPU, its rank in the
 * job that in the largest communicator. Each rank is joined with the others like a file of
 * plink-stats(5).
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/mem.h"
#include "base/text/names.h"
#include "base/text/number.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "NCCL INFO "
#define BYTES_MAX (INT64_MAX / 4)

/* A communicator in a process: where its calls belong. */
struct handle {
	uint64_t address;
	size_t rank;   /* index in log.rank */
	size_t member; /* index in the statistics of it */
};

struct process {
	struct handle *handle;
	size_t n, room;
};

struct log {
	struct pl_recording *r;
	struct pl_names processes, ranks; /* "HOST:PID" and "HOST:PID:TID [GPU]" */
	struct process *process;
	struct pl_stats *rank;
	char **rank_name;
	size_t n_processes, process_room, n_ranks, rank_room, name_room;
	size_t n_calls;
	int64_t largest;
};

/* What the words of a line say. */
struct said {
	struct pl_word process;    /* "HOST:PID" */
	struct pl_word name;       /* "AllReduce", "ncclCommInitRank" */
	struct pl_word id;         /* of the communicator, s NULL: none */
	uint64_t address, opcount; /* UINT64_MAX: not in the line; so for the others */
	uint64_t count, datatype, root, rank, n_ranks, gpu;
};

static uint64_t hexadecimal(const struct pl_word *word)
{
	char digits[20], *end;
	uint64_t n;

	if (word->len < 3 || word->len >= sizeof(digits) || memcmp(word->s, "0x", 2) != 0)
		return UINT64_MAX;
	memcpy(digits, word->s, word->len);
	digits[word->len] = '\0';
	n = strtoull(digits, &end, 16);
	return *end ? UINT64_MAX : n;
}

static uint64_t decimal(const struct pl_word *word)
{
	uint64_t n;

	return pl_uint_parse(word->s, word->len, INT64_MAX, &n) ? UINT64_MAX : n;
}

/* The words "KEY VALUE" behind the name. */
static void take_pairs(struct said *said, struct pl_line *line)
{
	const struct {
		const char *key;
		uint64_t *value;
	} pairs[] = {
		{"count", &said->count}, {"datatype", &said->datatype}, {"root", &said->root},
		{"rank", &said->rank},   {"nranks", &said->n_ranks},    {"cudaDev", &said->gpu},
	};
	struct pl_word key, value;

	while (pl_line_next(line, &key)) {
		struct pl_line rest = *line;

		if (!pl_line_next(&rest, &value))
			return;
		if (pl_word_is(&key, "comm"))
			said->address = hexadecimal(&value);
		else if (pl_word_is(&key, "commId"))
			said->id = value;
		else if (pl_word_is(&key, "opCount"))
			said->opcount = 0;
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
			if (pl_word_is(&key, pairs[i].key))
				*pairs[i].value = decimal(&value);
	}
}

/* "... HOST:PID:TID [GPU] NCCL INFO NAME ...": false if the line is none. */
static bool parse(struct said *said, struct pl_line *line)
{
	const char *mark = memmem(line->s, line->len, MARK, strlen(MARK));
	struct pl_word word;
	size_t len;

	*said = (struct said){.address = UINT64_MAX,
			      .opcount = UINT64_MAX,
			      .count = UINT64_MAX,
			      .datatype = UINT64_MAX,
			      .root = UINT64_MAX,
			      .rank = UINT64_MAX,
			      .n_ranks = UINT64_MAX,
			      .gpu = UINT64_MAX};
	while (mark && pl_line_next(line, &word) && word.s < mark)
		if (word.s[0] != '[' || word.s[word.len - 1] != ']')
			said->process = word;
	if (!mark || !said->process.s)
		return false;
	len = said->process.len;
	while (len > 0 && isdigit((unsigned char)said->process.s[len - 1]))
		len--;
	if (len < 2 || said->process.s[len - 1] != ':')
		return false;
	said->process.len = len - 1;
	line->pos = (size_t)(mark - line->s) + strlen(MARK);
	if (!pl_line_next(line, &said->name))
		return false;
	take_pairs(said, line);
	return true;
}

/* ---- communicators */

/* The process of the line; it is added if it is new. NULL: out of memory. */
static struct process *process_of(struct log *log, const struct pl_word *name)
{
	const ptrdiff_t known = pl_names_find(&log->processes, name->s, name->len);

	if (known >= 0)
		return &log->process[known];
	if (pl_array_grow((void **)&log->process, &log->process_room, log->n_processes,
			  sizeof(*log->process)) ||
	    pl_names_add(&log->processes, name->s, name->len, log->n_processes))
		return NULL;
	log->process[log->n_processes] = (struct process){0};
	return &log->process[log->n_processes++];
}

/* The index of the rank on that GPU of that process; SIZE_MAX: out of memory. */
static size_t rank_of(struct log *log, const struct said *said)
{
	char name[320];
	const size_t len =
		(size_t)snprintf(name, sizeof(name), "%.*s/%llu",
				 (int)(said->process.len < 256 ? said->process.len : 256),
				 said->process.s, (unsigned long long)said->gpu);
	const ptrdiff_t known = pl_names_find(&log->ranks, name, len);
	char *copy;

	if (known >= 0)
		return (size_t)known;
	if (pl_array_grow((void **)&log->rank, &log->rank_room, log->n_ranks, sizeof(*log->rank)) ||
	    pl_array_grow((void **)&log->rank_name, &log->name_room, log->n_ranks,
			  sizeof(*log->rank_name)) ||
	    !(copy = pl_string_copy(name, len)))
		return SIZE_MAX;
	log->rank[log->n_ranks] = (struct pl_stats){.rank = -1};
	log->rank_name[log->n_ranks++] = copy;
	return pl_names_add(&log->ranks, copy, len, log->n_ranks - 1) ? SIZE_MAX : log->n_ranks - 1;
}

/* The communicator of that address, the last one that had it; NULL: none. */
static const struct handle *find_handle(const struct process *p, uint64_t address)
{
	for (size_t i = p->n; i-- > 0;)
		if (p->handle[i].address == address)
			return &p->handle[i];
	return NULL;
}

/* NCCL before 2.17 tells no id. -1: out of memory. */
static int add_communicator(struct log *log, const struct said *said)
{
	struct process *p = process_of(log, &said->process);
	const size_t rank = p ? rank_of(log, said) : SIZE_MAX;
	const struct handle *known;
	struct pl_stats_member *m;
	struct pl_stats *s;

	if (rank == SIZE_MAX)
		return -1;
	s = &log->rank[rank];
	known = find_handle(p, said->address);
	if (pl_array_grow((void **)&s->member, &s->member_room, s->n_members, sizeof(*s->member)))
		return -1;
	m = &s->member[s->n_members];
	*m = (struct pl_stats_member){.rank = (int64_t)said->rank, .ranks = (int64_t)said->n_ranks};
	if (said->id.s)
		snprintf(m->id, sizeof(m->id), "%.*s", (int)said->id.len, said->id.s);
	if (known && known->rank == rank && strcmp(s->member[known->member].id, m->id) == 0)
		return 0; /* its begin, and then its end */
	if (pl_array_grow((void **)&p->handle, &p->room, p->n, sizeof(*p->handle)))
		return -1;
	p->handle[p->n++] = (struct handle){said->address, rank, s->n_members++};
	if (m->ranks > s->ranks) {
		s->ranks = m->ranks;
		s->rank = m->rank;
	}
	log->largest = m->ranks > log->largest ? m->ranks : log->largest;
	return 0;
}

/* ---- calls */

/* ncclDataType_t */
static int64_t element_bytes(uint64_t datatype)
{
	static const uint8_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

	return datatype < sizeof(bytes) ? bytes[datatype] : 0;
}

/* A collective's operands as plink-stats(5) has them: the input of a rank. */
static int64_t input_bytes(const struct pl_operation *op, int64_t count_bytes, int64_t n_ranks)
{
	const bool each = op->form == PL_OPERATION_COLLECTIVE &&
			  (op->collective == PL_REDUCE_SCATTER || op->collective == PL_ALLTOALL);

	return each ? count_bytes * n_ranks : count_bytes;
}

static int add_row(struct pl_stats *s, const char *function, size_t member, int64_t bytes)
{
	struct pl_stats_line *row;

	for (size_t i = 0; i < s->n; i++) {
		row = &s->row[i];
		if (row->group == member && row->bytes == row->calls * bytes &&
		    strcmp(row->function, function) == 0 && row->bytes < BYTES_MAX) {
			row->calls++;
			row->bytes += bytes;
			return 0;
		}
	}
	if (pl_array_grow((void **)&s->row, &s->room, s->n, sizeof(*s->row)))
		return -1;
	row = &s->row[s->n++];
	*row = (struct pl_stats_line){.ranks = s->member[member].ranks,
				      .calls = 1,
				      .bytes = bytes,
				      .processes = 1,
				      .seconds = NAN,
				      .group = member};
	snprintf(row->function, sizeof(row->function), "%s", function);
	return 0;
}

static int add_message(struct pl_stats *s, size_t member, int64_t to, int64_t bytes)
{
	for (size_t i = 0; i < s->n_messages; i++) {
		struct pl_stats_message *m = &s->message[i];

		if (m->member == member && m->rank == to && m->bytes < BYTES_MAX) {
			m->calls++;
			m->bytes += bytes;
			return 0;
		}
	}
	if (pl_array_grow((void **)&s->message, &s->message_room, s->n_messages,
			  sizeof(*s->message)))
		return -1;
	s->message[s->n_messages++] = (struct pl_stats_message){member, to, 1, bytes};
	return 0;
}

static int add_call(struct log *log, const struct said *said)
{
	const struct process *p = process_of(log, &said->process);
	const struct handle *handle = p ? find_handle(p, said->address) : NULL;
	const int64_t each = element_bytes(said->datatype);
	struct pl_operation op;
	struct pl_stats *s;
	char name[32];
	int64_t bytes;

	snprintf(name, sizeof(name), "%.*s", (int)said->name.len - 1, said->name.s);
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	op = pl_operation_parse(name);
	if (!p)
		return -1;
	if (!handle)
		return pl_recording_lose(
			log->r, "a call is left out: the log does not tell its communicator "
				"(NCCL_DEBUG_SUBSYS=INIT,COLL)");
	if (said->count == UINT64_MAX || said->datatype == UINT64_MAX)
		return pl_recording_lose(log->r, "a call is left out: its line is damaged");
	if (each == 0)
		return pl_recording_lose(
			log->r,
			"a call is left out: the size of elements of type %llu is not known",
			(unsigned long long)said->datatype);
	s = &log->rank[handle->rank];
	if (said->count > BYTES_MAX / 16 / (uint64_t)s->member[handle->member].ranks)
		return pl_recording_lose(log->r, "a call is left out: its line is damaged");
	bytes = input_bytes(&op, (int64_t)said->count * each, s->member[handle->member].ranks);
	log->n_calls++;
	if (op.form == PL_OPERATION_SEND)
		return add_message(s, handle->member, (int64_t)said->root, bytes);
	return add_row(s, name, handle->member, bytes);
}

/* ---- the whole */

bool pl_nccl_log_is(const struct pl_text *text)
{
	return memmem(text->data, text->len, " " MARK, strlen(MARK) + 1) != NULL;
}

static int read_lines(struct log *log, struct pl_text *text)
{
	struct pl_line line;
	struct said said;

	while (pl_text_next(text, &line)) {
		int rc = 0;

		if (!parse(&said, &line))
			continue;
		if (said.opcount == 0 && said.name.s[said.name.len - 1] == ':')
			rc = add_call(log, &said);
		else if (said.address != UINT64_MAX && said.n_ranks >= 1 &&
			 said.n_ranks <= PL_JOB_RANKS_MAX && said.rank < said.n_ranks)
			rc = add_communicator(log, &said);
		if (rc)
			return -1;
	}
	return 0;
}

/* Without ids, those that have all ranks are one; others cannot be joined. */
static void name_members(struct log *log)
{
	size_t n = 0;

	for (size_t i = 0; i < log->n_ranks; i++)
		for (size_t k = 0; k < log->rank[i].n_members; k++) {
			struct pl_stats_member *m = &log->rank[i].member[k];

			if (!m->id[0] && m->ranks == log->largest)
				snprintf(m->id, sizeof(m->id), "all");
			else if (!m->id[0])
				snprintf(m->id, sizeof(m->id), "none %zu", n++);
		}
}

static void log_fini(struct log *log)
{
	pl_names_fini(&log->processes);
	pl_names_fini(&log->ranks);
	for (size_t i = 0; i < log->n_processes; i++)
		free(log->process[i].handle);
	for (size_t i = 0; i < log->n_ranks; i++) {
		pl_stats_fini(&log->rank[i]);
		free(log->rank_name[i]);
	}
	free(log->process);
	free(log->rank);
	free(log->rank_name);
}

/* Ranks are numbered as in a communicator that all are in. */
static int check_ranks(const struct log *log, struct pl_place whole, struct pl_err *err)
{
	size_t all = 0;

	for (size_t i = 0; i < log->n_ranks; i++)
		all += log->rank[i].ranks == log->largest;
	if (all == log->n_ranks && log->n_ranks <= (size_t)log->largest)
		return 0;
	return pl_err_at(err, whole,
			 "no communicator has all ranks: %zu are in the log, and the largest one "
			 "has %" PRId64,
			 log->n_ranks, log->largest);
}

int pl_import_nccl_log(struct pl_recording *r, struct pl_text *text, double n_steps,
		       struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};
	struct log log = {.r = r};
	int rc = read_lines(&log, text) ? pl_err_nomem(err) : 0;

	if (rc == 0 && (log.n_ranks == 0 || log.n_calls == 0))
		rc = pl_err_at(err, whole,
			       "this log of NCCL has no %s: run the job with NCCL_DEBUG=INFO and "
			       "NCCL_DEBUG_SUBSYS=INIT,COLL",
			       log.n_ranks == 0
				       ? "communicators (lines \"comm ... rank ... nranks\")"
				       : "calls (lines \"AllReduce: opCount ...\")");
	if (rc == 0)
		rc = check_ranks(&log, whole, err);
	name_members(&log);
	if (rc == 0 && pl_import_steps(r, &n_steps))
		rc = pl_err_nomem(err);
	for (size_t i = 0; rc == 0 && i < log.n_ranks; i++)
		if (pl_joined_take(&r->joined, text->name, &log.rank[i], n_steps))
			rc = pl_err_nomem(err);
	log_fini(&log);
	return rc;
}
