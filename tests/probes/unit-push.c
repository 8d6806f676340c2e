/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-push.c - programs that can be sent to hosts, and the command that takes them */
#include "config.h"

#include "probes/launch/elf.h"
#include "probes/launch/push.h"
#include "tests/tap.h"

#include <elf.h>
#include <sodium.h>
#include <stdlib.h>
#include <sys/utsname.h>

/* A header by hand: class, byte order, machine, one program header. */
struct sketch {
	unsigned char class, data;
	unsigned machine, segment;
	const char *machines;
	bool dynamic;
};

static const struct sketch sketches[] = {
	{ELFCLASS64, ELFDATA2LSB, EM_X86_64, PT_LOAD, "x86_64", false},
	{ELFCLASS64, ELFDATA2LSB, EM_X86_64, PT_INTERP, "x86_64", true},
	{ELFCLASS64, ELFDATA2MSB, EM_S390, PT_LOAD, "s390x", false},
	{ELFCLASS64, ELFDATA2MSB, EM_PPC64, PT_INTERP, "ppc64", true},
	{ELFCLASS64, ELFDATA2LSB, EM_PPC64, PT_LOAD, "ppc64le", false},
	{ELFCLASS32, ELFDATA2LSB, EM_386, PT_INTERP, "i?86|x86_64", true},
	{ELFCLASS32, ELFDATA2LSB, EM_ARM, PT_LOAD, "arm*|aarch64", false},
	{ELFCLASS64, ELFDATA2LSB, EM_AARCH64, PT_LOAD, "aarch64", false},
	{ELFCLASS32, ELFDATA2MSB, 4711, PT_LOAD, "*", false},
};

static void put(unsigned char *at, bool big, size_t size, unsigned value)
{
	for (size_t i = 0; i < size; i++)
		at[big ? size - 1 - i : i] = (unsigned char)(i < 4 ? value >> (8 * i) : 0);
}

static void draw(const struct sketch *s, unsigned char file[256])
{
	const bool wide = s->class == ELFCLASS64;
	const bool big = s->data == ELFDATA2MSB;
	const unsigned at = wide ? 64 : 52;

	memset(file, 0, 256);
	memcpy(file, ELFMAG, SELFMAG);
	file[EI_CLASS] = s->class;
	file[EI_DATA] = s->data;
	put(file + 16, big, 2, ET_EXEC);
	put(file + 18, big, 2, s->machine);
	put(file + 24, big, wide ? 8 : 4, 4096);
	put(file + (wide ? 32 : 28), big, wide ? 8 : 4, at);
	put(file + (wide ? 54 : 42), big, 2, wide ? 56 : 32);
	put(file + (wide ? 56 : 44), big, 2, 1);
	put(file + at, big, 4, s->segment);
}

static void test_headers(void)
{
	unsigned char file[256];
	struct pl_elf elf;

	for (size_t i = 0; i < sizeof(sketches) / sizeof(sketches[0]); i++) {
		draw(&sketches[i], file);
		ok(!pl_elf_read(&elf, file, sizeof(file), NULL) &&
			   !strcmp(elf.machines, sketches[i].machines) &&
			   elf.dynamic == sketches[i].dynamic,
		   "a program for %s%s", sketches[i].machines,
		   sketches[i].dynamic ? ", with a loader" : "");
	}
	draw(&sketches[0], file);
	file[16] = ET_REL;
	is_int(pl_elf_read(&elf, file, sizeof(file), NULL), -1, "an object");
	draw(&sketches[0], file);
	file[25] = 0;
	is_int(pl_elf_read(&elf, file, sizeof(file), NULL), -1, "no entry");
}

/* Cut anywhere, in memory of just that size, and with wild figures. */
static void test_cut(void)
{
	unsigned char file[256], *cut;
	struct pl_elf elf;
	size_t n_read = 0;

	draw(&sketches[1], file);
	memset(file + 32, 0xff, 8); /* program headers far away */
	ok(!pl_elf_read(&elf, file, sizeof(file), NULL) && !elf.dynamic,
	   "headers beyond the end are none");
	draw(&sketches[1], file);
	memset(file + 54, 0xff, 4);
	for (size_t len = 0; len <= sizeof(file); len++) {
		cut = malloc(len ? len : 1);
		if (!cut)
			break;
		memcpy(cut, file, len);
		n_read += !pl_elf_read(&elf, cut, len, NULL);
		free(cut);
	}
	is_int((int64_t)n_read, 256 - 52 + 1, "all that a header fits into");
}

static void test_refused(void)
{
	struct pl_push push;
	struct pl_err err = {0};

	is_int(pl_push_load(&push, "/no/such/agent", &err), -1, "no file");
	has_str(err.text, "/no/such/agent", "is named");
	is_int(pl_push_load(&push, "/dev/null", &err), -1, "no regular file");
	is_int(pl_push_load(&push, "/etc/passwd", &err), -1, "text");
	has_str(err.text, "no program", "is no program");
	ok(!push.data, "nothing is left to free");
	is_int(pl_push_load(&push, "/proc/self/exe", &err), -1,
	       "a program with shared libraries, this one");
	has_str(err.text, "shared libraries", "is refused for them");
}

static void test_agent(void)
{
	const char *dir = getenv("builddir");
	struct pl_push push;
	struct pl_err err = {0};
	struct utsname uts;
	char path[4096];
	char *command;

	snprintf(path, sizeof(path), "%s/plink-agent", dir ? dir : ".");
	if (pl_push_load(&push, path, &err)) {
		has_str(err.text, "shared libraries",
			"the agent is refused for its libraries only");
		return;
	}
	uname(&uts);
	is_str(push.machines, uts.machine, "the agent runs here");
	is_int((int64_t)strlen(push.sha256), 64, "its sum has 64 digits");
	command = pl_push_command(&push, " --iface=lo");
	ok(command && !strncmp(command, "sh -c '", 7) &&
		   strchr(command + 7, '\'') == command + strlen(command) - 1 &&
		   !strpbrk(command, "\\!%\n"),
	   "one line that any login shell takes as it is");
	has_str(command, push.sha256, "with the sum");
	has_str(command, "--iface=lo'", "and the arguments");
	free(command);
	pl_push_fini(&push);
	pl_push_fini(&push);
}

int main(void)
{
	if (sodium_init() < 0)
		return 1;
	test_headers();
	test_cut();
	test_refused();
	test_agent();
	return done_testing();
}
