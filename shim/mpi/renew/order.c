/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c - in shadow mode, another order while the job runs */
#include "config.h"

#include "shim/mpi/renew/renew.h"

#include "base/mem.h"
#include "shim/mpi/refuse.h"
#include "shim/mpi/shadow/shadow.h"
#include "shim/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The hosts, and the order that the world is in. */
static struct pl_plan plan;
static struct pl_order order;

static int ask(struct pl_renew_asked *asked, const double *rtt_ns, struct pl_err *err)
{
	char collective[300], impl[300], algorithm[300], gain[32];
	char *const words[] = {gain, collective, impl, algorithm, NULL};
	const struct pl_renew_question question = {
		.hosts = &plan.hosts,
		.host_at = order.host_at,
		.rtt_ns = rtt_ns,
		.script = "exec plink-order -q --matrix=- --format=names "
			  "--threads=1 \"$@\" <&3",
		.words = words};

	snprintf(gain, sizeof(gain), "--min-gain=%d", PL_RENEW_GAIN);
	snprintf(collective, sizeof(collective), "--collective=%s", order.collective);
	snprintf(impl, sizeof(impl), "--impl=%s", order.impl);
	snprintf(algorithm, sizeof(algorithm), "--algorithm=%s", order.algorithm);
	return pl_renew_ask(asked, &question, err);
}

/* The hosts in their order, a line each. */
static enum pl_renew_answer parse(char *text, int *number)
{
	const size_t n = plan.hosts.n;
	enum pl_renew_answer answer = PL_RENEW_STAY;
	char *rest;
	size_t k = 0;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		size_t host = 0;

		while (host < n && strcmp(plan.hosts.v[host].name, line) != 0)
			host++;
		if (host == n || k == n)
			return PL_RENEW_FAILED;
		if (number[k] != (int)host)
			answer = PL_RENEW_TAKE;
		number[k++] = (int)host;
	}
	return k == n ? answer : PL_RENEW_FAILED;
}

static int take(MPI_Comm comm, const int *number)
{
	for (size_t pos = 0; pos < plan.hosts.n; pos++)
		order.host_at[pos] = (size_t)number[pos];
	return pl_shadow_take_order(comm, &plan) ? 0 : -1;
}

/* As far as there is room. */
static void describe(const int *number, char *to, size_t bytes)
{
	size_t len = 0;

	*to = '\0';
	for (size_t pos = 0; pos < plan.hosts.n && len < bytes; pos++)
		len += (size_t)snprintf(to + len, bytes - len, " %s",
					plan.hosts.v[number[pos]].name);
}

/* Do all calls take the first order? */
static bool is_one_order(const struct pl_plan *p)
{
	for (size_t i = 1; i < p->n_orders; i++)
		if (memcmp(p->order[i].host_at, p->order[0].host_at,
			   p->hosts.n * sizeof(*p->order->host_at)) != 0)
			return false;
	return true;
}

bool pl_renew_begin_order(const struct pl_plan *of, const int *host_of, bool verbose)
{
	static struct pl_renew_mode mode = {
		.what = "order", .ask = ask, .parse = parse, .take = take, .describe = describe};
	const size_t n = of->hosts.n;
	int *number = pl_array_create(n, sizeof(*number));
	bool begun;

	order = of->order[0];
	order.host_at = pl_array_create(n, sizeof(*order.host_at));
	if (!number || !order.host_at)
		pl_mpi_no_memory();
	for (size_t pos = 0; pos < n; pos++) {
		order.host_at[pos] = of->order[0].host_at[pos];
		number[pos] = (int)order.host_at[pos];
	}
	plan = (struct pl_plan){.hosts = of->hosts, .order = &order, .n_orders = 1};
	mode.hosts = &plan.hosts;
	mode.n = n;
	begun = pl_renew_begin(&mode, host_of, number,
			       is_one_order(of) ? NULL : "the plan has several orders", verbose);
	free(number);
	if (!begun)
		pl_renew_end_order();
	return begun;
}

void pl_renew_end_order(void)
{
	pl_renew_end();
	free(order.host_at);
	order.host_at = NULL;
}
