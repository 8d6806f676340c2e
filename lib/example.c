/* SPDX-License-Identifier: BSD-3-Clause */
/* example.c - the hosts of a measured matrix, in the order in which a job's all-reduce is cheapest;
 * as an argument list for a launcher */
/*
 * cc example.c $(pkg-config --cflags --libs libplink) -o example
 * ./example net.matrix 64k
 */
#include <plink.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const struct pl_error *error)
{
	fprintf(stderr, "example: %s\n", error->text);
	return (int)error->code;
}

static void show(const struct pl_net *net, const struct pl_answer *answer)
{
	const size_t *host_at = pl_answer_order(answer);

	for (size_t pos = 0; pos < pl_net_hosts(net); pos++)
		printf("%s%s", pos ? "," : "", pl_net_name(net, host_at[pos]));
	printf("\n");
	fprintf(stderr, "given %g %s, found %g, none below %g%s\n", pl_answer_given(answer),
		pl_net_unit(net), pl_answer_cost(answer), pl_answer_bound(answer),
		pl_answer_is_best(answer) ? ": the best there is" : "");
}

int main(int argc, char **argv)
{
	struct pl_goal *goal = pl_goal_create();
	struct pl_answer *answer = NULL;
	struct pl_net *net = NULL;
	struct pl_error error;
	int status = 0;

	if (argc < 2 || argc > 3 || !goal) {
		fprintf(stderr, "usage: example MATRIX [BYTES]\n");
		status = PL_ERROR_USAGE;
		goto out;
	}
	net = pl_net_read(argv[1], &error);
	if (!net || pl_goal_set(goal, "impl", "openmpi", &error) ||
	    pl_goal_set(goal, "algorithm", "ring", &error) ||
	    (argc > 2 && pl_goal_set(goal, "size", argv[2], &error))) {
		status = fail(&error);
		goto out;
	}
	answer = pl_solve(net, goal, &error);
	if (answer)
		show(net, answer);
	else
		status = fail(&error);
out:
	pl_answer_destroy(answer);
	pl_net_destroy(net);
	pl_goal_destroy(goal);
	return status;
}
