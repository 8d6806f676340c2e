/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.c - what ld.so's cache says of a library */
/*
 * Asking ld.so itself would not do: it has a library of that name already, which is this one. The
 * format is that of glibc since 2.2, "1.1", in the machine's own byte order; older systems have
 * another one before it in the same file.
 */
#include "config.h"

#include "shim/nccl/find.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct header {
	char magic[20];
	uint32_t n, strings_bytes;
	uint32_t unused[5];
};

/* Offsets of strings count from the header. */
struct entry {
	int32_t flags;
	uint32_t name, path;
	uint32_t os;
	uint64_t hwcap;
};

static const char magic[20] = "glibc-ld.so.cache1.1";

/* The string at that offset, or NULL where it does not end within. */
static const char *string_at(const char *from, size_t len, uint32_t offset)
{
	if (offset >= len || !memchr(from + offset, '\0', len - offset))
		return NULL;
	return from + offset;
}

static bool scan(const char *from, size_t len, const char *wanted, pl_find_fn *take, void *data)
{
	struct header header;
	struct entry entry;

	memcpy(&header, from, sizeof(header));
	if (header.n > (len - sizeof(header)) / sizeof(entry))
		return false;
	for (uint32_t i = 0; i < header.n; i++) {
		const char *name, *path;

		memcpy(&entry, from + sizeof(header) + i * sizeof(entry), sizeof(entry));
		name = string_at(from, len, entry.name);
		path = string_at(from, len, entry.path);
		if (name && path && strcmp(name, wanted) == 0 && take(data, path))
			return true;
	}
	return false;
}

bool pl_cache_find(const char *cache, const char *name, pl_find_fn *take, void *data)
{
	const int fd = open(cache, O_RDONLY | O_CLOEXEC);
	char *all = MAP_FAILED;
	const char *start;
	bool taken = false;
	struct stat st;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && st.st_size > (off_t)sizeof(struct header))
		all = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (all == MAP_FAILED)
		return false;
	start = memmem(all, (size_t)st.st_size, magic, sizeof(magic));
	if (start && (size_t)(all + st.st_size - start) > sizeof(struct header))
		taken = scan(start, (size_t)(all + st.st_size - start), name, take, data);
	munmap(all, (size_t)st.st_size);
	return taken;
}
