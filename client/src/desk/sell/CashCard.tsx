import { REASON_MAX } from '@garba/shared/constants'
import type { CashSession } from '@garba/shared/contracts/order'
import { formatRupees } from '@garba/shared/rules/money'
import { differenceOf, differenceText, readAmount } from '@garba/shared/rules/orders/orderMoney'
import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { TextField } from '../../kit/Field.tsx'
import { type AnswerOf, type BodyOf, call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { DESK } from '../texts/desk.ts'
import { SELL } from '../texts/orders.ts'
import styles from './Sell.module.css'

const words = SELL.cash

/** Your own cash session: its float, what the drawer should hold now, and closing it. */
export const CashCard = ({ query }: { query: UseQueryResult<AnswerOf<'cashSessions'>> }) => {
  const { close } = useCashChanges()
  return (
    <LoadedCard title={words.title} query={query} words={words} lines={3}>
      {({ own }) =>
        own === null ? (
          <div className={styles.form}>
            <p>{words.none}</p>
            <OpenDrawer />
          </div>
        ) : (
          <Running session={own} busy={close.isPending} onClose={close.mutate} />
        )
      }
    </LoadedCard>
  )
}

export function useCashChanges() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: KEYS.cash })
  const open = useMutation({
    mutationFn: (float: number) => call('openCashSession', { body: { float } }),
    onSuccess: () => toast.success(words.opened),
    onError: (error) => toast.error(words.openFailed(messageOf(error))),
    onSettled,
  })
  const close = useMutation({
    mutationFn: ({ id, ...body }: BodyOf<'closeCashSession'> & { id: string }) =>
      call('closeCashSession', { params: { id }, body }),
    onSuccess: ({ session }) => toast.success(`${words.closed}. ${differenceText(session.difference ?? 0)}`),
    onError: (error) => toast.error(words.closeFailed(messageOf(error))),
    onSettled,
  })
  return { open, close }
}

/** Opens the caller's drawer. No form of its own, so that it can stand in the form of a sale. */
export const OpenDrawer = () => {
  const { open } = useCashChanges()
  const [typed, setTyped] = useState('')
  const float = readAmount(typed)
  const start = () => {
    if (float !== null && !open.isPending) open.mutate(float)
  }
  return (
    <div className={styles.form}>
      <TextField
        label={words.float}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={typed.trim() !== '' && float === null ? words.amountWrong : undefined}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          start()
        }}
      />
      <Button busy={open.isPending} disabled={float === null} onClick={start}>
        {open.isPending ? words.opening : words.open}
      </Button>
    </div>
  )
}

interface RunningProps {
  session: CashSession
  busy: boolean
  onClose: (closing: BodyOf<'closeCashSession'> & { id: string }, over: { onSuccess: () => void }) => void
}

const Running = ({ session, busy, onClose }: RunningProps) => {
  const { momentOf } = useDates()
  const [closing, setClosing] = useState(false)
  const { id, float, taken, paidBack, sales, expected, openedAt } = session
  return (
    <div className={styles.form}>
      <dl className={styles.facts}>
        <div>
          <dt>{words.since}</dt>
          <dd>{momentOf(openedAt)}</dd>
        </div>
        <div>
          <dt>{words.start}</dt>
          <dd>{formatRupees(float)}</dd>
        </div>
        <div>
          <dt>{words.taken}</dt>
          <dd>
            {formatRupees(taken)} <span className={styles.soft}>{words.sales(sales)}</span>
          </dd>
        </div>
        {paidBack === 0 ? null : (
          <div>
            <dt>{words.paidBack}</dt>
            <dd>{formatRupees(-paidBack)}</dd>
          </div>
        )}
        <div>
          <dt>{words.expected}</dt>
          <dd>
            <strong>{formatRupees(expected)}</strong>
          </dd>
        </div>
      </dl>
      <Button onClick={() => setClosing(true)}>{words.close}</Button>
      {closing ? (
        <CloseDialog
          expected={expected}
          busy={busy}
          onSave={(body) => onClose({ id, ...body }, { onSuccess: () => setClosing(false) })}
          onClose={() => setClosing(false)}
        />
      ) : null}
    </div>
  )
}

interface CloseDialogProps {
  expected: number
  busy: boolean
  onSave: (body: BodyOf<'closeCashSession'>) => void
  onClose: () => void
}

/** Counts a drawer, the caller's own or one whose owner cannot. */
export const CloseDialog = ({ expected, busy, onSave, onClose }: CloseDialogProps) => {
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const counted = readAmount(typed)
  return (
    <SaveDialog
      words={{ ...words, title: words.closeTitle }}
      description={words.closeOf(formatRupees(expected))}
      note={words.recorded}
      busy={busy}
      missing={counted === null ? DESK.missing.counted : null}
      onSave={() => {
        if (counted !== null) onSave({ counted, ...(note.trim() === '' ? {} : { note: note.trim() }) })
      }}
      onClose={onClose}
    >
      <div className={styles.form}>
        <TextField
          label={words.counted}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          disabled={busy}
          error={typed.trim() !== '' && counted === null ? words.amountWrong : undefined}
          onChange={({ target }) => setTyped(target.value)}
        />
        <p role="status" className={styles.difference}>
          {counted === null ? '' : differenceText(differenceOf(counted, expected))}
        </p>
        <TextField
          label={words.note}
          value={note}
          maxLength={REASON_MAX}
          disabled={busy}
          onChange={({ target }) => setNote(target.value)}
        />
      </div>
    </SaveDialog>
  )
}
