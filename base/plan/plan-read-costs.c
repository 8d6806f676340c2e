/* SPDX-License-Identifier: BSD-3-Clause */
/* plan-read-costs.c - the reader of a plan's cost lines */
#include "config.h"

#include "base/plan/plan-read.h"

#include "base/mem.h"
#include "base/text/number.h"

#include <math.h>

/* The number of the host that the line is about: lines come in the order of the hosts. */
static int read_number(struct pl_plan_reader *r, struct pl_line *line)
{
	struct pl_word word = {.place = pl_line_place(line)};
	int64_t number;

	if (r->n_costs == r->plan->hosts.n)
		return pl_err_at(r->err, word.place, "all %zu hosts have their costs already",
				 r->n_costs);
	if (!pl_line_next(line, &word) ||
	    pl_int_parse(word.s, word.len, 0, PL_HOSTS_MAX - 1, &number) ||
	    (size_t)number != r->n_costs)
		return pl_err_at(r->err, word.place, "the costs of host %zu must stand here",
				 r->n_costs);
	return 0;
}

static int read_row(struct pl_plan_reader *r, struct pl_line *line, double *row)
{
	const size_t n = r->plan->hosts.n;
	struct pl_word word;

	for (size_t dst = 0; dst < n; dst++) {
		word = (struct pl_word){.place = pl_line_place(line)};
		if (!pl_line_next(line, &word))
			return pl_err_at(r->err, word.place,
					 "this line ends after %zu of %zu costs", dst, n);
		if (pl_double_parse(word.s, word.len, &row[dst]) || !(row[dst] >= 0) ||
		    isinf(row[dst]))
			return pl_err_at(r->err, word.place,
					 "a cost must stand here: a finite number, not negative");
		if (dst == r->n_costs && row[dst] > 0)
			return pl_err_at(r->err, word.place, "a host's cost to itself is 0");
	}
	if (pl_line_next(line, &word))
		return pl_err_at(r->err, word.place, "this line goes on after all %zu costs", n);
	return 0;
}

/* costs NUMBER X X ... */
int pl_plan_read_costs(struct pl_plan_reader *r, struct pl_line *line)
{
	struct pl_plan *plan = r->plan;
	const size_t n = plan->hosts.n;

	if (pl_plan_check_hosts(r, pl_line_place(line)))
		return -1;
	if (n > PL_PLAN_COSTS_MAX)
		return pl_err_at(r->err, pl_line_place(line), "costs are for at most %d hosts",
				 PL_PLAN_COSTS_MAX);
	if (!plan->cost)
		plan->cost = pl_array_create(n * n, sizeof(*plan->cost));
	if (!plan->cost)
		return pl_err_nomem(r->err);
	if (read_number(r, line) || read_row(r, line, &plan->cost[r->n_costs * n]))
		return -1;
	r->n_costs++;
	return 0;
}

int pl_plan_check_costs(struct pl_plan_reader *r, struct pl_place place)
{
	if (!r->plan->cost || r->n_costs == r->plan->hosts.n)
		return 0;
	return pl_err_at(r->err, place, "only %zu of %zu hosts have costs", r->n_costs,
			 r->plan->hosts.n);
}
