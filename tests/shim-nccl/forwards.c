/* SPDX-License-Identifier: BSD-3-Clause */
/* forwards.c - a call of a function as text */
#include "config.h"

#include "tests/shim-nccl/forwards.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void forward_fill(void *value, size_t len, int function, int argument, int name)
{
	unsigned char *bytes = value;
	uint64_t x = (uint64_t)function * 1000 + (uint64_t)argument * 10 + (uint64_t)name;

	for (size_t i = 0; i < len; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		bytes[i] = (unsigned char)(x >> 56 | 1);
	}
}

static void put(struct forward *forward, const char *text)
{
	const size_t room = sizeof(forward->text) - forward->len;
	const int n = snprintf(forward->text + forward->len, room, "%s", text);

	if (n < 0 || (size_t)n >= room)
		abort();
	forward->len += (size_t)n;
}

void forward_begin(struct forward *forward, const char *name)
{
	forward->len = 0;
	put(forward, name);
}

void forward_say(struct forward *forward, const void *value, size_t len)
{
	const unsigned char *bytes = value;
	char two[3];

	put(forward, " ");
	for (size_t i = 0; i < len; i++) {
		snprintf(two, sizeof(two), "%02x", bytes[i]);
		put(forward, two);
	}
}

void forward_result(struct forward *forward, const void *value, size_t len)
{
	put(forward, " =");
	forward_say(forward, value, len);
}

void forward_print(struct forward *forward)
{
	puts(forward->text);
}

void forward_record(struct forward *forward)
{
	const char *path = getenv("PLINK_TEST_RECORD");
	const int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;

	put(forward, "\n");
	if (fd < 0 || write(fd, forward->text, forward->len) < 0)
		abort();
	close(fd);
}
