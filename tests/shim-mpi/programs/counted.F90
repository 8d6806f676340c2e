! SPDX-License-Identifier: BSD-3-Clause
! counted.F90 - calls whose number and bytes are known, from Fortran
!
! Compiled twice: with mpif.h and with the module mpi_f08 (-DUSE_MPI_F08).
program counted
#ifdef USE_MPI_F08
  use mpi_f08
#endif
  implicit none
#ifndef USE_MPI_F08
  include 'mpif.h'
#define HANDLE(kind) integer
#define STATUS_OF(name) integer :: name(MPI_STATUS_SIZE)
#else
#define HANDLE(kind) type(kind)
#define STATUS_OF(name) type(MPI_Status) :: name
#endif
  HANDLE(MPI_Request) :: request
  STATUS_OF(status)
  integer :: n, ierror, values(10), all(40)

  call MPI_Init(ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  values = 1
  call MPI_Allreduce(MPI_IN_PLACE, values, 10, MPI_INTEGER, MPI_SUM, &
       MPI_COMM_WORLD, ierror)
  if (values(10) /= n) call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  call MPI_Bcast(values, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror)
  all = 0
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 3, MPI_INTEGER, &
       MPI_COMM_WORLD, ierror)
  call MPI_Ibarrier(MPI_COMM_WORLD, request, ierror)
  call MPI_Wait(request, status, ierror)
  call MPI_Send(values, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &
       ierror)
  call MPI_Finalize(ierror)
end program counted
