import type { EventStateFacts, EventStatePreview } from '@garba/shared/contracts/eventState'
import { timeText } from '@garba/shared/messages/formats'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card, Fact } from '../../kit/Card.tsx'
import { Checkbox, TextArea, TextField } from '../../kit/Field.tsx'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { type BodyOf, callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useRequestKey } from '../../platform/http/unsure.ts'
import { queries } from '../../platform/queries.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import { calendarDay, useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { useChange } from '../frame/useChange.ts'
import { EVENT_STATES_DESK as words } from '../texts/eventState.ts'
import styles from './EventForm.module.css'

const LOOK_MS = 60_000

export const EventStateCard = () => {
  const query = useQuery({ ...queries.eventState(), refetchInterval: LOOK_MS })
  const [asking, setAsking] = useState(false)
  const change = useStateChange(() => setAsking(false))
  const state = query.data?.data
  const now = useServerNow(LOOK_MS)
  return (
    <Card title={words.title}>
      <LoadFailure query={query} failed={words.failed} />
      {state === undefined ? null : (
        <div className="stack-4">
          <StateNow state={state} />
          {state.undoUntil !== null && Date.parse(state.undoUntil) > now ? (
            <Waits until={state.undoUntil} busy={change.isPending} onTakeBack={() => change.mutate({ state: 'on' })} />
          ) : null}
          {state.state === 'calledOff' ? (
            state.undoUntil === null && <RefundProgress />
          ) : (
            <div className={styles.stateActions}>
              <Button icon={<CalendarClock />} onClick={() => setAsking(true)}>
                {words.change}
              </Button>
              {state.state !== 'on' && state.undoUntil === null ? (
                <Button tone="ghost" busy={change.isPending} onClick={() => change.mutate({ state: 'on' })}>
                  {words.end}
                </Button>
              ) : null}
            </div>
          )}
          {asking ? <StateDialog state={state} change={change} onClose={() => setAsking(false)} /> : null}
        </div>
      )}
    </Card>
  )
}

function useStateChange(onDone: () => void) {
  const { key, renewKey } = useRequestKey()
  return useChange({
    send: async (body: BodyOf<'setEventState'>) => {
      const answer = await callServer('setEventState', { body, headers: { 'Idempotency-Key': key } })
      onDone()
      return answer
    },
    onSettled: renewKey,
    failed: words.notChanged,
    fields: ['reason', 'date', 'startTime', 'endTime', 'freeCancelUntil'],
  })
}

const StateNow = ({ state }: { state: EventStateFacts }) => {
  const { momentOf } = useDates()
  const said = {
    on: words.on,
    delayed: words.now.delayed(timeText(state.startTime, 'en')),
    moved: words.now.moved(calendarDay(state.date)),
    calledOff: words.now.calledOff,
  }
  return (
    <div className="stack-2">
      <p>{said[state.state]}</p>
      {state.reason === null ? null : <p className="soft">{words.reasonIs(state.reason)}</p>}
      {state.freeCancelUntil === null ? null : (
        <p className="soft">{words.freeUntil(momentOf(state.freeCancelUntil))}</p>
      )}
    </div>
  )
}

const Waits = ({ until, busy, onTakeBack }: { until: string; busy: boolean; onTakeBack: () => void }) => {
  const { timeOf } = useDates()
  return (
    <Banner
      tone="warn"
      live="status"
      actions={
        <Button size="sm" icon={<Undo2 />} busy={busy} onClick={onTakeBack}>
          {words.takeBack}
        </Button>
      }
    >
      <p>{words.waits(timeOf(until))}</p>
    </Banner>
  )
}

type NewState = 'delayed' | 'moved' | 'calledOff'
const KINDS = (['delayed', 'moved', 'calledOff'] as const).map((value) => ({ value, label: words.kinds[value] }))

interface StateDialogProps {
  state: EventStatePreview
  change: ReturnType<typeof useStateChange>
  onClose: () => void
}

const StateDialog = ({ state, change, onClose }: StateDialogProps) => {
  const [kind, setKind] = useState<NewState>('delayed')
  const [reason, setReason] = useState('')
  const [date, setDate] = useState('')
  const [startTime, setStartTime] = useState(state.startTime)
  const [free, setFree] = useState('')
  const [now, setNow] = useState(false)
  const errors = new Map(
    isFailure(change.error) ? change.error.errors.map(({ field, message }) => [field, message]) : [],
  )
  const times = kind === 'calledOff' ? {} : { startTime, ...(kind === 'moved' ? { date } : {}) }
  const until = kind === 'moved' && free !== '' ? { freeCancelUntil: free } : {}
  return (
    <SaveDialog
      words={words.dialog}
      description={words.people(state.people)}
      note={words.mails(state.mails)}
      tone={kind === 'calledOff' ? 'danger' : 'primary'}
      busy={change.isPending}
      onSave={() => change.mutate({ state: kind, reason, ...times, ...until, ...(now ? { now } : {}) })}
      onClose={onClose}
    >
      <div className="stack-4">
        <Segments label={words.kind} value={kind} options={KINDS} onChange={setKind} />
        <TextArea label={words.reason} error={errors.get('reason')} rows={2} value={reason} onType={setReason} />
        {kind === 'moved' ? (
          <TextField label={words.date} error={errors.get('date')} type="date" value={date} onType={setDate} />
        ) : null}
        {kind === 'calledOff' ? (
          <MoneyBack state={state} />
        ) : (
          <TextField
            label={words.startTime}
            error={errors.get('startTime') ?? errors.get('endTime')}
            type="time"
            value={startTime}
            onType={setStartTime}
          />
        )}
        {kind === 'moved' ? (
          <TextField
            label={words.free}
            hint={words.freeHint}
            error={errors.get('freeCancelUntil')}
            type="date"
            value={free}
            onType={setFree}
          />
        ) : null}
        <Checkbox label={words.atOnce} checked={now} onCheck={setNow} />
      </div>
    </SaveDialog>
  )
}

const MoneyBack = ({ state: { refund, providers, byHand } }: { state: EventStatePreview }) =>
  refund.count === 0 ? (
    <p>{words.none}</p>
  ) : (
    <Banner tone="warn" title={words.back(formatRupees(refund.amount), refund.count, byHand.count === refund.count)}>
      <ul className="stack-2">
        {providers.map(({ provider, amount, lacks }) => (
          <li key={provider}>
            {words.provider(provider, formatRupees(amount))}{' '}
            {lacks === null ? words.unknown : lacks > 0 ? words.lacks(formatRupees(lacks)) : null}
          </li>
        ))}
        {byHand.count === 0 || byHand.count === refund.count ? null : (
          <li>{words.byHand(formatRupees(byHand.amount), byHand.count)}</li>
        )}
      </ul>
    </Banner>
  )

const REFUNDS_MS = 5_000
const GROUPS = ['done', 'waiting', 'failed', 'byHand'] as const

const RefundProgress = () => {
  const query = useQuery({ ...queries.eventRefunds(), refetchInterval: REFUNDS_MS })
  const pause = useChange({
    send: (paused: boolean) => callServer('pauseEventRefunds', { body: { paused } }),
    failed: words.notChanged,
  })
  if (query.data === undefined) return <LoadFailure query={query} failed={words.failed} />
  const { refunds: say } = words
  const { total, done, paused, left } = query.data
  const label = say.progress(formatRupees(done.amount), formatRupees(total.amount))
  return (
    <section className="stack-4" aria-label={say.title}>
      <div className="stack-2">
        <p>{label}</p>
        <ProgressBar label={label} value={total.amount === 0 ? 100 : (done.amount / total.amount) * 100} />
      </div>
      <dl className={styles.short}>
        {GROUPS.map((group) => (
          <Fact key={group} label={say.groups[group]}>
            {say.sum(formatRupees(query.data[group].amount), query.data[group].count)}
          </Fact>
        ))}
      </dl>
      {paused ? <p role="status">{say.stopped}</p> : null}
      {query.data.waiting.count === 0 ? null : (
        <div className={styles.stateActions}>
          <Button busy={pause.isPending} onClick={() => pause.mutate(!paused)}>
            {paused ? say.goOn : say.stop}
          </Button>
          {paused ? null : (
            <Button tone="ghost" busy={pause.isPending} onClick={() => pause.mutate(false)}>
              {say.again}
            </Button>
          )}
        </div>
      )}
      {left.length === 0 ? null : (
        <div className="stack-2">
          <h3>{say.left}</h3>
          <ul className="stack-2">
            {left.map(({ ticketId, order, name, amount, failed }) => (
              <li key={ticketId}>
                {name}, {formatRupees(amount)}
                {failed ? `, ${say.failedOne}` : ''}{' '}
                {order === null ? null : <Link to={`../orders/${order}`}>{order}</Link>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
