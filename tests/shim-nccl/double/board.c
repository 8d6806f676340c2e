/* SPDX-License-Identifier: BSD-3-Clause */
/* board.c - members of a communicator, their calls and their data */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct seat {
	_Atomic int32_t pid; /* 0 free, -pid left */
	_Atomic uint64_t posted, done;
	char who[BOARD_WHO];
	struct board_call call;
	_Atomic uint64_t sent[BOARD_LANES][BOARD_SEATS]; /* bytes, by dst */
};

/* All zero where nobody has been. */
struct board {
	_Atomic uint32_t turn; /* changes with everything else */
	_Atomic int32_t n, n_left;
	atomic_bool broken; /* one has waited in vain: nobody may go on */
	struct seat seat[BOARD_SEATS];
};

static void announce(struct board *board)
{
	atomic_fetch_add(&board->turn, 1);
	syscall(SYS_futex, &board->turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static int64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Processes that are only beginning may take their time. */
#define JOIN_MS 20000

static int64_t patience_ms(void)
{
	const char *s = getenv("PLINK_TEST_NCCL_PATIENCE_MS");

	return s && *s ? strtol(s, NULL, 10) : JOIN_MS;
}

static void path_of(char path[PATH_MAX], const char *name)
{
	const char *dir = getenv("PLINK_TEST_NCCL_DIR");

	snprintf(path, PATH_MAX, "%s/%s", dir && *dir ? dir : "/dev/shm", name);
}

/* What one waits for: has that member come so far? */
typedef bool come_fn(const struct board_place *place, int rank);

static bool has_seat(const struct board_place *place, int rank)
{
	return atomic_load(&place->board->seat[rank].pid) != 0;
}

static bool has_done(const struct board_place *place, int rank)
{
	return atomic_load(&place->board->seat[rank].done) >= place->n_calls;
}

static bool has_posted(const struct board_place *place, int rank)
{
	return atomic_load(&place->board->seat[rank].posted) > place->n_calls;
}

static bool has_more(const struct board_place *place, enum board_lane lane, int rank)
{
	return atomic_load(&place->board->seat[rank].sent[lane][place->rank]) >
	       place->read_to[lane][rank];
}

static bool has_sent(const struct board_place *place, int rank)
{
	return has_more(place, BOARD_MESSAGES, rank);
}

static bool has_signalled(const struct board_place *place, int rank)
{
	return has_more(place, BOARD_SIGNALS, rank);
}

/* Why that member will never come, or NULL. */
static const char *is_gone(const struct board_place *place, int rank)
{
	const int32_t pid = atomic_load(&place->board->seat[rank].pid);

	if (pid < 0)
		return "has left";
	if (pid > 0 && kill(pid, 0) && errno == ESRCH)
		return "is dead";
	return NULL;
}

static void sleep_until_turn(struct board *board, uint32_t turn)
{
	const struct timespec wait = {.tv_nsec = 20000000};

	syscall(SYS_futex, &board->turn, FUTEX_WAIT, turn, &wait, NULL, 0);
}

static ncclResult_t wait_for(struct board_place *place, int rank, come_fn *come, const char *what)
{
	const int64_t end_ms = clock_ms() + (come == has_seat ? JOIN_MS : patience_ms());
	const char *why;
	uint32_t turn;

	for (;;) {
		turn = atomic_load(&place->board->turn);
		if (atomic_load(&place->board->broken))
			return ncclRemoteError;
		if (come(place, rank))
			return ncclSuccess;
		if (atomic_load(place->stop))
			return ncclInternalError; /* the caller's own wish */
		why = is_gone(place, rank);
		if (why && !come(place, rank)) {
			log_line("gone %s %d waits for %d, which %s", place->name, place->rank,
				 rank, why);
			return ncclRemoteError;
		}
		if (clock_ms() > end_ms) {
			atomic_store(&place->board->broken, true);
			return log_fault(ncclInternalError, "%s %d: waits in vain for %d: %s",
					 place->name, place->rank, rank, what);
		}
		sleep_until_turn(place->board, turn);
	}
}

static ncclResult_t wait_for_all(struct board_place *place, come_fn *come, const char *what)
{
	ncclResult_t rc = ncclSuccess;

	for (int r = 0; r < place->n && !rc; r++)
		rc = wait_for(place, r, come, what);
	return rc;
}

static struct board *map_board(const char *name)
{
	struct board *board = NULL;
	char path[PATH_MAX];
	int fd;

	path_of(path, name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return NULL;
	if (!ftruncate(fd, sizeof(*board)))
		board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return board == MAP_FAILED ? NULL : board;
}

/* The file of what @src gives to all (@dst -1) or sends to @dst. */
static void path_of_data(char path[PATH_MAX], const char *name, enum board_lane lane, int src,
			 int dst)
{
	char whole[BOARD_NAME + 32];

	if (dst < 0)
		snprintf(whole, sizeof(whole), "%s.%d", name, src);
	else
		snprintf(whole, sizeof(whole), "%s.%d-%d.%d", name, src, dst, lane);
	path_of(path, whole);
}

static int open_data(const char *name, enum board_lane lane, int src, int dst, int flags)
{
	char path[PATH_MAX];

	path_of_data(path, name, lane, src, dst);
	return open(path, O_RDWR | O_CLOEXEC | flags, 0666);
}

static bool take_seat(struct board *board, int n, int rank)
{
	const char *who = getenv("PLINK_TEST_NCCL_WHO");
	int32_t nobody = 0, unknown = 0;

	if (!atomic_compare_exchange_strong(&board->n, &unknown, n) && unknown != n)
		return false;
	if (!atomic_compare_exchange_strong(&board->seat[rank].pid, &nobody, (int32_t)getpid()))
		return false;
	snprintf(board->seat[rank].who, BOARD_WHO, "%s", who ? who : "?");
	return true;
}

ncclResult_t board_join(struct board_place *place, const char *name, int n, int rank)
{
	ncclResult_t rc;

	snprintf(place->name, sizeof(place->name), "%s", name);
	place->n = n;
	place->rank = rank;
	place->board = map_board(name);
	place->others = malloc((size_t)n * sizeof(*place->others));
	for (int lane = 0; lane < BOARD_LANES; lane++)
		place->read_to[lane] = calloc((size_t)n, sizeof(uint64_t));
	if (!place->board || !place->others || !place->read_to[0] || !place->read_to[1])
		return log_fault(ncclSystemError, "%s: %s", name, strerror(errno));
	for (int r = 0; r < n; r++)
		place->others[r] = -1;
	if (!take_seat(place->board, n, rank)) {
		atomic_store(&place->board->broken, true);
		announce(place->board);
		return log_fault(ncclInvalidUsage, "%s: rank %d of %d is taken, or of another n",
				 name, rank, n);
	}
	place->own = open_data(name, 0, rank, -1, O_CREAT);
	announce(place->board);
	rc = wait_for_all(place, has_seat, "to join");
	if (rc)
		board_leave(place);
	return rc;
}

const char *board_who(const struct board_place *place, int rank)
{
	return place->board->seat[rank].who;
}

const struct board_call *board_call(const struct board_place *place, int rank)
{
	return &place->board->seat[rank].call;
}

static bool same_call(const struct board_call *a, const struct board_call *b)
{
	return a->func == b->func && a->type == b->type && a->op == b->op && a->root == b->root &&
	       a->count == b->count && a->sum == b->sum;
}

static ncclResult_t compare(const struct board_place *place)
{
	const struct board_call *mine = board_call(place, place->rank), *other;

	for (int r = 0; r < place->n; r++) {
		other = board_call(place, r);
		if (!same_call(mine, other))
			return log_fault(
				ncclInvalidUsage,
				"%s: rank %d calls %s %llu %d %d %d, rank %d %s %llu %d %d %d",
				place->name, place->rank, func_name(mine->func),
				(unsigned long long)mine->count, mine->type, mine->op, mine->root,
				r, func_name(other->func), (unsigned long long)other->count,
				other->type, other->op, other->root);
	}
	return ncclSuccess;
}

static ncclResult_t write_all(int fd, const void *data, size_t len, size_t offset)
{
	const char *from = data;
	ssize_t n;

	while (len) {
		n = pwrite(fd, from, len, (off_t)offset);
		if (n <= 0)
			return log_fault(ncclSystemError, "write: %s", strerror(errno));
		from += n;
		offset += (size_t)n;
		len -= (size_t)n;
	}
	return ncclSuccess;
}

static ncclResult_t read_all(int fd, void *data, size_t len, size_t offset)
{
	char *to = data;
	ssize_t n;

	while (len) {
		n = pread(fd, to, len, (off_t)offset);
		if (n <= 0)
			return log_fault(ncclSystemError, "read: %s",
					 n ? strerror(errno) : "too short");
		to += n;
		offset += (size_t)n;
		len -= (size_t)n;
	}
	return ncclSuccess;
}

ncclResult_t board_meet(struct board_place *place, const struct board_call *mine, const void *data,
			size_t len)
{
	struct seat *seat = &place->board->seat[place->rank];
	ncclResult_t rc;

	rc = wait_for_all(place, has_done, "to end its last call");
	if (!rc)
		rc = write_all(place->own, data, len, 0);
	if (rc)
		return rc;
	seat->call = *mine;
	atomic_store(&seat->posted, place->n_calls + 1);
	announce(place->board);
	rc = wait_for_all(place, has_posted, func_name(mine->func));
	return rc ? rc : compare(place);
}

ncclResult_t board_read(struct board_place *place, int rank, size_t offset, void *to, size_t len)
{
	if (rank == place->rank)
		return read_all(place->own, to, len, offset);
	if (place->others[rank] < 0)
		place->others[rank] = open_data(place->name, 0, rank, -1, 0);
	return read_all(place->others[rank], to, len, offset);
}

void board_part(struct board_place *place)
{
	struct seat *seat = &place->board->seat[place->rank];

	place->n_calls++;
	atomic_store(&seat->done, place->n_calls);
	announce(place->board);
}

ncclResult_t board_send(struct board_place *place, enum board_lane lane, int dst,
			const struct board_head *head, const void *data)
{
	struct seat *seat = &place->board->seat[place->rank];
	const uint64_t at = atomic_load(&seat->sent[lane][dst]);
	const int fd = open_data(place->name, lane, place->rank, dst, O_CREAT);
	ncclResult_t rc;

	rc = write_all(fd, head, sizeof(*head), at);
	if (!rc)
		rc = write_all(fd, data, head->len, at + sizeof(*head));
	close(fd);
	if (rc)
		return rc;
	atomic_store(&seat->sent[lane][dst], at + sizeof(*head) + head->len);
	announce(place->board);
	return ncclSuccess;
}

static ncclResult_t read_lane(const struct board_place *place, enum board_lane lane, int src,
			      size_t offset, void *to, size_t len)
{
	const int fd = open_data(place->name, lane, src, place->rank, 0);
	const ncclResult_t rc = read_all(fd, to, len, place->read_to[lane][src] + offset);

	close(fd);
	return rc;
}

ncclResult_t board_next(struct board_place *place, enum board_lane lane, int src,
			struct board_head *head)
{
	const ncclResult_t rc =
		wait_for(place, src, lane == BOARD_MESSAGES ? has_sent : has_signalled,
			 lane == BOARD_MESSAGES ? "to send" : "to signal");

	return rc ? rc : read_lane(place, lane, src, 0, head, sizeof(*head));
}

ncclResult_t board_take(struct board_place *place, enum board_lane lane, int src,
			const struct board_head *head, void *to)
{
	const ncclResult_t rc = read_lane(place, lane, src, sizeof(*head), to, head->len);

	place->read_to[lane][src] += sizeof(*head) + head->len;
	return rc;
}

uint64_t board_unread(const struct board_place *place)
{
	uint64_t n = 0;

	for (int r = 0; r < place->n; r++)
		n += has_sent(place, r);
	return n;
}

/* The last to leave takes the files along. */
static void remove_files(const struct board_place *place)
{
	char path[PATH_MAX];

	for (int src = 0; src < place->n; src++)
		for (int dst = -1; dst < place->n; dst++)
			for (int lane = 0; lane < BOARD_LANES; lane++) {
				path_of_data(path, place->name, (enum board_lane)lane, src, dst);
				unlink(path);
			}
	path_of(path, place->name);
	unlink(path);
}

void board_leave(struct board_place *place)
{
	struct board *board = place->board;

	for (int r = 0; r < place->n; r++)
		if (place->others[r] >= 0)
			close(place->others[r]);
	close(place->own);
	atomic_store(&board->seat[place->rank].pid, -(int32_t)getpid());
	announce(board);
	if (atomic_fetch_add(&board->n_left, 1) + 1 == place->n)
		remove_files(place);
	munmap(board, sizeof(*board));
	free(place->others);
	for (int lane = 0; lane < BOARD_LANES; lane++)
		free(place->read_to[lane]);
	place->board = NULL;
}
