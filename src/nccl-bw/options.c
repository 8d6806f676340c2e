/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-nccl-bw, and what its launcher says */
#include "config.h"

#include "src/nccl-bw/nccl-bw.h"

#include "base/text/number.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_S 60
#define DAY_S 86400
#define BYTES (16 << 20)

/* clang-format off */
const char nccl_bw_help[] =
"Usage: LAUNCHER plink-nccl-bw [OPTION]...\n"
"Measures the network between hosts with GPUs by NCCL, a process for each GPU,\n"
"and writes a matrix.\n"
"\n"
"  -o, --output=FILE        write there instead of standard output (rank 0)\n"
"      --address=HOST:PORT  of rank 0, where the ranks meet (MASTER_ADDR and\n"
"                           MASTER_PORT)\n"
"      --nccl=FILE          the NCCL to use (libnccl.so.2 of the dynamic linker)\n"
"      --size=BYTES         of transfers (16M); 0: measure only round trips\n"
"      --repeat=N           messages for each pair, direction and length (20)\n"
"      --timeout=TIME       the longest wait for another rank (60s)\n"
"  -q, --quiet              say only what is wrong\n"
"  -v, --verbose            say more\n"
"  -h, --help               this text\n"
"  -V, --version            version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 name of a host, 4 NCCL, CUDA, a rank or the file\n"
"fails.\n";

#define AT(member) PL_OPTION_AT(struct nccl_bw_options, member)

static const struct pl_option table[] = {
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{"address", required_argument, 0, pl_take_filled, AT(address)},
	{"nccl", required_argument, 0, pl_take_filled, AT(nccl)},
	{"size", required_argument, 0, pl_take_size, AT(bytes),
	 .min = 0, .max = (uint64_t)4 << 30},
	{"repeat", required_argument, 0, pl_take_whole, AT(repeat),
	 .min = 1, .max = 1000},
	{"timeout", required_argument, 0, pl_take_seconds, AT(timeout_s),
	 .least = 0.001, .most = DAY_S},
	{0},
};
/* clang-format on */

int nccl_bw_options_parse(struct nccl_bw_options *o, int argc, char **argv, struct pl_err *err)
{
	static const struct pl_options options = {
		.tool = NCCL_BW_TOOL,
		.option = table,
		.help = nccl_bw_help,
		.verbose = offsetof(struct nccl_bw_options, verbose)};

	*o = (struct nccl_bw_options){.bytes = BYTES, .repeat = 20, .timeout_s = TIMEOUT_S};
	if (pl_options_take(&options, argc, argv, o, &o->asked, err))
		return -1;
	if (o->asked != PL_ASKED_HELP && o->asked != PL_ASKED_VERSION && optind < argc)
		return pl_err_set(err, PL_EUSAGE,
				  "unexpected argument \"%s\": the hosts are those of the launcher",
				  argv[optind]);
	return 0;
}

static int take_number(const char *name, int64_t least, int64_t most, int64_t *value,
		       struct pl_err *err)
{
	const char *s = getenv(name);

	if (s && pl_int_parse(s, strlen(s), least, most, value) == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "%s=%s: a number from %lld to %lld must stand here", name,
			  s ? s : "", (long long)least, (long long)most);
}

int nccl_bw_options_rank(struct nccl_bw_options *o, struct pl_err *err)
{
	static const char *const names[][2] = {
		{"RANK", "WORLD_SIZE"},
		{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
		{"PMI_RANK", "PMI_SIZE"},
		{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
	};
	int64_t n, rank;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!getenv(names[i][0]) || !getenv(names[i][1]))
			continue;
		if (take_number(names[i][1], 2, INT_MAX, &n, err) ||
		    take_number(names[i][0], 0, n - 1, &rank, err))
			return -1;
		o->rank = (int)rank;
		o->n = (int)n;
		return 0;
	}
	return pl_err_set(err, PL_EUSAGE,
			  "no launcher has said which rank this is (RANK and WORLD_SIZE)");
}

int nccl_bw_options_address(struct nccl_bw_options *o, char *address, size_t room,
			    struct pl_err *err)
{
	const char *host = getenv("MASTER_ADDR"), *port = getenv("MASTER_PORT");
	int64_t number;

	if (o->address)
		return 0;
	if (!host || !*host || !port)
		return pl_err_set(err, PL_EUSAGE,
				  "where do the ranks meet? --address=HOST:PORT of rank 0, or "
				  "MASTER_ADDR and MASTER_PORT");
	if (take_number("MASTER_PORT", 1, 65534, &number, err))
		return -1;
	if (getenv("TORCHELASTIC_RUN_ID")) /* torchrun itself has that one */
		number++;
	snprintf(address, room, strchr(host, ':') ? "[%s]:%lld" : "%s:%lld", host,
		 (long long)number);
	o->address = address;
	return 0;
}
