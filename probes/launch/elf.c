/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.c - where a program can run, as its header tells */
#include "config.h"

#include "probes/launch/elf.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

/* Numbers of either byte order, addresses of either width: the file may be of another machine than
 * this one. */
struct file {
	const uint8_t *data;
	size_t len;
	bool wide, big;
};

/* @size bytes as a number; 0 where the file has ended. */
static uint64_t get(const struct file *f, uint64_t at, size_t size)
{
	uint64_t value = 0;

	if (at > f->len || f->len - at < size)
		return 0;
	for (size_t i = 0; i < size; i++)
		value = value << 8 | f->data[at + (f->big ? i : size - 1 - i)];
	return value;
}

/* The field that is at one place in 32-bit files and another in 64-bit ones. */
#define FIELD(f, type, member)                                                                     \
	((f)->wide ? get(f, offsetof(Elf64_##type, member), sizeof(((Elf64_##type *)0)->member))   \
		   : get(f, offsetof(Elf32_##type, member), sizeof(((Elf32_##type *)0)->member)))

static const char *machines(const struct file *f)
{
	switch (FIELD(f, Ehdr, e_machine)) {
	case EM_X86_64:
		return "x86_64";
	case EM_386:
		return "i?86|x86_64";
	case EM_AARCH64:
		return "aarch64";
	case EM_ARM:
		return "arm*|aarch64";
	case EM_PPC64:
		return f->big ? "ppc64" : "ppc64le";
	case EM_S390:
		return "s390x";
	case EM_RISCV:
		return f->wide ? "riscv64" : "riscv32";
	default:
		return "*";
	}
}

static bool names_loader(const struct file *f)
{
	const uint64_t from = FIELD(f, Ehdr, e_phoff);
	const uint64_t size = FIELD(f, Ehdr, e_phentsize);
	const uint64_t n = FIELD(f, Ehdr, e_phnum);

	for (uint64_t i = 0; i < n; i++) /* p_type comes first in both */
		if (get(f, from + i * size, sizeof(Elf64_Word)) == PT_INTERP)
			return true;
	return false;
}

int pl_elf_read(struct pl_elf *elf, const void *data, size_t len, struct pl_err *err)
{
	struct file f = {.data = data, .len = len};
	uint64_t type;

	if (len < sizeof(Elf32_Ehdr) || memcmp(f.data, ELFMAG, SELFMAG))
		return pl_err_set(err, PL_EINPUT, "it is no program (ELF)");
	f.wide = f.data[EI_CLASS] == ELFCLASS64;
	f.big = f.data[EI_DATA] == ELFDATA2MSB;
	type = FIELD(&f, Ehdr, e_type);
	if ((type != ET_EXEC && type != ET_DYN) || FIELD(&f, Ehdr, e_entry) == 0)
		return pl_err_set(err, PL_EINPUT, "it is no program to run");
	elf->machines = machines(&f);
	elf->dynamic = names_loader(&f);
	return 0;
}
