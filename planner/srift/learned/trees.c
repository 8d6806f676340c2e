/* SPDX-License-Identifier: BSD-3-Clause */
/* trees.c - checks that the numbers in XGBoost's JSON are trees */
#include "config.h"

#include "planner/srift/learned/parts.h"

#include "base/mem.h"
#include "base/text/number.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MAX 1000000

static int fault(struct pl_err *err, const char *what)
{
	return pl_err_set(err, PL_EINPUT, "these are not trees: %s", what);
}

/* XGBoost writes its parameters as strings. */
static int64_t parameter(const json_t *object, const char *name)
{
	const char *s = json_string_value(json_object_get(object, name));
	int64_t x = -1;

	if (s)
		pl_int_parse(s, strlen(s), 0, INT32_MAX, &x);
	return x;
}

static bool is_name(const json_t *object, const char *key, const char *name)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s && strcmp(s, name) == 0;
}

static bool is_whole(const json_t *v, json_int_t min, json_int_t max)
{
	return json_is_integer(v) && json_integer_value(v) >= min && json_integer_value(v) <= max;
}

/* An array of n whole numbers in [min, max]? */
static bool is_wholes(const json_t *tree, const char *key, size_t n, json_int_t min, json_int_t max)
{
	const json_t *array = json_object_get(tree, key);

	if (!json_is_array(array) || json_array_size(array) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_whole(json_array_get(array, i), min, max))
			return false;
	return true;
}

static bool is_numbers(const json_t *tree, const char *key, size_t n)
{
	const json_t *array = json_object_get(tree, key);

	if (!json_is_array(array) || json_array_size(array) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!json_is_number(json_array_get(array, i)))
			return false;
	return true;
}

static bool has_arrays(const json_t *tree, size_t n, size_t n_features)
{
	static const char *const numbers[] = {"base_weights", "loss_changes", "split_conditions",
					      "sum_hessian"};
	static const char *const none[] = {"categories", "categories_nodes", "categories_segments",
					   "categories_sizes"};
	const json_int_t last = (json_int_t)n - 1;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!is_numbers(tree, numbers[i], n))
			return false;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		if (!is_numbers(tree, none[i], 0))
			return false;
	return is_wholes(tree, "left_children", n, -1, last) &&
	       is_wholes(tree, "right_children", n, -1, last) &&
	       is_wholes(tree, "parents", n, 0, INT32_MAX) &&
	       is_wholes(tree, "split_indices", n, 0, (json_int_t)n_features - 1) &&
	       is_wholes(tree, "split_type", n, 0, 0) && is_wholes(tree, "default_left", n, 0, 1);
}

static json_int_t cell(const json_t *tree, const char *key, size_t i)
{
	return json_integer_value(json_array_get(json_object_get(tree, key), i));
}

/* Is the child in range, the node its parent, and the child of no other node so far? */
static bool adopt(const json_t *tree, json_int_t child, size_t node, bool *seen)
{
	if (child < 1 || seen[child] || cell(tree, "parents", (size_t)child) != (json_int_t)node)
		return false;
	seen[child] = true;
	return true;
}

/* Every node but the root is the child of one that is. With n - 1 children of one parent each, a
 * node that the root does not reach would be on a circle: parents have lower numbers, as XGBoost
 * gives them. */
static bool is_tree(const json_t *tree, size_t n, bool *seen)
{
	size_t n_children = 0;

	for (size_t i = 0; i < n; i++) {
		const json_int_t left = cell(tree, "left_children", i);
		const json_int_t right = cell(tree, "right_children", i);

		if (left == -1 && right == -1)
			continue;
		if (left <= (json_int_t)i || right <= (json_int_t)i ||
		    !adopt(tree, left, i, seen) || !adopt(tree, right, i, seen))
			return false;
		n_children += 2;
	}
	return n_children == n - 1;
}

/* A leaf has one number, which XGBoost 1.7 calls no vector. */
static bool is_leaf_size(const json_t *param)
{
	const int64_t size = parameter(param, "size_leaf_vector");

	return size == 0 || size == 1;
}

/* Newer versions say which tree each round begins with, and how many there
 * are. */
static bool is_rounds(const json_t *model, size_t n)
{
	const json_t *from = json_object_get(model, "iteration_indptr");

	if (!from)
		return true;
	for (size_t i = 0; i <= n; i++)
		if (!is_whole(json_array_get(from, i), (json_int_t)i, (json_int_t)i))
			return false;
	return json_array_size(from) == n + 1;
}

/* XGBoost puts a tree where its id says, several at a time: two of one id would be read into the
 * same memory. */
static int check_tree(const json_t *tree, size_t id, size_t n_features, struct pl_err *err)
{
	const json_t *p = json_object_get(tree, "tree_param");
	const int64_t n = parameter(p, "num_nodes");
	bool *seen, good;

	if (n < 1 || n > NODES_MAX || parameter(p, "num_deleted") != 0 || !is_leaf_size(p) ||
	    parameter(p, "num_feature") != (int64_t)n_features ||
	    !is_whole(json_object_get(tree, "id"), (json_int_t)id, (json_int_t)id))
		return fault(err, "what one of them says of itself");
	if (!has_arrays(tree, (size_t)n, n_features))
		return fault(err, "one lacks numbers, or has some that cannot be");
	seen = pl_array_create((size_t)n, sizeof(*seen));
	if (!seen)
		return pl_err_nomem(err);
	good = is_tree(tree, (size_t)n, seen);
	free(seen);
	return good ? 0 : fault(err, "nodes of one are not below its root");
}

static int check_model(const json_t *root, size_t n_features, struct pl_err *err)
{
	const json_t *learner = json_object_get(root, "learner");
	const json_t *param = json_object_get(learner, "learner_model_param");
	const json_t *booster = json_object_get(learner, "gradient_booster");
	const json_t *model = json_object_get(booster, "model");
	const json_t *counts = json_object_get(model, "gbtree_model_param");
	const json_t *trees = json_object_get(model, "trees");
	const size_t n = json_array_size(trees);

	if (!is_name(booster, "name", "gbtree") || !json_is_array(trees) ||
	    parameter(param, "num_class") != 0 || parameter(param, "num_target") != 1 ||
	    parameter(counts, "num_trees") != (int64_t)n ||
	    parameter(counts, "num_parallel_tree") != 1 ||
	    parameter(counts, "size_leaf_vector") > 0 || !is_wholes(model, "tree_info", n, 0, 0) ||
	    !is_rounds(model, n))
		return fault(err, "what they say of themselves");
	if (parameter(param, "num_feature") != (int64_t)n_features)
		return fault(err, "they are of another number of features");
	for (size_t i = 0; i < n; i++)
		if (check_tree(json_array_get(trees, i), i, n_features, err))
			return -1;
	return 0;
}

int pl_trees_check(const char *s, size_t len, size_t n_features, struct pl_err *err)
{
	json_t *root = json_loadb(s, len, JSON_REJECT_DUPLICATES, NULL);
	int rc;

	if (!root)
		return fault(err, "no JSON");
	rc = check_model(root, n_features, err);
	json_decref(root);
	return rc;
}
