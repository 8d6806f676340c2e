/* SPDX-License-Identifier: BSD-3-Clause */
/* board.h - where the processes of a communicator meet: memory they share */
/*
 * A board is a file below PLINK_TEST_NCCL_DIR that all its members map. Each member has a seat
 * there, on which it writes its current call, and a file of its own for the data that it gives. A
 * call takes four steps: wait until all members have done with the call before; write the own call;
 * wait until all members have; read what the others gave. So all members can compare their calls,
 * and find calls that do not fit together, where the real library would hang or mix up data.
 */
#ifndef PLINK_TESTS_SHIM_NCCL_BOARD_H
#define PLINK_TESTS_SHIM_NCCL_BOARD_H

#include "shim/nccl/nccl-abi.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOARD_SEATS 64
#define BOARD_NAME 192
#define BOARD_WHO 64

/* The call of a member, as far as it must be the same for all. */
struct board_call {
	int32_t func; /* enum func of double.h */
	int32_t type, op, root;
	uint64_t count;
	int32_t color, key; /* of ncclCommSplit; may differ */
	uint64_t sum;       /* a checksum of whatever else must be the same */
};

/* The two kinds of data from rank to rank; each has a sequence of its own. */
enum board_lane { BOARD_MESSAGES, BOARD_SIGNALS, BOARD_LANES };

/* The header before the data of a message or signal. */
struct board_head {
	int32_t type;
	int32_t window; /* of a signal: where its data go */
	uint64_t offset;
	uint64_t count, len;
};

struct board;

struct board_place {
	struct board *board;
	char name[BOARD_NAME];
	int n, rank;
	uint64_t n_calls;
	int own, *others;               /* descriptors of the files: own, others[n]; -1: not
					   yet open */
	uint64_t *read_to[BOARD_LANES]; /* [n] how far the data of each rank
					   were read */
	const atomic_bool *stop;        /* set by another thread: give up */
};

/*
 * Takes the seat of @rank at the board of that name and waits until all @n seats are taken.
 * @place->stop must be set. ncclSuccess; or an error that has been logged, and then board_leave()
 * must not be called.
 */
ncclResult_t board_join(struct board_place *place, const char *name, int n, int rank);

/* How the member names itself: by its host. */
const char *board_who(const struct board_place *place, int rank);

/* Steps one to three, then compares. The member gives data[len]. */
ncclResult_t board_meet(struct board_place *place, const struct board_call *mine, const void *data,
			size_t len);

/* Between board_meet() and board_part(): the call of @rank, and bytes of the data that it gave. */
const struct board_call *board_call(const struct board_place *place, int rank);
ncclResult_t board_read(struct board_place *place, int rank, size_t offset, void *to, size_t len);

void board_part(struct board_place *place);

/* Sends to rank @dst. Messages of a lane arrive in the order of sending. */
ncclResult_t board_send(struct board_place *place, enum board_lane lane, int dst,
			const struct board_head *head, const void *data);
/* Waits for the next message and reads its header; then board_take() must read its data, head->len
 * bytes. */
ncclResult_t board_next(struct board_place *place, enum board_lane lane, int src,
			struct board_head *head);
ncclResult_t board_take(struct board_place *place, enum board_lane lane, int src,
			const struct board_head *head, void *to);

/* Messages that were sent to this member and never received. */
uint64_t board_unread(const struct board_place *place);

/* Gives the seat back; members that wait for this one are told. */
void board_leave(struct board_place *place);

#endif
