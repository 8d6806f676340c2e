/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - orders found for a list of hosts, and how they are written */
#include "config.h"

#include "base/plan/plan.h"

#include "base/mem.h"
#include "base/text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORD_MAX 255

static void order_fini(struct pl_order *order)
{
	free(order->collective);
	free(order->algorithm);
	free(order->impl);
	free(order->host_at);
}

void pl_plan_fini(struct pl_plan *plan)
{
	for (size_t i = 0; i < plan->n_orders; i++)
		order_fini(&plan->order[i]);
	free(plan->order);
	free(plan->cost);
	free(plan->created);
	free(plan->by);
	free(plan->matrix);
	pl_hosts_fini(&plan->hosts);
	memset(plan, 0, sizeof(*plan));
}

bool pl_plan_is_phrase(const char *s, size_t len)
{
	if (len == 0 || len > WORD_MAX || s[0] == ' ' || s[len - 1] == ' ')
		return false;
	for (size_t i = 0; i < len; i++)
		if (s[i] < ' ' || s[i] > '~' || s[i] == '#')
			return false;
	return true;
}

bool pl_plan_is_word(const char *s, size_t len)
{
	return pl_plan_is_phrase(s, len) && !memchr(s, ' ', len);
}

static bool is_word(const char *s)
{
	return s && pl_plan_is_word(s, strlen(s));
}

int pl_plan_time(const char *created, int64_t *unix_s)
{
	static const char form[] = "%Y-%m-%dT%H:%M:%SZ";
	struct tm tm = {0};
	char again[64];
	time_t t;

	if (!strptime(created, form, &tm))
		return -1;
	t = timegm(&tm);
	/* timegm() carries what is out of range over: such a date is none, nor is one written in
	 * another way */
	if (!gmtime_r(&t, &tm) || !strftime(again, sizeof(again), form, &tm) ||
	    strcmp(again, created) != 0)
		return -1;
	*unix_s = (int64_t)t;
	return 0;
}

/* -1 where memory runs out, else whether host_at[n] is a permutation. */
static int is_permutation(const size_t *host_at, size_t n)
{
	bool *seen = pl_array_create(n, sizeof(*seen));
	int yes = 1;

	if (!seen)
		return -1;
	for (size_t pos = 0; pos < n && yes; pos++) {
		yes = host_at[pos] < n && !seen[host_at[pos]];
		if (yes)
			seen[host_at[pos]] = true;
	}
	free(seen);
	return yes;
}

static int check_order(const struct pl_order *order, const struct pl_hosts *hosts,
		       struct pl_err *err)
{
	int good;

	if (!is_word(order->collective) || !is_word(order->algorithm) || !is_word(order->impl))
		return pl_err_set(
			err, PL_EINPUT,
			"an order's collective, algorithm and implementation must be words");
	if (order->size_min > order->size_max)
		return pl_err_set(err, PL_EINPUT, "an order's sizes run backwards");
	if (isinf(order->cost) || isinf(order->given) || isinf(order->bound))
		return pl_err_set(err, PL_EINPUT, "a cost is infinite");
	if (hosts->n == 0)
		return pl_err_set(err, PL_EINPUT, "a plan without hosts");
	if (order->root >= pl_hosts_ranks(hosts))
		return pl_err_set(err, PL_EINPUT, "an order's root is one of the ranks");
	good = is_permutation(order->host_at, hosts->n);
	if (good < 0)
		return pl_err_nomem(err);
	return good ? 0 : pl_err_set(err, PL_EINPUT, "an order is not a permutation of the hosts");
}

static int copy_order(struct pl_order *to, const struct pl_order *from, size_t n_hosts)
{
	*to = *from;
	to->collective = pl_string_copy(from->collective, strlen(from->collective));
	to->algorithm = pl_string_copy(from->algorithm, strlen(from->algorithm));
	to->impl = pl_string_copy(from->impl, strlen(from->impl));
	to->host_at = pl_array_create(n_hosts, sizeof(*to->host_at));
	if (to->collective && to->algorithm && to->impl && to->host_at) {
		memcpy(to->host_at, from->host_at, n_hosts * sizeof(*to->host_at));
		return 0;
	}
	order_fini(to);
	return -1;
}

int pl_plan_add(struct pl_plan *plan, const struct pl_order *order, struct pl_err *err)
{
	struct pl_order copy;

	if (check_order(order, &plan->hosts, err))
		return -1;
	if (pl_array_grow((void **)&plan->order, &plan->orders_room, plan->n_orders,
			  sizeof(*plan->order)) ||
	    copy_order(&copy, order, plan->hosts.n))
		return pl_err_nomem(err);
	plan->order[plan->n_orders++] = copy;
	return 0;
}

bool pl_order_is_identity(const struct pl_order *order, size_t n_hosts)
{
	for (size_t pos = 0; pos < n_hosts; pos++)
		if (order->host_at[pos] != pos)
			return false;
	return true;
}

static int check_host(const struct pl_host *host, struct pl_err *err)
{
	size_t at;
	const char *fault = pl_host_name_fault(host->name, strlen(host->name), &at);

	if (fault)
		return pl_err_set(err, PL_EINPUT, "host \"%s\": %s", host->name, fault);
	if (host->slots < 1 || host->slots > PL_HOST_SLOTS_MAX || host->port < 0 ||
	    host->port > 65535)
		return pl_err_set(err, PL_EINPUT, "host \"%s\": slots or port out of range",
				  host->name);
	if ((host->node && !is_word(host->node)) || (host->addr && !is_word(host->addr)) ||
	    (host->type && !is_word(host->type)))
		return pl_err_set(err, PL_EINPUT,
				  "host \"%s\": node, address and type must be words", host->name);
	return 0;
}

static int check_hosts(const struct pl_hosts *hosts, struct pl_err *err)
{
	size_t first, again;

	if (hosts->n == 0 || hosts->n > PL_HOSTS_MAX)
		return pl_err_set(err, PL_EINPUT, "a plan has 1 to %d hosts, not %zu", PL_HOSTS_MAX,
				  hosts->n);
	for (size_t i = 0; i < hosts->n; i++)
		if (check_host(&hosts->v[i], err))
			return -1;
	if (pl_hosts_duplicate(hosts, &first, &again))
		return pl_err_nomem(err);
	if (again < hosts->n)
		return pl_err_set(err, PL_EINPUT, "duplicate host \"%s\"", hosts->v[again].name);
	return 0;
}

static int check_head(const struct pl_plan *plan, struct pl_err *err)
{
	int64_t unix_s;

	if (plan->created && pl_plan_time(plan->created, &unix_s))
		return pl_err_set(err, PL_EINPUT, "\"%s\" is not a date", plan->created);
	if (plan->by && !pl_plan_is_phrase(plan->by, strlen(plan->by)))
		return pl_err_set(err, PL_EINPUT,
				  "the name of the program that made the plan cannot be written");
	if (plan->matrix && !is_word(plan->matrix))
		return pl_err_set(err, PL_EINPUT, "the matrix's digest is not a word");
	return check_hosts(&plan->hosts, err);
}

static int check_orders(const struct pl_plan *plan, struct pl_err *err)
{
	if (plan->n_orders == 0)
		return pl_err_set(err, PL_EINPUT, "a plan without an order");
	for (size_t i = 0; i < plan->n_orders; i++)
		if (check_order(&plan->order[i], &plan->hosts, err))
			return -1;
	return 0;
}

static int check_costs(const struct pl_plan *plan, struct pl_err *err)
{
	const size_t n = plan->hosts.n;

	if (!plan->cost)
		return 0;
	if (n > PL_PLAN_COSTS_MAX)
		return pl_err_set(err, PL_EINPUT,
				  "a plan has the costs between at most %d hosts, not %zu",
				  PL_PLAN_COSTS_MAX, n);
	for (size_t i = 0; i < n * n; i++)
		if (!(plan->cost[i] >= 0) || isinf(plan->cost[i]) ||
		    (i % (n + 1) == 0 && plan->cost[i] > 0))
			return pl_err_set(err, PL_EINPUT,
					  "the cost from host \"%s\" to \"%s\" cannot be written",
					  plan->hosts.v[i / n].name, plan->hosts.v[i % n].name);
	return 0;
}

static void write_header(const struct pl_plan *plan, const char *type, FILE *out)
{
	fprintf(out, "# %s 1\n", type);
	if (plan->created)
		fprintf(out, "# created %s%s%s\n", plan->created, plan->by ? " by " : "",
			plan->by ? plan->by : "");
	else if (plan->by)
		fprintf(out, "# by %s\n", plan->by);
	if (plan->matrix)
		fprintf(out, "# matrix %s\n", plan->matrix);
	if (plan->has_seed)
		fprintf(out, "# seed %" PRIu64 "\n", plan->seed);
}

static void write_host(const struct pl_host *host, size_t i, FILE *out)
{
	fprintf(out, "host %zu %s slots=%d", i, host->name, host->slots);
	if (host->port)
		fprintf(out, " port=%d", host->port);
	if (host->node)
		fprintf(out, " node=%s", host->node);
	if (host->addr)
		fprintf(out, " addr=%s", host->addr);
	if (host->type)
		fprintf(out, " type=%s", host->type);
	fputc('\n', out);
}

static void write_costs(const struct pl_plan *plan, FILE *out)
{
	const size_t n = plan->hosts.n;
	char buf[PL_DOUBLE_CHARS];

	for (size_t i = 0; plan->cost && i < n; i++) {
		fprintf(out, "costs %zu", i);
		for (size_t j = 0; j < n; j++)
			fprintf(out, " %s", pl_double_format(buf, plan->cost[i * n + j]));
		fputc('\n', out);
	}
}

static void write_cost(const char *key, double cost, FILE *out)
{
	char buf[PL_DOUBLE_CHARS];

	if (!isnan(cost))
		fprintf(out, " %s=%s", key, pl_double_format(buf, cost));
}

static void write_order(const struct pl_order *order, size_t n_hosts, FILE *out)
{
	fprintf(out, "order %s %s %s %" PRIu64 "-", order->collective, order->algorithm,
		order->impl, order->size_min);
	if (order->size_max != UINT64_MAX)
		fprintf(out, "%" PRIu64, order->size_max);
	if (order->root)
		fprintf(out, " root=%" PRIu64, order->root);
	write_cost("cost", order->cost, out);
	write_cost("given", order->given, out);
	write_cost("bound", order->bound, out);
	fputs(" :", out);
	for (size_t pos = 0; pos < n_hosts; pos++)
		fprintf(out, " %zu", order->host_at[pos]);
	fputc('\n', out);
	if (pl_order_is_identity(order, n_hosts))
		fputs("# identity\n", out);
}

int pl_plan_write_kin(const struct pl_plan *plan, const char *type, FILE *out, struct pl_err *err)
{
	if (check_head(plan, err))
		return -1;
	write_header(plan, type, out);
	for (size_t i = 0; i < plan->hosts.n; i++)
		write_host(&plan->hosts.v[i], i, out);
	return 0;
}

int pl_plan_write(const struct pl_plan *plan, FILE *out, struct pl_err *err)
{
	if (check_head(plan, err) || check_orders(plan, err) || check_costs(plan, err) ||
	    pl_plan_write_kin(plan, "plink-plan", out, err))
		return -1;
	write_costs(plan, out);
	for (size_t i = 0; i < plan->n_orders; i++)
		write_order(&plan->order[i], plan->hosts.n, out);
	if (ferror(out))
		return pl_err_errno(err, "cannot write the plan");
	return 0;
}
