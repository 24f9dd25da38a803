import type { DeviceConflict, RosterAnswer } from '@garba/shared/contracts/phones/scan'
import { rosterDigest } from '@garba/shared/rules/admission'
import { APP_VERSION } from '../../platform/config.ts'
import { epochNow } from '../../platform/http/epoch.ts'
import { userNow } from '../../platform/identity/session.ts'
import { recordAnswerTime } from '../../platform/net/clock.ts'
import { wasSignedIn } from '../../platform/store/local.ts'
import { mayReadNames, pairingNow } from '../core/pairing.ts'
import { addConflicts } from '../store/conflicts.ts'
import { readDevice } from '../store/device.ts'
import { hasAllAgain, recallAdmissions } from '../store/journal.ts'
import { publishNews } from '../store/news.ts'
import { readUnsent } from '../store/outbox.ts'
import {
  applyRoster,
  applyToStore,
  forgetAdmissions,
  isListAsAllowed,
  isListBehind,
  type RosterNews,
  rosterEntries,
  rosterRevision,
} from '../store/rosterMemory.ts'
import { scannerCall } from './connection.ts'

/** Twelve thousand tickets may take a while over a bad network (ms). */
const WHOLE_TIMEOUT_MS = 60_000

/** This device's heartbeat, sent with each request. Unreadable storage counts as nothing unsent. */
export async function buildHeartbeat() {
  const device = await readDevice()
  const unsent = await readUnsent().catch((error: unknown) => {
    console.warn('The outbox is not readable', error)
    return { count: 0, oldest: null }
  })
  return {
    deviceId: device.id,
    ...(device.name === '' ? {} : { deviceName: device.name }),
    unsent: unsent.count,
    ...(unsent.oldest === null ? {} : { oldestUnsent: unsent.oldest }),
    ...(APP_VERSION === '' ? {} : { appVersion: APP_VERSION }),
  }
}

/** Requests what changed since the last answer, or the whole list, and applies it. Throws ApiFailure. */
export async function syncRoster({ whole = false, check = false } = {}): Promise<RosterAnswer> {
  const since = whole ? null : sinceNow()
  const beat = await buildHeartbeat()
  const askedAt = Date.now()
  const epoch = epochNow()
  const nameless = !mayReadNames()
  const answer = await recordAnswerTime(
    scannerCall('roster', {
      query: { ...beat, ...(since === null ? {} : { since }), ...(check ? { check: 1 } : {}) },
      ...(since === null ? { timeoutMs: WHOLE_TIMEOUT_MS } : {}),
    }),
  )
  await takeIn({ ...answer, nameless }, askedAt, epoch)
  return answer
}

interface RosterReply {
  answer: NamedAnswer
  askedAt: number
}

type NamedAnswer = RosterAnswer & Pick<RosterNews, 'nameless'>

/** A restored server's list and its changes since, kept until they may be applied, so that they are not fetched twice. */
let held: { epoch: number; answers: readonly RosterReply[] } | null = null

const heldIn = (epoch: number): readonly RosterReply[] => (held?.epoch === epoch ? held.answers : [])

function hold(reply: RosterReply, epoch: number): void {
  const before = heldIn(epoch)
  const last = before.at(-1)
  if (reply.answer.full) held = { epoch, answers: [reply] }
  else if (last && reply.answer.revision >= last.answer.revision) held = { epoch, answers: [...before, reply] }
}

function sinceNow(): number | null {
  if (isListBehind()) return heldIn(epochNow()).at(-1)?.answer.revision ?? null
  return isListAsAllowed() ? rosterRevision() : null
}

/** A change was not written: the stored list lacks it, so the next change must not be applied over the gap. */
let keptLacks = false
/** Received conflicts that are not stored: memory is past their revision, so the server does not send them again. */
let unwritten: readonly DeviceConflict[] = []
/** Answers are written one after another, so that none counts as complete while an earlier answer is failing. */
let keeping = Promise.resolve()

/** Answers that arrive after a sign-out, a lost role or the end of a pairing bring no names back to the device. */
function mayTakeIn(): boolean {
  const paired = pairingNow()
  return paired ? paired.ended === null : wasSignedIn() && userNow()?.role === 'qrchecker'
}

/**
 * Applies an answer to memory first, because the next verdict needs it even if the disk is full. A restored server's list waits
 * until that server has everything this phone knows. `noted`: the epoch known when the list was requested, used if the answer
 * names none. Never throws.
 */
export async function takeIn(received: NamedAnswer, askedAt: number, noted = epochNow()): Promise<void> {
  const answer = { nameless: !mayReadNames(), ...received }
  const epoch = answer.epoch ?? noted
  if (!mayTakeIn() || epoch < epochNow()) return
  await recallAdmissions()
  if (!isListBehind()) return await takeOver([{ answer, askedAt }])
  hold({ answer, askedAt }, epoch)
  if (!(await hasEverything(epoch))) return
  const answers = heldIn(epoch)
  held = null
  await takeOver(answers)
}

async function takeOver(answers: readonly RosterReply[]): Promise<void> {
  for (const { answer, askedAt } of answers) {
    const superseded = applyRoster(answer, askedAt)
    if (superseded === false) continue
    unwritten = [...unwritten, ...(answer.conflicts ?? [])]
    keeping = keeping.then(() => keep({ answer, askedAt, superseded }))
  }
  await keeping
}

async function hasEverything(epoch: number): Promise<boolean> {
  try {
    return await hasAllAgain(epoch)
  } catch (error) {
    console.warn('The journal is not readable', error)
    return false
  }
}

interface Taken extends RosterReply {
  superseded: readonly string[]
}

async function keep({ answer, askedAt, superseded }: Taken): Promise<void> {
  if (!mayTakeIn()) return
  try {
    // Conflicts are stored before their revision: a page that closes in between gets them again.
    const conflicts = unwritten
    await addConflicts(conflicts, new Date().toISOString())
    unwritten = unwritten.filter((one) => !conflicts.includes(one))
    await applyToStore({ answer, askedAt, lacks: keptLacks })
    keptLacks = false
    await forgetAdmissions(superseded)
    publishNews('roster')
  } catch (error) {
    keptLacks = true
    console.warn('The list is in memory only', error)
  }
}

/**
 * Compares the list with the server's by count and hash (rules/admission), in one answer. A list that differs is
 * fetched whole, once, and compared again. Throws ApiFailure.
 */
export async function checkRoster() {
  const first = await compare(await syncRoster({ check: true }))
  return first.same ? first : compare(await syncRoster({ whole: true, check: true }))
}

async function compare({ count = 0, hash = '' }: RosterAnswer) {
  const entries = [...rosterEntries().values()].filter(({ status }) => status !== 'deleted')
  const here = { count: entries.length, hash: await rosterDigest(entries) }
  return { same: here.count === count && here.hash === hash, here, server: { count, hash } }
}
