/* SPDX-License-Identifier: BSD-3-Clause */
/* sizesignal.h - a limit of file sizes must not end a process that writes */
#ifndef PLINK_BASE_TEXT_SIZESIGNAL_H
#define PLINK_BASE_TEXT_SIZESIGNAL_H

#include <signal.h>
#include <stdbool.h>

/* Between hold and release, in one thread, a write beyond the limit fails with EFBIG; SIGXFSZ is
 * taken before the program can see it. */
struct pl_size_signal {
	sigset_t only, before;
	bool was_pending;
};

void pl_size_signal_hold(struct pl_size_signal *s);
void pl_size_signal_release(const struct pl_size_signal *s);

#endif
