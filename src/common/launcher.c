/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.c - the mpirun that is installed */
#include "config.h"

#include "src/common/launcher.h"

#include "base/child.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DETECT_NS (15 * (int64_t)1000000000)

/* Copies the word after @mark, up to a blank. False: the mark is not there. */
static bool word_after(const char *text, const char *mark, char *word, size_t room)
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

/* What launchers of Open MPI's line call themselves. As mpiexec, orterun or under any other name
 * than mpirun, Open MPI up to 4 has OpenRTE's name, but its own version. */
static const struct {
	const char *mark, *name;
	bool is_prrte;
} names[] = {
	{"(Open MPI)", "Open MPI", false},
	{"(OpenRTE)", "Open MPI", false},
	{"(PRRTE)", "PRRTE", true},
};

/* False: the text is of no such launcher, or of a version that is no number. */
static bool is_open_mpi(struct pl_mpi *mpi, const char *text)
{
	char version[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *number = version;

		if (!word_after(text, names[i].mark, version, sizeof(version)))
			continue;
		number += *number == 'v';
		if (*number < '0' || *number > '9')
			return false;
		mpi->kind = names[i].is_prrte || strtol(number, NULL, 10) >= 5 ? PL_MPI_OPENMPI_5
									       : PL_MPI_OPENMPI_4;
		snprintf(mpi->name, sizeof(mpi->name), "%s %s", names[i].name, number);
		return true;
	}
	return false;
}

static void classify(struct pl_mpi *mpi, const char *text)
{
	char version[64];

	if (is_open_mpi(mpi, text))
		return;
	if (strstr(text, "HYDRA") && word_after(text, "Version:", version, sizeof(version))) {
		mpi->kind = PL_MPI_MPICH;
		snprintf(mpi->name, sizeof(mpi->name), "MPICH's Hydra %s", version);
	} else {
		mpi->kind = PL_MPI_OTHER;
		snprintf(mpi->name, sizeof(mpi->name), "%.*s", (int)strcspn(text, "\n"), text);
		if (!mpi->name[0])
			snprintf(mpi->name, sizeof(mpi->name), "silent");
	}
}

int pl_mpi_detect(struct pl_mpi *mpi, const char *mpirun, const volatile sig_atomic_t *stop,
		  struct pl_err *err)
{
	char version[] = "--version";
	char *const argv[] = {(char *)mpirun, version, NULL};
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
