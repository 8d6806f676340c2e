/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-elf.c - any bytes as a program to be sent: where it can run, or an
 * error */
#include "config.h"

#include "probes/launch/elf.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The pattern goes into a line of shell, between single quotes. */
static void check(const struct pl_elf *elf)
{
	if (!elf->machines || !*elf->machines)
		abort();
	for (const char *c = elf->machines; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_*?|", *c))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_elf elf = {0};
	struct pl_err err = {0};

	if (pl_elf_read(&elf, data, size, &err)) {
		if (err.code != PL_EINPUT || elf.machines)
			abort();
		return 0;
	}
	check(&elf);
	/* nothing else is a program, and none is without a header */
	if (size < 52 || memcmp(data, "\177ELF", 4) != 0)
		abort();
	return 0;
}
