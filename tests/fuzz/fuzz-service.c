/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-service.c - any bytes as what a job brings to a hub of several jobs: its cards and
 * schedules, or an error */
#include "config.h"

#include "base/clock.h"
#include "lib/service.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SECOND_NS ((int64_t)1000 * 1000 * 1000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_body(const struct pl_service_hello *h, const uint8_t *data, size_t size)
{
	const size_t bytes = ntohl(h->bytes); /* what is behind them is left */
	struct pl_service service;
	struct pl_text text;
	struct pl_err err = {0};
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) ||
	    (size > 0 && send(fd[0], data, size, MSG_DONTWAIT) < 0))
		abort();
	close(fd[0]);
	if (pl_service_read(fd[1], h, pl_clock_ns() + SECOND_NS, &service, &text, &err) == 0) {
		if (service.n == 0 || service.n * sizeof(*service.card) + text.len > bytes ||
		    memcmp(&service.card[service.n - 1] + 1, data + bytes - text.len, text.len) !=
			    0)
			abort();
		free(service.body);
		pl_text_fini(&text);
	} else if (err.code != PL_EINPUT && err.code != PL_ESYSTEM) {
		abort();
	}
	close(fd[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_service_hello h;
	struct pl_err err = {0};

	if (size < sizeof(h))
		return 0;
	memcpy(&h, data, sizeof(h));
	if (pl_service_check(&h, &err) == 0) {
		if (pl_service_is_proved(&h, "secret") && h.job[0] != 'r')
			abort();
		read_body(&h, data + sizeof(h), size - sizeof(h));
	} else if (err.code != PL_EINPUT) {
		abort();
	}
	return 0;
}
