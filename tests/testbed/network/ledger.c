/* SPDX-License-Identifier: BSD-3-Clause */
/* ledger.c - what the engine really did, in memory that `status` reads too */
#include "config.h"

#include "tests/testbed/network/ledger.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEDGER_FILE "ledger"

static size_t ledger_bytes(uint64_t n)
{
	return sizeof(struct tb_ledger) + n * n * sizeof(struct tb_pair);
}

struct tb_ledger *tb_ledger_create(int dirfd, size_t n, struct pl_err *err)
{
	const size_t bytes = ledger_bytes(n);
	struct tb_ledger *ledger = NULL;
	int fd = openat(dirfd, LEDGER_FILE, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0) {
		pl_err_errno(err, "cannot make the ledger");
		return NULL;
	}
	if (posix_fallocate(fd, 0, (off_t)bytes)) {
		pl_err_set(err, PL_ESYSTEM, "no room for the ledger");
		goto out;
	}
	ledger = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ledger == MAP_FAILED) {
		ledger = NULL;
		pl_err_errno(err, "cannot map the ledger");
		goto out;
	}
	ledger->n = n;
	ledger->magic = TB_LEDGER_MAGIC;
out:
	close(fd);
	return ledger;
}

const struct tb_ledger *tb_ledger_open(int dirfd, struct pl_err *err)
{
	struct tb_ledger *ledger;
	struct stat st;
	int fd = openat(dirfd, LEDGER_FILE, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st)) {
		pl_err_errno(err, "cannot open the ledger");
		goto fail;
	}
	if ((size_t)st.st_size < sizeof(*ledger)) {
		pl_err_set(err, PL_ESYSTEM, "the ledger is cut short");
		goto fail;
	}
	ledger = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (ledger == MAP_FAILED) {
		pl_err_errno(err, "cannot map the ledger");
		goto fail;
	}
	close(fd);
	if (ledger->magic != TB_LEDGER_MAGIC || ledger_bytes(ledger->n) != (size_t)st.st_size) {
		munmap(ledger, (size_t)st.st_size);
		pl_err_set(err, PL_ESYSTEM, "the ledger is not this version's");
		return NULL;
	}
	return ledger;
fail:
	if (fd >= 0)
		close(fd);
	return NULL;
}

void tb_ledger_close(const struct tb_ledger *ledger)
{
	if (ledger)
		munmap((void *)(uintptr_t)ledger, ledger_bytes(ledger->n));
}

static size_t bucket_of(int64_t late_ns)
{
	uint64_t us = (uint64_t)late_ns / 1000;
	size_t bucket = 0;

	while (us && bucket < TB_BUCKETS - 1) {
		us >>= 1;
		bucket++;
	}
	return bucket;
}

uint64_t tb_bucket_us(size_t bucket)
{
	return bucket < TB_BUCKETS - 1 ? (uint64_t)1 << bucket : 0;
}

static void time_one(struct tb_pair *pair, int64_t applied_ns)
{
	if (pair->timed == 0 || applied_ns < pair->min_ns)
		pair->min_ns = applied_ns;
	if (pair->timed == 0 || applied_ns > pair->max_ns)
		pair->max_ns = applied_ns;
	pair->sum_ns += applied_ns;
	pair->timed++;
}

void tb_ledger_deliver(struct tb_ledger *ledger, struct tb_pair *pair, struct tb_delivery delivery)
{
	if (delivery.change == ledger->changes)
		time_one(pair, delivery.applied_ns);
	pair->bytes += delivery.bytes;
	pair->packets++;
	if (delivery.late_ns > TB_LATE_NS)
		pair->late++;
	ledger->lateness[bucket_of(delivery.late_ns)]++;
}

static void take_rate(struct pl_link_rate *rate, const struct pl_link_rate *asked)
{
	if (asked->out_bps > 0)
		rate->out_bps = asked->out_bps;
	if (asked->in_bps > 0)
		rate->in_bps = asked->in_bps;
}

void tb_ledger_change(struct tb_ledger *ledger, const struct tb_asked *asked, int64_t now_ns)
{
	ledger->changes++;
	ledger->changed_ns = now_ns;
	for (size_t i = 0; i < ledger->n * ledger->n; i++) {
		struct tb_pair *pair = &ledger->pair[i];

		pair->asked_ns = asked->delay_ns[i];
		pair->timed = 0;
		pair->sum_ns = pair->min_ns = pair->max_ns = 0;
	}
	for (size_t h = 0; h < ledger->n; h++)
		take_rate(&ledger->card[h], &asked->card[h]);
	for (size_t g = 0; g < ledger->n_groups; g++)
		take_rate(&ledger->uplink[g], &asked->uplink[g]);
}
