/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-status.c - plink-testbed status: what was asked and what was applied */
#include "config.h"

#include "base/clock.h"
#include "src/common/json.h"
#include "src/common/tool.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/network/ledger.h"
#include "tests/testbed/options.h"
#include "tests/testbed/show-rates.h"
#include "tests/testbed/state.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form { FORM_TEXT, FORM_JSON };

static const struct option longs[] = {
	{"prefix", required_argument, NULL, 'p'},
	{"json", no_argument, NULL, 'j'},
	{0},
};

/* Sums over all pairs. */
struct totals {
	uint64_t packets, bytes, lost, late, duplicated, reordered;
};

static struct totals sum_pairs(const struct tb_ledger *ledger)
{
	struct totals sum = {0};

	for (size_t i = 0; i < ledger->n * ledger->n; i++) {
		sum.packets += ledger->pair[i].packets;
		sum.bytes += ledger->pair[i].bytes;
		sum.lost += ledger->pair[i].lost;
		sum.late += ledger->pair[i].late;
		sum.duplicated += ledger->pair[i].duplicated;
		sum.reordered += ledger->pair[i].reordered;
	}
	return sum;
}

static double mean_us(const struct tb_pair *pair)
{
	return (double)pair->sum_ns / (double)pair->timed / 1000;
}

static void print_odds(const struct tb_ledger *l, const struct totals *sum)
{
	if (l->cpu > 0)
		printf("cpu %g of a processor for each host\n", l->cpu);
	if (l->loss > 0)
		printf("loss %g\n", l->loss);
	if (l->jitter_ns)
		printf("jitter %g us\n", (double)l->jitter_ns / 1000);
	if (l->duplicate > 0)
		printf("duplicate %g, up to %g us behind: %" PRIu64 " copies\n", l->duplicate,
		       (double)l->behind_ns / 1000, sum->duplicated);
	if (l->reorder > 0)
		printf("reorder %g, up to %g us behind: %" PRIu64 " packets held up\n", l->reorder,
		       (double)l->behind_ns / 1000, sum->reordered);
}

static void print_head(const struct tb_view *view)
{
	const struct tb_ledger *l = view->ledger;
	const struct totals sum = sum_pairs(l);

	printf("hosts %zu, up for %.1f s, %s, %s\n", view->n,
	       (double)(pl_clock_ns() - l->started_ns) / 1e9,
	       l->realtime ? "SCHED_FIFO" : "no real-time scheduling",
	       l->awake ? "processors kept awake" : "processors may sleep");
	printf("hand-over time taken off %.1f us\n", (double)l->compensation_ns / 1000);
	tb_print_rates(view);
	print_odds(l, &sum);
	if (l->changes)
		printf("delays changed %" PRIu32
		       " times, last %.1f s ago: those below are of packets since then\n",
		       l->changes, (double)(pl_clock_ns() - l->changed_ns) / 1e9);
	printf("packets %" PRIu64 ", bytes %" PRIu64 ", lost %" PRIu64 ", late (> %d us) %" PRIu64
	       "\n",
	       sum.packets, sum.bytes, sum.lost, TB_LATE_NS / 1000, sum.late);
	printf("dropped: unroutable %" PRIu64 ", overflow %" PRIu64 ", refused %" PRIu64 "\n",
	       l->unroutable, l->overflow, l->refused);
}

static void print_lateness(const struct tb_ledger *ledger)
{
	puts("packets by time after the deadline:");
	for (size_t i = 0; i < TB_BUCKETS; i++) {
		const uint64_t us = tb_bucket_us(i);

		if (!ledger->lateness[i])
			continue;
		if (us)
			printf("  < %" PRIu64 " us", us);
		else
			printf("  more");
		printf("\t%" PRIu64 "\n", ledger->lateness[i]);
	}
}

static void print_pairs(const struct tb_view *view)
{
	puts("from to asked_us min_us mean_us max_us packets lost late");
	for (size_t i = 0; i < view->n * view->n; i++) {
		const struct tb_pair *p = &view->ledger->pair[i];

		if (!p->packets && !p->lost)
			continue;
		printf("%s %s ", view->host[i / view->n].name, view->host[i % view->n].name);
		if (p->asked_ns == TB_NO_PATH)
			printf("nan ");
		else
			printf("%.1f ", (double)p->asked_ns / 1000);
		if (p->timed)
			printf("%.1f %.1f %.1f ", (double)p->min_ns / 1000, mean_us(p),
			       (double)p->max_ns / 1000);
		else
			printf("nan nan nan ");
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", p->packets, p->lost, p->late);
	}
}

static json_t *host_json(const struct tb_view *view, size_t i)
{
	const struct tb_host *host = &view->host[i];
	const struct pl_link_rate *card = &view->ledger->card[i];
	struct in_addr in = {htonl(host->addr)};
	char addr[INET_ADDRSTRLEN];

	return json_pack("{s:s, s:I, s:s, s:f, s:f}", "name", host->name, "rack",
			 (json_int_t)host->rack, "addr",
			 inet_ntop(AF_INET, &in, addr, sizeof(addr)), "card_out_bps", card->out_bps,
			 "card_in_bps", card->in_bps);
}

static json_t *us_json(int64_t ns, uint64_t known)
{
	return known ? json_real((double)ns / 1000) : json_null();
}

static json_t *pair_json(const struct tb_view *view, size_t i)
{
	const struct tb_pair *p = &view->ledger->pair[i];

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
			 "from", view->host[i / view->n].name, "to", view->host[i % view->n].name,
			 "asked_us", us_json(p->asked_ns, p->asked_ns != TB_NO_PATH), "min_us",
			 us_json(p->min_ns, p->timed), "mean_us",
			 p->timed ? json_real(mean_us(p)) : json_null(), "max_us",
			 us_json(p->max_ns, p->timed), "packets", (json_int_t)p->packets, "bytes",
			 (json_int_t)p->bytes, "lost", (json_int_t)p->lost, "late",
			 (json_int_t)p->late, "duplicated", (json_int_t)p->duplicated, "reordered",
			 (json_int_t)p->reordered, "timed", (json_int_t)p->timed);
}

static json_t *bucket_json(const struct tb_ledger *ledger, size_t i)
{
	const uint64_t us = tb_bucket_us(i);

	return json_pack("{s:o, s:I}", "below_us", us ? json_integer((json_int_t)us) : json_null(),
			 "packets", (json_int_t)ledger->lateness[i]);
}

static json_t *lists_json(const struct tb_view *view)
{
	json_t *hosts = json_array(), *pairs = json_array();
	json_t *lateness = json_array();

	for (size_t i = 0; i < view->n; i++)
		json_array_append_new(hosts, host_json(view, i));
	for (size_t i = 0; i < view->n * view->n; i++)
		if (i / view->n != i % view->n)
			json_array_append_new(pairs, pair_json(view, i));
	for (size_t i = 0; i < TB_BUCKETS; i++)
		json_array_append_new(lateness, bucket_json(view->ledger, i));
	return json_pack("{s:o, s:o, s:o}", "hosts", hosts, "pairs", pairs, "lateness", lateness);
}

static json_t *status_json(const struct tb_view *view)
{
	const struct tb_ledger *l = view->ledger;
	const struct totals sum = sum_pairs(l);
	json_t *status = json_pack(
		"{s:I, s:o, s:b, s:b, s:f, s:f, s:f, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, "
		"s:f, s:f, s:I, s:I, s:I, s:o}",
		"n", (json_int_t)view->n, "cpu", l->cpu > 0 ? json_real(l->cpu) : json_null(),
		"realtime", (int)l->realtime, "awake", (int)l->awake, "compensation_us",
		(double)l->compensation_ns / 1000, "loss", l->loss, "jitter_us",
		(double)l->jitter_ns / 1000, "late_us", TB_LATE_NS / 1000, "packets",
		(json_int_t)sum.packets, "bytes", (json_int_t)sum.bytes, "lost",
		(json_int_t)sum.lost, "late", (json_int_t)sum.late, "unroutable",
		(json_int_t)l->unroutable, "overflow", (json_int_t)l->overflow, "refused",
		(json_int_t)l->refused, "duplicate", l->duplicate, "reorder", l->reorder,
		"behind_us", (double)l->behind_ns / 1000, "duplicated", (json_int_t)sum.duplicated,
		"reordered", (json_int_t)sum.reordered, "changes", (json_int_t)l->changes,
		"changed_s",
		l->changes ? json_real((double)(pl_clock_ns() - l->changed_ns) / 1e9)
			   : json_null());
	json_t *lists = lists_json(view), *rates = tb_rates_json(view);

	if (!status || !lists || !rates || json_object_update(status, rates) ||
	    json_object_update(status, lists)) {
		json_decref(status);
		status = NULL;
	}
	json_decref(rates);
	json_decref(lists);
	return status;
}

static int print_json(const struct tb_view *view)
{
	return pl_tool_json_write("plink-testbed", status_json(view), stdout, NULL);
}

static int open_view(struct tb_view *view, const char *prefix, struct pl_err *err)
{
	struct tb_state state;
	int ret = -1;

	if (tb_state_open(&state, prefix, err))
		return -1;
	if (!tb_state_is_alive(&state)) {
		pl_err_set(err, PL_EPARTIAL, "the daemon of \"%s\" is dead; \"down\" clears up",
			   prefix);
		goto out;
	}
	if (tb_state_get_hosts(&state, &view->host, &view->n, err))
		goto out;
	view->ledger = tb_ledger_open(state.dirfd, err);
	if (view->ledger && view->ledger->n == view->n)
		ret = 0;
	else if (view->ledger)
		pl_err_set(err, PL_ESYSTEM, "the ledger is of other hosts");
out:
	tb_state_close(&state);
	return ret;
}

static int print(const struct tb_view *view, enum form form)
{
	int ret = 0;

	if (form == FORM_JSON) {
		ret = print_json(view);
	} else {
		print_head(view);
		print_lateness(view->ledger);
		print_pairs(view);
	}
	return fflush(stdout) || ferror(stdout) ? -1 : ret;
}

int tb_status_main(int argc, char **argv)
{
	const char *prefix = TB_DEFAULT_PREFIX;
	enum form form = FORM_TEXT;
	struct tb_view view = {0};
	struct pl_err err = {0};
	int c, ret = PL_EXIT_DONE;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c == 'j')
			form = FORM_JSON;
		else if (c != 'p')
			return pl_tool_usage(TB_TOOL, "status: unknown option");
		else if (tb_option_prefix(optarg, &prefix, &err))
			return pl_tool_fail(TB_TOOL, &err);
	}
	if (optind < argc)
		return pl_tool_usage(TB_TOOL, "status takes no \"%s\"", argv[optind]);
	if (open_view(&view, prefix, &err)) {
		ret = pl_tool_fail(TB_TOOL, &err);
	} else if (print(&view, form)) {
		pl_err_errno(&err, "cannot write");
		ret = pl_tool_fail(TB_TOOL, &err);
	}
	tb_ledger_close(view.ledger);
	free(view.host);
	return ret;
}
