! SPDX-License-Identifier: BSD-3-Clause
! grid.F90 - a grid that may be reordered, from Fortran: mpif.h, or the module
! mpi_f08 (-DUSE_MPI_F08). Each process prints "grid RANK HOST".
#ifdef USE_MPI_F08
#define HANDLE(kind) type(kind)
#else
#define HANDLE(kind) integer
#endif
program grid
#ifdef USE_MPI_F08
  use mpi_f08
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  HANDLE(MPI_Comm) :: made
  integer :: n, rank, ierr, dims(2)
  logical :: periods(2) = (/ .true., .false. /)
  character(len=64) :: host

  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  dims = (/ n / 2, 2 /)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., made, ierr)
  call MPI_Comm_rank(made, rank, ierr)
  call get_environment_variable('PLINK_HOST', host)
  print '(a, i0, a, a)', 'grid ', rank, ' ', trim(host)
  call MPI_Comm_free(made, ierr)
  call MPI_Finalize(ierr)
end program grid
