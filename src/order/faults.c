/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.c - which of plink-order's costs are missing, and which hosts are at fault */
#include "config.h"

#include "src/order/faults.h"

#include "base/mem.h"
#include "order/costs.h"
#include "probes/bandwidth/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* how the prober's note begins where no probe was answered */
#define NO_REPLY "no reply"
/* Hosts named one by one before the rest is only counted. */
#define NAMED_MAX 20
/* The search for the fewest hosts ends after looking at so many missing pairs: less than a
 * second. */
#define STEPS_MAX UINT64_C(100000000)

static bool lacks(const struct pl_order_input *in, size_t cell)
{
	return isnan(in->c[cell]) || (in->per_byte && isnan(in->per_byte[cell]));
}

void pl_faults_fini(struct pl_faults *f)
{
	free(f->gaps.first);
	free(f->gaps.peer);
	free(f->missing);
	free(f->taken);
}

/* Fills missing, sum, and in gaps.first[h + 1] how many pairs of host h
 * miss. */
static void count(const struct pl_order_input *in, struct pl_faults *f)
{
	const size_t n = in->hosts.n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const size_t lost =
				(size_t)lacks(in, i * n + j) + (size_t)lacks(in, j * n + i);

			f->sum += lost;
			f->missing[i] += lost;
			f->missing[j] += lost;
			f->gaps.first[i + 1] += lost > 0;
			f->gaps.first[j + 1] += lost > 0;
		}
}

static int list_gaps(const struct pl_order_input *in, struct pl_gaps *gaps)
{
	const size_t n = gaps->n;
	size_t at = 0;

	for (size_t h = 0; h < n; h++)
		gaps->first[h + 1] += gaps->first[h];
	gaps->peer = pl_array_create(gaps->first[n], sizeof(*gaps->peer));
	if (!gaps->peer)
		return -1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j && (lacks(in, i * n + j) || lacks(in, j * n + i)))
				gaps->peer[at++] = (uint32_t)j;
	return 0;
}

/* The text of a note about the host, without the host's name at its beginning. NULL: the note is
 * about another host. */
static const char *words_on(const struct pl_cell_note *note, const char *name)
{
	const char *text = pl_bandwidth_words(note);
	const size_t len = strlen(name);

	return !strncmp(text, name, len) && !strncmp(text + len, ": ", 2) ? text + len + 2 : NULL;
}

/* lost[m->hosts.n]: the hosts that notes say were lost */
static void find_lost(const struct pl_matrix *m, bool *lost)
{
	for (size_t k = 0; k < m->n_notes; k++) {
		const struct pl_cell_note *note = &m->note[k];
		const size_t ends[] = {note->src, note->dst};

		for (size_t e = 0; e < 2 && pl_bandwidth_lacks(m, note); e++)
			if (words_on(note, m->hosts.v[ends[e]].name))
				lost[ends[e]] = true;
	}
}

static bool are_taken(const struct pl_faults *f, size_t host)
{
	for (size_t k = f->gaps.first[host]; k < f->gaps.first[host + 1]; k++)
		if (!f->taken[f->gaps.peer[k]])
			return false;
	return true;
}

/* A host that was lost is at fault, not the one that it left a pair with. */
static int take_lost(struct pl_order_input *in, const struct pl_matrix *m, struct pl_faults *f)
{
	const size_t n = in->hosts.n, was = f->cover.n_taken;
	size_t *index = pl_array_create(n, sizeof(*index));
	bool *lost = pl_array_create(m->hosts.n, sizeof(*lost));
	const int rc = index && lost && !pl_order_match(in, m, index, NULL) ? 0 : -1;

	if (rc == 0)
		find_lost(m, lost);
	for (size_t h = 0; rc == 0 && h < n; h++)
		if (!f->taken[h] && f->missing[h] > 0 && lost[index[h]]) {
			f->taken[h] = true;
			f->cover.n_taken++;
		}
	for (size_t h = 0; rc == 0 && h < n; h++)
		if (f->taken[h] && !lost[index[h]] && are_taken(f, h)) {
			f->taken[h] = false;
			f->cover.n_taken--;
		}
	if (f->cover.n_taken > was)
		f->cover.n_least = f->cover.n_taken;
	free(index);
	free(lost);
	return rc;
}

int pl_faults_find(struct pl_order_input *in, const struct pl_matrix *m, struct pl_faults *f)
{
	const size_t n = in->hosts.n;

	f->gaps.n = n;
	f->gaps.first = pl_array_create(n + 1, sizeof(*f->gaps.first));
	f->missing = pl_array_create(n, sizeof(*f->missing));
	f->taken = pl_array_create(n, sizeof(*f->taken));
	if (!f->gaps.first || !f->missing || !f->taken)
		return -1;
	count(in, f);
	if (f->sum == 0)
		return 0;
	return list_gaps(in, &f->gaps) || pl_cover_find(&f->gaps, STEPS_MAX, f->taken, &f->cover) ||
			       take_lost(in, m, f)
		       ? -1
		       : 0;
}

/* Why the host's cells are missing: the note about the host itself, else the first note about any
 * of its pairs. NULL: there is none. */
static const char *reason(const struct pl_matrix *m, const char *name)
{
	const char *first = NULL;

	for (size_t i = 0; i < m->n_notes; i++) {
		const struct pl_cell_note *note = &m->note[i];
		const char *words;

		if ((strcmp(m->hosts.v[note->src].name, name) != 0 &&
		     strcmp(m->hosts.v[note->dst].name, name) != 0) ||
		    !pl_bandwidth_lacks(m, note)) /* the note says how the value
						   * was measured */
			continue;
		words = words_on(note, name);
		if (words)
			return words;
		first = first ? first : note->text;
	}
	return first;
}

/* True: it has not replied. */
static bool name_host(const struct pl_order_input *in, const struct pl_faults *f,
		      const struct pl_matrix *m, size_t h, struct pl_reorder_remarks *remarks)
{
	const char *why = reason(m, in->hosts.v[h].name);
	char label[PL_HOST_LABEL];

	pl_reorder_remark_warning(remarks, "%s: %zu of %zu cells missing%s%s",
				  pl_order_label(label, &in->hosts.v[h]), f->missing[h],
				  2 * (in->hosts.n - 1), why ? ": " : "", why ? why : "");
	return why && strncmp(why, NO_REPLY, strlen(NO_REPLY)) == 0;
}

size_t pl_faults_name_taken(const struct pl_order_input *in, const struct pl_faults *f,
			    const struct pl_matrix *m, struct pl_reorder_remarks *remarks)
{
	bool silent = false;
	size_t n = 0;

	for (size_t h = 0; h < in->hosts.n; h++)
		if (f->taken[h] && n++ < NAMED_MAX)
			silent |= name_host(in, f, m, h, remarks);
	if (n > NAMED_MAX)
		pl_reorder_remark_warning(remarks, "and %zu more hosts", n - NAMED_MAX);
	if (silent)
		pl_reorder_remark_warning(
			remarks, "where there is no reply, a firewall may stop UDP between "
				 "the hosts: open all ports, or those of --ports");
	return n;
}

void pl_faults_name(const struct pl_order_input *in, const struct pl_faults *f,
		    const struct pl_matrix *m, struct pl_reorder_remarks *remarks)
{
	const size_t n_named = pl_faults_name_taken(in, f, m, remarks);
	size_t n_others = 0;

	for (size_t h = 0; h < in->hosts.n; h++)
		n_others += f->missing[h] > 0 && !f->taken[h];
	if (n_others > 0)
		pl_reorder_remark_warning(remarks, "%zu other hosts lack only cells from and to %s",
					  n_others, n_named > 1 ? "these" : "this one");
}

size_t pl_faults_count(const struct pl_order_input *in, size_t *missing)
{
	const size_t n = in->hosts.n;
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			if (i == j || !lacks(in, i * n + j))
				continue;
			sum++;
			if (missing) {
				missing[i]++;
				missing[j]++;
			}
		}
	return sum;
}
