! SPDX-License-Identifier: BSD-3-Clause
! collectives.F90 - what results.c checks in C, from Fortran
!
! Compiled three times, as fortran.F90. Without interfaces a buffer is always
! given by its first element, as MPI_IN_PLACE is no array.
#ifdef USE_MPI_F08
#define HANDLE(kind) type(kind)
#else
#define HANDLE(kind) integer
#endif
#if defined(USE_MPI) || defined(USE_MPI_F08)
#define BUFFER(array) array
#else
#define BUFFER(array) array(1)
#endif
program collectives
#ifdef USE_MPI_F08
  use mpi_f08
#else
#ifdef USE_MPI
  use mpi
#endif
#endif
  implicit none
#ifndef USE_MPI_F08
#ifndef USE_MPI
  include 'mpif.h'
#endif
#endif
  integer, parameter :: count = 1000
  integer :: ierror, rank, n, i, root
  integer :: mine(count), sums(count)
  integer, allocatable :: all(:)
  logical :: right
  HANDLE(MPI_Comm) :: half
  HANDLE(MPI_Request) :: request
#ifdef USE_MPI_F08
  type(MPI_Status) :: status
#else
  integer :: status(MPI_STATUS_SIZE)
#endif

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  allocate(all(count * n))

  mine = rank + 1
  call MPI_Allreduce(BUFFER(mine), BUFFER(sums), count, MPI_INTEGER, &
       MPI_SUM, MPI_COMM_WORLD, ierror)
  right = all_are(sums, n * (n + 1) / 2)
  call MPI_Allreduce(MPI_IN_PLACE, BUFFER(mine), count, MPI_INTEGER, &
       MPI_SUM, MPI_COMM_WORLD, ierror)
  call say(right .and. all_are(mine, n * (n + 1) / 2), 'all-reduce')

  right = .true.
  do root = 0, n - 1
     mine = -1
     if (rank == root) mine = root
     call MPI_Bcast(mine, count, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
     right = right .and. all_are(mine, root)
     mine = rank + 1
     call MPI_Reduce(mine, sums, count, MPI_INTEGER, MPI_SUM, root, &
          MPI_COMM_WORLD, ierror)
     if (rank == root) right = right .and. all_are(sums, n * (n + 1) / 2)
  end do
  call say(right, 'broadcast, reduce')

  all = -1
  all(rank * count + 1:(rank + 1) * count) = rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, &
       MPI_INTEGER, MPI_COMM_WORLD, ierror)
  right = .true.
  do i = 0, n - 1
     right = right .and. all_are(all(i * count + 1:(i + 1) * count), i)
  end do
  call say(right, 'all-gather')

  mine = rank + 1
  call MPI_Iallreduce(mine, sums, count, MPI_INTEGER, MPI_SUM, &
       MPI_COMM_WORLD, request, ierror)
  call MPI_Wait(request, status, ierror)
  call say(all_are(sums, n * (n + 1) / 2), 'nonblocking')

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierror)
  mine = mod(rank, 2)
  call MPI_Allreduce(BUFFER(mine), BUFFER(sums), count, MPI_INTEGER, &
       MPI_MAX, half, ierror)
  call say(all_are(sums, mod(rank, 2)), 'half of them')
  call MPI_Barrier(half, ierror)
  call MPI_Comm_free(half, ierror)
  call MPI_Finalize(ierror)

contains

  logical function all_are(values, wanted)
    integer, intent(in) :: values(:), wanted
    integer :: k

    all_are = .true.
    do k = 1, size(values)
       if (values(k) /= wanted) all_are = .false.
    end do
  end function all_are

  ! By messages: what is checked is the collectives.
  subroutine say(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    integer :: mark, from, n_good

    mark = 0
    if (good) mark = 1
    n_good = mark
    if (rank > 0) then
       call MPI_Send(mark, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, ierror)
       return
    end if
    do from = 1, n - 1
       call MPI_Recv(mark, 1, MPI_INTEGER, from, 7, MPI_COMM_WORLD, status, &
            ierror)
       n_good = n_good + mark
    end do
    if (n_good == n) then
       print '(2a)', 'ok ', what
    else
       print '(2a)', 'not ok ', what
    end if
  end subroutine say
end program collectives
