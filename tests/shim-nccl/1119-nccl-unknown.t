#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1119-nccl-unknown.t - a function of NCCL that the table lacks, however it is sought
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"
CC=${CC:-cc}
cd "$tmp" || exit 99
real=$programs/2.31/libnccl.so.2
cat >needs.c <<'END'
int ncclGetVersion(int *version);
int ncclNewest(int peer, void *comm);
int newest(int old);
int newest(int old)
{
	int version;

	if (old)
		ncclGetVersion(&version);
	return ncclNewest(7, 0);
}
END
cat >asks.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int fn(int);
static void said(const char *what)
{
	puts(strstr(what, "ncclNewest") ? "undefined" : what);
	exit(0);
}
/* asks late|default|handle now|lazy|NAME old|new: the first call of NCCL, or not */
int main(int argc, char **argv)
{
	const int old = argc > 3 && !strcmp(argv[3], "old");
	void *at = RTLD_DEFAULT, *found;
	int version, (*get)(int *);

	if (strcmp(argv[1], "default")) {
		at = dlopen(argv[1][0] == 'l' ? "./needs.so" : argv[2],
			argv[2][0] == 'l' && argv[2][1] == 'a' ? RTLD_LAZY :
			RTLD_NOW);
		if (!at)
			said(dlerror());
	}
	if (argv[1][0] == 'l') {
		printf("%d\n", ((fn *)dlsym(at, "newest"))(old));
		return 0;
	}
	get = (int (*)(int *))dlsym(at, "ncclGetVersion");
	if (old)
		get(&version);
	found = dlsym(at, "ncclNewest");
	if (!found)
		said(dlerror());
	printf("%d\n", ((int (*)(int, void *))found)(7, 0));
	return 0;
}
END
cat >main.c <<'END'
#include <stdio.h>
int newest(int old);
int main(int argc, char **argv) { (void)argv; printf("%d\n", newest(argc > 1)); }
END
$CC -shared -fPIC needs.c -Wl,-z,lazy "$real" -o needs.so
$CC asks.c -o asks -ldl
$CC main.c needs.c -Wl,-z,lazy "$real" -o main-lazy
$CC main.c needs.c -Wl,-z,now "$real" -o main-now

# comes WHAT WANT COMMAND...: what it prints: 4, as there is no communicator, or that
# the function is not there
comes() {
	comes_what=$1
	comes_want=$2
	shift 2
	is "$comes_what" "$(env LD_LIBRARY_PATH="$programs/2.31" PLINK_TEST_NCCL_LOG= \
		"$@" 2>&1 | sed 's/.*undefined symbol: ncclNewest.*/undefined/')" \
		"$comes_want"
}
# ways HOW NOW LATE DEFAULT VARIABLE=VALUE...: where it is found, and where only so
ways() {
	ways_how=$1
	ways_now=$2
	ways_late=$3
	ways_default=$4
	shift 4
	comes "$ways_how: linked" 4 "$@" ./main-lazy
	comes "$ways_how: linked, all resolved at the start" "$ways_now" "$@" ./main-now
	comes "$ways_how: a library opened later, all resolved" "$ways_late" \
		"$@" ./asks late now new
	comes "$ways_how: one opened later, after another function" 4 \
		"$@" ./asks late lazy old
	comes "$ways_how: dlsym(RTLD_DEFAULT) before any other" "$ways_default" \
		"$@" ./asks default - new
	comes "$ways_how: dlsym(handle)" undefined "$@" ./asks handle libnccl.so.2 old
}
ways "preload" undefined undefined undefined "LD_PRELOAD=$preload"
ways "preload with NCCL" 4 4 4 "LD_PRELOAD=$preload:$real"
comes "preload: dlsym(RTLD_DEFAULT) after another function" 4 \
	"LD_PRELOAD=$preload" ./asks default - old

# with NCCL preloaded, too, all goes by the plan as without
plan '2 0 3 1' >"$tmp/plan"
version=2.30
preload=$preload:$programs/2.30/libnccl.so.2
for subject in plain config group-init nonblocking nonblocking-group \
	nonblocking-split operators buffers shrink abort; do
	shim 4 "$programs/life" "$subject"
	worked "preload with NCCL: $subject" $?
	is "preload with NCCL: $subject: in the plan's order" \
		"$(strays '2 0 3 1')" ""
done
for subject in grow-nonblocking rest-nonblocking; do
	shim 4 "$programs/newer" "$subject"
	worked "preload with NCCL: $subject" $?
done

done_testing
