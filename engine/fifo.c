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

/* Heads and data begin at multiples of it: a cache line. */
#define LINE 64
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW)
/* What the bytes of a head are where a gap begins: no part has that head. */
#define GAP 0xff

/* Bytes that each end has passed, gaps included. */
struct shared_fifo {
	_Alignas(LINE) uint64_t written;
	uint32_t writer_waits; /* for room */
	_Alignas(LINE) uint64_t freed;
	uint32_t reader_sleeps;
	_Alignas(LINE) unsigned char data[PL_FIFO_BYTES];
};

struct pl_fifo_memory {
	unsigned char token[PL_FIFO_TOKEN_BYTES];
	struct shared_fifo fifo[2];
};

static struct pl_fifo_memory *map(int fd)
{
	void *memory = mmap(NULL, sizeof(struct pl_fifo_memory), PROT_READ | PROT_WRITE, MAP_SHARED,
			    fd, 0);

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

struct pl_fifo_memory *pl_fifo_memory_create(struct pl_fifo_offer *offer, int *fd)
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
	snprintf(path, sizeof(path), "/proc/%u/fd/%u", ntohl(offer->pid), ntohl(offer->fd));
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return NULL;
	memory = open_memory(fd);
	close(fd);
	if (memory && memcmp(memory->token, offer->token, PL_FIFO_TOKEN_BYTES) != 0) {
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

/* Bytes of a part, in whole lines. */
static size_t size_of(size_t bytes)
{
	return LINE + (bytes + LINE - 1) / LINE * LINE;
}

/* Where a part begins when all before it ends at @at. */
static uint64_t start_of(uint64_t at, size_t bytes)
{
	const size_t left = PL_FIFO_BYTES - at % PL_FIFO_BYTES;

	return size_of(bytes) <= left ? at : at + left;
}

static struct shared_fifo *shared(const struct pl_fifo *f)
{
	return &f->memory->fifo[f->direction];
}

static bool has_room(const struct pl_fifo *f, uint64_t end)
{
	return end - __atomic_load_n(&shared(f)->freed, __ATOMIC_SEQ_CST) <= PL_FIFO_BYTES;
}

void *pl_fifo_reserve(struct pl_fifo *f, size_t bytes)
{
	const uint64_t start = start_of(f->at, bytes);
	const uint64_t end = start + size_of(bytes);

	if (!has_room(f, end)) {
		__atomic_store_n(&shared(f)->writer_waits, 1, __ATOMIC_SEQ_CST);
		if (!has_room(f, end))
			return NULL;
	}
	return shared(f)->data + start % PL_FIFO_BYTES + LINE;
}

/* Is the flag set? It is not any more. */
static bool take(uint32_t *flag)
{
	return __atomic_load_n(flag, __ATOMIC_SEQ_CST) &&
	       __atomic_exchange_n(flag, 0, __ATOMIC_SEQ_CST);
}

bool pl_fifo_write(struct pl_fifo *f, const unsigned char *head, size_t bytes)
{
	const uint64_t start = start_of(f->at, bytes);
	unsigned char *data = shared(f)->data;

	if (start > f->at)
		memset(data + f->at % PL_FIFO_BYTES, GAP, PL_FIFO_HEAD_BYTES);
	memcpy(data + start % PL_FIFO_BYTES, head, PL_FIFO_HEAD_BYTES);
	f->at = start + size_of(bytes);
	__atomic_store_n(&shared(f)->written, f->at, __ATOMIC_SEQ_CST);
	return take(&shared(f)->reader_sleeps);
}

const unsigned char *pl_fifo_head(struct pl_fifo *f)
{
	static const unsigned char gap[] = {GAP, GAP, GAP, GAP, GAP, GAP, GAP, GAP};
	const unsigned char *head = shared(f)->data + f->at % PL_FIFO_BYTES;

	if (__atomic_load_n(&shared(f)->written, __ATOMIC_SEQ_CST) == f->at)
		return NULL;
	if (memcmp(head, gap, PL_FIFO_HEAD_BYTES) != 0)
		return head;
	f->at += PL_FIFO_BYTES - f->at % PL_FIFO_BYTES;
	return shared(f)->data;
}

const unsigned char *pl_fifo_read(struct pl_fifo *f, size_t bytes)
{
	const size_t start = f->at % PL_FIFO_BYTES;

	if (bytes > PL_FIFO_PART_MAX || start + size_of(bytes) > PL_FIFO_BYTES)
		return NULL;
	f->at += size_of(bytes);
	return shared(f)->data + start + LINE;
}

bool pl_fifo_free(struct pl_fifo *f)
{
	__atomic_store_n(&shared(f)->freed, f->at, __ATOMIC_SEQ_CST);
	return take(&shared(f)->writer_waits);
}

bool pl_fifo_sleep(struct pl_fifo *f)
{
	__atomic_store_n(&shared(f)->reader_sleeps, 1, __ATOMIC_SEQ_CST);
	return !pl_fifo_head(f);
}

void pl_fifo_wake(struct pl_fifo *f)
{
	__atomic_store_n(&shared(f)->reader_sleeps, 0, __ATOMIC_SEQ_CST);
}
