/* SPDX-License-Identifier: BSD-3-Clause */
/* first.c - which hosts may be the first of an order */
#include "config.h"

#include "order/first.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void pl_order_first_fini(struct pl_order_first *f)
{
	free(f->may);
	memset(f, 0, sizeof(*f));
}

static bool is_named(const struct pl_host *host, const char *name, size_t len)
{
	return strncmp(host->name, name, len) == 0 && host->name[len] == '\0';
}

/* Sets @may for all entries of that host; returns how many there are. */
static size_t mark(struct pl_order_first *f, const struct pl_hosts *hosts, const char *name,
		   size_t len, bool may)
{
	size_t n_marked = 0;

	for (size_t h = 0; h < hosts->n; h++)
		if (is_named(&hosts->v[h], name, len)) {
			f->may[h] = may;
			n_marked++;
		}
	return n_marked;
}

static bool is_dropped(const struct pl_order_input *in, const char *name, size_t len)
{
	for (size_t h = 0; h < in->dropped.n; h++)
		if (is_named(&in->dropped.v[h], name, len))
			return true;
	return false;
}

static int stranger(const char *option, const char *name, size_t len, struct pl_err *err)
{
	return pl_err_set(err, PL_EINPUT, "--%s: host \"%.*s\" is not in the list", option,
			  (int)len, name);
}

/* All hosts but those in the list "a,b,c". */
static int forbid(struct pl_order_first *f, const struct pl_order_input *in, const char *list,
		  struct pl_err *err)
{
	for (const char *name = list, *end; name; name = *end ? end + 1 : NULL) {
		const size_t len = strcspn(name, ",");

		end = name + len;
		if (mark(f, &in->hosts, name, len, false) == 0 && !is_dropped(in, name, len))
			return stranger("not-first", name, len, err);
	}
	for (size_t h = 0; h < in->hosts.n; h++)
		if (f->may[h])
			return 0;
	return pl_err_set(err, PL_EINPUT, "--not-first leaves no host to come first");
}

static int fill(struct pl_order_first *f, const struct pl_order_input *in,
		const struct pl_order_request *q, struct pl_err *err)
{
	for (size_t h = 0; h < in->hosts.n; h++)
		f->may[h] = !q->pin;
	if (q->pin && mark(f, &in->hosts, q->pin, strlen(q->pin), true) == 0)
		return stranger("pin", q->pin, strlen(q->pin), err);
	return q->not_first ? forbid(f, in, q->not_first, err) : 0;
}

static int find_symmetry(struct pl_order_first *f, const struct pl_order_input *in,
			 const struct pl_order_model *m, struct pl_err *err)
{
	const size_t n = m->n_seats;

	f->choosing = n < in->hosts.n;
	if (!m->ring)
		return pl_symmetry_find(&f->symmetry, &m->shape, &m->costs, n,
					pl_order_slots(&in->hosts), err);
	f->symmetry = pl_symmetry_of_ring(n);
	return 0;
}

int pl_order_first_init(struct pl_order_first *f, const struct pl_order_input *in,
			const struct pl_order_model *m, const struct pl_order_request *q,
			struct pl_err *err)
{
	memset(f, 0, sizeof(*f));
	if (!q->pin && !q->not_first)
		return 0;
	f->may = pl_array_create(in->hosts.n, sizeof(*f->may));
	if (!f->may)
		return pl_err_nomem(err);
	if (fill(f, in, q, err) || find_symmetry(f, in, m, err)) {
		pl_order_first_fini(f);
		return -1;
	}
	return 0;
}

bool pl_order_first_matters(const struct pl_order_first *f)
{
	return f->may && (f->choosing || !f->symmetry.free);
}

/* Of the seats 0 .. n - 1, the one whose host may come first and comes before all others that may
 * in the given order; n: there is none. */
static size_t find_seat(const struct pl_order_first *f, const size_t *host_at, size_t n)
{
	size_t found = n;

	for (size_t k = 0; k < n; k++)
		if (f->may[host_at[k]] && (found == n || host_at[k] < host_at[found]))
			found = k;
	return found;
}

void pl_order_first_seat(const struct pl_order_first *f, size_t *host_at, size_t n)
{
	const size_t n_turned = f->symmetry.free ? f->symmetry.n : 1;
	const size_t host = host_at[0];
	size_t seat;

	if (!pl_order_first_matters(f) || find_seat(f, host_at, n_turned) < n_turned)
		return;
	seat = find_seat(f, host_at, n);
	host_at[0] = host_at[seat];
	host_at[seat] = host;
}

int pl_order_first_turn(const struct pl_order_first *f, size_t *host_at, struct pl_err *err)
{
	if (!f->may || !f->symmetry.free || f->may[host_at[0]])
		return 0;
	return pl_symmetry_turn(&f->symmetry, find_seat(f, host_at, f->symmetry.n), host_at, err);
}
