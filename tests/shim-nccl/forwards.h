/* SPDX-License-Identifier: BSD-3-Clause */
/* forwards.h - a call of a function as text: all bytes that went over */
/*
 *     ncclCommCount 9f1e.. 83a2.. = c5d0..
 *
 * The caller and the called function write the same line if nothing was lost, exchanged or
 * shortened on the way.
 */
#ifndef PLINK_TESTS_SHIM_NCCL_FORWARDS_H
#define PLINK_TESTS_SHIM_NCCL_FORWARDS_H

#include "shim/nccl/prototypes.h"

struct forward {
	char text[2048];
	size_t len;
};

/* Fills @value with bytes that no other value has: of argument @argument (0: the result) of
 * function @function, called by the name @name. None of the bytes is 0. */
void forward_fill(void *value, size_t len, int function, int argument, int name);

void forward_begin(struct forward *forward, const char *name);
void forward_say(struct forward *forward, const void *value, size_t len);
void forward_result(struct forward *forward, const void *value, size_t len);

/* forward_print() writes the line to standard output, forward_record() appends it to the file that
 * PLINK_TEST_RECORD names. */
void forward_print(struct forward *forward);
void forward_record(struct forward *forward);

#endif
