/* SPDX-License-Identifier: BSD-3-Clause */
/* library.c - the MPI library that a process runs on: may the shim touch it? */
/*
 * The shim takes and returns handles as the mpi.h has them that it was compiled with: over another
 * library it would cut pointers to ints, or write pointers where ints are. And the library that the
 * shim itself needs is loaded with it: functions that the shim does not wrap would be that one's,
 * unless the program is linked with its own library directly.
 *
 * So a process whose program brings an unknown MPI library starts the program anew without the
 * shim, before anything of it has run. That can be decided only where the program is linked with
 * its library. Where it loads one later, its first call is the first that the shim sees of it, and
 * its functions are a mixture of both by then: such a job ends.
 */
#include "config.h"

#include "shim/mpi/library.h"

#include "base/mem.h"
#include "shim/mpi/load.h"
#include "shim/mpi/world.h"
#include "shim/say.h"
#include "shim/stats/path.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* in which the first process says why a job ends, before another one ends it */
#define SAYING_S 5
/* of any MPI, whatever the MPI_MAX_... of this one is */
#define VERSION_MAX_BYTES 16384
#define HANDLE_MAX_BYTES 64

/* what any MPI library has, and no tool */
#define GET_VERSION "PMPI_Get_library_version"

/* What a library says of itself. */
struct library {
	char version[VERSION_MAX_BYTES];
	bool is_abi; /* MPI 5's standard ABI */
	size_t handle_bytes;
};

bool pl_mpi_is_first(void)
{
	static const char *const variables[] = {
		"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PALS_RANKID", "SLURM_PROCID",
	};
	const char *rank = NULL;

	for (size_t i = 0; !rank && i < sizeof(variables) / sizeof(*variables); i++)
		rank = getenv(variables[i]);
	return !rank || strcmp(rank, "0") == 0;
}

/* ---- what is loaded ---- */

static struct link_map *map_of(const void *address)
{
	struct link_map *map;
	Dl_info info;

	return address && dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) ? map : NULL;
}

static const char *file_of(const struct link_map *map)
{
	const char *slash = strrchr(map->l_name, '/');

	return slash ? slash + 1 : map->l_name;
}

static struct link_map *own_map(void)
{
	return map_of((const void *)(uintptr_t)pl_mpi_is_first);
}

/* What it finds in itself and in what it is linked with; NULL for NULL. End it with dlclose(). */
static void *open_map(const struct link_map *map)
{
	return map ? dlopen(*map->l_name ? map->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* The object that has the function, as that one sees it, or NULL. */
static struct link_map *find(const struct link_map *from, const char *function)
{
	void *handle = open_map(from);
	struct link_map *found = NULL;

	if (handle) {
		found = map_of(dlsym(handle, function));
		dlclose(handle);
	}
	return found;
}

/* Tools may have some of the functions. */
static bool is_mpi(const struct link_map *map)
{
	return find(map, GET_VERSION) == map && find(map, "PMPI_Init") == map;
}

/* The standard prescribes the name of its ABI's library. Libraries of the draft did not have the
 * function yet; others have it, and answer -1. */
static bool is_abi(void *handle, const struct link_map *map)
{
	static const char name[] = "libmpi_abi.";
	int (*ask)(int *, int *) =
		(int (*)(int *, int *))(uintptr_t)dlsym(handle, "PMPI_Abi_get_version");
	int major = -1, minor = -1;

	if (strncmp(file_of(map), name, sizeof(name) - 1) == 0)
		return true;
	return map_of((const void *)(uintptr_t)ask) == map && ask(&major, &minor) == MPI_SUCCESS &&
	       major >= 0;
}

/* Calls nothing that takes or gives a handle. */
static void ask(void *handle, struct library *l)
{
	int (*version)(char *, int *) =
		(int (*)(char *, int *))(uintptr_t)dlsym(handle, GET_VERSION);
	int len;

	version(l->version, &len);
	l->is_abi = is_abi(handle, map_of((const void *)(uintptr_t)version));
	l->handle_bytes = sizeof(MPI_Comm);
}

/* Another major version than that whose mpi.h was wrapped may have other handles, and another MPI
 * has nothing in common with it but names. */
static bool is_known(const struct library *l)
{
	int major = -1;

	return !l->is_abi && l->handle_bytes == sizeof(MPI_Comm) &&
	       sscanf(l->version, PL_MPI_VERSION_FORMAT, &major) == 1 && major == PL_MPI_MAJOR;
}

/* Is it an MPI library other than that which came with the shim, and unknown? Then @l says what it
 * is. */
static bool is_unknown(const struct link_map *map, struct library *l)
{
	void *handle;

	if (!map || map == own_map() || map == find(own_map(), GET_VERSION) || !is_mpi(map))
		return false;
	handle = open_map(map);
	ask(handle, l);
	dlclose(handle);
	return !is_known(l);
}

/* ---- what becomes of the job ---- */

static bool is_asked_for_nothing(void)
{
	return pl_mpi_is_off() && !pl_stats_is_wanted();
}

/* Says why, and returns if the program can go on as if there were no shim. */
static void refuse(struct library *l, bool can_go_on)
{
	const bool strict = !is_asked_for_nothing() && pl_shim_flag("PLINK_STRICT");
	const bool ends = !can_go_on || strict;

	l->version[strcspn(l->version, ",\n")] = '\0';
	for (char *at = l->version; (at = strchr(at, '\t'));)
		*at = ' ';
	if (pl_mpi_is_first() && (ends || !is_asked_for_nothing()))
		pl_shim_say("made for %s %d, not for \"%.80s\"%s; %s", PL_MPI_NAME, PL_MPI_MAJOR,
			    l->version,
			    l->is_abi                             ? " with the standard ABI"
			    : l->handle_bytes != sizeof(MPI_Comm) ? " with other handles"
								  : "",
			    !can_go_on ? "ending the job, which would crash"
			    : strict   ? "ending the job (PLINK_STRICT)"
				       : "ranks stay as they are");
	if (ends && !pl_mpi_is_first())
		sleep(SAYING_S);
	if (ends)
		_exit(1);
	pl_mpi_tell_rank(getenv("PMIX_RANK"));
}

/* ---- before the program begins ---- */

/* LD_PRELOAD without the files of that name, or NULL if there is none, or no memory. Release with
 * free(). */
static char *preload_without(const char *name)
{
	const char *at = getenv("LD_PRELOAD");
	char *rest = at ? calloc(1, strlen(at) + 2) : NULL, *end = rest;
	bool found = false;

	while (rest && *at) {
		const size_t len = strcspn(at, " :");
		const char *slash = memrchr(at, '/', len);
		const size_t path = slash ? (size_t)(slash + 1 - at) : 0;

		if (len - path == strlen(name) && memcmp(at + path, name, len - path) == 0)
			found = true;
		else if (len)
			end += sprintf(end, "%s%.*s", end > rest ? ":" : "", (int)len, at);
		at += len + strspn(at + len, " :");
	}
	if (found)
		return rest;
	free(rest);
	return NULL;
}

/* As the kernel has them: where the dynamic linker was called with the program as its argument,
 * that stands here, too. NULL: cannot be read. */
static char **read_arguments(void)
{
	FILE *from = fopen("/proc/self/cmdline", "re");
	char **argv = NULL;
	size_t n = 0, room = 0, len;

	if (!from)
		return NULL;
	while (pl_array_grow((void **)&argv, &room, n, sizeof(*argv)) == 0) {
		argv[n] = NULL;
		len = 0;
		if (getdelim(&argv[n], &len, '\0', from) < 0) {
			argv[n] = NULL;
			fclose(from);
			return argv;
		}
		n++;
	}
	return NULL;
}

/* Starts the program anew with LD_PRELOAD=@rest. Returns if that fails. */
static void start_without(const char *rest)
{
	char path[PATH_MAX] = "", **argv = read_arguments();
	const ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (!argv || len < 0 || (*rest ? setenv("LD_PRELOAD", rest, 1) : unsetenv("LD_PRELOAD")))
		return;
	execv(path, argv);
	/* the file has gone, or another has its name by now */
	execv("/proc/self/exe", argv);
}

/* After the streams are known (say.c), and before the environment has another rank (early.c). */
__attribute__((constructor(102))) static void look_at_program(void)
{
	const int saved = errno;
	const struct link_map *own = own_map(), *map = own;
	char *rest = own ? preload_without(file_of(own)) : NULL;
	struct library l;

	while (rest && map->l_prev)
		map = map->l_prev;
	/* by the name first: to open each takes long in large programs */
	while (rest && map && !(strstr(file_of(map), "mpi") && is_unknown(map, &l)))
		map = map->l_next;
	if (rest && map) {
		refuse(&l, true);
		start_without(rest);
		pl_shim_say("cannot start the program without this library: %s; ending the job, "
			    "which would crash",
			    strerror(errno));
		_exit(1);
	}
	free(rest);
	errno = saved;
}

/* ---- while it runs ---- */

void pl_mpi_check_caller(const void *caller)
{
	const struct link_map *map = find(map_of(caller), GET_VERSION);
	struct library l;

	if (map != map_of(dlsym(RTLD_NEXT, GET_VERSION)) && is_unknown(map, &l))
		refuse(&l, false);
}

/* How many bytes it writes: into room for more than a handle. */
static size_t measure_handles(void)
{
	static const unsigned char blank = 0x5a; /* ends no handle */
	union {
		MPI_Comm comm;
		unsigned char byte[HANDLE_MAX_BYTES];
	} to;
	size_t n = sizeof(to.byte);

	memset(to.byte, blank, sizeof(to.byte));
	PMPI_Comm_get_parent(&to.comm);
	while (n > 0 && to.byte[n - 1] == blank)
		n--;
	return n;
}

bool pl_mpi_is_our_library(void)
{
	struct library l;

	ask(RTLD_NEXT, &l);
	l.handle_bytes = measure_handles();
	if (is_known(&l))
		return true;
	/* the wrappers pass on what is not wider */
	refuse(&l, l.handle_bytes <= sizeof(MPI_Comm));
	return false;
}
