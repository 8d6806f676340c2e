/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-mpi-check.c - reports what plink-mpirun asks about a host */
/* Started by mpirun on every host, in place of the program; src/mpirun/check.h says what it prints.
 * Argument: the library to be preloaded. */
#include "config.h"

#include "base/fnv.h"
#include "base/plan/plan.h"
#include "shim/self.h"
#include "src/mpirun/check.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAN_MAX ((size_t)256 << 20)
/* for any MPI: MPICH's may be longer than Open MPI's */
#define VERSION_MAX_BYTES 16384

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

/* Prints one line; line feeds within the text become blanks. */
static void tell(FILE *to, const char *rank, const char *key, const char *text)
{
	fprintf(to, "plink-check %s %s ", rank, key);
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
	fputc('\n', to);
}

static void tell_host(FILE *to, const char *rank)
{
	char address[INET6_ADDRSTRLEN];
	struct pl_self self = {0};

	if (pl_self_init(&self, NULL))
		return;
	tell(to, rank, "node", self.node);
	if (self.named)
		tell(to, rank, "named", self.named);
	for (size_t i = 0; i < self.n_addrs; i++)
		if (inet_ntop(AF_INET6, &self.addr[i], address, sizeof(address)))
			tell(to, rank, "address", address);
	pl_self_fini(&self);
}

static void tell_plan(FILE *to, const char *rank)
{
	const char *path = variable("PLINK_PLAN");
	struct pl_err err = {0};
	struct pl_text text;
	char digest[32];

	if (pl_text_load_file(&text, path, PLAN_MAX, &err)) {
		tell(to, rank, "plan-fault", err.text);
		return;
	}
	snprintf(digest, sizeof(digest), "%016llx",
		 (unsigned long long)pl_fnv_add(PL_FNV_FIRST, text.data, text.len));
	tell(to, rank, "plan", digest);
	pl_text_fini(&text);
}

/* Which MPI is the library made for, and which one does it get? */
static void tell_mpi(FILE *to, const char *rank, void *handle)
{
	const char *(*made_for)(int *);
	int (*ask)(char *, int *);
	char version[VERSION_MAX_BYTES] = "", text[64];
	int len, major;

	made_for = (__typeof__(made_for))dlsym(handle, "plink_mpi_made_for");
	if (made_for) {
		const char *name = made_for(&major);

		snprintf(text, sizeof(text), "%s %d", name, major);
		tell(to, rank, "made-for", text);
	}
	ask = (__typeof__(ask))dlsym(handle, "MPI_Get_library_version");
	if (ask && ask(version, &len) == 0) {
		version[strcspn(version, "\n")] = '\0';
		tell(to, rank, "mpi", version);
	}
}

static void tell_library(FILE *to, const char *rank, const char *library)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	if (handle)
		tell_mpi(to, rank, handle);
	else
		tell(to, rank, "library-fault", dlerror());
}

/* Written in one piece, so that it stays together; plink-mpirun notices what is lost. */
static void put(const char *s, size_t len)
{
	while (len > 0) {
		const ssize_t done = write(STDOUT_FILENO, s, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return;
		s += done;
		len -= (size_t)done;
	}
}

int main(int argc, char **argv)
{
	/* loading the library may change the other variables */
	const bool is_pmi = !getenv("PMIX_RANK");
	const char *rank = variable(is_pmi ? "PMI_RANK" : "PMIX_RANK");
	char *said;
	size_t len;
	FILE *to;

	if (argc != 2 || !*rank) {
		fputs("plink-mpi-check: plink-mpirun(1) starts this\n", stderr);
		return 2;
	}
	to = open_memstream(&said, &len);
	if (!to)
		return 4;
	tell(to, rank, "start", variable(is_pmi ? "PMI_SIZE" : "OMPI_COMM_WORLD_SIZE"));
	tell_host(to, rank);
	tell_plan(to, rank);
	tell_library(to, rank, argv[1]);
	tell(to, rank, "end", "");
	if (fclose(to))
		return 4;
	put(said, len);
	free(said);
	return 0;
}
