import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dateFormat } from '@garba/shared/intlFormats'
import { forecastOffText } from '@garba/shared/messages/amounts'
import { BadSetting, readSettings } from '../../../server/src/config.ts'
import type { Deps } from '../../../server/src/flows/deps.ts'
import { activateCodes, blockSheet, makeBlock } from '../../../server/src/flows/doorSales/blocks.ts'
import { readRegister } from '../../../server/src/flows/gate/inside/register.ts'
import { ensureEpoch } from '../../../server/src/flows/recovery/epoch.ts'
import {
  fillRehearsal,
  isRehearsal,
  rehearsalFolder,
  rehearseToday,
} from '../../../server/src/flows/recovery/rehearsal.ts'
import { ensureSigningKey } from '../../../server/src/flows/signingKeys.ts'
import { makeLog } from '../../../server/src/log.ts'
import { trainingCardPdf } from '../../../server/src/paper/trainingCard.ts'
import { Refusal } from '../../../server/src/refusal.ts'
import { holdFolder } from '../../../server/src/store/engine/folder.ts'
import { openForReading, openStore } from '../../../server/src/store/engine/open.ts'
import { closing, type Store } from '../../../server/src/store/engine/store.ts'
import { closedEvents, findEvent } from '../../../server/src/store/events.ts'
import { readDatabase, rehearsalUrl, settingsHere } from '../../lib/database.ts'
import { withFolder } from '../../lib/files.ts'
import { printLine, runCommand, runTimedStep, UsageError } from '../../lib/say.ts'
import { nodeBinary, ROOT, SetUpError } from '../../setup.mjs'

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
      writeFileSync(join(made, 'training-card.pdf'), await trainingCardPdf((await store.read(findEvent))?.name ?? ''))
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

/** How far off the last evening was about when all would be in; nothing before an event has been closed. */
async function printForecasts(settings: Settings): Promise<void> {
  const last = await readDatabase(settings, async (store) => {
    const [closed] = await store.read(closedEvents)
    return closed && (await readRegister({ store, settings, now }, { event: closed.id }))
  })
  if (!last || last.forecasts.length === 0) return
  const time = dateFormat('en-IN', { hour: 'numeric', minute: '2-digit', timeZone: settings.timezone })
  const said = last.forecasts.map(({ at, off }) => `${time.format(new Date(at))}: ${forecastOffText(off)}`)
  console.log(`When all would be in, as ${last.event} said it at ${said.join(', ')}`)
}

function isAddress(url: string): boolean {
  try {
    return readSettings({ PUBLIC_URL: url }).publicUrl !== null
  } catch (error) {
    if (error instanceof BadSetting) return false
    throw error
  }
}

/** Runs the whole browser test of an evening. A bundle has neither the test nor a browser. */
function playScript(): void {
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  if (!existsSync(cli))
    throw new SetUpError('The script needs Chromium and the source: run it in a clone of the repository.')
  const args = [cli, 'test', '--config', 'client/playwright.config.ts', 'evening\\.spec']
  const env = { ...process.env, EVENING: 'whole' }
  const { status } = spawnSync(nodeBinary(), args, { cwd: ROOT, env, stdio: 'inherit' })
  if (status !== 0)
    throw new SetUpError('The screens and the tally differ, or the evening could not be played; see above.')
  console.log('Every screen agrees with the tally.')
}

await runCommand('rehearse', async ({ has, text }) => {
  const [reset, start, url] = [has('reset'), has('start'), text('url')]
  if ((url !== undefined && !start) || (has('script') && (reset || start))) throw new UsageError()
  if (url !== undefined && !isAddress(url))
    throw new UsageError('--url must be an address such as https://rehearsal.example.org.')
  if (has('script')) return playScript()
  const settings = settingsHere()
  const folder = rehearsalFolder(settings)
  const isThere = await isMade(folder)
  if (isThere && !reset && !start)
    throw new SetUpError(
      `There is a rehearsal in ${folder} already. Start it with npm run rehearse -- --start, or make a new one with npm run rehearse -- --reset`,
    )
  if (!isThere || reset) await makeRehearsal(settings, folder)
  else await moveToToday(settings, folder)
  console.log(
    `Print ${join(folder, 'test-codes.pdf')} on A4, and ${join(folder, 'training-card.pdf')} once for each volunteer.`,
  )
  await printForecasts(settings)
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
