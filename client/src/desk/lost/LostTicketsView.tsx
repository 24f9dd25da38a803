import { REASON_MAX, REQUEST_RETRIES } from '@garba/shared/constants'
import type { FoundMoney, LostTicket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { LOST, LOST as words } from '@garba/shared/messages/order'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { SearchCheck } from 'lucide-react'
import { useState } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { TextField } from '../../kit/Field.tsx'
import { Email } from '../../kit/Person.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { Select } from '../../kit/Select.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { type BodyOf, callServer } from '../../platform/http/call.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { NoteDialog, SaveDialog } from '../frame/SaveDialog.tsx'
import { useChange, WITH_ORDERS } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import styles from './LostTicketsView.module.css'

type LostTicketAction = { what: 'confirm' | 'refuse'; ticket: LostTicket } | null

export default function LostTicketsView() {
  const query = useQuery(queries.lostTickets())
  const [asking, setAsking] = useState<LostTicketAction>(null)
  const refuse = useDecision({
    send: ({ id, note }: { id: string; note: string }) =>
      callServer('refuseLost', { params: { id }, body: { note }, retries: REQUEST_RETRIES }),
    done: LOST.refused,
  })
  const load = { query, failed: words.failed }
  const { lost = [], waiting = 0, remaining = 0, money = [], paid = false } = query.data ?? {}
  const close = () => setAsking(null)
  const open = lost.filter(({ state }) => state === 'waiting')
  const decided = lost.filter(({ state }) => state !== 'waiting')
  return (
    <DeskFrame title={words.title} actions={<RefreshButton query={load.query} />}>
      <LoadFailure {...load} />
      {query.isPending ? <SkeletonRows label={words.loading} /> : null}
      {query.data && lost.length === 0 ? (
        <EmptyState level={2} title={words.empty} icon={<SearchCheck />}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {open.length === 0 ? null : (
        <Card title={words.list}>
          <div className={styles.intro}>
            <p role="status">{words.waiting(waiting, remaining)}</p>
            <p className="soft">{words.intro}</p>
          </div>
          <Rows tickets={open} onAsk={setAsking} />
        </Card>
      )}
      {decided.length === 0 ? null : (
        <Card title={words.decidedList}>
          <Rows tickets={decided} onAsk={setAsking} />
        </Card>
      )}
      {asking?.what === 'confirm' ? (
        <ConfirmLostDialog ticket={asking.ticket} money={money} paid={paid} onClose={close} />
      ) : null}
      {asking?.what === 'refuse' ? (
        <NoteDialog
          words={words.refusing}
          description={words.refusing.of(shortenTicketId(asking.ticket.ticketId), asking.ticket.holder.name)}
          busy={refuse.isPending}
          onSave={(note) => refuse.mutate({ id: asking.ticket.id, note }, { onSuccess: close })}
          onClose={close}
        />
      ) : null}
    </DeskFrame>
  )
}

type OnAsk = (asking: LostTicketAction) => void

const Rows = ({ tickets, onAsk }: { tickets: readonly LostTicket[]; onAsk: OnAsk }) => (
  <ul className={styles.rows}>
    {tickets.map((ticket) => (
      <Row key={ticket.id} ticket={ticket} onAsk={onAsk} />
    ))}
  </ul>
)

const Row = ({ ticket, onAsk }: { ticket: LostTicket; onAsk: OnAsk }) => {
  const { momentOf } = useDates()
  const { holder, offeredAt, state, letIn, others, together, decidedBy, decidedAt, note } = ticket
  const id = shortenTicketId(ticket.ticketId)
  return (
    <li className={styles.row}>
      <div className={styles.who}>
        <strong>{holder.name}</strong>
        <Email address={holder.email} />
      </div>
      <div className={styles.what}>
        <span className={styles.id}>{id}</span>
        <time dateTime={offeredAt} className="soft">
          {words.offered(momentOf(offeredAt))}
        </time>
        {together > 1 ? <span className="soft">{words.together(together)}</span> : null}
        {letIn === null ? null : <StateChip state="info">{words.letIn(momentOf(letIn.at), letIn.by)}</StateChip>}
        {others === 0 ? null : <StateChip state="warn">{words.others(others)}</StateChip>}
        {state === 'waiting' ? null : (
          <StateChip state={state === 'confirmed' ? 'ok' : 'bad'}>{words.states[state]}</StateChip>
        )}
        {decidedBy === null || decidedAt === null ? null : (
          <span className="soft">{words.decided(decidedBy, momentOf(decidedAt))}</span>
        )}
        {note === null ? null : <span className={styles.note}>{note}</span>}
      </div>
      {state === 'confirmed' ? null : (
        <div className={styles.buttons}>
          <Button
            size="sm"
            aria-label={words.confirmOf(id, holder.name)}
            onClick={() => onAsk({ what: 'confirm', ticket })}
          >
            {words.confirm}
          </Button>
          {state === 'refused' ? null : (
            <Button
              size="sm"
              tone="ghost"
              aria-label={words.refuseOf(id, holder.name)}
              onClick={() => onAsk({ what: 'refuse', ticket })}
            >
              {words.refuse}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

/** A decision on a lost ticket also changes tickets, orders and money. The same decision again changes nothing. */
const useDecision = <V, A>(decision: { send: (values: V) => Promise<A>; done: string }) =>
  useChange({ ...decision, failed: LOST.decideFailed, stale: [KEYS.lostTickets, ...WITH_ORDERS] })

type Confirmation = BodyOf<'confirmLost'>

interface ConfirmLostDialogProps {
  ticket: LostTicket
  money: readonly FoundMoney[]
  paid: boolean
  onClose: () => void
}

const WAYS = ['money', 'utr', 'reason'] as const
type Way = (typeof WAYS)[number]

const ConfirmLostDialog = ({ ticket, money, paid, onClose }: ConfirmLostDialogProps) => {
  const words = LOST.confirming
  const confirm = useDecision({
    send: (body: Confirmation) =>
      callServer('confirmLost', { params: { id: ticket.id }, body, retries: REQUEST_RETRIES }),
    done: LOST.confirmed,
  })
  const fits = money.find(({ amount }) => amount === ticket.price * ticket.together)
  const [way, setWay] = useState<Way>(money.length > 0 ? 'money' : 'utr')
  const [chosen, setChosen] = useState(fits?.id ?? money[0]?.id ?? '')
  const [utr, setUtr] = useState('')
  const [reason, setReason] = useState('')
  const body = paid ? buildConfirmation(way, { money: chosen, utr, reason }) : {}
  return (
    <SaveDialog
      words={words}
      description={words.of(shortenTicketId(ticket.ticketId), ticket.holder.name, formatRupees(ticket.price))}
      note={words.happens}
      busy={confirm.isPending}
      missing={body !== null ? null : way === 'utr' ? DESK.missing.utr : DESK.missing.payment}
      onSave={() => (body === null ? undefined : confirm.mutate(body, { onSuccess: onClose }))}
      onClose={onClose}
    >
      {paid ? (
        <div className={styles.form}>
          <div>
            <p className={styles.label}>{words.how}</p>
            <Segments
              label={words.how}
              value={way}
              options={WAYS.filter((one) => one !== 'money' || money.length > 0).map((value) => ({
                value,
                label: words.ways[value],
              }))}
              onChange={setWay}
            />
          </div>
          {way === 'money' ? (
            <Select
              label={words.payment}
              value={chosen}
              options={money.map(({ id, amount, detail }) => ({
                value: id,
                label: words.moneyOf(formatRupees(amount), detail),
              }))}
              onChange={setChosen}
            />
          ) : null}
          {way === 'utr' ? (
            <TextField
              label={words.utr}
              hint={words.utrHint}
              inputMode="numeric"
              autoComplete="off"
              value={utr}
              onType={setUtr}
            />
          ) : null}
          {way === 'reason' ? (
            <TextField label={words.reason} value={reason} maxLength={REASON_MAX} onType={setReason} />
          ) : null}
        </div>
      ) : null}
    </SaveDialog>
  )
}

function buildConfirmation(way: Way, given: Record<Way, string>): Confirmation | null {
  const value = given[way].trim()
  if (value === '' || (way === 'utr' && !/^\d{12}$/.test(value))) return null
  return { [way]: value }
}
