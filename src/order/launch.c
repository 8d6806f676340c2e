/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.c - the mpirun that is installed, and how it keeps an order */
#include "config.h"

#include "src/order/launch.h"

#include "src/mem.h"
#include "src/order/child.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DETECT_NS (15 * (int64_t)1000000000)

/* Copies the word after @mark, up to a blank. False: the mark is not there. */
static bool word_after(const char *text, const char *mark, char *word,
		       size_t room)
{
	const char *s = strstr(text, mark);
	size_t len;

	if (!s)
		return false;
	s += strlen(mark);
	s += strspn(s, " \t");
	len = strcspn(s, " \t\r\n");
	if (len == 0 || len >= room)
		return false;
	memcpy(word, s, len);
	word[len] = '\0';
	return true;
}

static void classify(struct pl_mpi *mpi, const char *text)
{
	char version[64];

	if (word_after(text, "(Open MPI)", version, sizeof(version))) {
		mpi->kind = strtol(version, NULL, 10) >= 5 ? PL_MPI_OPENMPI_5
							   : PL_MPI_OPENMPI_4;
		snprintf(mpi->name, sizeof(mpi->name), "Open MPI %s", version);
	} else if (strstr(text, "HYDRA") &&
		   word_after(text, "Version:", version, sizeof(version))) {
		mpi->kind = PL_MPI_MPICH;
		snprintf(mpi->name, sizeof(mpi->name), "MPICH's Hydra %s",
			 version);
	} else {
		mpi->kind = PL_MPI_OTHER;
		snprintf(mpi->name, sizeof(mpi->name), "%.*s",
			 (int)strcspn(text, "\n"), text);
		if (!mpi->name[0])
			snprintf(mpi->name, sizeof(mpi->name), "silent");
	}
}

int pl_mpi_detect(struct pl_mpi *mpi, const volatile sig_atomic_t *stop,
		  struct pl_err *err)
{
	char name[] = "mpirun", version[] = "--version";
	char *const argv[] = {name, version, NULL};
	const struct pl_child_options child = {
		.argv = argv,
		.err_to = PL_CHILD_STDERR_DROPPED,
		.timeout_ns = DETECT_NS,
		.stop = stop,
	};
	char *out;
	size_t len;
	int status;

	memset(mpi, 0, sizeof(*mpi));
	if (pl_child_run(&child, &out, &len, &status, err)) {
		mpi->kind = PL_MPI_OTHER;
		snprintf(mpi->name, sizeof(mpi->name), "not answering");
		return -1;
	}
	if (status != 127)
		classify(mpi, out);
	free(out);
	return 0;
}

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
	if (mpi->kind == PL_MPI_MPICH)
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

int pl_mpi_argv(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
		char *argv[PL_MPI_ARGS])
{
	char n[32];
	bool good;

	argv[0] = NULL;
	snprintf(n, sizeof(n), "%zu", job->n_ranks);
	good = add(argv, "mpirun");
	if (good && needs_root_word(mpi))
		good = add(argv, "--allow-run-as-root");
	good = good && add_order(mpi, job, argv) &&
	       add(argv, mpi->kind == PL_MPI_MPICH ? "-n" : "-np") &&
	       add(argv, n) && add_rules(mpi, job, argv) &&
	       add_all(argv, job->app);
	if (!good)
		pl_mpi_argv_fini(argv);
	return good ? 0 : -1;
}

void pl_mpi_argv_fini(char *argv[PL_MPI_ARGS])
{
	for (size_t i = 0; i < PL_MPI_ARGS && argv[i]; i++) {
		free(argv[i]);
		argv[i] = NULL;
	}
}

/* Appends the word, in quotes where a shell would take it apart. */
static char *quote(char *to, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_./:=,+@%";
	const bool bare = *word && strspn(word, plain) == strlen(word);

	if (!bare)
		*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'') {
			memcpy(to, "'\\'", 3);
			to += 3;
		}
		*to++ = *word;
	}
	if (!bare)
		*to++ = '\'';
	return to;
}

char *pl_mpi_command(char *const *argv)
{
	size_t room = 1;
	char *command, *to;

	for (size_t i = 0; argv[i]; i++)
		room += 4 * strlen(argv[i]) + 3;
	command = malloc(room);
	if (!command)
		return NULL;
	to = command;
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			*to++ = ' ';
		to = quote(to, argv[i]);
	}
	*to = '\0';
	return command;
}
