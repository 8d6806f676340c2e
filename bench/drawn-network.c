/* SPDX-License-Identifier: BSD-3-Clause */
/* drawn-network.c - for benches: a network of racks and a given order, both drawn */
#include "config.h"

#include "bench/options.h"
#include "base/matrix/message-cost.h"
#include "base/rng.h"
#include "base/text/number.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TOOL "drawn-network"
#define HOSTS_MAX 80
#define RACKS_MAX 5
#define NOISE 0.05      /* of a pair's delay, either way */
#define CELL_NOISE 0.01 /* of a cell, with --lan */
#define CARD_NOISE 0.02
#define ONE_WAY 0.3    /* of a pair's delay: longer there, shorter back, at most */
#define PROBE_S 3e-6   /* of a round trip: what plink-probe's packets cost a host */
#define COST_NOISE 0.4 /* of what messages cost it, either way */

static const char help[] =
	"usage: drawn-network [OPTION]...\n"
	"Prints the matrix of one-way delays of machines in racks, listed in a\n"
	"given order, as plink-testbed takes it.\n"
	"\n"
	"  --network=K    the K-th; of twelve that follow one another each\n"
	"                 given order comes three times and each number of\n"
	"                 machines, 8, 12 and 16, four times (1)\n"
	"  --seed=N       (1)\n"
	"  --racks=A,B,.. machines in each of up to 5 racks (drawn: 2 to 5\n"
	"                 racks, of equal sizes and not, by turns)\n"
	"  --order=NAME   shuffled; racks: rack after rack; turned: the same\n"
	"                 turned by one place; alternating: racks in turn\n"
	"                 (by turns)\n"
	"  --lan          as in one data centre: round trips of 100 us in a\n"
	"                 rack, 400 us between two, 6 to 20 machines in 2 to\n"
	"                 4 racks, cards of 1, 10 and 25 Gbit/s by turns;\n"
	"                 every fourth network has one-way times, other ones\n"
	"                 there than back\n"
	"  --near=US, --far=US, --hosts=N  with --lan: of these instead\n"
	"  --uplinks=K    with --lan: each rack has an uplink with the rate of\n"
	"                 a K-th of its cards, 0: none (0)\n"
	"  --costs        with --lan: messages cost each machine what they cost\n"
	"                 real ones, and plink-probe's packets 3 us more\n"
	"  --scale=K      with --lan: delays so many times as long, cards as\n"
	"                 many times slower (1)\n"
	"  --help, --version\n"
	"But for --lan, in a rack 100 to 500 us, between two racks 2000 to 5000\n"
	"us, of each rack and each two of them its own. Each pair has 5 % of\n"
	"noise; with --lan each cell has 1 % more, and each card 2 %.\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

static const char *const orders[] = {"shuffled", "racks", "turned", "alternating"};
#define N_ORDERS (sizeof(orders) / sizeof(*orders))

struct network {
	const char *order, *racks; /* "": not asked for */
	int64_t number, seed, scale, near_us, far_us, uplinks;
	bool lan, costs;
	size_t n, n_racks;
	size_t size[RACKS_MAX];
	size_t rack[HOSTS_MAX];     /* by place in the given order */
	double probe_us[HOSTS_MAX]; /* of a host's part in a round trip */
	double delay_us[RACKS_MAX][RACKS_MAX];
	struct pl_rng rng;
};

static bool are_equal(const struct network *net)
{
	for (size_t r = 1; r < net->n_racks; r++)
		if (net->size[r] != net->size[0])
			return false;
	return true;
}

/* Each rack has one host at least, the others stand anywhere. */
static void draw_unequal(struct network *net)
{
	do {
		for (size_t r = 0; r < net->n_racks; r++)
			net->size[r] = 1;
		for (size_t i = net->n_racks; i < net->n; i++)
			net->size[pl_rng_below(&net->rng, net->n_racks)]++;
	} while (are_equal(net));
}

static void draw_racks(struct network *net)
{
	const size_t turn = (size_t)net->number - 1;
	const bool equal = turn / 4 % 2 == 0;
	static const size_t sizes[] = {6, 8, 10, 12, 16, 20};

	if (net->n == 0)
		net->n = net->lan ? sizes[turn % 6] : 8 + 4 * (turn % 3);
	do
		net->n_racks = 2 + pl_rng_below(&net->rng, RACKS_MAX - (net->lan ? 2 : 1));
	while (equal && net->n % net->n_racks);
	for (size_t r = 0; r < net->n_racks; r++)
		net->size[r] = net->n / net->n_racks;
	if (!equal)
		draw_unequal(net);
}

/* "2,2,4" */
static int take_racks(struct network *net)
{
	const char *s = net->racks;

	for (;;) {
		const size_t len = strcspn(s, ",");
		int64_t size;

		if (net->n_racks == RACKS_MAX ||
		    pl_int_parse(s, len, 1, HOSTS_MAX / RACKS_MAX, &size))
			return -1;
		net->size[net->n_racks++] = (size_t)size;
		net->n += (size_t)size;
		if (s[len] == '\0')
			return 0;
		s += len + 1;
	}
}

static void draw_delays(struct network *net)
{
	for (size_t a = 0; a < net->n_racks; a++)
		for (size_t b = 0; b <= a; b++) {
			const double u = pl_rng_double(&net->rng);
			const int64_t lan_us = a == b ? net->near_us : net->far_us;
			const double us = net->lan ? (double)(net->scale * lan_us)
					  : a == b ? 100 + 400 * u
						   : 2000 + 3000 * u;

			net->delay_us[a][b] = net->delay_us[b][a] = us;
		}
}

static void place_in_turn(struct network *net)
{
	size_t left[RACKS_MAX];
	size_t place = 0;

	memcpy(left, net->size, sizeof(left));
	for (size_t r = 0; place < net->n; r = (r + 1) % net->n_racks)
		if (left[r]) {
			left[r]--;
			net->rack[place++] = r;
		}
}

static void place_by_rack(struct network *net, size_t first)
{
	size_t place = 0;

	for (size_t r = 0; r < net->n_racks; r++)
		for (size_t k = 0; k < net->size[r]; k++)
			net->rack[(first + place++) % net->n] = r;
}

static void place_hosts(struct network *net)
{
	if (!strcmp(net->order, "alternating"))
		place_in_turn(net);
	else
		place_by_rack(net, !strcmp(net->order, "turned"));
	if (!strcmp(net->order, "shuffled"))
		pl_rng_shuffle(&net->rng, net->rack, net->n);
}

static bool is_one_way(const struct network *net)
{
	return !net->lan || net->number % 4 == 0;
}

/* From 1 - @width to 1 + @width. */
static double noise(struct network *net, double width)
{
	return 1 + width * (2 * pl_rng_double(&net->rng) - 1);
}

static void print_rates(struct network *net)
{
	static const double gbit[] = {1, 10, 25};
	const double rate = gbit[(size_t)net->number % 3] / (double)net->scale;

	for (size_t i = 0; net->lan && i < net->n; i++)
		printf("# card h%zu %.3gGbit %.3gGbit\n", i, rate * noise(net, CARD_NOISE),
		       rate * noise(net, CARD_NOISE));
	for (size_t r = 0; net->uplinks && r < net->n_racks; r++) {
		const double of_all = rate * (double)net->size[r] / (double)net->uplinks;

		printf("# uplink %zu %.3gGbit %.3gGbit\n", r, of_all, of_all);
	}
}

/* In the form that plink-probe has them in (plink-matrix(5)), around PL_MESSAGE_COST_DEFAULT. */
static void print_costs(struct network *net)
{
	const struct pl_message_cost usual = PL_MESSAGE_COST_DEFAULT;

	for (size_t i = 0; i < net->n; i++) {
		net->probe_us[i] = PROBE_S * 1e6 * noise(net, COST_NOISE);
		printf("# message h%zu 1 send-ns=%.0f recv-ns=%.0f wake-ns=%.0f spread-ns=%.0f "
		       "probe-ns=%.0f share-ppm=1000000 cores=8\n",
		       i, usual.send_s * 1e9 * noise(net, COST_NOISE),
		       usual.recv_s * 1e9 * noise(net, COST_NOISE),
		       usual.wake_s * 1e9 * noise(net, COST_NOISE), usual.spread_s * 1e9,
		       net->probe_us[i] * 1e3);
	}
}

static void print_head(struct network *net)
{
	printf("# plink-matrix 1\n# quantity %s\n# unit us\n"
	       "# statistic planted\n# symmetrize %s\n"
	       "# drawn network %" PRId64 ": %zu hosts, racks ",
	       is_one_way(net) ? "one-way" : "rtt", is_one_way(net) ? "none" : "max", net->number,
	       net->n);
	for (size_t r = 0; r < net->n_racks; r++)
		printf("%s%zu", r ? "+" : "", net->size[r]);
	printf(", order %s, seed %" PRId64 "\n", net->order, net->seed);
	for (size_t i = 0; i < net->n; i++)
		printf("# rack h%zu %zu\n", i, net->rack[i]);
	print_rates(net);
	if (net->costs)
		print_costs(net);
}

/* The two cells of a pair whose delay is @us. */
static void draw_pair(struct network *net, double us, double *there, double *back)
{
	const double longer = net->lan && is_one_way(net) ? noise(net, ONE_WAY) : 1;

	us *= noise(net, NOISE);
	if (net->lan && is_one_way(net))
		us /= 2;
	*there = us * longer * (net->lan ? noise(net, CELL_NOISE) : 1);
	*back = us * (2 - longer) * (net->lan ? noise(net, CELL_NOISE) : 1);
}

/* What is measured of it contains what its packets cost the hosts. */
static double measured_us(const struct network *net, double us, size_t i, size_t j)
{
	const double probes_us = i == j ? 0 : net->probe_us[i] + net->probe_us[j];

	return us + (is_one_way(net) ? probes_us / 2 : probes_us);
}

static void print(struct network *net)
{
	double cell[HOSTS_MAX][HOSTS_MAX] = {{0}};

	for (size_t i = 0; i < net->n; i++)
		for (size_t j = 0; j < i; j++)
			draw_pair(net, net->delay_us[net->rack[i]][net->rack[j]], &cell[i][j],
				  &cell[j][i]);
	print_head(net);
	for (size_t i = 0; i < net->n; i++) {
		printf("h%zu", i);
		for (size_t j = 0; j < net->n; j++)
			printf(" %.1f", measured_us(net, cell[i][j], i, j));
		putchar('\n');
	}
}

static bool is_order(const char *name)
{
	for (size_t i = 0; i < N_ORDERS; i++)
		if (!strcmp(orders[i], name))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct network net = {.order = "",
			      .racks = "",
			      .number = 1,
			      .seed = 1,
			      .scale = 1,
			      .near_us = 100,
			      .far_us = 400};
	int64_t hosts = 0;
	const struct bench_option options[] = {
		{"network", .whole = &net.number, .least = 1, .most = 1000000},
		{"seed", .whole = &net.seed, .least = 1, .most = INT64_MAX},
		{"racks", .text = &net.racks},
		{"order", .text = &net.order},
		{"lan", .given = &net.lan},
		{"scale", .whole = &net.scale, .least = 1, .most = 1000},
		{"near", .whole = &net.near_us, .least = 1, .most = 1000000},
		{"far", .whole = &net.far_us, .least = 1, .most = 1000000},
		{"hosts", .whole = &hosts, .least = RACKS_MAX, .most = HOSTS_MAX},
		{"uplinks", .whole = &net.uplinks, .most = 100},
		{"costs", .given = &net.costs},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	if (!*net.order && net.lan)
		net.order = orders[0];
	if (!*net.order)
		net.order = orders[(net.number - 1) % N_ORDERS];
	if (!is_order(net.order))
		return pl_tool_usage(TOOL, "no order \"%s\"", net.order);
	pl_rng_init(&net.rng, (uint64_t)net.seed, (uint64_t)net.number);
	net.n = *net.racks ? 0 : (size_t)hosts;
	if (!*net.racks)
		draw_racks(&net);
	else if (take_racks(&net))
		return pl_tool_usage(TOOL, "--racks: what is \"%s\"?", net.racks);
	draw_delays(&net);
	place_hosts(&net);
	print(&net);
	if (fflush(stdout)) {
		pl_err_errno(&err, "cannot write");
		return pl_tool_fail(TOOL, &err);
	}
	return PL_EXIT_DONE;
}
