/* SPDX-License-Identifier: BSD-3-Clause */
/* sizesignal.c - a limit of file sizes must not end a process that writes */
#include "config.h"

#include "base/text/sizesignal.h"

#include <stddef.h>
#include <time.h>

void pl_size_signal_hold(struct pl_size_signal *s)
{
	sigset_t pending;

	sigemptyset(&s->only);
	sigaddset(&s->only, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &s->only, &s->before);
	sigpending(&pending);
	s->was_pending = sigismember(&pending, SIGXFSZ);
}

void pl_size_signal_release(const struct pl_size_signal *s)
{
	const struct timespec now = {0};

	if (!s->was_pending)
		sigtimedwait(&s->only, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &s->before, NULL);
}
