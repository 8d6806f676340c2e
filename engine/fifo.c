/* SPDX-License-Identifier: BSD-3-Clause */
/* fifo.c - chunks between two processes in memory that they share */
#include "config.h"

#include "engine/fifo.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Stretches begin at multiples of it: a cache line. */
#define LINE 64
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW)

struct shared_fifo {
	_Alignas(LINE) uint64_t freed; /* how far the reader has come */
	_Alignas(LINE) unsigned char data[PL_FIFO_BYTES];
};

struct pl_fifo_memory {
	unsigned char token[PL_FIFO_TOKEN_BYTES];
	struct shared_fifo fifo[2];
};

static struct pl_fifo_memory *map(int fd)
{
	void *memory = mmap(NULL, sizeof(struct pl_fifo_memory),
			    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* Sealed: neither process can take memory away from the other. */
static struct pl_fifo_memory *make(int fd, unsigned char *token)
{
	struct pl_fifo_memory *memory;

	if (getrandom(token, PL_FIFO_TOKEN_BYTES, 0) != PL_FIFO_TOKEN_BYTES ||
	    ftruncate(fd, sizeof(*memory)) || fcntl(fd, F_ADD_SEALS, SEALS))
		return NULL;
	memory = map(fd);
	if (memory)
		memcpy(memory->token, token, PL_FIFO_TOKEN_BYTES);
	return memory;
}

struct pl_fifo_memory *pl_fifo_memory_create(struct pl_fifo_offer *offer,
					     int *fd)
{
	struct pl_fifo_memory *memory = NULL;

	*offer = (struct pl_fifo_offer){0};
	*fd = memfd_create("plink-fifo", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd >= 0)
		memory = make(*fd, offer->token);
	if (memory) {
		offer->pid = htonl((uint32_t)getpid());
		offer->fd = htonl((uint32_t)*fd);
	} else {
		*offer = (struct pl_fifo_offer){0};
	}
	return memory;
}

/* What a peer names may be any file at all. */
static struct pl_fifo_memory *open_memory(int fd)
{
	const int seals = fcntl(fd, F_GET_SEALS);
	struct stat is;

	if (seals < 0 || (seals & SEALS) != SEALS || fstat(fd, &is) ||
	    is.st_size != (off_t)sizeof(struct pl_fifo_memory))
		return NULL;
	return map(fd);
}

struct pl_fifo_memory *pl_fifo_memory_open(const struct pl_fifo_offer *offer)
{
	struct pl_fifo_memory *memory;
	char path[64];
	int fd;

	if (offer->pid == 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%u/fd/%u", ntohl(offer->pid),
		 ntohl(offer->fd));
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return NULL;
	memory = open_memory(fd);
	close(fd);
	if (memory &&
	    memcmp(memory->token, offer->token, PL_FIFO_TOKEN_BYTES) != 0) {
		pl_fifo_memory_destroy(memory);
		return NULL;
	}
	return memory;
}

void pl_fifo_memory_destroy(struct pl_fifo_memory *memory)
{
	if (memory)
		munmap(memory, sizeof(*memory));
}

/* Where a stretch begins, of so many bytes in whole lines, when all before it
 * ends at @at. */
static uint64_t start_of(uint64_t at, size_t bytes)
{
	const size_t left = PL_FIFO_BYTES - at % PL_FIFO_BYTES;

	return bytes <= left ? at : at + left;
}

static size_t whole_lines(size_t bytes)
{
	return (bytes + LINE - 1) / LINE * LINE;
}

void *pl_fifo_write(struct pl_fifo *r, size_t bytes)
{
	struct shared_fifo *f;
	uint64_t start;

	if (!r->memory || bytes > PL_FIFO_BYTES)
		return NULL;
	f = &r->memory->fifo[r->direction];
	start = start_of(r->at, whole_lines(bytes));
	if (start + whole_lines(bytes) -
		    __atomic_load_n(&f->freed, __ATOMIC_ACQUIRE) >
	    PL_FIFO_BYTES)
		return NULL;
	r->at = start + whole_lines(bytes);
	return f->data + start % PL_FIFO_BYTES;
}

void *pl_fifo_read(struct pl_fifo *r, size_t bytes)
{
	uint64_t start;

	if (!r->memory || bytes > PL_FIFO_BYTES)
		return NULL;
	start = start_of(r->at, whole_lines(bytes));
	r->at = start + whole_lines(bytes);
	return r->memory->fifo[r->direction].data + start % PL_FIFO_BYTES;
}

void pl_fifo_free(struct pl_fifo *r)
{
	if (r->memory)
		__atomic_store_n(&r->memory->fifo[r->direction].freed, r->at,
				 __ATOMIC_RELEASE);
}
