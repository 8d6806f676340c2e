/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - what a report shows: gathered, scaled, grouped */
#include "config.h"

#include "report/report.h"

#include "base/mem.h"
#include "report/parts.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The ends of the scale: what is beyond them is one in two hundred. */
#define TAIL 0.005

bool pl_report_is_rate(const struct pl_report *r)
{
	return r->from.matrix->layer[0].quantity == PL_BANDWIDTH;
}

double pl_report_cell(const struct pl_report *r, size_t i, size_t j)
{
	const struct pl_matrix *m = r->from.matrix;

	return m->layer[0].cell[r->from.cell_of[i] * m->hosts.n + r->from.cell_of[j]];
}

bool pl_report_is_slow(const struct pl_report *r, const struct pl_report_link *link)
{
	return link->cost >= r->slow;
}

size_t pl_report_count_slow(const struct pl_report *r, const struct pl_report_links *links)
{
	size_t n = 0;

	for (size_t i = 0; i < links->n; i++)
		n += pl_report_is_slow(r, &links->v[i]);
	return n;
}

double pl_report_level(const struct pl_report *r, double value)
{
	double x;

	if (!(r->high > r->low))
		return value > r->low ? 1 : 0;
	x = value > 0 ? log(value / r->low) / log(r->high / r->low) : 0;
	x = x > 0 ? x < 1 ? x : 1 : 0;
	return pl_report_is_rate(r) ? 1 - x : x;
}

/* The end that all labels share, from a dot before a letter on: the dots of addresses are followed
 * by digits. */
static size_t find_domain(const struct pl_report *r)
{
	const char *first = r->label[0];
	const char *dot = strchr(first, '.');

	for (; dot; dot = strchr(dot + 1, '.')) {
		const size_t len = strlen(dot);
		size_t i = 0;

		while (i < r->n && strlen(r->label[i]) > len &&
		       !strcmp(r->label[i] + strlen(r->label[i]) - len, dot))
			i++;
		if (i == r->n && isalpha((unsigned char)dot[1]))
			return len;
	}
	return 0;
}

/* Labels as people know the hosts; a host of a list of ranks comes again. */
static int take_labels(struct pl_report *r)
{
	const struct pl_hosts *hosts = r->from.hosts;

	r->label = pl_array_create(r->n, sizeof(*r->label));
	for (size_t i = 0; r->label && i < r->n; i++) {
		char text[PL_HOST_NAME_MAX + 16];
		const struct pl_host *h = &hosts->v[i];

		if (h->port)
			snprintf(text, sizeof(text), "%s:%d", h->name, h->port);
		else
			snprintf(text, sizeof(text), "%s", h->name);
		r->label[i] = pl_string_copy(text, strlen(text));
		if (!r->label[i])
			return -1;
	}
	if (r->label && r->n > 1)
		r->len_domain = find_domain(r);
	return r->label ? 0 : -1;
}

/* v[n * n] is scratch. */
static void find_scale(struct pl_report *r, double *v)
{
	size_t n = 0;

	r->low = r->high = NAN;
	for (size_t i = 0; i < r->n; i++)
		for (size_t j = 0; j < r->n; j++) {
			const double x = pl_report_cell(r, i, j);

			r->n_missing += isnan(x);
			if (i != j && x > 0)
				v[n++] = x;
		}
	if (n == 0)
		return;
	r->low = pl_report_percentile(v, n, TAIL);
	r->high = pl_report_percentile(v, n, 1 - TAIL);
}

int pl_report_init(struct pl_report *r, const struct pl_report_source *from, struct pl_err *err)
{
	const size_t n = from->hosts->n;
	double *scratch = pl_array_create(n, n * sizeof(*scratch));
	int rc = -1;

	*r = (struct pl_report){.from = *from, .n = n};
	r->rack = pl_array_create(n, sizeof(*r->rack));
	if (!scratch || !r->rack || take_labels(r)) {
		pl_err_nomem(err);
	} else {
		find_scale(r, scratch);
		rc = pl_report_find_racks(r, scratch, err);
	}
	free(scratch);
	if (rc)
		pl_report_fini(r);
	return rc;
}

static void kind_fini(struct pl_report_kind *kind)
{
	free(kind->name);
	free(kind->calls);
	free(kind->seat);
	free(kind->first);
}

void pl_report_fini(struct pl_report *r)
{
	for (size_t i = 0; r->label && i < r->n; i++)
		free(r->label[i]);
	for (size_t i = 0; i < r->n_orders; i++) {
		free(r->order[i].host_at);
		free(r->order[i].in_given.v);
		free(r->order[i].in_found.v);
	}
	for (size_t i = 0; i < r->n_kinds; i++)
		kind_fini(&r->kind[i]);
	for (size_t i = 0; i < r->n_facts; i++) {
		free(r->fact[i].key);
		free(r->fact[i].value);
	}
	free(r->label);
	free(r->rack);
	free(r->racks);
	free(r->order);
	free(r->time);
	free(r->speed);
	free(r->kind);
	free(r->fact);
	memset(r, 0, sizeof(*r));
}

int pl_report_add_time(struct pl_report *r, const struct pl_report_time *time)
{
	if (pl_array_grow((void **)&r->time, &r->times_room, r->n_times, sizeof(*r->time)))
		return -1;
	r->time[r->n_times++] = *time;
	return 0;
}

int pl_report_kind_take(struct pl_report *r, struct pl_report_kind *kind)
{
	if (!kind->name || !kind->calls || !kind->seat || !kind->first ||
	    pl_array_grow((void **)&r->kind, &r->kinds_room, r->n_kinds, sizeof(*r->kind))) {
		kind_fini(kind);
		return -1;
	}
	r->kind[r->n_kinds++] = *kind;
	return 0;
}

int pl_report_add(struct pl_report *r, enum pl_report_part part, const char *key, const char *fmt,
		  ...)
{
	struct pl_report_fact fact = {.part = part};
	va_list ap;
	int len;

	if (pl_array_grow((void **)&r->fact, &r->facts_room, r->n_facts, sizeof(*r->fact)))
		return -1;
	va_start(ap, fmt);
	len = vasprintf(&fact.value, fmt, ap);
	va_end(ap);
	if (len < 0)
		return -1;
	fact.key = pl_string_copy(key, strlen(key));
	if (!fact.key) {
		free(fact.value);
		return -1;
	}
	r->fact[r->n_facts++] = fact;
	return 0;
}

int pl_report_add_speed(struct pl_report *r, const struct pl_report_speed *speed)
{
	if (pl_array_grow((void **)&r->speed, &r->speeds_room, r->n_speeds, sizeof(*r->speed)))
		return -1;
	r->speed[r->n_speeds++] = *speed;
	return 0;
}

int pl_report_add_table(struct pl_report *r, const char *title, int (*write)(void *with, FILE *out),
			void *with)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int rc = out ? write(with, out) : -1;

	if (out && fclose(out))
		rc = -1;
	if (rc == 0)
		rc = pl_report_add(r, PL_REPORT_TABLE, title, "%s", text);
	free(text);
	return rc;
}

const char *pl_report_number(char buf[PL_REPORT_NUMBER], double value, enum pl_unit unit)
{
	static const char *const times[] = {"ns", "us", "ms", "s"};
	static const char *const rates[] = {"B/s", "kB/s", "MB/s", "GB/s"};
	const bool is_time = pl_unit_ns(unit) > 0;
	const char *const *names = is_time ? times : rates;
	double x = is_time ? value * pl_unit_ns(unit) : value;
	int k = 0;

	if (isnan(value)) {
		snprintf(buf, PL_REPORT_NUMBER, "-");
	} else if (!is_time && unit != PL_BYTES_PER_S) {
		snprintf(buf, PL_REPORT_NUMBER, "%.6g %s", value, pl_unit_name(unit));
	} else {
		while (k < 3 && fabs(x) >= 999.95) {
			x /= 1000;
			k++;
		}
		/* no exponents, whatever the number */
		snprintf(buf, PL_REPORT_NUMBER,
			 fabs(x) < 1e9 && (x == 0 || fabs(x) >= 1e-3)
				 ? fabs(x) >= 999.95 ? "%.0f %s" : "%.4g %s"
				 : "%.3e %s",
			 x, names[k]);
	}
	return buf;
}

const char *pl_report_rack_name(char buf[PL_REPORT_RACK], const struct pl_report *r, size_t rack)
{
	if (r->from.rack_name)
		snprintf(buf, PL_REPORT_RACK, "%s", r->from.rack_name[rack]);
	else
		snprintf(buf, PL_REPORT_RACK, "rack %zu", rack + 1);
	return buf;
}

const char *pl_report_value(char buf[PL_REPORT_NUMBER], const struct pl_report *r, double value)
{
	if (r->from.traffic)
		return pl_report_bytes(buf, value);
	return pl_report_number(buf, value, r->from.matrix->layer[0].unit);
}

pl_report_write_fn *pl_report_writer(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (!dot)
		return NULL;
	if (!strcasecmp(dot, ".html") || !strcasecmp(dot, ".htm"))
		return pl_report_write_html;
	return strcasecmp(dot, ".svg") == 0 ? pl_report_write_svg : NULL;
}

int pl_report_check_path(const char *option, const char *path, struct pl_err *err)
{
	const char *dot = strrchr(path, '.');

	if (pl_report_writer(path))
		return 0;
	if (dot && strcasecmp(dot, ".png") == 0)
		return pl_err_set(
			err, PL_EUSAGE,
			"%s: PNG is not written: write FILE.svg, then rsvg-convert FILE.svg >%s",
			option, path);
	return pl_err_set(err, PL_EUSAGE, "%s: %s ends neither in .html nor in .svg", option, path);
}
