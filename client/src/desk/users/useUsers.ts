import { PAGE_SIZE } from '@garba/shared/constants'
import type { Role } from '@garba/shared/contracts/common'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'

interface UsersWanted {
  page: number
  search: string
  role: Role | ''
}

/** One page of users as the URL asks for it; the page before stays in sight until the next has come. */
export const useUsers = ({ page, search, role }: UsersWanted) =>
  useQuery({
    queryKey: ['users', { page, search, role }],
    queryFn: ({ signal }) => call('users', { query: { page, search, role, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** What an admin may change; both end with the list as the server has it. */
export function useUserChanges() {
  const client = useQueryClient()
  const reread = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['users'] }),
      client.invalidateQueries({ queryKey: ['userCount'] }),
    ])
  const setRole = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) => call('setRole', { params: { id }, body: { role } }),
    onSuccess: () => toast.success(SUCCESS_TOASTS.roleUpdated),
    onError: (error) => toast.error(FAILURE_TOASTS.updateRole(messageOf(error))),
    onSettled: reread,
  })
  const remove = useMutation({
    mutationFn: (id: string) => call('deleteUser', { params: { id } }),
    onSuccess: () => toast.success(SUCCESS_TOASTS.userDeleted),
    onError: (error) => toast.error(FAILURE_TOASTS.deleteUser(messageOf(error))),
    onSettled: reread,
  })
  return { setRole, remove }
}
