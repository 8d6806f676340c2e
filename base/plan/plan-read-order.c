/* SPDX-License-Identifier: BSD-3-Clause */
/* plan-read-order.c - the reader of a plan's order lines */
#include "config.h"

#include "base/plan/plan-read.h"

#include "base/mem.h"
#include "base/text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int read_cost(struct pl_plan_reader *r, const struct pl_word *word, double *to)
{
	*to = NAN;
	if (word->s && pl_double_parse(word->s, word->len, to))
		return pl_err_at(r->err, word->place, "a cost must stand here: a finite number");
	return 0;
}

/* "LO-HI", or "LO-" where there is no limit. */
static int read_sizes(struct pl_plan_reader *r, struct pl_line *line, struct pl_order *order)
{
	struct pl_word word = {.place = pl_line_place(line), .s = ""};
	const char *dash;
	size_t len;

	pl_line_next(line, &word);
	dash = word.len ? memchr(word.s, '-', word.len) : NULL;
	if (!dash)
		goto fail;
	len = (size_t)(dash - word.s);
	order->size_max = UINT64_MAX;
	if (pl_uint_parse(word.s, len, UINT64_MAX, &order->size_min))
		goto fail;
	if (len + 1 < word.len &&
	    pl_uint_parse(dash + 1, word.len - len - 1, UINT64_MAX, &order->size_max))
		goto fail;
	if (order->size_min <= order->size_max)
		return 0;
fail:
	return pl_err_at(r->err, word.place,
			 "sizes in bytes must stand here, as in 0-65535 or 65536-");
}

static int read_name(struct pl_plan_reader *r, struct pl_line *line, char **to)
{
	struct pl_word word = {.place = pl_line_place(line), .s = ""};

	pl_line_next(line, &word);
	return pl_plan_read_word(r, &word, to);
}

static int read_root(struct pl_plan_reader *r, const struct pl_word *word, uint64_t *root)
{
	const size_t n = pl_hosts_ranks(&r->plan->hosts);

	if (word->s && pl_uint_parse(word->s, word->len, n - 1, root))
		return pl_err_at(r->err, word->place, "a rank from 0 to %zu must stand here",
				 n - 1);
	return 0;
}

/* The words between the sizes and the colon. */
static int read_costs(struct pl_plan_reader *r, struct pl_line *line, struct pl_order *order)
{
	struct pl_plan_option option[] = {
		{.key = "cost"}, {.key = "given"}, {.key = "bound"}, {.key = "root"}};
	struct pl_word word;
	bool colon = false;

	while (!colon && pl_line_next(line, &word)) {
		colon = pl_word_is(&word, ":");
		if (!colon && pl_plan_take_option(r, &word, option, 4))
			return -1;
	}
	if (!colon)
		return pl_err_at(r->err, pl_line_place(line),
				 "\":\" and the hosts' numbers are missing");
	return read_cost(r, &option[0].value, &order->cost) ||
			       read_cost(r, &option[1].value, &order->given) ||
			       read_cost(r, &option[2].value, &order->bound) ||
			       read_root(r, &option[3].value, &order->root)
		       ? -1
		       : 0;
}

/* Host numbers by position; seen[] and host_at[] are for n hosts, zeroed. */
static int read_positions(struct pl_plan_reader *r, struct pl_line *line, size_t *host_at,
			  bool *seen)
{
	const size_t n = r->plan->hosts.n;
	struct pl_word word;
	size_t pos = 0;
	int64_t host;

	while (pl_line_next(line, &word)) {
		if (pos == n)
			return pl_err_at(r->err, word.place,
					 "this order goes on after all %zu hosts", n);
		if (pl_int_parse(word.s, word.len, 0, (int64_t)n - 1, &host))
			return pl_err_at(r->err, word.place,
					 "a host's number from 0 to %zu must stand here", n - 1);
		if (seen[host])
			return pl_err_at(r->err, word.place, "host %zu comes twice", (size_t)host);
		seen[host] = true;
		host_at[pos++] = (size_t)host;
	}
	if (pos < n)
		return pl_err_at(r->err, pl_line_place(line),
				 "this order ends after %zu of %zu hosts", pos, n);
	return 0;
}

int pl_plan_check_hosts(struct pl_plan_reader *r, struct pl_place place)
{
	const struct pl_hosts *hosts = &r->plan->hosts;
	size_t first, again;

	if (hosts->n == 0)
		return pl_err_at(r->err, place, "%s before any host",
				 r->kin ? "this line" : "an order or costs");
	if (r->checked)
		return 0;
	r->checked = true;
	if (pl_hosts_duplicate(hosts, &first, &again))
		return pl_err_nomem(r->err);
	if (again == hosts->n)
		return 0;
	return pl_err_at(r->err, r->place[again], "duplicate host \"%s\" (first in line %ld)",
			 hosts->v[again].name, r->place[first].line);
}

/* order COLLECTIVE ALGORITHM IMPL LO-HI [root=R] [cost=X] [given=X] [bound=X] : N N ...
 */
int pl_plan_read_order(struct pl_plan_reader *r, struct pl_line *line)
{
	struct pl_order order = {0};
	bool *seen = NULL;
	int rc = -1;

	if (pl_plan_check_hosts(r, pl_line_place(line)))
		return -1;
	seen = pl_array_create(r->plan->hosts.n, sizeof(*seen));
	order.host_at = pl_array_create(r->plan->hosts.n, sizeof(*order.host_at));
	if (!seen || !order.host_at) {
		pl_err_nomem(r->err);
		goto out;
	}
	if (read_name(r, line, &order.collective) || read_name(r, line, &order.algorithm) ||
	    read_name(r, line, &order.impl) || read_sizes(r, line, &order) ||
	    read_costs(r, line, &order) || read_positions(r, line, order.host_at, seen))
		goto out;
	rc = pl_plan_add(r->plan, &order, r->err);
out:
	free(order.collective);
	free(order.algorithm);
	free(order.impl);
	free(order.host_at);
	free(seen);
	return rc;
}
