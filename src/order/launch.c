/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.c - how mpirun and srun keep an order */
#include "config.h"

#include "src/order/launch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds words up to a NULL. */
static void add_all(struct pl_words *out, const char *const *words)
{
	for (; *words; words++)
		pl_words_add(out, *words);
}

/* Open MPI refuses to start as root without this option. */
static bool needs_root_word(const struct pl_mpi *mpi)
{
	return (mpi->kind == PL_MPI_OPENMPI_4 || mpi->kind == PL_MPI_OPENMPI_5) && geteuid() == 0 &&
	       (!getenv("OMPI_ALLOW_RUN_AS_ROOT") || !getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"));
}

static bool is_hydra(const struct pl_mpi *mpi, const struct pl_mpi_job *job)
{
	return mpi->kind == PL_MPI_MPICH || job->format == PL_FORMAT_MPICH;
}

/* PRRTE's rankfile, which may only name hosts that the job has anyway. */
static void add_mapper(const struct pl_mpi_job *job, struct pl_words *out)
{
	if (job->hosts) {
		pl_words_add(out, "--host");
		pl_words_add(out, job->hosts);
	}
	pl_words_add(out, "--map-by");
	pl_words_add_pair(out, "rankfile:file", job->file);
}

/* False: the launcher cannot follow such a file. */
static bool add_order(const struct pl_mpi *mpi, const struct pl_mpi_job *job, struct pl_words *out)
{
	const bool ranks = job->format == PL_FORMAT_RANKFILE;
	const char *const seq[] = {"--hostfile", job->file, "--map-by", "seq", NULL};
	const char *const rankfile[] = {"--rankfile", job->file, NULL};
	const char *const hydra[] = {"-f", job->file, NULL};
	const char *const list[] = {"--host", job->hosts, "--map-by", "seq", NULL};
	const char *const hydra_list[] = {"-hosts", job->hosts, NULL};

	if (mpi->kind == PL_MPI_OTHER || (mpi->kind == PL_MPI_MPICH && ranks))
		return false;
	if (is_hydra(mpi, job))
		add_all(out, job->hosts ? hydra_list : hydra);
	else if (!ranks)
		add_all(out, job->hosts ? list : seq);
	else if (mpi->kind != PL_MPI_OPENMPI_5)
		add_all(out, rankfile);
	else
		add_mapper(job, out);
	return true;
}

/* A setting of Open MPI. srun has no such option: there it is a variable. */
static void add_mca(const struct pl_mpi_job *job, const char *name, const char *value,
		    struct pl_words *out)
{
	char variable[300];

	if (job->format == PL_FORMAT_SLURM) {
		snprintf(variable, sizeof(variable), "OMPI_MCA_%s", name);
		pl_words_add_pair(out, variable, value);
		return;
	}
	pl_words_add(out, "--mca");
	pl_words_add(out, name);
	pl_words_add(out, value);
}

bool pl_mpi_asks_han(const struct pl_mpi *mpi, const char *setting)
{
	return mpi->kind == PL_MPI_OPENMPI_5 && setting && strstr(setting, "coll_tuned");
}

static void add_component(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
			  struct pl_words *out)
{
	if (pl_mpi_asks_han(mpi, job->setting) || (job->rules && mpi->kind == PL_MPI_OPENMPI_5))
		add_mca(job, "coll_han_priority", "0", out);
}

/* These are for Open MPI only. */
static void add_rules(const struct pl_mpi *mpi, const struct pl_mpi_job *job, struct pl_words *out)
{
	if (!job->rules || mpi->kind == PL_MPI_MPICH)
		return;
	add_mca(job, "coll_tuned_use_dynamic_rules", "1", out);
	add_mca(job, "coll_tuned_dynamic_rules_filename", job->rules, out);
}

bool pl_mpi_takes_logins(const struct pl_mpi *mpi, enum pl_reorder_format format)
{
	return mpi->kind != PL_MPI_OPENMPI_5 && mpi->kind != PL_MPI_MPICH &&
	       format != PL_FORMAT_MPICH;
}

/* Unless told otherwise, Open MPI cuts the names of hosts at the first dot, logs in to what
 * remains, and takes those for one that are then the same. */
static void add_whole_names(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
			    struct pl_words *out)
{
	const char *const prrte[] = {"--prtemca", "prte_keep_fqdn_hostnames", "1", NULL};

	if (mpi->kind == PL_MPI_OPENMPI_5 && job->ways->short_twice)
		add_all(out, prrte);
	if (mpi->kind != PL_MPI_OPENMPI_5 && job->ways->dotted)
		add_mca(job, "orte_keep_fqdn_hostnames", "1", out);
}

/*
 * Open MPI 4 gives this machine its own name where a host file has another name or an address of
 * it, and --map-by seq then does not find it in its file. Its daemons that start others keep their
 * own login until those have answered: with few logins, they would wait for ever. In PRRTE all
 * daemons do until all have answered, and no setting helps.
 */
static void add_ways(const struct pl_mpi *mpi, const struct pl_mpi_job *job, struct pl_words *out)
{
	const struct pl_mpi_ways *ways = job->ways;

	if (!ways || is_hydra(mpi, job))
		return;
	if (ways->renamed && mpi->kind != PL_MPI_OPENMPI_5)
		add_mca(job, "if_base_do_not_resolve", "1", out);
	add_whole_names(mpi, job, out);
	if (ways->agent && pl_mpi_takes_logins(mpi, job->format))
		add_mca(job, "plm_rsh_agent", ways->agent, out);
	if (ways->logins && pl_mpi_takes_logins(mpi, job->format)) {
		add_mca(job, "plm_rsh_no_tree_spawn", "1", out);
		add_mca(job, "plm_rsh_num_concurrent", ways->logins, out);
	}
	if (ways->network)
		add_mca(job, "btl_tcp_if_include", ways->network, out);
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

/* Options of other launchers have no effect here. */
static void add_setting(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
			struct pl_words *out)
{
	const char *at = job->setting ? job->setting : "";
	const char *known = is_hydra(mpi, job) ? "-genv" : "--mca";
	char word[256];

	if (strncmp(at, known, strlen(known)) != 0)
		return;
	while (next_word(&at, word, sizeof(word)))
		pl_words_add(out, word);
}

/* Of the program. */
static void add_environment(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
			    struct pl_words *out)
{
	for (size_t i = 0; job->variables && job->variables[i]; i++) {
		const char *entry = job->variables[i];
		const size_t len = strcspn(entry, "=");
		char name[64];

		if (!is_hydra(mpi, job)) {
			pl_words_add(out, "-x");
			pl_words_add(out, entry);
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)len, entry);
		pl_words_add(out, "-genv");
		pl_words_add(out, name);
		pl_words_add(out, entry + len + 1);
	}
}

/* The same as variables, for launchers without such options. */
static void add_variables(const struct pl_mpi_job *job, struct pl_words *out)
{
	const char *at = job->setting ? job->setting : "";
	char option[256], name[256], value[256];

	while (next_word(&at, option, sizeof(option)) && next_word(&at, name, sizeof(name)) &&
	       next_word(&at, value, sizeof(value)))
		if (strcmp(option, "--mca") == 0)
			add_mca(job, name, value, out);
		else
			pl_words_add_pair(out, name, value);
}

/* The file is named by a variable. salloc and sbatch would read it as well: it is set for srun
 * alone. */
static void add_srun(const struct pl_mpi *mpi, const struct pl_mpi_job *job, const char *n,
		     struct pl_words *out)
{
	const char *const words[] = {"srun", "-m", "arbitrary", "-n", n, NULL};

	pl_words_add(out, "env");
	pl_words_add_pair(out, "SLURM_HOSTFILE", job->file);
	if (job->ways && job->ways->network)
		add_mca(job, "btl_tcp_if_include", job->ways->network, out);
	add_component(mpi, job, out);
	add_rules(mpi, job, out);
	add_variables(job, out);
	add_all(out, words);
}

static bool add_mpirun(const struct pl_mpi *mpi, const struct pl_mpi_job *job, const char *n,
		       struct pl_words *out)
{
	pl_words_add(out, job->mpirun);
	if (needs_root_word(mpi))
		pl_words_add(out, "--allow-run-as-root");
	if (!add_order(mpi, job, out))
		return false;
	pl_words_add(out, is_hydra(mpi, job) ? "-n" : "-np");
	pl_words_add(out, n);
	add_ways(mpi, job, out);
	add_component(mpi, job, out);
	add_rules(mpi, job, out);
	add_setting(mpi, job, out);
	add_environment(mpi, job, out);
	return true;
}

int pl_mpi_command(const struct pl_mpi *mpi, const struct pl_mpi_job *job, struct pl_words *out)
{
	bool good = true;
	char n[32];

	snprintf(n, sizeof(n), "%zu", job->n_ranks);
	if (job->format == PL_FORMAT_SLURM)
		add_srun(mpi, job, n, out);
	else
		good = add_mpirun(mpi, job, n, out);
	add_all(out, job->app);
	if (good && !out->failed)
		return 0;
	pl_words_fini(out);
	return -1;
}

const char *pl_mpi_find(struct pl_mpi *mpi, enum pl_reorder_format format,
			const volatile sig_atomic_t *stop, struct pl_err *err)
{
	static const char *const hydra[] = {"mpirun", "mpiexec.hydra", "mpirun.mpich"};
	static const char *const others[] = {"mpirun", "mpiexec", "mpirun.openmpi", "orterun",
					     "prterun"};

	memset(mpi, 0, sizeof(*mpi));
	for (size_t i = 0; format != PL_FORMAT_MPICH && i < sizeof(others) / sizeof(*others); i++) {
		pl_mpi_detect(mpi, others[i], stop, err);
		if (mpi->kind != PL_MPI_NONE)
			return others[i];
	}
	if (format != PL_FORMAT_MPICH)
		return "mpirun";
	for (size_t i = 0; i < sizeof(hydra) / sizeof(*hydra); i++) {
		pl_mpi_detect(mpi, hydra[i], stop, err);
		if (mpi->kind == PL_MPI_MPICH)
			return hydra[i];
	}
	memset(mpi, 0, sizeof(*mpi));
	return "mpiexec.hydra";
}
