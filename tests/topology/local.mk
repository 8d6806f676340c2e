# SPDX-License-Identifier: BSD-3-Clause
# Tests of topology/.
UNIT_TESTS += \
	tests/topology/unit-affinity tests/topology/unit-cluster \
	tests/topology/unit-embed tests/topology/unit-estimate \
	tests/topology/unit-fabric tests/topology/unit-linked \
	tests/topology/unit-places tests/topology/unit-racks \
	tests/topology/unit-racks-part tests/topology/unit-rates \
	tests/topology/unit-rates-plan tests/topology/unit-sample \
	tests/topology/unit-sparse tests/topology/unit-providers \
	tests/topology/unit-hierarchy tests/topology/unit-schedulers
TOOL_TESTS += \
	tests/topology/1200-groups.t tests/topology/1202-groups-schedulers.t \
	tests/topology/1204-groups-slurm.t tests/topology/1220-order-topology.t

tests_topology_unit_fabric_SOURCES = tests/topology/unit-fabric.c
tests_topology_unit_fabric_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_places_SOURCES = tests/topology/unit-places.c $(FAILALLOC_FILES)
tests_topology_unit_places_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_places_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_sparse_SOURCES = tests/topology/unit-sparse.c \
	bench/sparse-order.c bench/sparse-order.h $(FAILALLOC_FILES)
tests_topology_unit_sparse_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_sparse_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_sample_SOURCES = tests/topology/unit-sample.c $(FAILALLOC_FILES)
tests_topology_unit_sample_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_sample_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_hierarchy_SOURCES = tests/topology/unit-hierarchy.c $(FAILALLOC_FILES)
tests_topology_unit_hierarchy_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_hierarchy_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_schedulers_SOURCES = tests/topology/unit-schedulers.c tests/topology/told.h \
	$(FAILALLOC_FILES)
tests_topology_unit_schedulers_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_schedulers_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_providers_SOURCES = tests/topology/unit-providers.c tests/topology/told.h \
	$(FAILALLOC_FILES)
tests_topology_unit_providers_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_providers_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_affinity_SOURCES = tests/topology/unit-affinity.c $(FAILALLOC_FILES)
tests_topology_unit_affinity_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_affinity_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_cluster_SOURCES = tests/topology/unit-cluster.c $(FAILALLOC_FILES)
tests_topology_unit_cluster_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_cluster_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_racks_SOURCES = tests/topology/unit-racks.c $(FAILALLOC_FILES)
tests_topology_unit_racks_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_racks_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_racks_part_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_rates_SOURCES = tests/topology/unit-rates.c tests/topology/fair.h tests/topology/made-net.h \
	$(FAILALLOC_FILES)
tests_topology_unit_rates_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_rates_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_rates_plan_SOURCES = tests/topology/unit-rates-plan.c tests/topology/fair.h \
	tests/topology/made-net.h $(FAILALLOC_FILES)
tests_topology_unit_rates_plan_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_rates_plan_LDADD = $(TOPOLOGY_TEST_LIBS)
tests_topology_unit_linked_SOURCES = tests/topology/unit-linked.c $(FAILALLOC_FILES)
tests_topology_unit_linked_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_linked_LDADD = $(TOPOLOGY_A) $(UNIT_LIBS) $(JANSSON_LIBS)
tests_topology_unit_estimate_SOURCES = tests/topology/unit-estimate.c $(FAILALLOC_FILES)
tests_topology_unit_estimate_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_estimate_LDADD = $(TOPOLOGY_A) $(EMBED_LIBS) $(JANSSON_LIBS)
tests_topology_unit_embed_SOURCES = tests/topology/unit-embed.c $(FAILALLOC_FILES)
tests_topology_unit_embed_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_topology_unit_embed_LDADD = $(EMBED_LIBS)
