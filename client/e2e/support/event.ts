import { join } from 'node:path'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { TicketTypeInput } from '@garba/shared/contracts/types/ticketType'
import Database from 'better-sqlite3'
import { type Api, callApi } from './api.ts'
import type { TestServer } from './server.ts'

export const eventOf = async (server: TestServer): Promise<GarbaEvent> =>
  dataOf(await callApi({ url: server.url, name: 'event' }))

const dataOf = ({ body }: { body: unknown }): GarbaEvent => (body as { data: GarbaEvent }).data

type EventChanges = Omit<Partial<GarbaEvent>, 'types'> & {
  types?: readonly TicketTypeInput[] | GarbaEvent['types'] | undefined
}

/** Changes the event as an admin does in the form. */
export async function changeEvent(admin: Api, changes: EventChanges): Promise<void> {
  const { name, venue, description, date, startTime, endTime, ticketPrice, groupPrice4, totalTickets, ...rest } =
    dataOf(await admin.call('event'))
  const { eventImage, features, aboutText } = rest
  const body = { name, venue, description, date, startTime, endTime, ticketPrice, groupPrice4, totalTickets }
  const answer = await admin.call('updateEvent', { body: { ...body, eventImage, features, aboutText, ...changes } })
  if (answer.status !== 200) throw new Error(`The event was not changed: ${JSON.stringify(answer.body)}`)
}

/** Says of the event what an admin says on the desk. */
export async function setEventState(admin: Api, body: Record<string, unknown>): Promise<void> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const answer = await admin.call('setEventState', { body: { reason: 'The ground is under water.', ...body }, headers })
  if (answer.status !== 200) throw new Error(`The state was not changed: ${JSON.stringify(answer.body)}`)
}

/** The day so many days after today in Kolkata, as the event's date is written. */
export const dayAhead = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(Date.now() + days * 86_400_000)

/** Hours of an event that runs now, and that a test does not outlive: they end after midnight. */
export const runningNow = (): Pick<GarbaEvent, 'date' | 'startTime' | 'endTime' | 'endsNextDay'> => ({
  date: dayAhead(0),
  startTime: '00:00',
  endTime: '03:00',
  endsNextDay: true,
})

/** Moves the event to yesterday, as time would: the API refuses a new date in the past. */
export function endEvent({ dataDir }: Pick<TestServer, 'dataDir'>): void {
  const database = new Database(join(dataDir, 'garba.db'))
  database.prepare('update events set date = ? where closed_at is null').run(dayAhead(-1))
  database.close()
}

/** Ends the event and closes it, as an admin does on the desk. Resolves with its id. */
export async function closeEvent(server: TestServer): Promise<string> {
  endEvent(server)
  const { _id: id } = await eventOf(server)
  const answer = await (await server.api('admin')).call('closeEvent', { params: { id } })
  if (answer.status !== 200) throw new Error(`The event was not closed: ${JSON.stringify(answer.body)}`)
  return id
}

/** Sets what happened at the gates apart, over the last hour and a half, and makes the phones silent for eight minutes. */
export function spreadEvening({ dataDir }: Pick<TestServer, 'dataDir'>): void {
  const database = new Database(join(dataDir, 'garba.db'))
  database.exec(`
    update scans set at = at - (90 - (rowid * 37) % 41) * 60000;
    update movements set at = at - (rowid * 3) % 7 * 60000;
    update devices set last_seen = last_seen - 480000`)
  database.close()
}
