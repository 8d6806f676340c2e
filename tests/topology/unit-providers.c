/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-providers.c - what providers and fabrics tell: every form, whole and cut off */
#include "config.h"

#include "tests/topology/told.h"

#include <stdlib.h>

static const char ec2[] = "{\n"
			  "  \"Instances\": [\n"
			  "    {\"InstanceId\": \"i-01\", \"InstanceType\": \"p5.48xlarge\",\n"
			  "     \"NetworkNodes\": [\"nn-1\", \"nn-2\", \"nn-3\"],\n"
			  "     \"CapacityBlockId\": null,\n"
			  "     \"ZoneId\": \"usw2-az2\", \"AvailabilityZone\": \"us-west-2a\"},\n"
			  "    {\"InstanceId\": \"i-02\",\n"
			  "     \"NetworkNodes\": [\"nn-1\", \"nn-2\", \"nn-4\"],\n"
			  "     \"AvailabilityZone\": \"us-west-2a\"},\n"
			  "    {\"InstanceId\": \"i-03\",\n"
			  "     \"NetworkNodes\": [\"nn-1\", \"nn-2\", \"nn-3\"],\n"
			  "     \"AvailabilityZone\": \"us-west-2a\"},\n"
			  "    {\"InstanceId\": \"i-04\", \"NetworkNodes\": null,\n"
			  "     \"AvailabilityZone\": \"us-west-2a\"},\n"
			  "    {\"InstanceId\": \"i-05\",\n"
			  "     \"NetworkNodes\": [\"nn-9\", \"nn-8\", \"nn-7\", \"nn-6\"],\n"
			  "     \"AvailabilityZone\": \"us-west-2b\"}\n"
			  "  ], \"NextToken\": \"more\"\n"
			  "}\n"
			  "{\"Reservations\": [{\"ReservationId\": \"r-1\", \"Instances\": [\n"
			  "  {\"InstanceId\": \"i-02\", \"PrivateIpAddress\": \"10.0.0.2\",\n"
			  "   \"PrivateDnsName\": \"ip-10-0-0-2.us-west-2.compute.internal\",\n"
			  "   \"PublicDnsName\": \"\", \"NetworkInterfaces\": [\n"
			  "     {\"PrivateIpAddress\": \"10.0.0.2\"},\n"
			  "     {\"PrivateIpAddress\": \"10.0.1.2\"}]},\n"
			  "  {\"InstanceId\": \"i-77\", \"PrivateIpAddress\": \"10.0.0.77\"}\n"
			  "]}]}\n";

static const char gcp[] =
	"[\n"
	" {\"id\": \"77\", \"name\": \"vm-1\",\n"
	"  \"networkInterfaces\": [{\"networkIP\": \"10.1.0.1\"}],\n"
	"  \"zone\": \"https://www.googleapis.com/x/zones/us-central1-a\",\n"
	"  \"resourceStatus\": {\"physicalHost\": \"/c1/b1/h1\",\n"
	"   \"physicalHostTopology\": {\"cluster\": \"c1\", \"block\": \"b1\",\n"
	"    \"subblock\": \"s1\", \"host\": \"h1\"}}},\n"
	" {\"name\": \"vm-2\", \"zone\": \"us-central1-a\", \"resourceStatus\":\n"
	"   {\"physicalHostTopology\": {\"cluster\": \"c1\", \"block\": \"b1\",\n"
	"    \"subBlock\": \"s1\", \"host\": \"h1\"}}},\n"
	" {\"name\": \"vm-3\", \"zone\": \"us-central1-a\", \"resourceStatus\":\n"
	"   {\"physicalHostTopology\": {\"cluster\": \"c1\", \"block\": \"b1\",\n"
	"    \"subblock\": \"s1\", \"host\": \"h2\"}}},\n"
	" {\"name\": \"vm-4\", \"zone\": \"us-central1-a\", \"resourceStatus\":\n"
	"   {\"physicalHostTopology\": {\"cluster\": \"c1\", \"block\": \"b2\",\n"
	"    \"subblock\": \"s1\", \"host\": \"h3\"}}},\n"
	" {\"name\": \"vm-5\", \"zone\": \"us-central1-a\", \"resourceStatus\": {}}\n"
	"]\n";

static const char gcp_hosts[] = "{\"items\": [\n"
				"{\"name\": \"a\", \"zone\": \"z\",\n"
				" \"resourceStatus\": {\"physicalHost\": \"/c1/r1/h1\"}},\n"
				"{\"name\": \"b\", \"zone\": \"z\",\n"
				" \"resourceStatus\": {\"physicalHost\": \"/c1/r1/h2\"}},\n"
				"{\"name\": \"c\", \"zone\": \"z\",\n"
				" \"resourceStatus\": {\"physicalHost\": \"/c1/r2/h1\"}}]}\n";

#define NODE(name, labels)                                                                         \
	"{\"kind\": \"Node\", \"metadata\": {\"name\": \"" name "\","                              \
	" \"labels\": {" labels "}}}"
#define AWS "topology.k8s.aws/network-node-layer-"
#define NVIDIA "network.topology.nvidia.com/"

static const char kubernetes[] =
	"{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n"
	"{\"kind\": \"Node\", \"metadata\": {\"name\": \"ip-10-0-0-1.x\",\n"
	" \"labels\": {\"topology.kubernetes.io/region\": \"eu\",\n"
	"  \"topology.kubernetes.io/zone\": \"eu-1\",\n"
	"  \"kubernetes.io/hostname\": \"n1.x\", \"" AWS "1\": \"t1\",\n"
	"  \"" AWS "2\": \"t2\", \"" AWS "3\": \"t3\"}},\n"
	" \"spec\": {\"providerID\": \"aws:///eu-1/i-0abc\"},\n"
	" \"status\": {\"addresses\": [\n"
	"  {\"type\": \"InternalIP\", \"address\": \"10.0.0.1\"},\n"
	"  {\"type\": \"Hostname\", \"address\": \"n1.x\"}]}},\n" //
	NODE("b", "\"failure-domain.beta.kubernetes.io/region\": "
		  "\"eu\",\"topology.kubernetes.io/zone\": \"eu-1\"," //
		  "\"" AWS "1\": \"t1\", \"" AWS "2\": \"t2\","       //
		  "\"" AWS "3\": \"t4\"") ",\n"                       //
	NODE("c", "\"topology.kubernetes.io/region\": \"eu\"") ",\n"  //
	NODE("d", "") "\n]}\n";

static const char slurm_tree[] = "# a tree\n"
				 "SwitchName=leaf1 Nodes=n[01-03],login\n"
				 "switchname=leaf2 NODES=n[04-06] LinkSpeed=800\n"
				 "SwitchName=leaf3 Nodes=n07\n"
				 "SwitchName=spine1 Switches=leaf[1-2]\n"
				 "SwitchName=spine2 \\\n"
				 "  Switches=leaf3 # goes on\n"
				 "SwitchName=core Switches=spine1,spine2\n";

static const char slurm_block[] = "BlockName=b1 Nodes=n[1-2]\n"
				  "BlockName=b2 Nodes=n[3-4]\n"
				  "BlockSizes=2,4\n";

static const char ftree[] = "0x0001\tn1 HCA-1\n"
			    "0x0002\tn2 mlx5_0\n"
			    "0x0003\tn3 mlx5_0\n"
			    "0x0004\tn4 mlx5_0\n"
			    "0xFFFF\tDUMMY\n"
			    "0xFFFF\tDUMMY\n";

static const char ibnet[] =
	"#\n"
	"# Topology file: two pods of two leaf switches, two spines each, one core\n"
	"#\n"
	"vendid=0x2c9\n"
	"devid=0xd2f0\n"
	"sysimgguid=0x11\n"
	"switchguid=0x11(11)\n"
	"Switch\t40 \"S-0000000000000011\"\t\t# \"leaf11\" enhanced port 0 lid 1 lmc 0\n"
	"[1]\t\"H-0000000000000101\"[1](101) \t\t# \"n1 mlx5_0\" lid 11 4xHDR\n"
	"[2]\t\"H-0000000000000102\"[1](102) \t\t# \"n2 mlx5_0\" lid 12 4xHDR\n"
	"[3]\t\"H-0000000000000901\"[1](901) \t\t# \"n3 mlx5_1\" lid 19 4xHDR\n"
	"[21]\t\"S-0000000000000021\"[1]\t\t# \"Quantum Mellanox Technologies\" lid 5 4xHDR\n"
	"[22]\t\"S-0000000000000022\"[1]\t\t# \"Quantum Mellanox Technologies\" lid 6 4xHDR\n"
	"[41]\t\"H-0000000000000711\"[1](711) \t\t# \"Mellanox Technologies Aggregation Node\" lid "
	"71 4xHDR\n"
	"\n"
	"vendid=0x2c9\n"
	"switchguid=0x12(12)\n"
	"Switch\t40 \"S-0000000000000012\"\t\t# \"leaf12\" enhanced port 0 lid 2 lmc 0\n"
	"[1]\t\"H-0000000000000103\"[1](103) \t\t# \"n3 mlx5_0\" lid 13 4xHDR\n"
	"[22]\t\"S-0000000000000022\"[2]\t\t# \"Quantum Mellanox Technologies\" lid 6 4xHDR\n"
	"\n"
	"Switch\t40 \"S-0000000000000021\"\t\t# \"Quantum Mellanox Technologies\" base port 0 lid "
	"5 lmc 0\n"
	"[1]\t\"S-0000000000000011\"[21]\t\t# \"leaf11\" lid 1 4xHDR\n"
	"[30]\t\"S-0000000000000031\"[1]\t\t# \"core\" lid 9 4xHDR\n"
	"[41]\t\"H-0000000000000721\"[1](721) \t\t# \"Mellanox Technologies Aggregation Node\" lid "
	"72 4xHDR\n"
	"\n"
	"Switch\t40 \"S-0000000000000013\"\t\t# \"leaf13\" enhanced port 0 lid 3 lmc 0\n"
	"[1]\t\"H-0000000000000104\"[1](104) \t\t# \"n4 HCA-1\" lid 14 4xHDR\n"
	"[21]\t\"S-0000000000000023\"[1]\t\t# \"pod2\" lid 7 4xHDR\n"
	"\n"
	"Switch\t40 \"S-0000000000000031\"\t\t# \"core\" base port 0 lid 9 lmc 0\n"
	"[1]\t\"S-0000000000000021\"[30]\t\t# \"Quantum Mellanox Technologies\" lid 5 4xHDR\n"
	"[2]\t\"S-0000000000000023\"[30]\t\t# \"pod2\" lid 7 4xHDR\n"
	"\n"
	"Switch\t40 \"S-0000000000000023\"\t\t# \"pod2\" base port 0 lid 7 lmc 0\n"
	"[1]\t\"S-0000000000000013\"[21]\t\t# \"leaf13\" lid 3 4xHDR\n"
	"\n"
	"caguid=0x104\n"
	"Ca\t1 \"H-0000000000000104\"\t\t# \"n4 HCA-1\"\n"
	"[1](104) \t\"S-0000000000000013\"[1]\t\t# lid 14 lmc 0 \"leaf13\" lid 3 4xHDR\n";

static const char oci[] = "{\"data\": {\"items\": [\n"
			  "  {\"id\": \"ocid1.host.h1\", \"instance-id\": \"ocid1.in.i1\",\n"
			  "   \"hpc-island-id\": \"island\", \"network-block-id\": \"n1\",\n"
			  "   \"local-block-id\": \"l1\", \"gpu-memory-fabric-id\": \"f1\"},\n"
			  "  {\"id\": \"ocid1.host.h2\", \"instance-id\": \"ocid1.in.i2\",\n"
			  "   \"hpc-island-id\": \"island\", \"network-block-id\": \"n1\",\n"
			  "   \"local-block-id\": \"l1\", \"gpu-memory-fabric-id\": \"f2\"},\n"
			  "  {\"id\": \"ocid1.host.h3\", \"instance-id\": \"ocid1.in.i3\",\n"
			  "   \"hpc-island-id\": \"island\", \"network-block-id\": \"n1\",\n"
			  "   \"local-block-id\": \"l2\", \"gpu-memory-fabric-id\": null},\n"
			  "  {\"id\": \"ocid1.host.h4\", \"instance-id\": \"ocid1.in.i4\",\n"
			  "   \"hpc-island-id\": \"island\", \"network-block-id\": null},\n"
			  "  {\"id\": \"ocid1.host.h5\", \"instance-id\": null}]}}\n"
			  "{\"data\": [\n"
			  "  {\"id\": \"ocid1.in.i2\", \"display-name\": \"gpu-2\"},\n"
			  "  {\"id\": \"ocid1.in.i9\", \"display-name\": \"cpu-9\"}]}\n";

#define UUID "5d2c0a1e-0000-4000-8000-0000000000"
static const char nvidia_smi[] = "n1:     CliqueId                          : 0\n"
				 "n2:     CliqueId                          : 0\n"
				 "n1:     ClusterUUID                       : " UUID "01\n"
				 "n2:     ClusterUUID                       : " UUID "01\n"
				 "n1:     CliqueId                          : N/A\n"
				 "n1:     ClusterUUID                       : N/A\n"
				 "n3:     CliqueId                          : 1\n"
				 "n3:     ClusterUUID                       : " UUID "01\n"
				 "n4.a.org: ClusterUUID                     : " UUID "02\n"
				 "n5:     CliqueId                          : 0\n"
				 "n5: ClusterUUID : 00000000-0000-0000-0000-000000000000\n";

static void is_known_as(const struct pl_places *p, const char *alias, const char *name)
{
	const ptrdiff_t i = pl_places_find(p, alias, strlen(alias));

	is_str(i < 0 ? NULL : p->host[i].name, name, alias);
}

static void test_ec2(void)
{
	struct pl_places p;

	read_it(&p, ec2, "ec2");
	is_int((int64_t)p.n, 5, "five instances");
	is_at(&p, "i-01", "us-west-2a/nn-1/nn-2/nn-3");
	is_at(&p, "i-04", "us-west-2a");
	is_at(&p, "i-05", "us-west-2b/nn-9/nn-8/nn-7/nn-6");
	is_far(&p, "i-01", "i-03", 1);
	is_far(&p, "i-01", "i-02", 2);
	is_far(&p, "i-01", "i-04", 4);
	is_far(&p, "i-01", "i-05", 6);
	is_known_as(&p, "10.0.1.2", "i-02");
	is_known_as(&p, "ip-10-0-0-2", "i-02");
	is_known_as(&p, "10.0.0.77", NULL);
	pl_places_fini(&p);
	read_it(&p,
		"[{\"InstanceId\":\"i-1\",\"NetworkNodes\":[\"n\"]},{\"InstanceId\":\"i-2\","
		"\"NetworkNodes\":[\"n\"]},{\"InstanceId\":\"i-1\",\"NetworkNodes\":[\"n\"]}]",
		"ec2");
	is_known_as(&p, "i-2", "i-2");
	pl_places_fini(&p);
}

static void test_gcp(void)
{
	struct pl_places p;

	read_it(&p, gcp, "gcp");
	is_at(&p, "vm-1", "us-central1-a/c1/b1/s1/h1");
	is_at(&p, "vm-5", "us-central1-a");
	is_far(&p, "vm-1", "vm-2", 1);
	is_far(&p, "vm-1", "vm-3", 2);
	is_far(&p, "vm-1", "vm-4", 4);
	is_known_as(&p, "10.1.0.1", "vm-1");
	is_known_as(&p, "77", "vm-1");
	pl_places_fini(&p);
	read_it(&p, gcp_hosts, "gcp");
	is_at(&p, "c", "z/c1/r2/h1");
	is_far(&p, "a", "b", 2);
	is_far(&p, "a", "c", 3);
	pl_places_fini(&p);
	read_it(&p, "vm-1\t/c1/r1/h1\nvm-2\t/c1/r1/h2\n", "plain");
	is_far(&p, "vm-1", "vm-2", 2);
	pl_places_fini(&p);
}

static void test_oci(void)
{
	struct pl_places p;

	read_it(&p, oci, "oci");
	is_int((int64_t)p.n, 4, "four hosts have an instance");
	is_at(&p, "ocid1.in.i1", "island/n1/l1/f1");
	is_at(&p, "ocid1.in.i3", "island/n1/l2");
	is_at(&p, "ocid1.in.i4", "island");
	is_far(&p, "ocid1.in.i1", "gpu-2", 2);
	is_far(&p, "ocid1.in.i1", "ocid1.in.i3", 3);
	is_known_as(&p, "cpu-9", NULL);
	pl_places_fini(&p);
}

static void test_nvidia_smi(void)
{
	struct pl_places p;

	read_it(&p, nvidia_smi, "nvidia-smi");
	is_int((int64_t)p.n, 5, "five hosts");
	is_at(&p, "n1", UUID "01/0");
	is_at(&p, "n4", UUID "02");
	is_at(&p, "n5", "-");
	is_far(&p, "n1", "n2", 1);
	is_far(&p, "n1", "n3", 2);
	is_far(&p, "n1", "n4", 3);
	pl_places_fini(&p);
}

static void test_kubernetes(void)
{
	struct pl_places p;

	read_it(&p, kubernetes, "kubernetes");
	is_at(&p, "ip-10-0-0-1.x", "eu/eu-1/t1/t2/t3");
	is_known_as(&p, "10.0.0.1", "ip-10-0-0-1.x");
	is_known_as(&p, "n1", "ip-10-0-0-1.x");
	is_known_as(&p, "i-0abc", "ip-10-0-0-1.x");
	is_far(&p, "n1.x", "b", 2);
	is_far(&p, "b", "c", 5);
	is_at(&p, "d", "-");
	pl_places_fini(&p);
	read_it(&p,
		"{\"items\":[" //
		NODE("a", "\"" NVIDIA "spine\": \"s1\", \"" NVIDIA "leaf\": \"l1\", \"" AWS
			  "1\": \"t1\"") "," //
		NODE("b", "\"" NVIDIA "spine\": \"s1\", \"" NVIDIA "leaf\": \"l2\", \"" AWS
			  "1\": \"t1\"") "," //
		NODE("c", "\"" AWS "1\": \"t1\"") "]}",
		"kubernetes");
	is_at(&p, "a", "-/-/s1/l1");
	is_far(&p, "a", "b", 2);
	is_at(&p, "c", "-");
	pl_places_fini(&p);
	read_it(&p,
		NODE("a", "\"" NVIDIA "datacenter\": \"d\", \"" NVIDIA "spine\": \"s1\", \"" NVIDIA
			  "block\": \"b1\""),
		"kubernetes");
	is_at(&p, "a", "-/-/d/s1/b1");
	pl_places_fini(&p);
	/* pods, which may come first, are names of nodes; what is neither is nothing */
	read_it(&p,
		"{\"items\": ["
		"{\"kind\": \"Pod\", \"metadata\": {\"name\": \"w-0\", \"namespace\": \"x\"},"
		" \"spec\": {\"nodeName\": \"a\", \"hostname\": \"h0\", \"subdomain\": \"w\"},"
		" \"status\": {\"podIP\": \"10.1.0.1\", \"podIPs\": [{\"ip\": \"fd00::1\"}]}},"
		"{\"metadata\": {\"name\": \"w-1\"}, \"spec\": {\"nodeName\": \"b\"}},"
		"{\"kind\": \"Pod\", \"metadata\": {\"name\": \"old\"}, \"spec\": {\"nodeName\": "
		"\"b\"},"
		" \"status\": {\"phase\": \"Succeeded\", \"podIP\": \"10.1.0.1\"}},"
		"{\"kind\": \"Pod\", \"metadata\": {\"name\": \"waits\"}, \"spec\": {}},"
		"{\"kind\": \"Service\", \"metadata\": {\"name\": \"w\"}}," //
		NODE("a", "\"" AWS "1\": \"t1\"") ","                       //
		NODE("b", "\"" AWS "1\": \"t2\"") "]}",
		"kubernetes");
	is_int((int64_t)p.n, 2, "two nodes");
	is_known_as(&p, "w-0", "a");
	is_known_as(&p, "h0.w.x.svc", "a");
	is_known_as(&p, "10.1.0.1", "a");
	is_known_as(&p, "fd00::1", "a");
	is_known_as(&p, "w-1", "b");
	is_int(pl_places_find(&p, "waits", 5), PL_PLACES_NONE, "a pod that waits is nowhere");
	pl_places_fini(&p);
	is_refused("{\"kind\": \"Pod\", \"metadata\": {\"name\": \"w-0\"}}", 0, 0,
		   "append what kubectl get nodes");
}

static void test_slurm(void)
{
	struct pl_places p;

	read_it(&p, slurm_tree, "slurm");
	is_int((int64_t)p.n, 8, "eight nodes");
	is_at(&p, "login", "core/spine1/leaf1");
	is_at(&p, "n07", "core/spine2/leaf3");
	is_far(&p, "n01", "n03", 1);
	is_far(&p, "n01", "n04", 2);
	is_far(&p, "n01", "n07", 3);
	pl_places_fini(&p);
	read_it(&p, slurm_block, "slurm");
	is_at(&p, "n3", "b2");
	is_far(&p, "n1", "n2", 1);
	is_far(&p, "n2", "n3", 2);
	pl_places_fini(&p);
	/* two cores above the same two of spines; what scontrol repeats; all that Slurm reads */
	read_it(&p,
		"SwitchName=core1 Level=2 LinkSpeed=1 Nodes=n[1-5],io Switches=s11,s21\n"
		"SwitchName=core2 Level=2 Nodes=n[1-5],io Switches=s[1-2]2\r\n"
		"SwitchName=s11 Level=1 Nodes=n[1-4] Switches=l1,\\\n  l2\n"
		"SwitchName = s12 Switches=\\ # goes on\nl[1-2]\n"
		"SwitchName=s21 Switches=l3\nSwitchName=s22 Switches=l3\n"
		"SwitchName=l1 Nodes=\"n1,n2\"\nSwitchName=l2 Nodes = n[3-4]\nSwitchName=l3 "
		"Nodes=n5",
		"slurm");
	is_int((int64_t)p.n, 6, "each node once");
	is_at(&p, "n2", "core1/s11/l1");
	is_at(&p, "n4", "core1/s11/l2");
	is_at(&p, "n5", "core1/s21/l3");
	is_at(&p, "io", "core1");
	pl_places_fini(&p);
	read_it(&p,
		"AggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-4] BlockSize=4\n"
		"BlockName=b1 BlockIndex=0 Nodes=n[1-2] BlockSize=2\n"
		"BlockName=b2 BlockIndex=1 Nodes=n[3-4] BlockSize=2\n",
		"slurm");
	is_at(&p, "n3", "b2");
	is_int((int64_t)pl_places_levels(&p), 1, "adjacent blocks are no place");
	pl_places_fini(&p);
	read_it(&p, "\xef\xbb\xbfSwitchName=s Nodes=a,b\n", "slurm");
	is_at(&p, "a", "s");
	pl_places_fini(&p);
}

static void test_ftree(void)
{
	struct pl_places p;

	/* 6 lines, the last two empty seats: 3 or 6 to a switch */
	read_it(&p, ftree, NULL);
	read_it(&p,
		"# leaf 3\n0x0001\tn1 HCA-1\n0x0002\tn2 mlx5_0\n0x0003\tn3\n"
		"0x0004\tn4 mlx5_0\n0x0005\tn1 mlx5_1\n0xFFFF\tDUMMY\n",
		"ftree");
	is_at(&p, "n3", "leaf1");
	is_at(&p, "n4", "leaf2");
	is_at(&p, "n1", "leaf1");
	is_int((int64_t)p.n, 4, "four hosts");
	pl_places_fini(&p);
	/* 5 lines are one switch where a seat is empty */
	read_it(&p,
		"0x0001\tn1\n0x0002\tn2\n0x0003\tn3\n0x0004\tn4\n"
		"0xFFFF\tDUMMY\n",
		"ftree");
	is_far(&p, "n1", "n4", 1);
	pl_places_fini(&p);
}

static void test_ibnet(void)
{
	struct pl_places p;

	read_it(&p, ibnet, "ibnetdiscover");
	is_int((int64_t)p.n, 4, "four hosts");
	is_at(&p, "n1", "core/S-0000000000000021/leaf11");
	is_at(&p, "n3", "core/S-0000000000000021/leaf12");
	is_at(&p, "n4", "core/pod2/leaf13");
	is_far(&p, "n1", "n2", 1);
	is_far(&p, "n1", "n3", 2);
	is_far(&p, "n1", "n4", 3);
	pl_places_fini(&p);
	read_it(&p,
		"Switch 8 \"S-01\" # \"a\" x\n[1] \"H-11\"[1] # \"n1 x\"\n"
		"[2] \"S-02\"[2] # \"b\"\n"
		"Switch 8 \"S-02\" # \"b\" x\n[1] \"H-12\"[1] # \"n2 x\"\n",
		"ibnetdiscover");
	is_at(&p, "n1", "a");
	is_far(&p, "n1", "n2", 2);
	pl_places_fini(&p);
}

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"{}", 0, 0, "object 1 is no host"},
	{"[]", 0, 0, "no host"},
	{"[[[[[[]]]]]]", 0, 0, "something else"},
	{"[3]", 0, 0, "something else"},
	{"{\"Instances\": []}", 0, 0, "no host"},
	{"{\"items\": [{\"name\": \"x\"}]}", 0, 0, "object 1 is no host"},
	{"[{\"InstanceId\": \"i-1\"}]", 0, 0, "describe-instance-topology"},
	{"[{\"InstanceId\": \"i-1\", \"NetworkNodes\": 3}]", 0, 0, "not a list"},
	{"[{\"InstanceId\": \"i-1\", \"NetworkNodes\": [3]}]", 0, 0, "not a list"},
	{"[{\"InstanceId\": \"i-1\", \"NetworkNodes\": [\"a\"]},{\"InstanceId\": \"i-1\", "
	 "\"NetworkNodes\": [\"b\"]}]",
	 0, 0, "another place"},
	{"[{\"InstanceId\": \"i-1\", \"NetworkNodes\": [\"a\"]},{\"metadata\": {\"name\": \"b\"}}]",
	 0, 0, "object 2 is of kubernetes"},
	{"[{\"InstanceId\": \"i\", \"NetworkNodes\": [\"1\", \"2\", \"3\",\"4\", \"5\", \"6\", "
	 "\"7\", \"8\", \"9\", \"10\", \"11\", \"12\",\"13\", \"14\", \"15\", \"16\"]}]",
	 0, 0, "16 levels"},
	{"[{\"name\": \"a\", \"zone\": \"z\"}]", 0, 0, "physicalHost"},
	{"{\"metadata\": {\"name\": \"a\"}}", 0, 0, "no node has a label"},
	{"{\"a\": 1,\n \"b\": x}", 2, 7, "near 'x'"},
	{"{}\n{\"a\": [1, 2}", 2, 12, "near '}'"},
	{"{}  {\"a\": [1, 2}", 1, 16, "near '}'"},
	{"{\"a\": \"\\u0000\"}", 1, 14, "\\u0000"},
	{"SwitchName=a Nodes=n1\nNodes=n2\n", 2, 7, "of which switch"},
	{"SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n", 2, 12, "\"a\" appears again"},
	{"SwitchName=a Nodes=n1\nSwitchName=b Nodes=n[0-1]\n", 2, 20,
	 "node \"n1\" is in two places"},
	{"SwitchName=a Nodes=n1\nSwitchName=b Switches=a,c\n", 2, 25,
	 "nothing describes switch \"c\""},
	{"SwitchName=a Nodes=n1\nSwitchName=b Switches=a\n"
	 "SwitchName=d Nodes=n2\nSwitchName=c Switches=a,d\n",
	 2, 12, "switch \"b\" shares some, but not all"},
	{"SwitchName=a Nodes=n1 Switches=\\\nb,\\\n c\nSwitchName=b\nSwitchName=c Nodes=n1\n"
	 "SwitchName=d Nodes=\"n1\n",
	 6, 21, "not closed"},
	{"SwitchName=a Nodes=n1 Switches=b,c\nSwitchName=b Nodes=n2\nSwitchName=c Nodes=n3\n"
	 "SwitchName=d Nodes=n1\n",
	 1, 20, "node \"n1\" is in two places"},
	{"SwitchName=a Switches=b\nSwitchName=b Switches=a Nodes=n\n", 1, 12, "a circle"},
	{"SwitchName=a Switches=a\n", 1, 12, "a circle"},
	{"SwitchName=a Nodes=n[1\n", 1, 21, "not closed"},
	{"SwitchName=a nonsense\n", 1, 14, "only key=value"},
	{"SwitchName=a Switches=\n", 0, 0, "no host"},
	{"0x0001\tn1\nn2\n", 2, 1, "0xLID"},
	{"0x0001\tn1\n0x0002\tn2\n", 0, 0, "1 and 2 are possible"},
	{"# leaf 3\n0x0001\tn1\n0x0002\tn2\n", 1, 8, "within the 2 lines"},
	{"vendid=0x1\nSwitch 8 \"S-01\n", 2, 1, "expected"},
	{"Switch 8 \"S-01\" # \"a\"\n[1] \"H-11\"[1] # \"n\n", 2, 1, "expected"},
	{"Switch 8 \"S-01\" # \"a\"\n[1] \"H\"[1] # \"n\"\n", 2, 1, "expected"},
	{"vendid=0x1\nSwitch 8 \"S-01\" # \"a\"\n", 0, 0, "no host"},
	{"rack 1: 1 host, inner -, outer -: a\na rack9\n", 2, 1, "no line of plink-groups"},
	{"rack 1: 1 host, inner -, outer -: a a\n", 1, 37, "appears again"},
	{"{\"hosts\": [\"a\"]}", 0, 0, "object 1 is no host"},
	{"{\"groups\": [{\"hosts\": [7], \"inner\": 1}]}", 0, 0, "host 1 is no name"},
	{"{\"groups\": [{\"hosts\": [], \"inner\": 1}]}", 0, 0, "no host"},
	{"[{\"id\": \"ocid1.a\"}]", 0, 0, "no host has an instance-id"},
	{"[{\"id\": \"ocid1.a\", \"instance-id\": \"ocid1.b\"},{\"id\": \"ocid1.c\", "
	 "\"instance-id\": \"ocid1.b\"}]",
	 0, 0, "ocid1.b appears again"},
	{"{\"data\": {\"data\": 3}}", 0, 0, "object 1 is no host"},
	{"a: ClusterUUID : 1-1\na: Status : ok\n", 2, 1, "are read here"},
	{"a: ClusterUUID : 1-1\na: ClusterUUID : 1-2\n", 2, 18,
	 "GPUs of host \"a\" differ in ClusterUUID"},
	{"a: CliqueId : 1\nb: ClusterUUID : N/A\n", 0, 0, "no GPU is in an NVLink domain"},
	{"# leaf x\n0x0001\tn1\n", 1, 9, "after \"# leaf\""},
	{"0x0001\tn1\n0xFFFF\tDUMMY\n0xFFFF\tDUMMY\n0x0002\tn2\n", 0, 0, "is the file whole"},
};

static const char groups[] = "rack 1: 2 hosts, inner 100.5 us, outer 500 us: a1 a2\n"
			     "rack 2: 1 host, inner -, outer 500 us: 10.0.0.9:7\n"
			     "PAIA measured: 0.9000 of 12 triplets\n";

static const char groups_json[] =
	"{\"tool\": \"plink-groups\", \"kind\": \"racks\", \"n\": 3,\n"
	" \"groups\": [{\"hosts\": [\"a1\", \"a2\"], \"inner\": 1, \"outer\": 2},\n"
	"  {\"hosts\": [\"10.0.0.9:7\"], \"inner\": null}]}\n";

static void test_groups(const char *text)
{
	struct pl_places p;

	read_it(&p, text, "plink-groups");
	is_int((int64_t)p.n, 3, "three hosts");
	is_at(&p, "a2", "1");
	is_at(&p, "10.0.0.9:7", "2");
	is_far(&p, "a1", "a2", 1);
	is_far(&p, "a1", "10.0.0.9:7", 2);
	pl_places_fini(&p);
}

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		is_refused(bad[i].text, bad[i].line, bad[i].col, bad[i].part);
}

static void test_deep(void)
{
	const size_t n = 1000000;
	char *text = malloc(n);
	struct pl_places p;
	struct pl_err err;

	memset(text, '[', n);
	is_int(parse_len(&p, text, n, &err), -1, "a million of [ is refused");
	is_int(err.code, PL_EINPUT, "as a fault of the file");
	free(text);
}

int main(void)
{
	test_ec2();
	test_gcp();
	test_oci();
	test_nvidia_smi();
	test_kubernetes();
	test_slurm();
	test_ftree();
	test_ibnet();
	test_groups(groups);
	test_groups(groups_json);
	test_nonsense();
	test_cut(ec2, "ec2, cut off");
	test_cut(gcp, "gcp, cut off");
	test_cut(oci, "oci, cut off");
	test_cut(nvidia_smi, "nvidia-smi, cut off");
	test_cut(kubernetes, "kubernetes, cut off");
	test_cut(slurm_tree, "a tree of switches, cut off");
	test_cut(ftree, "ftree, cut off");
	test_cut(ibnet, "ibnetdiscover, cut off");
	test_cut(groups, "plink-groups, cut off");
	test_cut(groups_json, "its JSON, cut off");
	test_deep();
	test_no_memory(slurm_tree, "slurm without memory");
	test_no_memory(slurm_block, "slurm's blocks without memory");
	test_no_memory(ec2, "ec2 without memory");
	test_no_memory(groups, "plink-groups without memory");
	test_no_memory(groups_json, "its JSON without memory");
	test_no_memory(oci, "oci without memory");
	test_no_memory(nvidia_smi, "nvidia-smi without memory");
	test_no_memory(ibnet, "ibnetdiscover without memory");
	return done_testing();
}
