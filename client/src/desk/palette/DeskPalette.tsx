import { shortenTicketId } from '@garba/shared/messages/common'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { useQuery } from '@tanstack/react-query'
import { ReceiptText, Ticket, User } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { Palette, type PaletteGroup } from '../../kit/Palette.tsx'
import { TAKES_CODES } from '../../platform/keys/scannerKeys.ts'
import { MAIN_ID } from '../../platform/page.ts'
import { queries } from '../../platform/queries.ts'
import { type Desk, usePlaces } from '../frame/places.ts'
import { truncateSearchText } from '../frame/tableUrl.tsx'
import { DESK } from '../texts/desk.ts'
import { ORDERS } from '../texts/orders.ts'

const words = DESK.palette
const SEARCH_FROM = 2
const TYPING_PAUSE_MS = 200
const SHOWN = 5

interface DeskPaletteProps {
  desk: Desk
  open: boolean
  onClose: () => void
}

export default function DeskPalette({ desk, open, onClose }: DeskPaletteProps) {
  const [typed, setTyped] = useState('')
  const { tickets, orders, people, searching, failed } = useFound(desk, typed.trim())
  const navigate = useNavigate()
  const places = usePlaces(desk)
  const home = places[0]?.to ?? '/'
  const at = (view: 'tickets' | 'users', search: string) => () =>
    void navigate(`${home}/${view}?${new URLSearchParams({ search })}`)

  const search = typed.trim().toLowerCase()
  const groups: PaletteGroup[] = [
    {
      label: words.views,
      items: places
        .filter(({ label }) => label.toLowerCase().includes(search))
        .map(({ to, label, Icon }) => ({
          id: to,
          label,
          icon: <Icon />,
          onChoose: () => void navigate(to),
        })),
    },
    {
      label: words.tickets,
      items: tickets.map((ticket) => ({
        id: ticket.id,
        label: `${shortenTicketId(ticket.id)}, ${getHolderName(ticket)}`,
        note: DESK.tickets.statuses[ticket.status],
        icon: <Ticket />,
        onChoose: at('tickets', ticket.id),
      })),
    },
    {
      label: words.people,
      items: people.map(({ _id, name, email }) => ({
        id: _id,
        label: name || email,
        note: email,
        icon: <User />,
        onChoose: at('users', email),
      })),
    },
    {
      label: words.orders,
      items: orders.map(({ code, buyer, state }) => ({
        id: code,
        label: `${code}, ${buyer.name || buyer.email || ORDERS.nobody}`,
        note: ORDERS.states[state],
        icon: <ReceiptText />,
        onChoose: () => void navigate(`${home}/orders/${code}`),
      })),
    },
  ].filter(({ items }) => items.length > 0)

  const status = failed ? words.failed : searching ? words.searching : groups.length === 0 ? words.nothing : ''
  return (
    <Palette
      open={open}
      onClose={() => {
        setTyped('')
        onClose()
      }}
      label={words.label[desk]}
      placeholder={words.placeholder[desk]}
      closeLabel={words.close}
      value={typed}
      onValueChange={setTyped}
      groups={groups}
      status={status}
      afterChoice={main}
      fieldAttributes={desk === 'admin' ? TAKES_CODES : undefined}
    />
  )
}

const main = () => document.getElementById(MAIN_ID)

function useFound(desk: Desk, typed: string) {
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(truncateSearchText(typed)), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const enabled = search.length >= SEARCH_FROM && typed.length >= SEARCH_FROM
  const forAdmins = { enabled: enabled && desk === 'admin' }
  const tickets = useQuery({ ...queries.tickets({ page: 1, search }), ...forAdmins })
  const orders = useQuery({ ...queries.orders({ page: 1, search }), ...forAdmins })
  const people = useQuery({ ...queries.users({ page: 1, search }), enabled })
  const lists = [tickets, people, orders]
  const current = <Row,>(query: { isPlaceholderData: boolean }, rows: readonly Row[] | undefined) =>
    enabled && !query.isPlaceholderData ? (rows ?? []).slice(0, SHOWN) : []
  return {
    tickets: current(tickets, tickets.data?.tickets),
    people: current(people, people.data?.users),
    orders: current(orders, orders.data?.orders),
    searching:
      typed.length >= SEARCH_FROM &&
      (search !== truncateSearchText(typed) || lists.some(({ isFetching }) => isFetching)),
    failed: enabled && lists.some(({ isError }) => isError),
  }
}
