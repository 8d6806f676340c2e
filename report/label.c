/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - the names of hosts and racks beside a drawing, as room allows */
#include "config.h"

#include "report/label.h"

#include <string.h>

const char *pl_label_short(char buf[PL_LABEL_CHARS], const struct pl_report *r, size_t host,
			   size_t room)
{
	const char *label = r->label[host];
	const size_t len = strlen(label) - r->len_domain;

	if (room > PL_LABEL_CHARS - 4)
		room = PL_LABEL_CHARS - 4;
	if (len <= room)
		snprintf(buf, PL_LABEL_CHARS, "%.*s", (int)len, label);
	else /* names differ at their ends, mostly */
		snprintf(buf, PL_LABEL_CHARS, "%.*s\xe2\x80\xa6%.*s", (int)(room / 4), label,
			 (int)(room - 1 - room / 4), label + len - (room - 1 - room / 4));
	return buf;
}

/* Where the hosts of one rack that stand at @from end. */
static size_t end_of_run(const struct pl_report *r, const struct pl_map_order *order, size_t from)
{
	size_t to = from + 1;

	while (to < order->n &&
	       r->rack[pl_map_host(order, to)] == r->rack[pl_map_host(order, from)])
		to++;
	return to;
}

size_t pl_labels_find(struct pl_label v[PL_LABELS_MAX], const struct pl_report *r,
		      const struct pl_map_order *order, size_t most, size_t room)
{
	const size_t need = (order->n + most - 1) / most;
	double free_from = 0;
	size_t n = 0;

	for (size_t from = 0, to; from < order->n && n < most; from = to) {
		const size_t host = pl_map_host(order, from);
		double pos = (double)from;

		to = need > 1 && r->n_racks > 1 ? end_of_run(r, order, from) : from + 1;
		if (need > 1 && to - from >= need) {
			pos = ((double)from + (double)to - 1) / 2;
			pos = pos < free_from ? free_from : pos;
			pl_report_rack_name(v[n].text, r, r->rack[host]);
		} else {
			pl_label_short(v[n].text, r, host, room);
		}
		if (pos < free_from || pos >= (double)to)
			continue;
		v[n++].pos = pos;
		free_from = pos + (double)need;
	}
	return n;
}
