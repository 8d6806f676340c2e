/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c - every packet delivered: its head, and the delay that it got */
#include "config.h"

#include "tests/testbed/network/trace.h"

#include "tests/testbed/network/netdev.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINK "trace"

static size_t trace_bytes(uint64_t room)
{
	return sizeof(struct tb_trace) + room * sizeof(struct tb_traced);
}

struct tb_trace *tb_trace_create(int dirfd, size_t room, struct pl_err *err)
{
	const size_t bytes = trace_bytes(room);
	/* stays open: the link leads to it */
	const int fd = memfd_create("plink-testbed-trace", MFD_CLOEXEC);
	struct tb_trace *trace;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(), fd);
	if (fd < 0 || ftruncate(fd, (off_t)bytes) || symlinkat(path, dirfd, LINK)) {
		pl_err_errno(err, "cannot make the trace");
		goto fail;
	}
	trace = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (trace == MAP_FAILED) {
		pl_err_errno(err, "cannot map the trace");
		goto fail;
	}
	trace->room = room;
	trace->magic = TB_TRACE_MAGIC;
	return trace;
fail:
	if (fd >= 0)
		close(fd);
	return NULL;
}

const struct tb_trace *tb_trace_open(int dirfd, struct pl_err *err)
{
	struct tb_trace *trace = MAP_FAILED;
	struct stat st;
	const int fd = openat(dirfd, LINK, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT) {
		pl_err_set(err, PL_EUSAGE, "it was not started with --trace");
		return NULL;
	}
	if (fd >= 0 && !fstat(fd, &st) && (size_t)st.st_size >= trace_bytes(0))
		trace = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (trace == MAP_FAILED)
		pl_err_errno(err, "cannot open the trace");
	if (fd >= 0)
		close(fd);
	if (trace == MAP_FAILED)
		return NULL;
	if (trace->magic == TB_TRACE_MAGIC && trace_bytes(trace->room) == (size_t)st.st_size)
		return trace;
	munmap(trace, (size_t)st.st_size);
	pl_err_set(err, PL_ESYSTEM, "the trace is not this version's");
	return NULL;
}

void tb_trace_close(const struct tb_trace *trace)
{
	if (trace)
		munmap((void *)(uintptr_t)trace, trace_bytes(trace->room));
}

void tb_trace_put(struct tb_trace *trace, const struct tb_packet *packet, int64_t applied_ns)
{
	struct tb_traced *t;
	size_t kept;

	if (!trace || trace->n++ >= trace->room)
		return;
	t = &trace->packet[trace->n - 1];
	t->applied_ns = applied_ns;
	t->len = packet->len - TB_OFFLOAD_BYTES;
	t->change = packet->change;
	t->src = packet->src;
	t->dst = packet->dst;
	kept = t->len < TB_TRACE_HEAD ? t->len : TB_TRACE_HEAD;
	memcpy(t->head, packet->data + TB_OFFLOAD_BYTES, kept);
}
