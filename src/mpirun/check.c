/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c - what a process on each host finds there */
#include "config.h"

#include "src/mpirun/check.h"

#include "base/child.h"
#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/text.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_NS (300 * (int64_t)1000000000)
#define RANKS_MAX (1 << 18)

static const char mark[] = "plink-check ";

/* All ranks, when the first says how many there are. */
static int make_ranks(struct pl_check *check, const struct pl_word *text, struct pl_err *err)
{
	int64_t n;

	if (pl_int_parse(text->s, text->len, 1, RANKS_MAX, &n))
		return 0;
	if (check->rank)
		return 0;
	check->rank = pl_array_create((size_t)n, sizeof(*check->rank));
	if (!check->rank)
		return pl_err_nomem(err);
	check->n = (size_t)n;
	return 0;
}

/* A key and its handler, which stores the text in @c: 0, or -1 with @err
 * set. */
struct key {
	const char *name;
	int (*take)(const struct key *key, struct pl_checked *c, const struct pl_word *text,
		    struct pl_err *err);
	size_t at; /* of a string in struct pl_checked */
};

/* Keeps the first text. */
static int keep(const struct key *key, struct pl_checked *c, const struct pl_word *text,
		struct pl_err *err)
{
	char **to = (char **)((char *)c + key->at);

	if (*to)
		return 0;
	*to = pl_string_copy(text->s, text->len);
	if (to == &c->named)
		c->self.named = c->named;
	return *to ? 0 : pl_err_nomem(err);
}

static int take_address(const struct key *key, struct pl_checked *c, const struct pl_word *text,
			struct pl_err *err)
{
	char s[INET6_ADDRSTRLEN];
	struct in6_addr addr;

	(void)key;
	if (text->len >= sizeof(s))
		return 0;
	memcpy(s, text->s, text->len);
	s[text->len] = '\0';
	if (inet_pton(AF_INET6, s, &addr) != 1)
		return 0;
	if (pl_array_grow((void **)&c->self.addr, &c->addrs_room, c->self.n_addrs, sizeof(addr)))
		return pl_err_nomem(err);
	c->self.addr[c->self.n_addrs++] = addr;
	return 0;
}

static int take_node(const struct key *key, struct pl_checked *c, const struct pl_word *text,
		     struct pl_err *err)
{
	(void)key, (void)err;
	snprintf(c->self.node, sizeof(c->self.node), "%.*s", (int)text->len, text->s);
	return 0;
}

static int take_plan(const struct key *key, struct pl_checked *c, const struct pl_word *text,
		     struct pl_err *err)
{
	(void)key, (void)err;
	c->plan = strtoull(text->s, NULL, 16);
	return 0;
}

static int take_end(const struct key *key, struct pl_checked *c, const struct pl_word *text,
		    struct pl_err *err)
{
	(void)key, (void)text, (void)err;
	c->ended = true;
	return 0;
}

#define AT(member) offsetof(struct pl_checked, member)

static const struct key keys[] = {
	{"node", take_node, 0},
	{"named", keep, AT(named)},
	{"address", take_address, 0},
	{"plan", take_plan, 0},
	{"plan-fault", keep, AT(plan_fault)},
	{"made-for", keep, AT(made_for)},
	{"mpi", keep, AT(mpi)},
	{"library-fault", keep, AT(library_fault)},
	{"end", take_end, 0},
};

/* Reads what follows the mark. If a line was garbled on its way, the answer lacks its end. */
static int take_line(struct pl_check *check, struct pl_line *line, struct pl_err *err)
{
	struct pl_word number, key, text;
	int64_t rank;

	if (!pl_line_next(line, &number) || !pl_line_next(line, &key))
		return 0;
	text = pl_line_rest(line);
	if (pl_word_is(&key, "start") && make_ranks(check, &text, err))
		return -1;
	if (check->n == 0 || pl_int_parse(number.s, number.len, 0, (int64_t)check->n - 1, &rank))
		return 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (pl_word_is(&key, keys[i].name))
			return keys[i].take(&keys[i], &check->rank[rank], &text, err);
	return 0;
}

/* mpirun may put words of its own before a process' output. */
static int take(struct pl_check *check, struct pl_line *line, struct pl_err *err)
{
	const char *at = memmem(line->s, line->len, mark, sizeof(mark) - 1);

	if (at) {
		line->pos = (size_t)(at - line->s) + sizeof(mark) - 1;
		return take_line(check, line, err);
	}
	memcpy(check->other + check->other_len, line->s, line->len);
	check->other_len += line->len;
	check->other[check->other_len++] = '\n';
	return 0;
}

int pl_check_parse(struct pl_check *check, const char *out, size_t len, struct pl_err *err)
{
	struct pl_text text;
	struct pl_line line;
	int rc = 0;

	if (pl_text_copy(&text, "mpirun", out, len, err))
		return -1;
	/* end of the output, of an unfinished line, and of the string */
	check->other = pl_array_create(len + 2, 1);
	if (!check->other)
		rc = pl_err_nomem(err);
	while (rc == 0 && pl_text_next(&text, &line))
		rc = take(check, &line, err);
	pl_text_fini(&text);
	if (rc)
		pl_check_fini(check);
	return rc;
}

static bool is_complete(const struct pl_check *check)
{
	for (size_t i = 0; i < check->n; i++)
		if (!check->rank[i].ended)
			return false;
	return check->n > 0;
}

/* *status is mpirun's. */
static int run_once(struct pl_check *check, const struct pl_child_options *child, int *status,
		    struct pl_err *err)
{
	char *out;
	size_t len;
	int rc;

	if (pl_child_run(child, &out, &len, status, err))
		return -1;
	for (size_t i = 0; i < len; i++)
		if (out[i] == '\0') /* in messages of PRRTE */
			out[i] = ' ';
	rc = pl_check_parse(check, out, len, err);
	free(out);
	return rc;
}

int pl_check_run(struct pl_check *check, char *const *command, const volatile sig_atomic_t *stop,
		 struct pl_err *err)
{
	const struct pl_child_options child = {
		.argv = command,
		.err_to = PL_CHILD_STDERR_WITH_STDOUT,
		.timeout_ns = CHECK_NS,
		.stop = stop,
	};
	int status;

	if (run_once(check, &child, &status, err))
		return -1;
	if (status <= 128 || status > 128 + SIGRTMAX || is_complete(check))
		return 0;
	pl_check_fini(check);
	return run_once(check, &child, &status, err);
}

void pl_check_fini(struct pl_check *check)
{
	for (size_t i = 0; i < check->n; i++) {
		struct pl_checked *c = &check->rank[i];

		free(c->named);
		free(c->plan_fault);
		free(c->library_fault);
		free(c->made_for);
		free(c->mpi);
		pl_self_fini(&c->self);
	}
	free(check->rank);
	free(check->other);
	*check = (struct pl_check){0};
}
