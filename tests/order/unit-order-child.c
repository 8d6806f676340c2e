/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-order-child.c - programs plink-order runs, and commands it prints */
#include "config.h"

#include "base/child.h"
#include "base/text/shell.h"
#include "src/common/tool.h"
#include "src/order/launch.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <unistd.h>

/* Runs `sh -c script`; *out is the caller's. */
static int run(char *script, int64_t timeout_ns, const volatile sig_atomic_t *stop, char **out,
	       int *status, struct pl_err *err)
{
	char sh[] = "sh", option[] = "-c";
	char *const argv[] = {sh, option, script, NULL};
	const struct pl_child_options o = {
		.argv = argv,
		.err_to = PL_CHILD_STDERR_DROPPED,
		.timeout_ns = timeout_ns,
		.stop = stop,
	};
	size_t len;

	memset(err, 0, sizeof(*err));
	return pl_child_run(&o, out, &len, status, err);
}

#define LONG_NS (60 * (int64_t)1000000000)

static void test_output(void)
{
	char says[] = "echo one; echo two >&2; cat; exit 7";
	char dies[] = "kill -9 $$", much[] = "exec yes";
	char none[] = "no-such-program-anywhere";
	char *const argv[] = {none, NULL};
	const struct pl_child_options o = {.argv = argv, .timeout_ns = LONG_NS};
	struct pl_err err;
	char *out;
	size_t len;
	int status = 0;

	ok(!run(says, LONG_NS, NULL, &out, &status, &err), "a program");
	is_str(out, "one\n", "its output alone, and nothing on its stdin");
	is_int(status, 7, "its status");
	free(out);
	ok(!run(dies, LONG_NS, NULL, &out, &status, &err), "one that dies");
	is_int(status, 128 + SIGKILL, "its signal");
	free(out);
	is_int(run(much, LONG_NS, NULL, &out, &status, &err), -1, "one that never ends its output");
	has_str(err.text, "too much output", "and why it was ended");
	ok(!pl_child_run(&o, &out, &len, &status, &err) && status == 127,
	   "one that is not there: 127");
	is_str(out, "", "and no output");
	free(out);
}

/* The script's own child holds the pipe: only its group's end frees us. */
static void test_end(void)
{
	char hangs[] = "sleep 1000 & sleep 1000";
	const volatile sig_atomic_t stop = 1;
	struct pl_err err;
	char *out;
	int status = 0;

	is_int(run(hangs, 200000000, NULL, &out, &status, &err), -1, "one that hangs: ended");
	ok(err.code == PL_EPARTIAL && strstr(err.text, "did not end within"),
	   "and said to have hung");
	is_int(run(hangs, LONG_NS, &stop, &out, &status, &err), -1, "told to stop: ended");
	has_str(err.text, "interrupted", "and said to be interrupted");
}

static void check_ways(enum pl_mpi_kind kind, enum pl_reorder_format format,
		       const struct pl_mpi_ways *ways, const char *want)
{
	static const char *const app[] = {"./a b", "it's", "", NULL};
	const struct pl_mpi mpi = {.kind = kind};
	const struct pl_mpi_job job = {.mpirun = "mpirun",
				       .file = "h f",
				       .format = format,
				       .n_ranks = 3,
				       .ways = ways,
				       .app = app};
	struct pl_words words = {0};
	char *command = NULL;

	if (pl_mpi_command(&mpi, &job, &words) == 0)
		command = pl_shell_command(words.v);
	is_str(command, want, want ? want : "no way to follow such a file");
	free(command);
	pl_words_fini(&words);
}

static void check_command(enum pl_mpi_kind kind, enum pl_reorder_format format, const char *want)
{
	check_ways(kind, format, NULL, want);
}

#define APP " './a b' 'it'\\''s' ''"

static void test_commands(void)
{
	setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
	setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
	check_command(PL_MPI_OPENMPI_4, PL_FORMAT_HOSTFILE,
		      "mpirun --hostfile 'h f' --map-by seq -np 3" APP);
	check_command(PL_MPI_OPENMPI_4, PL_FORMAT_RANKFILE, "mpirun --rankfile 'h f' -np 3" APP);
	check_command(PL_MPI_OPENMPI_5, PL_FORMAT_SEQ,
		      "mpirun --hostfile 'h f' --map-by seq -np 3" APP);
	check_command(PL_MPI_OPENMPI_5, PL_FORMAT_RANKFILE,
		      "mpirun --map-by 'rankfile:file=h f' -np 3" APP);
	check_command(PL_MPI_MPICH, PL_FORMAT_HOSTFILE, "mpirun -f 'h f' -n 3" APP);
	check_command(PL_MPI_MPICH, PL_FORMAT_RANKFILE, NULL);
	check_command(PL_MPI_OTHER, PL_FORMAT_HOSTFILE, NULL);
	check_command(PL_MPI_MPICH, PL_FORMAT_MPICH, "mpirun -f 'h f' -n 3" APP);
	check_command(PL_MPI_NONE, PL_FORMAT_MPICH, "mpirun -f 'h f' -n 3" APP);
	check_command(PL_MPI_NONE, PL_FORMAT_SLURM,
		      "env 'SLURM_HOSTFILE=h f' srun -m arbitrary -n 3" APP);
	unsetenv("OMPI_ALLOW_RUN_AS_ROOT");
	check_command(PL_MPI_OPENMPI_4, PL_FORMAT_SEQ,
		      geteuid() == 0
			      ? "mpirun --allow-run-as-root --hostfile 'h f' --map-by seq -np 3" APP
			      : "mpirun --hostfile 'h f' --map-by seq -np 3" APP);
}

/* How hosts are reached, where that needs options. */
static void test_ways(void)
{
	char logins[] = "2", network[] = "10.8.0.0/24", agent[] = "ssh -l me";
	const struct pl_mpi_ways none = {0},
				 all = {.logins = logins, .network = network, .renamed = true};
	const struct pl_mpi_ways own = {.launch = "ssh -l me %h", .agent = agent};

	setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
	check_ways(PL_MPI_OPENMPI_4, PL_FORMAT_HOSTFILE, &own,
		   "mpirun --hostfile 'h f' --map-by seq -np 3 "
		   "--mca plm_rsh_agent 'ssh -l me'" APP);
	check_ways(PL_MPI_OPENMPI_5, PL_FORMAT_HOSTFILE, &own,
		   "mpirun --hostfile 'h f' --map-by seq -np 3" APP);
	check_ways(PL_MPI_OPENMPI_4, PL_FORMAT_HOSTFILE, &none,
		   "mpirun --hostfile 'h f' --map-by seq -np 3" APP);
	check_ways(PL_MPI_OPENMPI_4, PL_FORMAT_HOSTFILE, &all,
		   "mpirun --hostfile 'h f' --map-by seq -np 3 --mca if_base_do_not_resolve 1 "
		   "--mca plm_rsh_no_tree_spawn 1 --mca plm_rsh_num_concurrent 2 --mca "
		   "btl_tcp_if_include 10.8.0.0/24" APP);
	check_ways(PL_MPI_OPENMPI_5, PL_FORMAT_HOSTFILE, &all,
		   "mpirun --hostfile 'h f' --map-by seq -np 3 --mca btl_tcp_if_include "
		   "10.8.0.0/24" APP);
	check_ways(PL_MPI_MPICH, PL_FORMAT_HOSTFILE, &all, "mpirun -f 'h f' -n 3" APP);
	check_ways(PL_MPI_NONE, PL_FORMAT_SLURM, &all,
		   "env 'SLURM_HOSTFILE=h f' OMPI_MCA_btl_tcp_if_include=10.8.0.0/24 srun -m "
		   "arbitrary -n 3" APP);
}

int main(void)
{
	test_output();
	test_end();
	test_commands();
	test_ways();
	return done_testing();
}
