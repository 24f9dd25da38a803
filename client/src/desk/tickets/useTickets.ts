import { PAGE_SIZE } from '@garba/shared/constants'
import type { TicketStatus } from '@garba/shared/contracts/names'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type AnswerOf, call } from '../../platform/http/call.ts'

interface TicketsWanted {
  page: number
  search: string
  filter: TicketStatus | ''
}

export type TicketsPage = AnswerOf<'ticketManagement'>

/** One page of tickets as the URL asks for it; the page before stays in sight until the next has come. */
export const useTickets = ({ page, search, filter }: TicketsWanted) =>
  useQuery({
    queryKey: ['ticketManagement', { page, search, status: filter }],
    queryFn: ({ signal }) =>
      call('ticketManagement', { query: { page, search, status: filter, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
