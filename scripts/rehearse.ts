import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { activateCodes } from '../server/src/flows/blocks/activateCodes.ts'
import { blockSheet } from '../server/src/flows/blocks/blockSheet.ts'
import { makeBlock } from '../server/src/flows/blocks/makeBlock.ts'
import type { Deps } from '../server/src/flows/deps.ts'
import { ensureSigningKey } from '../server/src/flows/ensureSigningKey.ts'
import { ensureEpoch } from '../server/src/flows/epoch.ts'
import { makeLog } from '../server/src/log.ts'
import { copyWhole } from '../server/src/store/backup.ts'
import { findEvent, updateEvent } from '../server/src/store/events.ts'
import { endWaitingJobs } from '../server/src/store/jobs.ts'
import { nextRevision } from '../server/src/store/meta.ts'
import { openStore } from '../server/src/store/open.ts'
import type { Store } from '../server/src/store/store.ts'
import { dayOf } from '../shared/src/rules/calendar.ts'
import { rehearsalFolder, rehearsalUrl } from './lib/rehearsal.ts'
import { command, say, step, UsageError } from './lib/say.ts'
import { requireSqlite, settingsHere } from './lib/settings.ts'
import { SetUpError } from './setup.mjs'

const USAGE = `An evening to practise with, in a copy of the database; the real one stays as it is.
  npm run rehearse               makes it, with a sheet of 300 test codes
  npm run rehearse -- --reset    makes it anew, as if nobody had been let in
  npm run rehearse -- --start    makes it if there is none, and runs its server until Ctrl-C; with --reset anew;
                                 --url URL is where the crew's phones reach it: port 8443 of PUBLIC_URL, if you do not say`

const CODES = 300
/** What mails and backups are set with; half of it would stop the start. */
const UNSET = ['SMTP_URL', 'MAIL_FROM', 'ALERT_EMAIL', 'BACKUP_DIR', 'BACKUP_EVERY', 'BACKUP_HOOK']
const NAME = 'Rehearsal'
const now = () => new Date()
type Settings = ReturnType<typeof settingsHere>

/** The copy's event is today, from morning to midnight, with seats for the test codes; what was to be sent stays unsent. */
async function makeEvening(store: Store, { timezone }: Settings): Promise<void> {
  await store.write(async (tx) => {
    const event = await findEvent(tx)
    if (!event) throw new SetUpError('There is no event to rehearse. Create it on the desk first.')
    await updateEvent(tx, event.id, {
      name: `${NAME}: ${event.name}`,
      date: dayOf(now(), timezone),
      startTime: '00:00',
      endTime: '23:59',
      totalTickets: Math.max(event.totalTickets, event.takenSeats + CODES),
    })
    await endWaitingJobs(tx, now())
    await nextRevision(tx)
  })
}

/** Test codes as paper tickets, activated, on a sheet. They are worth nothing at the real gate, which does not list them. */
async function makeCodes(store: Store, settings: Settings): Promise<Uint8Array> {
  const log = makeLog(settings)
  const deps: Deps = {
    store,
    settings,
    now,
    signer: await ensureSigningKey({ store, now }),
    epoch: await ensureEpoch({ store, settings, log }),
    publicUrl: () => '',
    verify: () => Promise.reject(new Error('Nobody signs in here')),
    providers: {},
    mailer: null,
    stopping: new AbortController().signal,
    log,
  }
  const admin = { id: 'rehearsal', name: NAME }
  const { id } = await makeBlock(deps, { admin, label: NAME, size: CODES })
  await activateCodes(deps, { admin, id, from: 1, to: CODES, method: 'complimentary', reason: NAME })
  return (await blockSheet(deps, id)).pdf
}

function asked(): { reset: boolean; start: boolean; url: string | undefined } {
  try {
    const { reset, start, url } = parseArgs({
      options: { reset: { type: 'boolean' }, start: { type: 'boolean' }, url: { type: 'string' } },
    }).values
    if (url !== undefined && !start) throw new UsageError(USAGE)
    return { reset: reset ?? false, start: start ?? false, url }
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(USAGE) : error
  }
}

async function makeRehearsal(settings: Settings, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  try {
    const database = join(folder, 'garba.db')
    await step('Copying the database', () => copyWhole({ database: settings.databaseFile, file: database }))
    const store = openStore(database)
    try {
      await makeEvening(store, settings)
      const pdf = await step(`Making ${CODES} test codes`, () => makeCodes(store, settings))
      writeFileSync(join(folder, 'test-codes.pdf'), pdf)
    } finally {
      await store.close()
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

await command(async () => {
  const { reset, start, url } = asked()
  const settings = settingsHere()
  requireSqlite(settings, 'Rehearse with a copy of that database on a server of its own.')
  const folder = rehearsalFolder(settings)
  const isThere = existsSync(join(folder, 'garba.db'))
  if (isThere && !reset && !start)
    throw new SetUpError(
      `There is a rehearsal in ${folder} already. Start it with npm run rehearse -- --start, or make it anew with npm run rehearse -- --reset`,
    )
  if (!isThere || reset) await makeRehearsal(settings, folder)
  console.log(`Print ${join(folder, 'test-codes.pdf')} on A4.`)
  if (!start) {
    say('Start the rehearsal beside the real server with npm run rehearse -- --start')
    return console.log(`The rehearsal is ready in ${folder}; the real database is as it was.`)
  }
  const address = url ?? rehearsalUrl(settings)
  // Nothing of the real evening is touched: no payments, mails or backups, and no code that leads to the real address.
  Object.assign(process.env, {
    DATA_DIR: folder,
    PORT: String(settings.port === 0 ? 0 : settings.port + 1),
    PUBLIC_URL: address,
    ...Object.fromEntries(UNSET.map((name) => [name, ''])),
    PAYMENTS: 'none',
    // On this terminal only what goes wrong.
    LOG_LEVEL: 'warn',
  })
  if (address !== '') console.log(`The crew opens ${address}`)
  process.once('exit', () => console.log('The rehearsal has ended; the real database is as it was.'))
  await import(settings.demo ? './start.ts' : './serve.ts')
})
