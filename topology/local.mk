# SPDX-License-Identifier: BSD-3-Clause
# What the network looks like: where hosts stand, as told or as measured.
noinst_LIBRARIES += libplink-topology.a
libplink_topology_a_SOURCES = \
	topology/affinity.c topology/affinity.h \
	topology/disagree.c topology/disagree.h \
	topology/places.c topology/places.h topology/places-read.c \
	topology/sample.c topology/sample.h \
	topology/providers/ec2.c \
	topology/providers/fabric.c topology/providers/fabric.h \
	topology/providers/ftree.c \
	topology/providers/gcp.c \
	topology/providers/groups.c \
	topology/providers/hypernode.c \
	topology/providers/ibnet.c \
	topology/providers/json.c topology/providers/json.h \
	topology/providers/kubernetes.c \
	topology/providers/names.c topology/providers/names.h \
	topology/providers/nvidia-smi.c \
	topology/providers/nvlink.c topology/providers/nvlink.h \
	topology/providers/oci.c \
	topology/providers/plain.c \
	topology/providers/slurm.c topology/providers/slurm-addr.c \
	topology/providers/switches.c topology/providers/switches.h \
	topology/providers/topograph.c \
	topology/providers/providers.h \
	topology/providers/yaml.c \
	topology/schedulers/kubernetes.c topology/schedulers/names.c \
	topology/schedulers/schedulers.h topology/schedulers/slurm.c \
	topology/why.c
libplink_topology_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(YAML_CFLAGS)
TOPOLOGY_A = libplink-topology.a $(JANSSON_LIBS) $(YAML_LIBS) $(BASE_A)

libplink_topology_a_SOURCES += \
	topology/assign.c topology/assign.h \
	topology/cluster.c topology/cluster.h \
	topology/estimate.c topology/estimate.h \
	topology/linked.c topology/linked.h \
	topology/linkage.c topology/linkage.h \
	topology/linkage-chain.h topology/linkage-few.c \
	topology/known.c topology/known.h \
	topology/hierarchy.c topology/hierarchy.h \
	topology/racks.c topology/racks.h \
	topology/racks-code.c topology/racks-fit.c \
	topology/racks-moves.c topology/racks-part.h \
	topology/racks-search.c topology/racks-search.h \
	topology/rates.c topology/rates.h topology/rates-parts.h \
	topology/rates-groups.c topology/rates-layers.c \
	topology/rates-plan.c topology/rates-plan.h \
	topology/rates-plan-groups.c topology/rates-plan-parts.h \
	topology/rates-text.c topology/rates-uplinks.c \
	topology/sparse.c topology/sparse.h \
	topology/sparse-join.c \
	topology/sparse-node.c topology/sparse-own.c topology/sparse-own.h \
	topology/sparse-pairs.c topology/sparse-pairs.h \
	topology/sparse-polish.c topology/sparse-tree.h \
	topology/sparse-split.c topology/sparse-split.h \
	topology/sparse-sweep.c \
	topology/tree.c topology/tree.h

# estimate.c needs the embedding, which stands apart for its flags: without them roots are taken one by
# one, for errno's sake.
noinst_LIBRARIES += libplink-embed.a
libplink_embed_a_SOURCES = \
	topology/embed.c topology/embed.h \
	topology/embed-gradient.c topology/embed-gradient.h \
	topology/embed-pairs.c
libplink_embed_a_CFLAGS = $(AM_CFLAGS) -fno-math-errno -fno-trapping-math
EMBED_A = libplink-embed.a $(BASE_A)
EMBED_LIBS = $(EMBED_A) $(RNG_LIBS) -lm
