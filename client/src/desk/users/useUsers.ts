import { PAGE_SIZE } from '@garba/shared/constants'
import type { Role } from '@garba/shared/contracts/names'
import type { User } from '@garba/shared/contracts/user'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { type AnswerOf, call } from '../../platform/http/call.ts'
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

/** The user as the change left them, until the list is read again. */
const showAtOnce = (client: QueryClient, user: User) =>
  client.setQueriesData<AnswerOf<'users'>>(
    { queryKey: ['users'] },
    (page) => page && { ...page, users: page.users.map((row) => (row._id === user._id ? user : row)) },
  )

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
    onSuccess: ({ user }) => {
      showAtOnce(client, user)
      toast.success(SUCCESS_TOASTS.roleUpdated)
    },
    onError: (error) => toast.error(FAILURE_TOASTS.updateRole(messageOf(error))),
    // Not waited for: the dialog is done when the change is.
    onSettled: () => void reread(),
  })
  const remove = useMutation({
    mutationFn: (id: string) => call('deleteUser', { params: { id } }),
    onSuccess: () => toast.success(SUCCESS_TOASTS.userDeleted),
    onError: (error) => toast.error(FAILURE_TOASTS.deleteUser(messageOf(error))),
    onSettled: reread,
  })
  return { setRole, remove }
}
