// SPDX-License-Identifier: BSD-3-Clause
// backend.cc - a c10d backend whose all-reduces run by a schedule
//
// All-reduces of one tensor of a size for which there is a schedule, and with a
// type and an operation that libplink has, run in a thread of the backend, one
// after the other. Everything else is Gloo's. Which of both takes a call
// depends on nothing but what is the same on all ranks. It builds against
// PyTorch 1.13 and 2.x.
#include <torch/csrc/api/include/torch/version.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/utils/pybind.h>
#if TORCH_VERSION_MAJOR >= 2
#include <torch/csrc/distributed/c10d/Backend.hpp>
#endif

#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <pybind11/chrono.h>

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "lib/plink.h"

namespace
{

#if TORCH_VERSION_MAJOR >= 2
using Base = c10d::Backend;
#else
using Base = c10d::ProcessGroup;
#endif
using BasePtr = c10::intrusive_ptr<Base>;
using WorkPtr = c10::intrusive_ptr<c10d::Work>;
using Tensors = std::vector<at::Tensor>;
using Milliseconds = std::chrono::milliseconds;

// A file of schedules.
struct Schedules {
	explicit Schedules(const std::string &path)
	{
		pl_error error;

		file = pl_schedule_file_read(path.c_str(), &error);
		if (!file)
			throw std::runtime_error(error.text);
	}
	~Schedules()
	{
		pl_schedule_file_destroy(file);
	}
	Schedules(const Schedules &) = delete;
	Schedules &operator=(const Schedules &) = delete;

	size_t processes() const
	{
		return pl_schedule_file_processes(file);
	}

	pl_schedule_file *file;
};

// What libplink calls a type and an operation; null: it has none.
const pl_element *element_of(at::ScalarType type)
{
	static const struct {
		at::ScalarType type;
		pl_element element;
	} row[] = {
		{at::kChar, PL_ELEMENT_INT8},         {at::kByte, PL_ELEMENT_UINT8},
		{at::kShort, PL_ELEMENT_INT16},       {at::kInt, PL_ELEMENT_INT32},
		{at::kLong, PL_ELEMENT_INT64},        {at::kHalf, PL_ELEMENT_HALF},
		{at::kBFloat16, PL_ELEMENT_BFLOAT16}, {at::kFloat, PL_ELEMENT_FLOAT},
		{at::kDouble, PL_ELEMENT_DOUBLE},
	};

	for (const auto &r : row)
		if (r.type == type)
			return &r.element;
	return nullptr;
}

const pl_reduction *reduction_of(const c10d::ReduceOp &op, bool of_integers)
{
	static const struct {
		c10d::ReduceOp::RedOpType op;
		pl_reduction reduction;
	} row[] = {
		{c10d::ReduceOp::SUM, PL_REDUCTION_SUM},
		{c10d::ReduceOp::PRODUCT, PL_REDUCTION_PRODUCT},
		{c10d::ReduceOp::MIN, PL_REDUCTION_MIN},
		{c10d::ReduceOp::MAX, PL_REDUCTION_MAX},
		{c10d::ReduceOp::BAND, PL_REDUCTION_BAND},
		{c10d::ReduceOp::BOR, PL_REDUCTION_BOR},
		{c10d::ReduceOp::BXOR, PL_REDUCTION_BXOR},
	};

	for (const auto &r : row)
		if (op == r.op)
			return of_integers || r.reduction < PL_REDUCTION_BAND ? &r.reduction
									      : nullptr;
	return nullptr;
}

// An all-reduce: queued, running or done.
class Reduction : public c10d::Work
{
      public:
	Reduction(int rank, const at::Tensor &tensor, pl_element element, pl_reduction reduction)
	    : Work(rank, c10d::OpType::ALLREDUCE, "plink:all_reduce", Tensors{tensor}),
	      tensor(tensor), element(element), reduction(reduction),
	      future(c10::make_intrusive<c10::ivalue::Future>(
		      c10::ListType::create(c10::TensorType::get()),
		      tensor.is_cpu() ? std::vector<c10::Device>{}
				      : std::vector<c10::Device>{tensor.device()}))
	{
		if (tensor.is_cpu())
			return;
		// what the caller's stream does before is waited for
		const c10::impl::VirtualGuardImpl device(tensor.device().type());

		before = std::make_unique<c10::Event>(tensor.device().type());
		before->record(device.getStream(tensor.device()));
	}

	c10::intrusive_ptr<c10::ivalue::Future> getFuture() override
	{
		return future;
	}

	Tensors result() override
	{
		return {tensor};
	}

	void run(pl_communicator *communicator)
	{
		try {
			if (tensor.is_cpu())
				run_here(communicator);
			else
				run_on_device(communicator);
			future->markCompleted(c10::IValue(Tensors{tensor}));
			finish();
		} catch (...) {
			future->setErrorIfNeeded(std::current_exception());
			finish(std::current_exception());
		}
	}

      private:
	void reduce(pl_communicator *communicator, const at::Tensor &buffer)
	{
		pl_error error;

		if (pl_communicator_allreduce(communicator, buffer.data_ptr(),
					      (size_t)buffer.numel(), element, reduction, &error))
			throw std::runtime_error(std::string("plink: ") + error.text);
	}

	void run_here(pl_communicator *communicator)
	{
		const at::NoGradGuard no_grad;

		if (tensor.is_contiguous() && !tensor.is_neg()) {
			reduce(communicator, tensor);
			return;
		}
		const at::Tensor buffer = tensor.contiguous().resolve_neg();

		reduce(communicator, buffer);
		tensor.copy_(buffer);
	}

	// By way of pinned memory of the host. When it ends, so has all that it
	// has asked of the device.
	void run_on_device(pl_communicator *communicator)
	{
		const at::NoGradGuard no_grad;
		const c10::impl::VirtualGuardImpl device(tensor.device().type());
		const c10::Stream stream = device.getStreamFromGlobalPool(tensor.device());
		const c10::StreamGuard guard(stream);
		const at::Tensor buffer = at::empty(
			tensor.sizes(), tensor.options().device(at::kCPU).pinned_memory(true));

		before->block(stream);
		buffer.copy_(tensor, true);
		stream.synchronize();
		reduce(communicator, buffer);
		tensor.copy_(buffer, true);
		stream.synchronize();
	}

	const at::Tensor tensor;
	const pl_element element;
	const pl_reduction reduction;
	const c10::intrusive_ptr<c10::ivalue::Future> future;
	std::unique_ptr<c10::Event> before;
};
using ReductionPtr = c10::intrusive_ptr<Reduction>;

// What brings the ranks together: a store of c10d, and how long it may take.
struct Meeting {
	c10::intrusive_ptr<c10d::Store> store;
	int rank, size;
	Milliseconds timeout;
};

std::vector<uint8_t> wait_for(const Meeting &m, int rank)
{
	const std::string key = "card/" + std::to_string(rank);

	try {
		m.store->wait({key}, m.timeout);
		return m.store->get(key);
	} catch (const std::exception &e) {
		throw std::runtime_error("rank " + std::to_string(rank) +
					 " has not come: " + e.what());
	}
}

int gather_cards(void *with, const void *mine, size_t bytes, void *all, pl_error *error)
{
	const Meeting *m = static_cast<const Meeting *>(with);
	const uint8_t *card = static_cast<const uint8_t *>(mine);

	try {
		m->store->set("card/" + std::to_string(m->rank),
			      std::vector<uint8_t>(card, card + bytes));
		for (int r = 0; r < m->size; r++) {
			const std::vector<uint8_t> got = wait_for(*m, r);

			if (got.size() != bytes)
				throw std::runtime_error("another version of plink");
			std::memcpy(static_cast<uint8_t *>(all) + (size_t)r * bytes, got.data(),
				    bytes);
		}
		return 0;
	} catch (const std::exception &e) {
		error->code = PL_ERROR_SYSTEM;
		std::snprintf(error->text, sizeof(error->text), "%s", e.what());
		return -1;
	}
}

class Backend : public Base
{
      public:
	Backend(const BasePtr &gloo, const std::shared_ptr<Schedules> &schedules, Meeting meeting,
		bool verbose)
	    : Base(meeting.rank, meeting.size), gloo(gloo), schedules(schedules),
	      verbose(verbose && meeting.rank == 0)
	{
		pl_error error;

		communicator = pl_communicator_create(
			schedules->file, (size_t)meeting.rank, gather_cards, &meeting,
			(double)meeting.timeout.count() / 1e3, &error);
		if (!communicator)
			throw std::runtime_error(std::string("plink: ") + error.text);
		thread = std::thread(&Backend::loop, this);
	}

	// Gloo's threads, which end here, may need Python's lock, too.
	~Backend() override
	{
		const auto released = release_python();

		end();
		gloo.reset();
	}

	// destroy_process_group calls it in newer versions of PyTorch, in which
	// others may keep the backend until the process ends.
	virtual void shutdown()
	{
		end();
	}

	const std::string getBackendName() const override
	{
		return "plink";
	}

	WorkPtr allreduce(Tensors &tensors, const c10d::AllreduceOptions &options) override
	{
		const pl_element *element = nullptr;
		const pl_reduction *reduction = nullptr;

		if (tensors.size() == 1 && is_for_schedule(tensors[0])) {
			element = element_of(tensors[0].scalar_type());
			reduction =
				reduction_of(options.reduceOp,
					     at::isIntegralType(tensors[0].scalar_type(), false));
		}
		if (!element || !reduction) {
			n_gloo++;
			return gloo->allreduce(tensors, options);
		}
		return add(c10::make_intrusive<Reduction>(getRank(), tensors[0], *element,
							  *reduction));
	}

	WorkPtr broadcast(Tensors &tensors, const c10d::BroadcastOptions &options) override
	{
		return gloo->broadcast(tensors, options);
	}

	WorkPtr allreduce_coalesced(Tensors &tensors,
				    const c10d::AllreduceCoalescedOptions &options) override
	{
		return gloo->allreduce_coalesced(tensors, options);
	}

	WorkPtr reduce(Tensors &tensors, const c10d::ReduceOptions &options) override
	{
		return gloo->reduce(tensors, options);
	}

	WorkPtr allgather(std::vector<Tensors> &to, Tensors &from,
			  const c10d::AllgatherOptions &options) override
	{
		return gloo->allgather(to, from, options);
	}

	WorkPtr _allgather_base(at::Tensor &to, at::Tensor &from,
				const c10d::AllgatherOptions &options) override
	{
		return gloo->_allgather_base(to, from, options);
	}

	WorkPtr allgather_coalesced(std::vector<Tensors> &to, Tensors &from,
				    const c10d::AllgatherOptions &options) override
	{
		return gloo->allgather_coalesced(to, from, options);
	}

	WorkPtr gather(std::vector<Tensors> &to, Tensors &from,
		       const c10d::GatherOptions &options) override
	{
		return gloo->gather(to, from, options);
	}

	WorkPtr scatter(Tensors &to, std::vector<Tensors> &from,
			const c10d::ScatterOptions &options) override
	{
		return gloo->scatter(to, from, options);
	}

	WorkPtr reduce_scatter(Tensors &to, std::vector<Tensors> &from,
			       const c10d::ReduceScatterOptions &options) override
	{
		return gloo->reduce_scatter(to, from, options);
	}

	WorkPtr _reduce_scatter_base(at::Tensor &to, at::Tensor &from,
				     const c10d::ReduceScatterOptions &options) override
	{
		return gloo->_reduce_scatter_base(to, from, options);
	}

	WorkPtr alltoall_base(at::Tensor &to, at::Tensor &from, std::vector<int64_t> &to_splits,
			      std::vector<int64_t> &from_splits,
			      const c10d::AllToAllOptions &options) override
	{
		return gloo->alltoall_base(to, from, to_splits, from_splits, options);
	}

	WorkPtr alltoall(Tensors &to, Tensors &from, const c10d::AllToAllOptions &options) override
	{
		return gloo->alltoall(to, from, options);
	}

	WorkPtr send(Tensors &tensors, int to, int tag) override
	{
		return gloo->send(tensors, to, tag);
	}

	WorkPtr recv(Tensors &tensors, int from, int tag) override
	{
		return gloo->recv(tensors, from, tag);
	}

	WorkPtr recvAnysource(Tensors &tensors, int tag) override
	{
		return gloo->recvAnysource(tensors, tag);
	}

	WorkPtr barrier(const c10d::BarrierOptions &options) override
	{
		return gloo->barrier(options);
	}

	void monitoredBarrier(const c10d::BarrierOptions &options, bool wait_all) override
	{
		gloo->monitoredBarrier(options, wait_all);
	}

	void setSequenceNumberForGroup() override
	{
		gloo->setSequenceNumberForGroup();
	}

	uint64_t getSequenceNumberForGroup() override
	{
		return gloo->getSequenceNumberForGroup();
	}

      private:
	bool is_for_schedule(const at::Tensor &tensor) const
	{
		return tensor.layout() == at::kStrided && tensor.numel() > 0 &&
		       pl_schedule_file_has(schedules->file, (uint64_t)tensor.nbytes());
	}

	WorkPtr add(const ReductionPtr &work)
	{
		{
			const std::lock_guard<std::mutex> lock(mutex);

			if (ends)
				throw std::runtime_error("plink: the process group was destroyed");
			queue.push_back(work);
			n_own++;
		}
		changed.notify_one();
		return work;
	}

	// Lets others have Python's lock until what is returned goes.
	static std::unique_ptr<pybind11::gil_scoped_release> release_python()
	{
		if (!Py_IsInitialized() || !PyGILState_Check())
			return nullptr;
		return std::make_unique<pybind11::gil_scoped_release>();
	}

	// What has been begun ends; its callbacks may need Python's lock.
	void end()
	{
		const auto released = release_python();

		if (!thread.joinable())
			return;
		{
			const std::lock_guard<std::mutex> lock(mutex);

			ends = true;
		}
		changed.notify_one();
		thread.join();
		pl_communicator_destroy(communicator);
		if (verbose)
			std::fprintf(stderr, "plink: all-reduces: %zu by a schedule, %zu by Gloo\n",
				     n_own, n_gloo);
	}

	// The thread: one after the other, in the order of the calls.
	void loop()
	{
		std::unique_lock<std::mutex> lock(mutex);

		for (;;) {
			changed.wait(lock, [&] { return ends || !queue.empty(); });
			if (queue.empty())
				return;
			ReductionPtr work = std::move(queue.front());

			queue.pop_front();
			lock.unlock();
			work->run(communicator);
			work.reset();
			lock.lock();
		}
	}

	BasePtr gloo;
	const std::shared_ptr<Schedules> schedules;
	const bool verbose;
	pl_communicator *communicator;
	size_t n_own = 0, n_gloo = 0;

	std::mutex mutex; // of what follows
	std::condition_variable changed;
	std::deque<ReductionPtr> queue;
	bool ends = false;
	std::thread thread;
};

BasePtr make(const BasePtr &gloo, const std::shared_ptr<Schedules> &schedules,
	     const c10::intrusive_ptr<c10d::Store> &store, int rank, int size, Milliseconds timeout,
	     bool verbose)
{
	return c10::make_intrusive<Backend>(gloo, schedules, Meeting{store, rank, size, timeout},
					    verbose);
}

} // namespace

PYBIND11_MODULE(_backend, m)
{
	pybind11::class_<Schedules, std::shared_ptr<Schedules>>(m, "Schedules")
		.def(pybind11::init<const std::string &>())
		.def_property_readonly("processes", &Schedules::processes);
	m.def("make", &make, pybind11::call_guard<pybind11::gil_scoped_release>());
}
