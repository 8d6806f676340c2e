/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-collective.cc - one all-reduce of Gloo, a process per rank, over a network */
/*
 * usage: gloo-collective RANK RANKS FOLDER INTERFACE ALGORITHM BYTES
 *
 * Ranks meet in FOLDER, which must be empty. ALGORITHM is what plink-audit calls it.
 */
#include "config.h"

#include <gloo/allreduce.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

using Context = std::shared_ptr<gloo::rendezvous::Context>;

void sum(void *out, const void *a, const void *b, size_t n)
{
	gloo::sum<float>(out, a, b, n);
}

void run_function(const Context &context, std::vector<float> &data)
{
	gloo::AllreduceOptions options(context);

	options.setOutput(data.data(), data.size());
	options.setReduceFunction(sum);
	gloo::allreduce(options);
}

template <typename Class> void run_class(const Context &context, std::vector<float> &data)
{
	Class call(context, std::vector<float *>{data.data()}, static_cast<int>(data.size()));

	call.run();
}

/* A rank must not end while others still send: all are told at the end, by a file each, not over
 * the network. */
void part(gloo::rendezvous::FileStore &store, int rank, int n_ranks)
{
	std::vector<std::string> keys;

	store.set("done" + std::to_string(rank), std::vector<char>(1));
	for (int i = 0; i < n_ranks; i++)
		keys.push_back("done" + std::to_string(i));
	store.wait(keys, std::chrono::milliseconds(30000));
}

void run(char **argv)
{
	const int rank = std::atoi(argv[1]), n_ranks = std::atoi(argv[2]);
	const std::string name = argv[5];
	std::vector<float> data(std::strtoul(argv[6], nullptr, 10) / 4, 1.0f);
	gloo::rendezvous::FileStore store(argv[3]);
	gloo::transport::tcp::attr attr;
	auto context = std::make_shared<gloo::rendezvous::Context>(rank, n_ranks);

	attr.iface = argv[4];
	auto device = gloo::transport::tcp::CreateDevice(attr);
	context->connectFullMesh(store, device);
	if (name == "default")
		run_function(context, data);
	else if (name == "ring-chunked")
		run_class<gloo::AllreduceRingChunked<float>>(context, data);
	else if (name == "halving-doubling")
		run_class<gloo::AllreduceHalvingDoubling<float>>(context, data);
	else
		throw std::runtime_error("no algorithm " + name);
	part(store, rank, n_ranks);
	for (float v : data)
		if (v != static_cast<float>(n_ranks))
			throw std::runtime_error("a wrong sum");
}

} // namespace

int main(int argc, char **argv)
{
	try {
		if (argc != 7)
			throw std::runtime_error("wrong usage");
		run(argv);
	} catch (const std::exception &e) {
		std::fprintf(stderr, "gloo-collective: %s\n", e.what());
		return 1;
	}
	return 0;
}
