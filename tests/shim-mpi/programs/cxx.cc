// SPDX-License-Identifier: BSD-3-Clause
// cxx.cc - functions of a C++ program that MPI calls, by its former C++
// bindings
#include "config.h"

#include <cstdio>
#include <mpi.h>

static int rank;
static bool blamed_world, copied_world, deleted_world;

static void check(bool good, const char *what)
{
	int mine = good, all;

	MPI::COMM_WORLD.Allreduce(&mine, &all, 1, MPI::INT, MPI::LAND);
	if (rank == 0)
		std::printf("%s %s\n", all ? "ok" : "not ok", what);
	std::fflush(stdout);
}

static void handler(MPI::Comm &comm, int *, ...)
{
	blamed_world = comm == MPI::COMM_WORLD;
}

static int copy_value(const MPI::Comm &comm, int, void *, void *, void *out, bool &flag)
{
	copied_world = comm == MPI::COMM_WORLD;
	*static_cast<void **>(out) = &rank;
	flag = true;
	return MPI_SUCCESS;
}

static int delete_value(MPI::Comm &comm, int, void *, void *)
{
	deleted_world = comm == MPI::COMM_WORLD;
	return MPI_SUCCESS;
}

static void check_attributes()
{
	const int key = MPI::Comm::Create_keyval(copy_value, delete_value, nullptr);
	void *value = nullptr;

	MPI::COMM_WORLD.Set_attr(key, &key);
	MPI::Intracomm copy = MPI::COMM_WORLD.Dup();
	check(copied_world && copy.Get_attr(key, &value) && value == &rank,
	      "the function that copies is told of the world");
	copy.Free();
	check(!deleted_world, "the one that deletes of the copy");
	MPI::COMM_WORLD.Delete_attr(key);
	check(deleted_world, "and of the world");
}

int main(int argc, char **argv)
{
	int nothing = 0;

	MPI::Init(argc, argv);
	rank = MPI::COMM_WORLD.Get_rank();
	check_attributes();
	MPI::Errhandler own = MPI::Comm::Create_errhandler(handler);
	MPI::COMM_WORLD.Set_errhandler(own);
	MPI::COMM_WORLD.Send(&nothing, 1, MPI::INT, 1 << 20, 0);
	check(blamed_world, "an error on the world");
	MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_ARE_FATAL);
	own.Free();
	MPI::Finalize();
	return 0;
}
