/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-traffic.cc - runs Gloo's collectives and counts what a rank writes to each */
/*
 * Gloo's TCP transport sends by writev() alone, header and data together; the one below stands in
 * front of the C library's and reads the stream as the peer will. A socket is known by the first
 * message that goes to each peer, which is written at once by the thread that sends it.
 */
#include "config.h"

#include "tests/costmodels/gloo-traffic.h"

#include <gloo/allgather.h>
#include <gloo/allgather_ring.h>
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/allreduce_bcube.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/alltoall.h>
#include <gloo/alltoallv.h>
#include <gloo/barrier.h>
#include <gloo/barrier_all_to_all.h>
#include <gloo/barrier_all_to_one.h>
#include <gloo/broadcast.h>
#include <gloo/broadcast_one_to_all.h>
#include <gloo/math.h>
#include <gloo/reduce.h>
#include <gloo/reduce_scatter.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

/* What stands before each message (Gloo's header for it is not installed). */
struct Preamble {
	size_t n_bytes; /* of the message, with the preamble */
	size_t kind;    /* enum gloo_kind */
	size_t slot, offset, length, target_offset;
};

/* What goes to one peer: a preamble, its data, a preamble, ... */
class Stream
{
      public:
	void write(const char *p, size_t len)
	{
		while (len > 0) {
			size_t part;

			if (n_head_ < sizeof(head_)) {
				part = std::min(len, sizeof(head_) - n_head_);
				std::memcpy(head_ + n_head_, p, part);
				n_head_ += part;
				if (n_head_ == sizeof(head_))
					begin();
			} else {
				part = std::min<size_t>(len, data_left_);
				data_left_ -= part;
			}
			if (n_head_ == sizeof(head_) && data_left_ == 0)
				n_head_ = 0;
			p += part;
			len -= part;
		}
	}

	/* What was counted since the last call. */
	gloo_traffic take()
	{
		const gloo_traffic taken = traffic_;

		if (n_head_ != 0)
			throw std::runtime_error("a message in two cases");
		traffic_ = gloo_traffic();
		return taken;
	}

      private:
	/* writev() may not throw: what is no preamble is kept until take(). */
	void begin()
	{
		Preamble preamble;

		std::memcpy(&preamble, head_, sizeof(head_));
		if (preamble.kind >= GLOO_N_KINDS || preamble.n_bytes < sizeof(head_)) {
			std::fputs("gloo-traffic: no preamble\n", stderr);
			std::_Exit(4);
		}
		data_left_ = preamble.n_bytes - sizeof(head_);
		traffic_.messages[preamble.kind]++;
		traffic_.bytes[preamble.kind] += data_left_;
	}

	char head_[sizeof(Preamble)];
	size_t n_head_ = 0;
	uint64_t data_left_ = 0;
	gloo_traffic traffic_ = gloo_traffic();
};

std::mutex lock;
std::map<int, Stream> streams;      /* by descriptor */
std::map<int, int> descriptor_of;   /* by peer */
thread_local int unknown_peer = -1; /* whose descriptor the next write tells */

void count(int fd, const struct iovec *iov, int n, size_t written)
{
	std::lock_guard<std::mutex> guard(lock);

	if (unknown_peer >= 0) {
		descriptor_of[unknown_peer] = fd;
		streams[fd] = Stream();
		unknown_peer = -1;
	}
	const auto it = streams.find(fd);
	if (it == streams.end())
		return;
	for (int i = 0; i < n && written > 0; i++) {
		const size_t part = std::min(written, iov[i].iov_len);

		it->second.write(static_cast<const char *>(iov[i].iov_base), part);
		written -= part;
	}
}

} // namespace

extern "C" ssize_t writev(int fd, const struct iovec *iov, int n)
{
	const ssize_t written = syscall(SYS_writev, fd, iov, n);

	if (written > 0) {
		const int saved = errno;

		count(fd, iov, n, static_cast<size_t>(written));
		errno = saved;
	}
	return written;
}

/* Gloo leaves a message that nobody has asked for yet in its socket, and asks for events again and
 * again meanwhile: the second time in a row for the same, the thread gives way to those that it
 * waits for. */
extern "C" int epoll_wait(int fd, struct epoll_event *events, int most, int ms)
{
	thread_local struct epoll_event last;
	thread_local int n_last;
	const int n = static_cast<int>(syscall(SYS_epoll_pwait, fd, events, most, ms, nullptr, 0));

	if (n > 0) {
		const int saved = errno;
		const struct timespec pause = {0, 50000};

		if (n == n_last && events[0].events == last.events &&
		    events[0].data.u64 == last.data.u64)
			nanosleep(&pause, nullptr);
		errno = saved;
		last = events[0];
	}
	n_last = n;
	return n;
}

namespace
{

using ContextPtr = std::shared_ptr<gloo::rendezvous::Context>;
using AlgorithmPtr = std::unique_ptr<gloo::Algorithm>;

class Rank
{
      public:
	Rank(int rank, int size, const char *dir)
	    : rank_(rank), size_(size),
	      context_(std::make_shared<gloo::rendezvous::Context>(rank, size))
	{
		gloo::transport::tcp::attr attr("127.0.0.1");
		auto device = gloo::transport::tcp::CreateDevice(attr);
		gloo::rendezvous::FileStore store(dir);

		context_->setTimeout(std::chrono::seconds(60));
		context_->connectFullMesh(store, device);
		create_markers();
		find_sockets();
	}

	/*
	 * Leaves what was written to each peer in traffic[size]. All meet before, with their
	 * buffers registered: a message of no bytes that comes before its buffer is there would be
	 * forgotten by Gloo.
	 */
	void run(const gloo_case &c, gloo_traffic *traffic)
	{
		data_.assign(std::max<size_t>(1, c.elements), 1.0f);
		const std::string name = std::string(c.collective) + " " + c.algorithm;
		const AlgorithmPtr algorithm = make_class(name, c);

		drain();
		take(nullptr);
		if (algorithm)
			algorithm->run();
		else if (!call_function(name, c))
			throw std::runtime_error("no such case");
		drain();
		take(traffic);
	}

	/*
	 * Who leaves first has heard from all that they are done; the others may see its sockets
	 * close in the middle of this.
	 */
	void say_goodbye()
	{
		try {
			drain();
		} catch (const std::exception &) {
		}
	}

      private:
	void create_markers()
	{
		const int slot = context_->nextSlot();

		out_.resize(size_);
		in_.resize(size_);
		for (int peer = 0; peer < size_; peer++) {
			if (peer == rank_)
				continue;
			auto &pair = context_->getPair(peer);

			out_[peer] = pair->createSendBuffer(slot, &mark_, sizeof(mark_));
			in_[peer] = pair->createRecvBuffer(slot, &marked_, sizeof(marked_));
		}
	}

	/* The markers are the first that is written to each peer. */
	void find_sockets()
	{
		drain();
		take(nullptr);
		if (streams.size() != static_cast<size_t>(size_ - 1))
			throw std::runtime_error("peers share a socket");
		if (descriptor_of.size() != streams.size())
			throw std::runtime_error("a peer without a socket");
	}

	/* A pair's messages are written in order: once a marker to a peer has been, so has all
	 * before it. */
	void drain()
	{
		for (int peer = 0; peer < size_; peer++) {
			if (peer == rank_)
				continue;
			unknown_peer = known_ ? -1 : peer;
			out_[peer]->send();
		}
		known_ = true;
		for (int peer = 0; peer < size_; peer++)
			if (peer != rank_)
				out_[peer]->waitSend();
		for (int peer = 0; peer < size_; peer++)
			if (peer != rank_)
				in_[peer]->waitRecv();
	}

	/* What was written since the last time, less the markers. */
	void take(gloo_traffic *traffic)
	{
		std::lock_guard<std::mutex> guard(lock);

		for (int peer = 0; peer < size_; peer++) {
			if (peer == rank_)
				continue;
			gloo_traffic t = streams[descriptor_of[peer]].take();

			t.messages[GLOO_BUFFER]--;
			t.bytes[GLOO_BUFFER] -= sizeof(mark_);
			if (traffic)
				traffic[peer] = t;
		}
	}

	AlgorithmPtr make_class(const std::string &name, const gloo_case &c)
	{
		const std::vector<float *> ptrs(1, data_.data());
		const int count = static_cast<int>(c.elements);
		gloo::Algorithm *a = nullptr;

		if (name == "allreduce ring")
			a = new gloo::AllreduceRing<float>(context_, ptrs, count);
		else if (name == "allreduce ring-chunked")
			a = new gloo::AllreduceRingChunked<float>(context_, ptrs, count);
		else if (name == "allreduce halving-doubling")
			a = new gloo::AllreduceHalvingDoubling<float>(context_, ptrs, count);
		else if (name == "allreduce bcube" && c.base)
			a = make_bcube(ptrs, c);
		else if (name == "broadcast one-to-all")
			a = new gloo::BroadcastOneToAll<float>(context_, ptrs, c.elements,
							       static_cast<int>(c.root));
		else if (name == "allgather ring")
			a = make_allgather(c);
		else if (name == "reduce-scatter halving")
			a = make_reduce_scatter(ptrs, c);
		else if (name == "barrier all-to-all")
			a = new gloo::BarrierAllToAll(context_);
		else if (name == "barrier all-to-one")
			a = new gloo::BarrierAllToOne(context_);
		return AlgorithmPtr(a);
	}

	gloo::Algorithm *make_bcube(const std::vector<float *> &ptrs, const gloo_case &c)
	{
		context_->base = static_cast<int>(c.base);
		return new gloo::AllreduceBcube<float>(context_, ptrs,
						       static_cast<int>(c.elements));
	}

	gloo::Algorithm *make_allgather(const gloo_case &c)
	{
		const std::vector<const float *> ptrs(1, data_.data());

		gathered_.resize(4 * size_ * std::max<size_t>(1, c.elements));
		return new gloo::AllgatherRing<float>(context_, ptrs,
						      reinterpret_cast<float *>(gathered_.data()),
						      static_cast<int>(c.elements));
	}

	/* Nearly equal blocks, the first an element larger. */
	gloo::Algorithm *make_reduce_scatter(const std::vector<float *> &ptrs, const gloo_case &c)
	{
		const size_t n = size_;
		std::vector<int> blocks;

		for (size_t i = 0; i < n; i++)
			blocks.push_back(static_cast<int>(c.elements / n + (i < c.elements % n)));
		return new gloo::ReduceScatterHalvingDoubling<float>(
			context_, ptrs, static_cast<int>(c.elements), blocks);
	}

	bool call_function(const std::string &name, const gloo_case &c)
	{
		if (name == "allreduce segmented-ring" || name == "allreduce bcube")
			call_allreduce(c, name == "allreduce bcube");
		else if (name == "broadcast binomial")
			call_broadcast(c);
		else if (name == "reduce segmented-ring")
			call_reduce(c);
		else if (name == "allgather segmented-ring")
			call_allgather(c);
		else if (name == "allgather ring-v")
			call_allgatherv(c);
		else if (name == "alltoall linear")
			c.elements % 2 ? call_alltoallv(c) : call_alltoall(c);
		else if (name == "barrier dissemination")
			call_barrier();
		else
			return false;
		return true;
	}

	static void sum(void *c, const void *a, const void *b, size_t n)
	{
		gloo::sum<float>(c, a, b, n);
	}

	void call_allreduce(const gloo_case &c, bool bcube)
	{
		gloo::AllreduceOptions options(context_);

		options.setOutput(data_.data(), c.elements);
		options.setReduceFunction(sum);
		if (bcube)
			options.setAlgorithm(gloo::AllreduceOptions::Algorithm::BCUBE);
		if (c.segment_bytes)
			options.setMaxSegmentSize(c.segment_bytes);
		gloo::allreduce(options);
	}

	void call_reduce(const gloo_case &c)
	{
		gloo::ReduceOptions options(context_);

		options.setOutput(data_.data(), c.elements);
		options.setReduceFunction(sum);
		options.setRoot(static_cast<int>(c.root));
		if (c.segment_bytes)
			options.setMaxSegmentSize(c.segment_bytes);
		gloo::reduce(options);
	}

	/* Bytes, of any number: the rest reduces nothing. */
	uint8_t *bytes()
	{
		return reinterpret_cast<uint8_t *>(data_.data());
	}

	void call_broadcast(const gloo_case &c)
	{
		gloo::BroadcastOptions options(context_);

		options.setOutput(bytes(), c.elements);
		options.setRoot(static_cast<int>(c.root));
		gloo::broadcast(options);
	}

	void call_allgather(const gloo_case &c)
	{
		gloo::AllgatherOptions options(context_);

		gathered_.resize(size_ * c.elements);
		options.setInput(bytes(), c.elements);
		options.setOutput(gathered_.data(), size_ * c.elements);
		gloo::allgather(options);
	}

	void call_allgatherv(const gloo_case &c)
	{
		gloo::AllgathervOptions options(context_);

		gathered_.resize(size_ * c.elements);
		options.setInput(bytes(), c.elements);
		options.setOutput(gathered_.data(), std::vector<size_t>(size_, c.elements));
		gloo::allgatherv(options);
	}

	/* What is given does not matter. */
	void call_alltoall(const gloo_case &c)
	{
		gloo::AlltoallOptions options(context_);
		const size_t n = size_ * c.elements;

		gathered_.resize(2 * n);
		options.setInput(gathered_.data(), n);
		options.setOutput(gathered_.data() + n, n);
		gloo::alltoall(options);
	}

	void call_alltoallv(const gloo_case &c)
	{
		gloo::AlltoallvOptions options(context_);
		const size_t n = size_ * c.elements;
		const std::vector<int64_t> each(size_, c.elements);

		gathered_.resize(2 * n);
		options.setInput(gathered_.data(), each);
		options.setOutput(gathered_.data() + n, each);
		gloo::alltoallv(options);
	}

	void call_barrier()
	{
		gloo::BarrierOptions options(context_);

		gloo::barrier(options);
	}

	const int rank_, size_;
	ContextPtr context_;
	int mark_ = 0, marked_ = 0;
	bool known_ = false; /* the sockets */
	/* by peer */
	std::vector<std::unique_ptr<gloo::transport::Buffer>> out_, in_;
	std::vector<float> data_;
	std::vector<uint8_t> gathered_;
};

} // namespace

extern "C" int gloo_run_rank(int rank, int size, const char *dir, const struct gloo_case *cases,
			     size_t n_cases, struct gloo_traffic *traffic)
{
	size_t i = 0;

	try {
		Rank self(rank, size, dir);

		for (; i < n_cases; i++)
			self.run(cases[i], traffic + i * size);
		self.say_goodbye();
		return 0;
	} catch (const std::exception &e) {
		std::fprintf(stderr, "gloo-traffic: rank %d, %s %s:%zu of %zu elements: %s\n", rank,
			     cases[i].collective, cases[i].algorithm, cases[i].base,
			     cases[i].elements, e.what());
		return -1;
	}
}
