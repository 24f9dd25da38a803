import { REASON_MAX, REQUEST_RETRIES } from '@garba/shared/constants'
import type { CashSession } from '@garba/shared/contracts/money/cash'
import { MONEY } from '@garba/shared/messages/money'
import { formatRupees } from '@garba/shared/rules/money'
import { computeCashDifference, differenceText, parseRupees } from '@garba/shared/rules/orders/orderMoney'
import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { Fact } from '../../kit/Card.tsx'
import { TextField } from '../../kit/Field.tsx'
import { Line, Slip } from '../../kit/Slip.tsx'
import { type AnswerOf, type BodyOf, callServer } from '../../platform/http/call.ts'
import { getErrorMessage } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { DESK } from '../texts/desk.ts'
import { SELL } from '../texts/sell.ts'
import styles from './SellView.module.css'

const words = SELL.cash

export const CashCard = ({ query }: { query: UseQueryResult<AnswerOf<'cashSessions'>> }) => {
  const [closing, setClosing] = useState<CashSession | null>(null)
  // Another window may have counted this drawer and opened the next.
  const own = query.data?.own?.id === closing?.id ? query.data?.own : null
  return (
    <>
      <LoadedCard query={query} words={words} lines={3}>
        {({ own }) =>
          own === null ? (
            <div className="stack-4">
              <p>{words.none}</p>
              <OpenDrawer />
            </div>
          ) : (
            <Running session={own} onClose={() => setClosing(own)} />
          )
        }
      </LoadedCard>
      {closing === null ? null : <CloseDialog session={own ?? closing} onClose={() => setClosing(null)} />}
    </>
  )
}

/** It has no form element, so that it can be inside the form of a sale. */
export const OpenDrawer = () => {
  const client = useQueryClient()
  const open = useMutation({
    // Safe to repeat: a drawer that is open or closed is returned unchanged.
    mutationFn: (float: number) => callServer('openCashSession', { body: { float }, retries: REQUEST_RETRIES }),
    onSuccess: ({ session }, float) => {
      if (session.float !== float) toast.error(words.openBefore(formatRupees(session.float)))
    },
    onError: (error) => toast.error(words.openFailed(getErrorMessage(error))),
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.cash }),
  })
  const [typed, setTyped] = useState('')
  const float = parseRupees(typed)
  const start = () => {
    if (float !== null && !open.isPending) open.mutate(float)
  }
  return (
    <div className="stack-4">
      <TextField
        label={words.float}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={typed.trim() !== '' && float === null ? words.amountWrong : undefined}
        onType={setTyped}
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

const Running = ({ session, onClose }: { session: CashSession; onClose: () => void }) => {
  const { momentOf } = useDates()
  const { float, taken, paidBack, sales, expected, openedAt } = session
  return (
    <div className="stack-4">
      <dl className={styles.facts}>
        <Fact label={words.since}>{momentOf(openedAt)}</Fact>
        <Fact label={words.start}>{formatRupees(float)}</Fact>
        <Fact label={`${words.taken}, ${words.sales(sales)}`}>{formatRupees(taken)}</Fact>
        <Fact label={words.paidBack}>{paidBack === 0 ? null : formatRupees(-paidBack)}</Fact>
        <Fact label={words.expected}>
          <strong>{formatRupees(expected)}</strong>
        </Fact>
      </dl>
      <Button onClick={onClose}>{words.close}</Button>
    </div>
  )
}

export const CloseDialog = ({ session, onClose }: { session: CashSession; onClose: () => void }) => {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const close = useMutation({
    mutationFn: (body: BodyOf<'closeCashSession'>) =>
      callServer('closeCashSession', { params: { id: session.id }, body, retries: REQUEST_RETRIES }),
    onSuccess: ({ session: { counted } }, body) => {
      if (counted !== null && counted !== body.counted) toast.error(words.countedBefore(formatRupees(counted)))
    },
    onError: (error) => toast.error(words.closeFailed(getErrorMessage(error))),
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.cash }),
  })
  const closed = close.data?.session
  const counted = parseRupees(typed)
  return (
    <SaveDialog
      words={{ ...words, title: closed ? words.closed : words.closeTitle }}
      description={session.person}
      note={words.recorded}
      busy={close.isPending}
      missing={counted === null ? DESK.missing.counted : null}
      done={closed && words.done}
      onSave={() => {
        if (counted !== null) close.mutate({ counted, ...(note.trim() === '' ? {} : { note: note.trim() }) })
      }}
      onClose={onClose}
    >
      <div className="stack-4">
        <ClosingSlip session={closed ?? session} />
        {closed ? null : (
          <>
            <TextField
              label={words.counted}
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              error={typed.trim() !== '' && counted === null ? words.amountWrong : undefined}
              onType={setTyped}
            />
            <p role="status" className={styles.difference}>
              {counted === null ? '' : differenceText(computeCashDifference(counted, session.expected))}
            </p>
            <TextField label={words.note} value={note} maxLength={REASON_MAX} onType={setNote} />
          </>
        )}
      </div>
    </SaveDialog>
  )
}

const ClosingSlip = ({ session }: { session: CashSession }) => {
  const { momentOf } = useDates()
  const { columns } = MONEY.cash
  const { openedAt, closedAt, float, sales, taken, paidBack, expected, counted, difference, note } = session
  return (
    <Slip live>
      <dl>
        <Line label={columns.opened}>{momentOf(openedAt)}</Line>
        {closedAt === null ? null : <Line label={columns.closed}>{momentOf(closedAt)}</Line>}
        <Line label={columns.start}>{formatRupees(float)}</Line>
        <Line label={`${columns.taken}, ${words.sales(sales)}`}>{formatRupees(taken)}</Line>
        {paidBack === 0 ? null : <Line label={columns.paidBack}>{formatRupees(-paidBack)}</Line>}
        <Line label={words.expected} strong={counted === null}>
          {formatRupees(expected)}
        </Line>
        {counted === null ? null : (
          <>
            <Line label={columns.counted}>{formatRupees(counted)}</Line>
            <Line label={columns.difference} strong>
              {formatRupees(difference ?? 0)}
            </Line>
          </>
        )}
        {note === null ? null : (
          <Line label={words.noted} text>
            {note}
          </Line>
        )}
      </dl>
    </Slip>
  )
}
