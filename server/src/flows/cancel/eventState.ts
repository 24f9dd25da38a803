import type { CallInput } from '@garba/shared/calls/calls'
import { UNDO_STATE_MS } from '@garba/shared/constants'
import type { FieldError } from '@garba/shared/contracts/common'
import type { EventStateFacts, EventStatePreview } from '@garba/shared/contracts/eventState'
import { EVENT_FORM } from '@garba/shared/messages/eventForm'
import { EVENT_STATE } from '@garba/shared/messages/eventState'
import { dayAfter, isDay, startOfDay, toLocalDay } from '@garba/shared/rules/event/calendar'
import { parseEventForm } from '@garba/shared/rules/event/eventForm'
import { toRupees } from '@garba/shared/rules/money'
import { orRefuse, Refusal } from '../../refusal.ts'
import type { WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, findEvent, type StateBefore, updateEvent } from '../../store/events.ts'
import { hastenRefunds } from '../../store/jobs.ts'
import { claimRequest } from '../../store/knownRequests.ts'
import { nextRevision } from '../../store/meta.ts'
import { aboutEvent, auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { computeTimes, eventAsForm } from '../event/readEvent.ts'
import { withIsoTimes } from '../isoTimes.ts'
import { findLinkProvider } from '../money/orders/links.ts'
import { listRecipients } from '../money/upkeep/tell.ts'
import { releaseState } from './callOff.ts'
import { sumOwed } from './eventRefunds.ts'

type StateRequest = CallInput<'setEventState'> & { admin: Caller; idempotencyKey: string }

const invalid = (...errors: FieldError[]): Refusal =>
  new Refusal('VALIDATION_FAILED', { message: EVENT_FORM.fixErrors, errors })

export const stateView = (event: EventRow): EventStateFacts => ({
  state: event.state,
  reason: event.stateReason,
  date: event.date,
  startTime: event.startTime,
  ...withIsoTimes({ freeCancelUntil: event.freeCancelUntil, undoUntil: event.undoUntil }),
})

const isPending = ({ undoUntil }: EventRow, now: Date): boolean => undoUntil !== null && now < undoUntil

/**
 * Delays, moves or calls off the event. Sales, gates and pages follow at once; mails and refunds leave after ten
 * minutes, or at once with `now`. Until they leave, `on` restores what was there before. Afterwards nothing undoes an
 * event that is called off (EVENT_CALLED_OFF), and `on` only ends the note on a delay or a move.
 */
export async function setEventState(deps: Deps, request: StateRequest): Promise<EventStateFacts> {
  const { admin, idempotencyKey: key, ...asked } = request
  return deps.store.write(async (tx) => {
    const before = orRefuse(await findEvent(tx), 'EVENT_NOT_FOUND')
    const now = deps.now()
    const asking = { call: 'setEventState', userId: admin.id, key, asked: [Object.entries(asked).toSorted()] }
    if (!(await claimRequest(tx, asking, now))) return stateView(before)
    const pending = isPending(before, now)
    if (before.state === 'calledOff' && !pending && asked.state !== 'calledOff')
      throw new Refusal('EVENT_CALLED_OFF', before.stateReason ? { reason: before.stateReason } : {})
    if (asked.state === before.state && (asked.state === 'on' || (asked.state === 'calledOff' && !pending)))
      return stateView(before)
    const set = asked.state === 'on' ? takeBack(before, pending) : newState(deps, before, { ...asked, pending, now })
    const saved = orRefuse(await updateEvent(tx, before.id, { ...set, updatedAt: now }), 'EVENT_NOT_FOUND')
    // Phones learn the state with their list.
    await nextRevision(tx)
    tx.announceChanges('roster', 'evening', 'seats')
    const detail =
      asked.state === 'on' && pending
        ? EVENT_STATE.takenBack(EVENT_STATE.names[before.state])
        : EVENT_STATE.changed(before.state, saved.state, saved.stateReason)
    await auditChange(tx, { at: now, action: 'event.state', actor: admin, subject: aboutEvent(saved), detail })
    return stateView(asked.now && asked.state !== 'on' ? await releaseState(tx, saved, now) : saved)
  })
}

function takeBack({ stateBefore: was }: EventRow, pending: boolean): Partial<EventRow> {
  if (!pending || was === null) return { state: 'on', stateReason: null, undoUntil: null, stateBefore: null }
  const { stateAt, freeCancelUntil, ...kept } = was
  const at = (time: number | null) => (time === null ? null : new Date(time))
  return { ...kept, stateAt: at(stateAt), freeCancelUntil: at(freeCancelUntil), undoUntil: null, stateBefore: null }
}

interface NewState extends Omit<CallInput<'setEventState'>, 'reason' | 'now'> {
  reason?: string | undefined
  pending: boolean
  now: Date
}

/** Checks a new state as the event form would, from what was there before anything that has not left yet. */
function newState({ settings }: Deps, row: EventRow, asked: NewState): Partial<EventRow> {
  const { state, reason, date, startTime, pending, now } = asked
  const { timezone } = settings
  const before = pending ? { ...row, ...takeBack(row, true) } : row
  const today = toLocalDay(now, timezone)
  const typed = { ...eventAsForm(before), ...(date && { date }), ...(startTime && { startTime }) }
  const form = parseEventForm(typed, { today, savedDate: before.date })
  const own = ['date', 'startTime', 'endTime']
  const errors = form.ok ? [] : form.errors.filter(({ field }) => own.includes(field))
  if (!reason) errors.unshift({ field: 'reason', message: EVENT_STATE.reasonRequired })
  if (state === 'moved' && !date) errors.push({ field: 'date', message: EVENT_FORM.dateRequired })
  if (state === 'moved' && date === before.date) errors.push({ field: 'date', message: EVENT_STATE.sameDay })
  if (state !== 'moved' && date && date !== before.date)
    errors.push({ field: 'date', message: EVENT_STATE.dateNotMoved })
  if (state === 'delayed' && !startTime) errors.push({ field: 'startTime', message: EVENT_FORM.startTimeRequired })
  if (state === 'delayed' && startTime === before.startTime)
    errors.push({ field: 'startTime', message: EVENT_STATE.sameTime })
  const times = state === 'calledOff' ? {} : { date: typed.date, startTime: typed.startTime }
  const moved = { ...before, ...times }
  const freeCancelUntil = state === 'moved' ? momentOf(asked.freeCancelUntil, timezone) : before.freeCancelUntil
  if (state === 'moved' && freeCancelUntil && errors.length === 0) {
    const starts = computeTimes(moved, timezone).startsAt
    if (freeCancelUntil <= now) errors.push({ field: 'freeCancelUntil', message: EVENT_STATE.freeUntilPast })
    else if (freeCancelUntil >= dayEnd(toLocalDay(starts, timezone), timezone))
      errors.push({ field: 'freeCancelUntil', message: EVENT_STATE.freeUntilLate })
  }
  if (errors.length > 0) throw invalid(...errors)
  const { stateReason, date: wasDate, startTime: wasStart } = before
  const stateBefore: StateBefore = {
    state: before.state,
    stateReason,
    stateAt: before.stateAt?.getTime() ?? null,
    freeCancelUntil: before.freeCancelUntil?.getTime() ?? null,
    date: wasDate,
    startTime: wasStart,
  }
  const undoUntil = new Date(now.getTime() + UNDO_STATE_MS)
  const { date: day, startTime: start } = moved
  return {
    state,
    stateReason: reason ?? null,
    stateAt: now,
    undoUntil,
    stateBefore,
    freeCancelUntil,
    date: day,
    startTime: start,
  }
}

const dayEnd = (day: string, timezone: string): Date => startOfDay(dayAfter(day), timezone)

function momentOf(given: string | null | undefined, timezone: string): Date | null {
  if (!given) return null
  // The last moment of the day, so that no text names the next one.
  return isDay(given) ? new Date(dayEnd(given, timezone).getTime() - 1) : new Date(given)
}

/** The state, and what calling the event off now would concern. Providers are asked for their balance. */
export async function previewEventState(deps: Deps): Promise<EventStatePreview> {
  const { event, owed, mails } = await deps.store.read(async (tx) => {
    const row = orRefuse(await findEvent(tx), 'EVENT_NOT_FOUND')
    return {
      event: row,
      owed: await sumOwed(tx, row),
      mails: deps.mailer === null ? 0 : (await listRecipients(tx, row.id, ['active', 'used'])).size,
    }
  })
  const providers = await Promise.all(
    owed.providers.map(async ({ provider, count, paise }) => {
      const balance =
        (await findLinkProvider(deps, provider)
          ?.readBalance()
          .catch(() => null)) ?? null
      const lacks = balance === null ? null : toRupees(Math.max(0, paise - balance))
      return { provider, count, amount: toRupees(paise), balance: balance === null ? null : toRupees(balance), lacks }
    }),
  )
  const refund = { count: owed.byHand.count, paise: owed.byHand.paise }
  for (const { count, paise } of owed.providers) {
    refund.count += count
    refund.paise += paise
  }
  return {
    ...stateView(event),
    people: owed.people,
    refund: { count: refund.count, amount: toRupees(refund.paise) },
    providers,
    byHand: { count: owed.byHand.count, amount: toRupees(owed.byHand.paise) },
    mails,
  }
}

/** Stops the refunds of an event called off, or lets them go on: those that a provider refused are then sent at once. */
export const setRefundsPaused = (deps: Deps, { admin, paused }: { admin: Caller; paused: boolean }): Promise<void> =>
  deps.store.write(async (tx: WriteTx) => {
    const event = orRefuse(await findEvent(tx), 'EVENT_NOT_FOUND')
    const now = deps.now()
    if (!paused) await hastenRefunds(tx, now)
    if (event.refundsPaused === paused) return
    await updateEvent(tx, event.id, { refundsPaused: paused })
    const detail = paused ? EVENT_STATE.refundsPaused : EVENT_STATE.refundsGoOn
    await auditChange(tx, { at: now, action: 'event.state', actor: admin, subject: aboutEvent(event), detail })
  })
