/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-schedulers.c - what schedulers and NVIDIA's tools tell of places */
#include "config.h"

#include "tests/topology/told.h"

static const char slurm_yaml[] = "---\n"
				 "- topology: first # a comment\n"
				 "  flat: true\n"
				 "- topology: net\n"
				 "  cluster_default: true\n"
				 "  tree:\n"
				 "    switches:\n"
				 "      - switch: root\n"
				 "        children: s[1-2]\n"
				 "      - {switch: s1, nodes: 'n[01-02],login'}\n"
				 "      - switch: \"s2\"\n"
				 "        nodes: n03\n";

static const char slurm_yaml_block[] = "- topology: blocks\n"
				       "  block:\n"
				       "    block_sizes:\n"
				       "    - 2\n"
				       "    blocks:\n"
				       "    - block: b1\n"
				       "      nodes: n[1-2]\n"
				       "    - block: b2\n"
				       "      nodes: n[3-4]\n";

/* Tasks' lines are mixed, as srun prints them; h3 has no switch in the middle; the last node's name
 * has dots. */
static const char slurm_addr[] = "SLURM_TOPOLOGY_ADDR=top.row1.rack1.h1\n"
				 "SLURM_TOPOLOGY_ADDR=top.row1.rack2.h2\n"
				 "SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.switch.node\n"
				 "SLURM_TOPOLOGY_ADDR=top..rack3.h3\n"
				 "SLURM_TOPOLOGY_ADDR=top.row1.rack1.h1\n"
				 "SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.switch.node\n"
				 "SLURM_TOPOLOGY_ADDR=top.row2.s[1-2].h4.example.org\n";

/* clang-format off */
#define MEMBER(type, name)                                                     \
	"{\"type\": \"" type "\", \"selector\": {\"exactMatch\": {\"name\": "  \
	"\"" name "\"}}}"
#define HYPERNODE(name, members)                                               \
	"{\"kind\": \"HyperNode\", \"metadata\": {\"name\": \"" name "\"},"    \
	" \"spec\": {\"tier\": 1, \"members\": [" members "]}}"

static const char hypernodes[] =
	"{\"kind\": \"List\", \"items\": [\n"
	HYPERNODE("s2", MEMBER("HyperNode", "s0") ","
		  MEMBER("HyperNode", "s1")) ",\n"
	HYPERNODE("s0", MEMBER("Node", "n0") "," MEMBER("Node", "n1")) ",\n"
	HYPERNODE("s1", MEMBER("Node", "n2")) "]}\n";

#define INSTANCE(id, layers, labels)                                           \
	"{\"id\": \"" id "\", \"network_layers\": " layers                     \
	", \"labels\": {" labels "}}"
#define LAYERS(leaf) "[\"" leaf "\", \"spine1\"]"
#define DOMAIN(d) "\"accelerator.topograph.run/domain\": \"" d "\""
#define PART(d) "\"accelerator.topograph.run/sub-domain\": \"" d "\""

/* Domains within leaf switches. */
static const char topograph[] =
	"{\"instances\": [\n"
	INSTANCE("i1", LAYERS("leaf1"), DOMAIN("nvl1") "," PART("a")) ",\n"
	INSTANCE("i2", LAYERS("leaf1"), DOMAIN("nvl1") "," PART("b")) ",\n"
	INSTANCE("i3", LAYERS("leaf1"), DOMAIN("nvl2")) ",\n"
	INSTANCE("i4", LAYERS("leaf2"), "") ",\n"
	INSTANCE("i5", "null", "") "]}\n";

/* A domain over two leaf switches. */
static const char spanning[] =
	"{\"instances\": [\n"
	INSTANCE("i1", LAYERS("leaf1"), DOMAIN("nvl1")) ",\n"
	INSTANCE("i2", LAYERS("leaf2"), DOMAIN("nvl1")) ",\n"
	INSTANCE("i3", LAYERS("leaf1"), DOMAIN("nvl2")) ",\n"
	INSTANCE("i4", LAYERS("leaf2"), "") "]}\n";

#define UUID "50000000-0000-0000-0000-00000000000"
#define NODE(name, labels)                                                     \
	"{\"kind\": \"Node\", \"metadata\": {\"name\": \"" name "\","          \
	" \"labels\": {" labels "}}}"
#define CLIQUE(c) "\"nvidia.com/gpu.clique\": \"" c "\""
#define TIER0(s) "\"fabric.topograph.run/tier-0\": \"" s "\""

/* What the GPU operator says counts before topograph's domain. */
static const char cliques[] =
	"{\"items\": [\n"
	NODE("a", CLIQUE(UUID "1.1") "," TIER0("s1") "," DOMAIN("x")) ",\n"
	NODE("b", CLIQUE(UUID "1.1") "," TIER0("s1")) ",\n"
	NODE("c", CLIQUE(UUID "1.2") "," TIER0("s1")) ",\n"
	NODE("d", CLIQUE(UUID "2.1") "," TIER0("s1")) ",\n"
	NODE("e", CLIQUE("00000000-0000-0000-0000-000000000000.0") ","
	     TIER0("s1")) "]}\n";
/* clang-format on */

static void test_yaml(void)
{
	struct pl_places p;

	read_it(&p, slurm_yaml, "slurm-yaml");
	is_int((int64_t)p.n, 4, "four nodes");
	is_at(&p, "login", "root/s1");
	is_at(&p, "n03", "root/s2");
	is_far(&p, "n01", "n02", 1);
	is_far(&p, "n01", "n03", 2);
	pl_places_fini(&p);
	read_it(&p, slurm_yaml_block, "slurm-yaml");
	is_at(&p, "n3", "b2");
	is_far(&p, "n1", "n3", 2);
	pl_places_fini(&p);
}

static void test_addr(void)
{
	struct pl_places p;

	read_it(&p, slurm_addr, "slurm-addr");
	is_int((int64_t)p.n, 4, "four nodes");
	is_at(&p, "h2", "top/row1/rack2");
	is_at(&p, "h3", "top/-/rack3");
	is_at(&p, "h4.example.org", "top/row2/s[1-2]");
	is_far(&p, "h1", "h2", 2);
	is_far(&p, "h1", "h3", 3);
	pl_places_fini(&p);
	read_it(&p,
		"SLURM_TOPOLOGY_ADDR_PATTERN=block.node\n"
		"SLURM_TOPOLOGY_ADDR=b1.n1\n",
		"slurm-addr");
	is_at(&p, "n1", "b1");
	pl_places_fini(&p);
}

static void test_hypernodes(void)
{
	struct pl_places p;

	read_it(&p, hypernodes, "hypernode");
	is_int((int64_t)p.n, 3, "three nodes");
	is_at(&p, "n1", "s2/s0");
	is_far(&p, "n0", "n1", 1);
	is_far(&p, "n0", "n2", 2);
	pl_places_fini(&p);
}

static void test_nvlink(void)
{
	struct pl_places p;

	read_it(&p, topograph, "topograph");
	is_int((int64_t)p.n, 5, "five instances");
	is_at(&p, "i1", "spine1/leaf1/nvl1/a");
	is_at(&p, "i4", "spine1/leaf2");
	is_at(&p, "i5", "-");
	is_far(&p, "i1", "i2", 2);
	is_far(&p, "i1", "i3", 3);
	is_far(&p, "i1", "i4", 4);
	pl_places_fini(&p);
	read_it(&p, spanning, "topograph");
	is_at(&p, "i2", "spine1/nvl1/leaf2");
	is_at(&p, "i4", "spine1/-/leaf2");
	is_far(&p, "i1", "i2", 2);
	is_far(&p, "i1", "i3", 3);
	pl_places_fini(&p);
	read_it(&p, cliques, "kubernetes");
	is_at(&p, "a", "-/-/s1/" UUID "1/1");
	is_at(&p, "e", "-/-/s1");
	is_far(&p, "a", "b", 1);
	is_far(&p, "a", "c", 2);
	is_far(&p, "a", "d", 3);
	pl_places_fini(&p);
	read_it(&p, NODE("a", CLIQUE("u.1")), "kubernetes");
	is_at(&p, "a", "-/-/u/1");
	pl_places_fini(&p);
}

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"a: b\n", 1, 1, "only Slurm's topology.yaml"},
	{"- a: b\n", 1, 1, "only Slurm's topology.yaml"},
	{"- topology: t\n  flat: true\n", 1, 3, "neither a tree"},
	{"- topology: t\n  tree:\n    switches:\n    - nodes: a\n", 4, 7, "switch: is missing"},
	{"- topology: t\n  tree:\n    switches:\n    - switch: a\n"
	 "      nodes: [a]\n",
	 5, 14, "nodes: must be a string"},
	{"- topology: t\n  tree:\n    switches:\n    - switch: a\n"
	 "      children: b\n",
	 5, 17, "nothing describes switch \"b\""},
	{"- topology: \"t\n", 2, 1, "unexpected end"},
	{"SLURM_TOPOLOGY_ADDR=top.h1\n", 1, 1, "there is no line"},
	{"SLURM_TOPOLOGY_ADDR_PATTERN=node\nSLURM_TOPOLOGY_ADDR=h1\n", 1, 29,
	 "neither switches nor blocks"},
	{"SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node\n"
	 "SLURM_TOPOLOGY_ADDR=top.h1\n",
	 2, 21, "2 names, where the pattern has 3"},
	{"SLURM_TOPOLOGY_ADDR_PATTERN=switch.node\nHOME=/\n", 2, 1, "only"},
	{"{\"kind\": \"HyperNode\"}", 0, 0, "HyperNode 1 has no name"},
	{HYPERNODE("a",
		   "{\"type\": \"Node\", \"selector\": {\"regexMatch\": {\"pattern\": \"n.*\"}}}"),
	 0, 0, "member 1 has no selector exactMatch"},
	{HYPERNODE("a", MEMBER("HyperNode", "b")), 0, 0, "nothing describes HyperNode \"b\""},
	{"{\"instances\": [{\"id\": \"i\", \"network_layers\": 1}]}", 0, 0,
	 "network_layers is no list"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		is_refused(bad[i].text, bad[i].line, bad[i].col, bad[i].part);
}

int main(void)
{
	static const char *const text[] = {slurm_yaml, slurm_yaml_block, slurm_addr,
					   hypernodes, topograph,        cliques};

	test_yaml();
	test_addr();
	test_hypernodes();
	test_nvlink();
	test_nonsense();
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		char what[40];

		snprintf(what, sizeof(what), "text %zu, cut off", i);
		test_cut(text[i], what);
	}
	test_no_memory(slurm_addr, "slurm's addresses without memory");
	return done_testing();
}
