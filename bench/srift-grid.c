/* SPDX-License-Identifier: BSD-3-Clause */
/* srift-grid.c - prints a made-up grid of measurements for plink-srift train */
#include "config.h"

#include "bench/made-grid.h"
#include "bench/options.h"
#include "src/common/tool.h"

#define TOOL "srift-grid"

static const char help[] =
	"usage: srift-grid [OPTION]...\n"
	"Prints plink-grid(5): all-reduces of 4 bytes to the largest size, by 2 ranks and\n"
	"more, on made-up machines; times have lognormal noise, and the last column is the\n"
	"bus bandwidth without it.\n"
	"\n"
	"  --machines=N  up to 6 (default 6)\n"
	"  --bytes=N     the largest size (default 536870912)\n"
	"  --ranks=N     the most (default 64)\n"
	"  --async=N     transfers at once, the most (default 4)\n"
	"  --repeats=N   of each (default 3)\n"
	"  --noise=N     in percent (default 10)\n"
	"  --seed=N      (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

int main(int argc, char **argv)
{
	int64_t seed = 1, noise = 10;
	struct made_grid g = {
		.n_machines = MADE_MACHINES,
		.n_repeats = 3,
		.bytes_max = 512 << 20,
		.ranks_max = 64,
		.async_max = 4,
	};
	const struct bench_option options[] = {
		{"machines", .whole = &g.n_machines, .least = 1, .most = MADE_MACHINES},
		{"bytes", .whole = &g.bytes_max, .least = 4, .most = (int64_t)1 << 40},
		{"ranks", .whole = &g.ranks_max, .least = 2, .most = 1 << 19},
		{"async", .whole = &g.async_max, .least = 1, .most = 1 << 10},
		{"repeats", .whole = &g.n_repeats, .least = 1, .most = 1000},
		{"noise", .whole = &noise, .least = 0, .most = 100},
		{"seed", .whole = &seed, .least = 0, .most = INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);

	if (status >= 0)
		return status;
	g.seed = (uint64_t)seed;
	g.noise = (double)noise / 100;
	made_grid_write(&g, stdout);
	return pl_tool_end_output(TOOL);
}
