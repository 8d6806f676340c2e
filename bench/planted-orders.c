/* SPDX-License-Identifier: BSD-3-Clause */
/* planted-orders.c - orders to compare: given, rack by rack, alternating, random */
#include "config.h"

#include "src/matrix.h"
#include "src/mem.h"
#include "src/number.h"
#include "src/outfile.h"
#include "src/rng.h"
#include "src/tool.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL "planted-orders"
#define RANDOM_MAX 99

static const char help[] =
	"usage: planted-orders [--random=N] [--seed=N] MATRIX DIR\n"
	"Reads which host is in which rack (lines \"# rack HOST NUMBER\") and "
	"writes\n"
	"orders, a host a line, to DIR/given, DIR/best (rack by rack: the "
	"cheapest ring),\n"
	"DIR/worst (racks in turn: every hop of a ring leaves its rack) and\n"
	"DIR/random-01, ...\n"
	"\n"
	"  --random=N    random orders, 0 to 99 (default 10)\n"
	"  --seed=N      of the random orders (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

struct args {
	int64_t n_random;
	uint64_t seed;
	const char *matrix, *dir;
};

/* One host in its rack; place is its number among the rack's hosts. */
struct seat {
	int64_t rack;
	size_t place, host;
};

/* "# rack h3 2": the host's index and the rack's number. */
static int parse_rack(const struct pl_matrix *m, const struct pl_header *h,
		      struct seat *seat, struct pl_err *err)
{
	const char *blank = strrchr(h->value, ' ');
	char *name =
		blank ? pl_string_copy(h->value, (size_t)(blank - h->value))
		      : NULL;
	ptrdiff_t host = name ? pl_hosts_find(&m->hosts, name) : -1;

	free(name);
	if (host < 0 || pl_int_parse(blank + 1, strlen(blank + 1), 0, INT32_MAX,
				     &seat->rack))
		return pl_err_set(err, PL_EINPUT, "bad line \"# rack %s\"",
				  h->value);
	seat->host = (size_t)host;
	return 0;
}

/* seat[n], indexed by host, with places in the order given. */
static int read_seats(const struct pl_matrix *m, struct seat *seat,
		      struct pl_err *err)
{
	const size_t n = m->hosts.n;
	struct seat one;

	for (size_t i = 0; i < n; i++)
		seat[i] = (struct seat){.rack = -1, .host = i};
	for (size_t i = 0; i < m->n_headers; i++) {
		if (strcmp(m->header[i].key, "rack"))
			continue;
		if (parse_rack(m, &m->header[i], &one, err))
			return -1;
		seat[one.host].rack = one.rack;
	}
	for (size_t i = 0; i < n; i++) {
		if (seat[i].rack < 0)
			return pl_err_set(err, PL_EINPUT, "no rack for host %s",
					  m->hosts.v[i].name);
		for (size_t j = 0; j < i; j++)
			seat[i].place += seat[j].rack == seat[i].rack;
	}
	return 0;
}

static int by_number(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_rack(const void *a, const void *b)
{
	const struct seat *x = a, *y = b;
	const int racks = by_number(x->rack, y->rack);

	return racks ? racks : by_number((int64_t)x->place, (int64_t)y->place);
}

static int by_place(const void *a, const void *b)
{
	const struct seat *x = a, *y = b;
	const int places = by_number((int64_t)x->place, (int64_t)y->place);

	return places ? places : by_number(x->rack, y->rack);
}

static int write_order(const struct args *args, const char *name,
		       const struct pl_matrix *m, const size_t *host,
		       struct pl_err *err)
{
	struct pl_outfile out = {0};
	char path[4096];
	const int len = snprintf(path, sizeof(path), "%s/%s", args->dir, name);

	if (len < 0 || (size_t)len >= sizeof(path))
		return pl_err_set(err, PL_EUSAGE, "path too long: %s",
				  args->dir);
	if (pl_outfile_open(&out, path, err))
		return -1;
	for (size_t i = 0; i < m->hosts.n; i++)
		fprintf(out.f, "%s\n", m->hosts.v[host[i]].name);
	return pl_outfile_commit(&out, err);
}

static int write_random(const struct args *args, const struct pl_matrix *m,
			size_t *host, struct pl_err *err)
{
	char name[32];

	for (int64_t k = 1; k <= args->n_random; k++) {
		struct pl_rng rng;

		pl_rng_init(&rng, args->seed, (uint64_t)k);
		pl_rng_shuffle(&rng, host, m->hosts.n);
		snprintf(name, sizeof(name), "random-%02" PRId64, k);
		if (write_order(args, name, m, host, err))
			return -1;
	}
	return 0;
}

/* Fills host[n] with the hosts of seat[n] sorted in that way. */
static void sort_hosts(struct seat *seat, size_t n,
		       int (*compare)(const void *, const void *), size_t *host)
{
	qsort(seat, n, sizeof(*seat), compare);
	for (size_t i = 0; i < n; i++)
		host[i] = seat[i].host;
}

/* host[n] is room to work in. */
static int write_all(const struct args *args, const struct pl_matrix *m,
		     struct seat *seat, size_t *host, struct pl_err *err)
{
	const size_t n = m->hosts.n;

	for (size_t i = 0; i < n; i++)
		host[i] = i;
	if (read_seats(m, seat, err) ||
	    write_order(args, "given", m, host, err) ||
	    write_random(args, m, host, err))
		return -1;
	sort_hosts(seat, n, by_rack, host);
	if (write_order(args, "best", m, host, err))
		return -1;
	sort_hosts(seat, n, by_place, host);
	return write_order(args, "worst", m, host, err);
}

static int run(const struct args *args, struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = PL_US};
	struct pl_matrix *m = pl_matrix_read(args->matrix, &options, err);
	struct seat *seat;
	size_t *host;
	int rc;

	if (!m)
		return -1;
	seat = pl_array_create(m->hosts.n, sizeof(*seat));
	host = pl_array_create(m->hosts.n, sizeof(*host));
	rc = seat && host ? write_all(args, m, seat, host, err)
			  : pl_err_nomem(err);
	free(host);
	free(seat);
	pl_matrix_destroy(m);
	return rc;
}

static int parse_number(const char *s, int64_t max, int64_t *out)
{
	return pl_int_parse(s, strlen(s), 0, max, out);
}

/* -1 to go on, or an exit status. */
static int parse_args(struct args *args, int argc, char **argv)
{
	static const struct option options[] = {
		{"random", required_argument, NULL, 'r'},
		{"seed", required_argument, NULL, 's'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0},
	};
	int64_t seed = 1;
	int option;

	*args = (struct args){.n_random = 10};
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return fflush(stdout) ? PL_EXIT_SYSTEM : PL_EXIT_DONE;
		}
		if (option == 'V')
			return pl_tool_version(TOOL);
		if (option == '?' ||
		    (option == 'r' &&
		     parse_number(optarg, RANDOM_MAX, &args->n_random)) ||
		    (option == 's' && parse_number(optarg, INT64_MAX, &seed)))
			return pl_tool_usage(TOOL, "bad option %s",
					     argv[optind - 1]);
	}
	if (argc - optind != 2)
		return pl_tool_usage(TOOL, "a matrix and a folder are needed");
	args->seed = (uint64_t)seed;
	args->matrix = argv[optind];
	args->dir = argv[optind + 1];
	return -1;
}

int main(int argc, char **argv)
{
	struct pl_err err = {0};
	struct args args;
	const int status = parse_args(&args, argc, argv);

	if (status >= 0)
		return status;
	if (run(&args, &err))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
