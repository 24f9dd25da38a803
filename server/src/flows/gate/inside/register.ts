import { MINUTE_MS } from '@garba/shared/constants'
import type { EveningRegister, RegisterRow } from '@garba/shared/contracts/register'
import { reviewForecasts } from '@garba/shared/rules/event/forecast'
import { findClosing } from '../../../store/audit.ts'
import type { ReadTx } from '../../../store/engine/sql.ts'
import type { EventRow } from '../../../store/events.ts'
import { countByChannel, type GateMinute, listGateMinutes, listSales } from '../../../store/figures.ts'
import { type MovedPeople, peopleMoved } from '../../../store/movements.ts'
import type { Deps } from '../../deps.ts'
import { getEventEnd, requestedEvent } from '../../event/readEvent.ts'
import { readAbsentShare } from './figures.ts'

type RegisterDeps = Pick<Deps, 'settings' | 'now'> & { store: Pick<Deps['store'], 'read'> }

/** The whole evening of an event, minute by minute and gate by gate, as the rows say it now. */
export const readRegister = (
  { store, settings, now }: RegisterDeps,
  query: { event?: string | undefined } = {},
): Promise<EveningRegister> =>
  store.read(async (tx) => {
    const { eventId, event } = await requestedEvent(tx, query.event)
    const moved = await peopleMoved(tx, { eventId, since: new Date(0) })
    const rows = buildRows(await listGateMinutes(tx, eventId), moved)
    const closing = await findClosing(tx, eventId)
    const isOver = event !== null && getEventEnd(event, settings.timezone) <= now()
    return {
      event: event?.name ?? '',
      at: now().toISOString(),
      rows,
      channels: await countByChannel(tx, eventId),
      closed: closing ? { at: closing.at.toISOString(), by: closing.actorName } : null,
      forecasts: isOver ? await reviewEvening(tx, event, rows) : [],
    }
  })

const formatMinute = (minute: number): string => new Date(minute * MINUTE_MS).toISOString()

const NOTHING = { in: 0, returned: 0, refused: 0, doubles: 0, alarms: 0, out: 0, counted: 0 }

function buildRows(minutes: readonly GateMinute[], moved: readonly MovedPeople[]): RegisterRow[] {
  const happened = Map.groupBy([...minutes, ...moved], ({ minute, gate }) => JSON.stringify([minute, gate]))
  const inOrder = [...happened.values()]
    .map((parts) => Object.assign({ minute: 0, gate: null }, NOTHING, ...parts) as GateMinute & MovedPeople)
    .toSorted((a, b) => a.minute - b.minute || (a.gate ?? '').localeCompare(b.gate ?? ''))
  const inside = new Map<string | null, number>()
  let insideInAll = 0
  return inOrder.map((row) => {
    const change = row.in - row.out + row.counted
    const atGate = (inside.get(row.gate) ?? 0) + change
    inside.set(row.gate, atGate)
    insideInAll += change
    return { ...row, minute: formatMinute(row.minute), inside: atGate, insideInAll }
  })
}

async function reviewEvening(
  tx: ReadTx,
  event: EventRow,
  rows: readonly RegisterRow[],
): Promise<EveningRegister['forecasts']> {
  const perMinute = rows.map(({ minute, ...row }) => ({ minute, count: row.in - row.returned }))
  const sold = await listSales(tx, { eventId: event.id, since: new Date(perMinute[0]?.minute ?? 0) })
  const sales = sold.map(({ minute, count }) => ({ minute: formatMinute(minute), count }))
  const reviewed = reviewForecasts({ perMinute, sales, absentShare: await readAbsentShare(tx, event) })
  return reviewed.map(({ at, allInBy, off }) => ({
    at: new Date(at).toISOString(),
    allInBy: new Date(allInBy).toISOString(),
    off,
  }))
}
