import { join } from 'node:path'
import { DAY_MS, DEFAULT_EVENT_TITLE, DEFAULT_TIMEZONE, DEMO_ACCOUNTS } from '@garba/shared/constants'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { toPaise } from '@garba/shared/rules/money'
import { holdFolder } from '../../server/src/store/engine/folder.ts'
import { openDatabase, readSchemaAge } from '../../server/src/store/engine/open.ts'
import { newId, type WriteTx } from '../../server/src/store/engine/sql.ts'
import { closing } from '../../server/src/store/engine/store.ts'
import { closedEvents, findEvent } from '../../server/src/store/events.ts'
import { insertEvent } from '../../server/src/store/typeSeats.ts'
import { allUsers, findUserByUid, findUserByVerifiedEmail, insertUser } from '../../server/src/store/users.ts'
import type { Account } from './identity.ts'

const DAYS_AHEAD = 45

const DEMO_EVENT = {
  name: DEFAULT_EVENT_TITLE,
  venue: 'Rangmanch Grounds, Sindhu Bhavan Road, Ahmedabad',
  description:
    'One open-air night of garba and dandiya raas around a lamp-lit garbo, with live dhol and singers from Kutch.',
  startTime: '18:30',
  endTime: '22:30',
  ticketPricePaise: toPaise(299),
  groupPricePaise: toPaise(249),
  totalTickets: 1200,
  features: [
    'Live dhol and shehnai',
    'Dandiya sticks for everyone',
    'Be taali and tran taali circles',
    'Chaniya choli and kediyu parade',
    'Fafda-jalebi and undhiyu stalls',
    'Aarti at the garbo',
  ],
  aboutText:
    'ગરબા રાસ. Come as you are, come in mirror-work: the circles are open to first steps and to forty years of practice. Doors open half an hour before the aarti.',
} as const

interface SeedOptions {
  dataDir: string
  /** If null or absent, the database is SQLite in `dataDir`. */
  databaseUrl?: string | null
  now: Date
}

/**
 * Adds the demo's event and first three roles to a database, which is created if missing. Existing rows stay unchanged.
 * Returns everyone in the database, for the identity process. Throws StoreUnusable, and FolderInUse.
 */
export async function seedDemo({ dataDir, databaseUrl = null, now }: SeedOptions): Promise<Account[]> {
  const where = { databaseFile: join(dataDir, 'garba.db'), databaseUrl }
  // Opening the database migrates its tables, which a running server of an earlier version would not survive.
  if (databaseUrl === null && (await readSchemaAge(where)) === 'older') holdFolder(where.databaseFile).release()
  await using store = closing(await openDatabase(where))
  return await store.write(async (tx) => {
    for (const account of Object.values(DEMO_ACCOUNTS))
      if (account.role !== 'guest') await seedAccount(tx, account, now)
    await seedEvent(tx, now)
    return (await allUsers(tx)).map(({ firebaseUid: uid, email, name }) => ({ uid, email, name }))
  })
}

type StaffAccount = (typeof DEMO_ACCOUNTS)['admin' | 'manager' | 'checker']

async function seedAccount(tx: WriteTx, { uid, email, name, role }: StaffAccount, now: Date): Promise<void> {
  if ((await findUserByUid(tx, uid)) ?? (await findUserByVerifiedEmail(tx, email))) return
  const person = { firebaseUid: uid, email, emailVerified: true, name, photoUrl: null, role }
  await insertUser(tx, { id: newId(now), ...person, createdAt: now, lastLogin: null })
}

async function seedEvent(tx: WriteTx, now: Date): Promise<void> {
  // After the demo's event is closed no new event is added, so that the screens show what an organiser then sees.
  if ((await findEvent(tx)) ?? (await closedEvents(tx))[0]) return
  const date = toLocalDay(new Date(now.getTime() + DAYS_AHEAD * DAY_MS), process.env.EVENT_TIMEZONE || DEFAULT_TIMEZONE)
  await insertEvent(tx, {
    ...DEMO_EVENT,
    id: newId(now),
    features: [...DEMO_EVENT.features],
    date,
    imageHash: null,
    createdAt: now,
    updatedAt: now,
  })
}
