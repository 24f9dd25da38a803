import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadSetting, readSettings } from '../../../server/src/config.ts'
import type { Deps } from '../../../server/src/flows/deps.ts'
import { activateCodes, blockSheet, makeBlock } from '../../../server/src/flows/doorSales/blocks.ts'
import { ensureEpoch } from '../../../server/src/flows/recovery/epoch.ts'
import {
  fillRehearsal,
  isRehearsal,
  rehearsalFolder,
  rehearseToday,
} from '../../../server/src/flows/recovery/rehearsal.ts'
import { ensureSigningKey } from '../../../server/src/flows/signingKeys.ts'
import { makeLog } from '../../../server/src/log.ts'
import { Refusal } from '../../../server/src/refusal.ts'
import { holdFolder } from '../../../server/src/store/engine/folder.ts'
import { openForReading, openStore } from '../../../server/src/store/engine/open.ts'
import { closing, type Store } from '../../../server/src/store/engine/store.ts'
import { readDatabase, rehearsalUrl, settingsHere } from '../../lib/database.ts'
import { withFolder } from '../../lib/files.ts'
import { printLine, runCommand, runTimedStep, UsageError } from '../../lib/say.ts'
import { SetUpError } from '../../setup.mjs'

const CODES = 300
const NAME = 'Rehearsal'
const now = () => new Date()
type Settings = ReturnType<typeof settingsHere>

async function makeCodes(store: Store, settings: Settings): Promise<Uint8Array> {
  const log = makeLog(settings)
  const deps: Deps = {
    store,
    settings,
    now,
    signer: await ensureSigningKey({ store, now }),
    epoch: await ensureEpoch({ store, log }),
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

/** Makes it in a folder of its own first, so that an interrupted command leaves nothing half-made in its place. */
async function makeRehearsal(settings: Settings, folder: string): Promise<void> {
  requireUnused(folder)
  await withFolder(`${folder}-`, async (made) => {
    const store = openStore(join(made, 'garba.db'))
    try {
      await readDatabase(settings, (from) =>
        fillRehearsal({ from, to: store, now: now(), timezone: settings.timezone, codes: CODES }),
      )
      const pdf = await runTimedStep(`Making ${CODES} test codes`, () => makeCodes(store, settings))
      writeFileSync(join(made, 'test-codes.pdf'), pdf)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'EVENT_NOT_FOUND')
        throw new SetUpError('There is no event to rehearse. Create it on the desk first.')
      throw error
    } finally {
      await store.close()
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(made, folder)
  })
}

/** A running rehearsal would continue without its files, so the folder must not be in use. Throws FolderInUse. */
function requireUnused(folder: string): void {
  if (existsSync(folder)) holdFolder(join(folder, 'garba.db')).release()
}

/** A rehearsal may have been made on an earlier day, with its codes printed. */
async function moveToToday({ timezone }: Settings, folder: string): Promise<void> {
  requireUnused(folder)
  await using store = closing(openStore(join(folder, 'garba.db')))
  await rehearseToday({ store, now: now(), timezone })
}

/** Whether there is a rehearsal. A copy of the real database, with its keys and guests, does not count. */
async function isMade(folder: string): Promise<boolean> {
  const file = join(folder, 'garba.db')
  if (!existsSync(file)) return false
  await using store = closing(openForReading(file))
  return await isRehearsal(store)
}

function isAddress(url: string): boolean {
  try {
    return readSettings({ PUBLIC_URL: url }).publicUrl !== null
  } catch (error) {
    if (error instanceof BadSetting) return false
    throw error
  }
}

await runCommand('rehearse', async ({ has, text }) => {
  const [reset, start, url] = [has('reset'), has('start'), text('url')]
  if (url !== undefined && !start) throw new UsageError()
  if (url !== undefined && !isAddress(url))
    throw new UsageError('--url must be an address such as https://rehearsal.example.org.')
  const settings = settingsHere()
  const folder = rehearsalFolder(settings)
  const isThere = await isMade(folder)
  if (isThere && !reset && !start)
    throw new SetUpError(
      `There is a rehearsal in ${folder} already. Start it with npm run rehearse -- --start, or make a new one with npm run rehearse -- --reset`,
    )
  if (!isThere || reset) await makeRehearsal(settings, folder)
  else await moveToToday(settings, folder)
  console.log(`Print ${join(folder, 'test-codes.pdf')} on A4.`)
  if (!start) {
    printLine('Start the rehearsal beside the real server with npm run rehearse -- --start')
    return console.log(`The rehearsal is ready in ${folder}; the real database is as it was.`)
  }
  const address = url ?? rehearsalUrl(settings)
  // Every rehearsal server has payments, mails and backups off; these settings are its place and its address.
  Object.assign(process.env, {
    DATA_DIR: folder,
    DATABASE_URL: '',
    PORT: String(settings.port === 0 ? 0 : settings.port + 1),
    PUBLIC_URL: address,
    // Keeps a demo from starting a payment provider.
    PAYMENTS: 'none',
    // Otherwise the start would warn that guests cannot pay by UPI.
    UPI_ID: '',
    // Only problems are printed on this terminal.
    LOG_LEVEL: 'warn',
  })
  if (address !== '') console.log(`The crew opens ${address}`)
  process.once('exit', () => console.log('The rehearsal has ended; the real database is as it was.'))
  // The arguments were meant for this script, not for the next one.
  process.argv.splice(2)
  await import(settings.demo ? './start.ts' : './serve.ts')
})
