import { whenQuiet } from '../../platform/ahead.ts'
import { refreshUser } from '../../platform/identity/actions.ts'
import { onCheckerLost, onSignOut, runCheckerLostHooks } from '../../platform/identity/hooks.ts'
import { forgetGuests, forgetScannerData } from '../../platform/store/scannerData.ts'
import { pairingNow } from '../core/pairing.ts'
import { noteTrouble, storageFailureOf } from '../store/failure.ts'
import { readAdmitted } from '../store/history.ts'
import { type News, onNews } from '../store/news.ts'
import { forgetRoster, loadAdmitted, loadRoster } from '../store/rosterMemory.ts'
import { readRoster } from '../store/rosterRows.ts'
import { ALL_NEWS, refreshStored } from '../store/useStored.ts'
import { followSelling } from './blocks.ts'
import { followConnectivity, onForbidden } from './connection.ts'
import { followRoster } from './followRoster.ts'
import { followDevice, refreshDevice } from './pairing.ts'
import { startReplayer } from './replayer.ts'

const NETWORK_AFTER_MS = 1_500

/**
 * Starts the station for a checker or a paired phone: the list from the device first, so that verdicts are ready without a
 * network; then the server's, the outbox, and the news of other tabs. A camera that is opening goes before the network. `ended`: the phone may not scan any more, and only
 * sends what it has. Returns the way to stop. Never throws.
 */
export async function startStation({ ended }: { ended: boolean }): Promise<() => void> {
  const stops = [
    onNews((news, from) => void receive(news, from)),
    followConnectivity(),
    onForbidden(() => void (pairingNow() === null ? loseRole() : refreshDevice())),
  ]
  await Promise.all([loadList(), refreshStored(ALL_NEWS)])
  await whenQuiet(NETWORK_AFTER_MS)
  if (!ended) stops.push(followRoster())
  if (pairingNow() !== null) stops.push(followDevice(), followSelling())
  stops.push(startReplayer())
  return () => {
    for (const stop of stops) stop()
  }
}

async function loadList(): Promise<void> {
  try {
    loadRoster(await readRoster())
  } catch (error) {
    noteTrouble(storageFailureOf(error).trouble)
    forgetRoster()
  }
}

async function loadOthersAdmissions(): Promise<void> {
  try {
    loadAdmitted(await readAdmitted())
  } catch (error) {
    noteTrouble(storageFailureOf(error).trouble)
  }
}

async function receive(news: ReadonlySet<News>, from: 'here' | 'elsewhere') {
  await refreshStored(news)
  if (from === 'here') return
  // This page's admissions are already in memory; another tab's are not.
  if (news.has('outbox')) await loadOthersAdmissions()
  // Another tab updated the list: this one need not request it again.
  if (news.has('roster')) await loadList()
}

/**
 * Account data is deleted at sign-out; unsent scans stay (DECISIONS 4). Every page's sign-out empties the store
 * (platform/identity). Here it is emptied first, so that the screens then read what is left.
 */
export const forgetAtSignOut = (): (() => void) =>
  onSignOut(async () => {
    // What a paired phone has is not the account's.
    if (pairingNow() !== null) return
    forgetRoster()
    await forgetScannerData()
    await refreshStored(ALL_NEWS)
  })

/** The same for the guests' names when the user stops being a checker (DECISIONS 9). */
export const forgetWithRole = (): (() => void) =>
  onCheckerLost(async () => {
    if (pairingNow() !== null) return
    forgetRoster()
    await forgetGuests()
    await refreshStored(ALL_NEWS)
  })

/** The server refuses this user's role: its data is removed at once, and the user's new role is fetched. */
async function loseRole(): Promise<void> {
  await runCheckerLostHooks()
  try {
    await refreshUser()
  } catch (error) {
    console.info('The role could not be refreshed', error)
  }
}
