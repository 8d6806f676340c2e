/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.c - how mpirun and srun keep an order */
#include "config.h"

#include "src/order/launch.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds a copy; false: no room or no memory. */
static bool add(char *argv[PL_MPI_ARGS], const char *s)
{
	size_t n = 0;

	while (argv[n])
		n++;
	if (n + 1 >= PL_MPI_ARGS)
		return false;
	argv[n] = pl_string_copy(s, strlen(s));
	argv[n + 1] = NULL;
	return argv[n] != NULL;
}

static bool add_all(char *argv[PL_MPI_ARGS], const char *const *words)
{
	bool good = true;

	for (size_t i = 0; good && words[i]; i++)
		good = add(argv, words[i]);
	return good;
}

/* Open MPI refuses to start as root until told. */
static bool needs_root_word(const struct pl_mpi *mpi)
{
	return (mpi->kind == PL_MPI_OPENMPI_4 ||
		mpi->kind == PL_MPI_OPENMPI_5) &&
	       geteuid() == 0 &&
	       (!getenv("OMPI_ALLOW_RUN_AS_ROOT") ||
		!getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"));
}

static bool is_hydra(const struct pl_mpi *mpi, const struct pl_mpi_job *job)
{
	return mpi->kind == PL_MPI_MPICH || job->format == PL_FORMAT_MPICH;
}

static bool add_order(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
		      char *argv[PL_MPI_ARGS])
{
	const bool ranks = job->format == PL_FORMAT_RANKFILE;
	const char *const seq[] = {"--hostfile", job->file, "--map-by", "seq",
				   NULL};
	const char *const rankfile[] = {"--rankfile", job->file, NULL};
	const char *const hydra[] = {"-f", job->file, NULL};
	char mapper[4096];
	const char *const prrte[] = {"--map-by", mapper, NULL};

	if (mpi->kind == PL_MPI_OTHER || (mpi->kind == PL_MPI_MPICH && ranks))
		return false;
	if (is_hydra(mpi, job))
		return add_all(argv, hydra);
	if (!ranks)
		return add_all(argv, seq);
	if (mpi->kind != PL_MPI_OPENMPI_5)
		return add_all(argv, rankfile);
	if (snprintf(mapper, sizeof(mapper), "rankfile:file=%s", job->file) >=
	    (int)sizeof(mapper))
		return false;
	return add_all(argv, prrte);
}

/* Only Open MPI knows what they are. */
static bool add_rules(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
		      char *argv[PL_MPI_ARGS])
{
	const char *const words[] = {
		"--mca", "coll_tuned_use_dynamic_rules",      "1",
		"--mca", "coll_tuned_dynamic_rules_filename", job->rules,
		NULL};

	return !job->rules || mpi->kind == PL_MPI_MPICH || add_all(argv, words);
}

/* The next blank-separated word of @setting; false: there is none. */
static bool next_word(const char **setting, char *word, size_t room)
{
	const char *s = *setting + strspn(*setting, " ");
	const size_t len = strcspn(s, " ");

	*setting = s + len;
	snprintf(word, room, "%.*s", (int)len, s);
	return len > 0 && len < room;
}

/* Options of another launcher than this one say nothing to it. */
static bool add_setting(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
			char *argv[PL_MPI_ARGS])
{
	const char *at = job->setting ? job->setting : "";
	const char *known = is_hydra(mpi, job) ? "-genv" : "--mca";
	char word[256];
	bool good = true;

	if (strncmp(at, known, strlen(known)) != 0)
		return true;
	while (good && next_word(&at, word, sizeof(word)))
		good = add(argv, word);
	return good;
}

/* The same as variables, for launchers that know no such options. */
static bool add_variables(const struct pl_mpi_job *job, char *argv[PL_MPI_ARGS])
{
	const char *at = job->setting ? job->setting : "";
	char option[256], name[256], value[256], pair[600];
	bool good = true;

	while (good && next_word(&at, option, sizeof(option)) &&
	       next_word(&at, name, sizeof(name)) &&
	       next_word(&at, value, sizeof(value))) {
		snprintf(pair, sizeof(pair), "%s%s=%s",
			 strcmp(option, "--mca") == 0 ? "OMPI_MCA_" : "", name,
			 value);
		good = add(argv, pair);
	}
	return good;
}

/* The file is named by a variable, which salloc and sbatch would read as well:
 * it is set for srun alone. */
static bool add_srun(const struct pl_mpi_job *job, const char *n,
		     char *argv[PL_MPI_ARGS])
{
	char file[4096];
	const char *const words[] = {"srun", "-m", "arbitrary", "-n", n, NULL};

	if (snprintf(file, sizeof(file), "SLURM_HOSTFILE=%s", job->file) >=
	    (int)sizeof(file))
		return false;
	return add(argv, "env") && add(argv, file) &&
	       add_variables(job, argv) && add_all(argv, words);
}

static bool add_mpirun(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
		       const char *n, char *argv[PL_MPI_ARGS])
{
	return add(argv, job->mpirun) &&
	       (!needs_root_word(mpi) || add(argv, "--allow-run-as-root")) &&
	       add_order(mpi, job, argv) &&
	       add(argv, is_hydra(mpi, job) ? "-n" : "-np") && add(argv, n) &&
	       add_rules(mpi, job, argv) && add_setting(mpi, job, argv);
}

int pl_mpi_argv(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
		char *argv[PL_MPI_ARGS])
{
	char n[32];
	bool good;

	argv[0] = NULL;
	snprintf(n, sizeof(n), "%zu", job->n_ranks);
	good = job->format == PL_FORMAT_SLURM ? add_srun(job, n, argv)
					      : add_mpirun(mpi, job, n, argv);
	good = good && add_all(argv, job->app);
	if (!good)
		pl_mpi_argv_fini(argv);
	return good ? 0 : -1;
}

const char *pl_mpi_find(struct pl_mpi *mpi, enum pl_order_format format,
			const volatile sig_atomic_t *stop, struct pl_err *err)
{
	static const char *const hydra[] = {"mpirun", "mpiexec.hydra",
					    "mpirun.mpich"};

	memset(mpi, 0, sizeof(*mpi));
	if (format != PL_FORMAT_MPICH) {
		pl_mpi_detect(mpi, "mpirun", stop, err);
		return "mpirun";
	}
	for (size_t i = 0; i < sizeof(hydra) / sizeof(*hydra); i++) {
		pl_mpi_detect(mpi, hydra[i], stop, err);
		if (mpi->kind == PL_MPI_MPICH)
			return hydra[i];
	}
	memset(mpi, 0, sizeof(*mpi));
	return "mpiexec.hydra";
}

void pl_mpi_argv_fini(char *argv[PL_MPI_ARGS])
{
	for (size_t i = 0; i < PL_MPI_ARGS && argv[i]; i++) {
		free(argv[i]);
		argv[i] = NULL;
	}
}
