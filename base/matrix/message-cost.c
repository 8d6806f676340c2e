/* SPDX-License-Identifier: BSD-3-Clause */
/* message-cost.c - what a small message costs a host's processes, in header lines of a matrix */
/*
 *   # message HOST 1 send-ns=S recv-ns=R wake-ns=W spread-ns=D probe-ns=E share-ppm=P cores=C
 */
#include "config.h"

#include "base/matrix/message-cost.h"

#include "base/matrix/header.h"
#include "base/matrix/label.h"
#include "base/mem.h"
#include "base/text/number.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define KEY "message"
#define FORM "1"
#define SECOND_NS INT64_C(1000000000)
#define PPM 1000000

int pl_message_cost_add(struct pl_matrix *m, const char *label, const struct pl_message_cost *cost)
{
	return pl_matrix_print_header(
		m, KEY,
		"%s " FORM " send-ns=%.0f recv-ns=%.0f wake-ns=%.0f spread-ns=%.0f probe-ns=%.0f "
		"share-ppm=%.0f cores=%u",
		label, cost->send_s * 1e9, cost->recv_s * 1e9, cost->wake_s * 1e9,
		cost->spread_s * 1e9, cost->probe_s * 1e9, cost->share * PPM, cost->cores);
}

/* The next word of the value, which is "key=number". */
static int take_number(struct pl_word *value, const char *key, int64_t min, int64_t max,
		       int64_t *out)
{
	struct pl_word word, number;

	return pl_header_word(value, &word) && pl_word_value(&word, key, &number)
		       ? pl_int_parse(number.s, number.len, min, max, out)
		       : -1;
}

static int take_cost(struct pl_word value, struct pl_message_cost *cost)
{
	int64_t send_ns, recv_ns, wake_ns, spread_ns, probe_ns, ppm, cores;
	struct pl_word more;

	if (take_number(&value, "send-ns", 0, SECOND_NS, &send_ns) ||
	    take_number(&value, "recv-ns", 0, SECOND_NS, &recv_ns) ||
	    take_number(&value, "wake-ns", 0, SECOND_NS, &wake_ns) ||
	    take_number(&value, "spread-ns", 0, SECOND_NS, &spread_ns) ||
	    take_number(&value, "probe-ns", 0, SECOND_NS, &probe_ns) ||
	    take_number(&value, "share-ppm", 1, PPM, &ppm) ||
	    take_number(&value, "cores", 1, PL_CORES_MAX, &cores) || pl_header_word(&value, &more))
		return -1;
	*cost = (struct pl_message_cost){
		.send_s = (double)send_ns * 1e-9,
		.recv_s = (double)recv_ns * 1e-9,
		.wake_s = (double)wake_ns * 1e-9,
		.spread_s = (double)spread_ns * 1e-9,
		.probe_s = (double)probe_ns * 1e-9,
		.share = (double)ppm / PPM,
		.cores = (unsigned)cores,
	};
	return 0;
}

static size_t find(char *const *label, size_t n, const struct pl_word *word)
{
	size_t host = 0;

	while (host < n && !pl_word_is(word, label[host]))
		host++;
	return host;
}

static int read_line(struct pl_message_cost *cost, char *const *label, const struct pl_matrix *m,
		     const struct pl_header *line, struct pl_err *err)
{
	struct pl_word value = {.s = line->value, .len = strlen(line->value)}, name, version;
	const char *why = NULL;
	size_t host;

	if (!pl_header_word(&value, &name) || !pl_header_word(&value, &version))
		why = "not a host, a version and costs";
	else if (!pl_word_is(&version, FORM))
		why = "of another version than " FORM ", the only one that can be read";
	else if ((host = find(label, m->hosts.n, &name)) == m->hosts.n)
		why = "no such host";
	else if (cost[host].cores > 0)
		why = "a second line of that host";
	else if (take_cost(value, &cost[host]))
		why = "after the version: send-ns=, recv-ns=, wake-ns=, spread-ns=, probe-ns=, "
		      "share-ppm= and "
		      "cores=, with whole numbers";
	return why ? pl_err_at(err, pl_header_place(m, line), "\"# " KEY " %s\": %s", line->value,
			       why)
		   : 0;
}

int pl_message_costs_read(struct pl_message_cost *cost, const struct pl_matrix *m,
			  struct pl_err *err)
{
	char **label = NULL;
	int rc = 0;

	for (size_t h = 0; h < m->hosts.n; h++)
		cost[h] = PL_MESSAGE_COST_DEFAULT;
	if (!pl_matrix_header(m, KEY))
		return 0;
	label = pl_labels_create(&m->hosts, err);
	if (!label)
		return -1;
	for (size_t i = 0; rc == 0 && i < m->n_headers; i++)
		if (!strcmp(m->header[i].key, KEY))
			rc = read_line(cost, label, m, &m->header[i], err);
	pl_labels_destroy(label, m->hosts.n);
	return rc;
}

int pl_message_costs_copy(struct pl_matrix *to, const struct pl_matrix *from, const size_t *host,
			  struct pl_err *err)
{
	struct pl_message_cost *cost = pl_array_create(from->hosts.n, sizeof(*cost));
	char **label = pl_labels_create(&to->hosts, err);
	int rc = -1;

	if (label && !cost)
		pl_err_nomem(err);
	else if (label)
		rc = pl_message_costs_read(cost, from, err);
	for (size_t h = 0; rc == 0 && h < to->hosts.n; h++)
		if (cost[host[h]].cores > 0 && pl_message_cost_add(to, label[h], &cost[host[h]]))
			rc = pl_err_nomem(err);
	free(cost);
	pl_labels_destroy(label, to->hosts.n);
	return rc;
}
