import { MINUTE_MS } from '@garba/shared/constants'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { toRupees } from '@garba/shared/rules/money'
import type { Settings } from '../../server/src/config.ts'
import { changeEvent } from '../../server/src/flows/event/saveEvent.ts'
import { changeRole } from '../../server/src/flows/people/users.ts'
import { openForOneWrite } from '../../server/src/store/engine/open.ts'
import type { ReadTx } from '../../server/src/store/engine/sql.ts'
import { closing } from '../../server/src/store/engine/store.ts'
import { findEvent } from '../../server/src/store/events.ts'
import { countTickets } from '../../server/src/store/lists.ts'
import { countUsers } from '../../server/src/store/users.ts'
import { seedDemo } from '../demo/seed.ts'
import { getDataDir } from '../lib/database.ts'
import { SetUpError } from '../setup.mjs'
import { CHECKERS, makeHistory, planEvening } from './evening.ts'
import { makePeople } from './people.ts'
import { makeRandom } from './random.ts'
import { planSales } from './sales.ts'
import { makeStage, type Stage } from './stage.ts'

const SEED = 20_250_922
export interface Size {
  users: number
  tickets: number
  seats: number
}
const BIG: Size = { users: 5_000, tickets: 12_000, seats: 13_000 }

/**
 * Fills a database, creating it if missing, with 5,000 users, 12,000 tickets sold over eight weeks, and the evening two
 * hours after the gates opened. The same `now` gives the same people, sales and scans; ids and signatures differ. All
 * data comes from the server's own flows on a simulated clock. Throws SetUpError if the database already has tickets.
 */
export async function seedBig({ settings, now, size = BIG }: { settings: Settings; now: Date; size?: Size }) {
  const random = makeRandom(SEED)
  const history = makeHistory({ random, now, timezone: settings.timezone })
  const { opens } = history
  await seedDemo({ dataDir: getDataDir(settings), now: opens })
  await using store = closing(openForOneWrite(settings.databaseFile))
  if ((await store.read(ticketsNow)) > 0)
    throw new SetUpError(`${settings.databaseFile} already has tickets: set DATA_DIR to another folder.`)
  const stage = await makeStage({ store, settings, opens })
  planStaff(stage, opens)
  planEvent(stage, { opens, now, seats: size.seats })
  const staff = (await store.read((tx) => countUsers(tx))) + CHECKERS.length
  const people = makePeople(random, size.users - staff)
  const plan = planSales({ stage, random, history, now, people, tickets: size.tickets })
  await planEvening({ stage, random, now, ...plan })
  await stage.timeline.run()
  await store.commit()
  return await store.read(async (tx) => ({ users: await countUsers(tx), tickets: await ticketsNow(tx) }))
}

const ticketsNow = async (tx: ReadTx): Promise<number> => countTickets(tx, { eventId: (await findEvent(tx))?.id ?? '' })

function planStaff({ deps, timeline, signUp, userOf }: Stage, opens: Date): void {
  for (const checker of CHECKERS) {
    timeline.add(opens.getTime() + MINUTE_MS, () => signUp({ ...checker, never: false }))
    timeline.add(opens.getTime() + 2 * MINUTE_MS, async () => {
      const { id } = await userOf(checker.uid)
      await changeRole(deps, { admin: await userOf('demo-admin'), id, role: 'qrchecker' })
    })
  }
}

/** The event is today, and unless midnight is in between, the gates opened two hours ago. */
function planEvent(
  { deps, timeline, userOf }: Stage,
  { opens, now, seats }: { opens: Date; now: Date; seats: number },
): void {
  timeline.add(opens.getTime() + 3 * MINUTE_MS, async () => {
    const event = await deps.store.read(findEvent)
    if (!event) throw new Error('The demo has no event')
    const { name, venue, description, features, aboutText, ticketPricePaise, groupPricePaise } = event
    const input = {
      name,
      venue,
      description,
      features,
      aboutText: aboutText ?? '',
      eventImage: null,
      date: toLocalDay(now, deps.settings.timezone),
      ...hoursAround(now, deps.settings.timezone),
      ticketPrice: toRupees(ticketPricePaise),
      groupPrice4: toRupees(groupPricePaise ?? ticketPricePaise),
      totalTickets: seats,
    }
    await changeEvent(deps, { user: await userOf('demo-admin'), input })
  })
}

function hoursAround(now: Date, timeZone: string): { startTime: string; endTime: string } {
  const minute = (instant: Date) => new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(instant)
  const today = toLocalDay(now, timeZone)
  const formatTimeToday = (instant: Date, otherwise: string) =>
    toLocalDay(instant, timeZone) === today ? minute(instant) : otherwise
  return {
    startTime: formatTimeToday(new Date(now.getTime() - 95 * MINUTE_MS), '00:00'),
    endTime: formatTimeToday(new Date(now.getTime() + 145 * MINUTE_MS), '23:59'),
  }
}
