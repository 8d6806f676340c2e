! SPDX-License-Identifier: BSD-3-Clause
! fortran.F90 - what callbacks.c checks in C, from Fortran
!
! Compiled three times: with mpif.h, with the module mpi (-DUSE_MPI) and with the
! module mpi_f08 (-DUSE_MPI_F08), where handles are of types; each with a module
! TOLD of its own name, and with the handle of the WORLD in this library. What communicator a
! delete function is told of is not looked at: Open MPI 4.1 takes it from a place
! where it never was.
#ifdef USE_MPI_F08
#define MODULE_OF_MPI use mpi_f08
#define HANDLE(kind) type(kind)
#define VALUE_OF(handle) handle%MPI_VAL
#define INCLUDE_MPI
#else
#ifdef USE_MPI
#define MODULE_OF_MPI use mpi
#define INCLUDE_MPI
#else
#define MODULE_OF_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#define HANDLE(kind) integer
#define VALUE_OF(handle) handle
#endif

module TOLD
  implicit none
  integer :: copied = -1, blamed = -1, n_extra = 0
contains

  subroutine copy_value(comm, keyval, extra, in, out, flag, ierror)
    MODULE_OF_MPI
    implicit none
    INCLUDE_MPI
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag

    copied = VALUE_OF(comm)
    if (extra == 77) n_extra = n_extra + 1
    out = in + 1
    flag = keyval /= MPI_KEYVAL_INVALID
    ierror = MPI_SUCCESS
  end subroutine copy_value

  subroutine delete_value(comm, keyval, value, extra, ierror)
    MODULE_OF_MPI
    implicit none
    INCLUDE_MPI
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, extra

    if (extra == 77 .and. value > 0) n_extra = n_extra + 1
    ierror = MPI_SUCCESS
    if (keyval == MPI_KEYVAL_INVALID) ierror = MPI_ERR_KEYVAL
  end subroutine delete_value

  subroutine handler(comm, code)
    MODULE_OF_MPI
    implicit none
    INCLUDE_MPI
    HANDLE(MPI_Comm) :: comm
    integer :: code

    if (code /= MPI_SUCCESS) blamed = VALUE_OF(comm)
  end subroutine handler
end module TOLD

#ifndef USE_MPI_F08
! of MPI-1
subroutine old_copy_value(comm, keyval, extra, in, out, flag, ierror)
  use TOLD
  implicit none
  integer :: comm, keyval, extra, in, out, ierror
  logical :: flag

  copied = comm
  if (extra == 78) n_extra = n_extra + 1
  out = in + keyval - keyval
  flag = .true.
  ierror = 0
end subroutine old_copy_value

subroutine old_delete_value(comm, keyval, value, extra, ierror)
  use TOLD
  implicit none
  integer :: comm, keyval, value, extra, ierror

  if (extra == 78 .and. value > 0 .and. keyval /= 0) n_extra = n_extra + 1
  ierror = 0
end subroutine old_delete_value
#endif

program fortran
  use TOLD
  MODULE_OF_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, n, prefix, ierror
  character(len=16) :: launched

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  call get_environment_variable('PMIX_RANK', launched)
  if (launched == '') call get_environment_variable('PMI_RANK', launched)
  print '(A,A,I0)', trim(launched), ' -> ', rank
  call MPI_Scan(rank, prefix, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call check(prefix == rank * (rank + 1) / 2, 'a scan goes by rank')
  call check(VALUE_OF(MPI_COMM_WORLD) == WORLD, 'the handle of the world')
  call check_attributes()
#ifndef USE_MPI_F08
  call check_old_attributes()
#endif
  call check_handlers()
  call MPI_Finalize(ierror)

contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    logical :: all

    call MPI_Allreduce(good, all, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, &
         ierror)
    if (rank /= 0) return
    if (all) then
       print '(A,A)', 'ok ', what
    else
       print '(A,A)', 'not ok ', what
    end if
  end subroutine check

  subroutine check_attributes()
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    HANDLE(MPI_Comm) :: copy
    integer :: keyval
    logical :: flag

    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
    call check(flag .and. value >= 32767, 'MPI_TAG_UB')
    extra = 77
    call MPI_Comm_create_keyval(copy_value, delete_value, keyval, extra, ierror)
    value = 5
    call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value, ierror)
    value = 0
    call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag, ierror)
    call check(flag .and. value == 5, 'an attribute of the world')
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    call MPI_Comm_get_attr(copy, keyval, value, flag, ierror)
    call check(flag .and. value == 6, 'its copy in a copy of it')
    call check(copied == WORLD, 'the function that copies is told of the world')
    call MPI_Comm_free(copy, ierror)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval, ierror)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag, ierror)
    call check(.not. flag, 'it can be deleted')
    call check(n_extra == 3, 'both get their own extra state')
    call MPI_Comm_free_keyval(keyval, ierror)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &
         keyval, extra, ierror)
    value = 8
    call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    call MPI_Comm_get_attr(copy, keyval, value, flag, ierror)
    call check(flag .and. value == 8, 'MPI_COMM_DUP_FN copies')
    call MPI_Comm_free(copy, ierror)
    call MPI_Comm_free_keyval(keyval, ierror)
  end subroutine check_attributes

#ifndef USE_MPI_F08
  subroutine check_old_attributes()
    external old_copy_value, old_delete_value
    integer :: keyval, value, copy
    logical :: flag

    copied = -1
    n_extra = 0
    call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
    call check(flag .and. value >= 32767, 'MPI_Attr_get of MPI_TAG_UB')
    call MPI_Keyval_create(old_copy_value, old_delete_value, keyval, 78, ierror)
    call MPI_Attr_put(MPI_COMM_WORLD, keyval, 9, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    call MPI_Attr_get(copy, keyval, value, flag, ierror)
    call check(flag .and. value == 9 .and. copied == WORLD, 'a key of MPI-1')
    call MPI_Comm_free(copy, ierror)
    call MPI_Attr_delete(MPI_COMM_WORLD, keyval, ierror)
    call MPI_Attr_get(MPI_COMM_WORLD, keyval, value, flag, ierror)
    call check(.not. flag .and. n_extra == 3, 'and its end')
    call MPI_Keyval_free(keyval, ierror)
  end subroutine check_old_attributes
#endif

  subroutine check_handlers()
    HANDLE(MPI_Errhandler) :: errhandler
    HANDLE(MPI_Datatype) :: none
    integer :: dummy(1)

    call MPI_Comm_create_errhandler(handler, errhandler, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler, ierror)
    dummy(1) = 0
    call MPI_Send(dummy, 1, MPI_INTEGER, n + 100000, 0, MPI_COMM_WORLD, ierror)
    call check(blamed == WORLD, 'an error on the world')
    blamed = -1
    none = MPI_DATATYPE_NULL
    call MPI_Type_free(none, ierror)
    call check(blamed == WORLD, 'an error of a call without communicator')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Errhandler_free(errhandler, ierror)
  end subroutine check_handlers
end program fortran
