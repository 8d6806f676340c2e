/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-verbs.c - RDMA adapters as a sysfs tells of them */
#include "config.h"

#include "probes/protocol/verbs.h"
#include "tests/tap.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/unit-verbs-XXXXXX";

static void run(const char *command)
{
	if (chdir(root) || system(command))
		ok(false, "%s", command);
}

/* A device with one port; what stands in "device/driver" leads to @driver. */
static void make(const char *name, const char *driver, const char *state, const char *link)
{
	char command[1024];

	snprintf(command, sizeof(command),
		 "d=class/infiniband/%s; mkdir -p $d/ports/1 && echo '%s' >$d/ports/1/state && "
		 "echo '%s' >$d/ports/1/link_layer",
		 name, state, link);
	run(command);
	if (!driver)
		return;
	snprintf(command, sizeof(command),
		 "d=class/infiniband/%s/device; mkdir -p $d drivers/%s && ln -s "
		 "../../../../drivers/%s $d/driver",
		 name, driver, driver);
	run(command);
}

static void is_device(const struct pl_verbs *v, enum pl_verbs_kind kind, const char *name)
{
	ok(v->kind == kind && !strcmp(v->name, name), "%s: %s", name, pl_verbs_word(kind));
}

int main(void)
{
	struct pl_verbs v[PL_VERBS_MAX];
	char name[32];

	if (!mkdtemp(root))
		return 1;
	is_int((int64_t)pl_verbs_list(root, v), 0, "no sysfs: none");
	run("mkdir -p class/infiniband");
	is_int((int64_t)pl_verbs_list(root, v), 0, "no device: none");
	make("rdmap0s6", "efa", "4: ACTIVE", "Unspecified");
	make("mlx5_1", "mlx5_core", "4: ACTIVE", "Ethernet");
	make("mlx5_0", "mlx5_core", "4: ACTIVE", "InfiniBand");
	make("mlx5_2", "mlx5_core", "1: DOWN", "InfiniBand");
	make("odd0", "odd", "4: ACTIVE", "Carrier pigeon");
	make("rxe0", NULL, "4: ACTIVE", "Ethernet");
	run("mkdir -p class/infiniband/empty/device");
	if (is_int((int64_t)pl_verbs_list(root, v), 4, "hardware with an active port")) {
		is_device(&v[0], PL_VERBS_INFINIBAND, "mlx5_0");
		is_device(&v[1], PL_VERBS_ETHERNET, "mlx5_1");
		is_device(&v[2], PL_VERBS_OTHER, "odd0");
		is_device(&v[3], PL_VERBS_EFA, "rdmap0s6");
	}
	for (int k = 0; k < 2 * PL_VERBS_MAX; k++) {
		snprintf(name, sizeof(name), "more%d", k);
		make(name, "mlx5_core", "4: ACTIVE", "InfiniBand");
	}
	is_int((int64_t)pl_verbs_list(root, v), PL_VERBS_MAX, "no more than there is room for");
	ok(pl_verbs_kind("efax", 3) == PL_VERBS_EFA && pl_verbs_kind("efax", 4) == PL_VERBS_NONE &&
		   pl_verbs_kind("none", 4) == PL_VERBS_NONE,
	   "kinds by their words");
	run("rm -rf class drivers");
	rmdir(root);
	return done_testing();
}
