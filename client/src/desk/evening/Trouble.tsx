import { HOUR_MS, MINUTE_MS } from '@garba/shared/constants'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { useDates } from '../frame/dates.ts'
import { FIGURES } from '../texts/figures.ts'
import { estimateServerTime, findSilence } from './Devices.tsx'
import styles from './EveningView.module.css'
import { useIsTonight } from './Headline.tsx'

const words = FIGURES.evening.trouble
const LOOK_MS = 10_000
const UNSENT_MS = 5 * MINUTE_MS
const LIST_OLD_MS = 2 * MINUTE_MS
const REST_MS = 10 * MINUTE_MS

/** What is wrong tonight, the worst first; nothing on other days. `receivedAt`: when the figures came, in the device's ms. */
export function useTrouble(evening: EveningFigures | null, receivedAt: number): string[] {
  const isTonight = useIsTonight()
  const now = useNow(LOOK_MS)
  const event = useQuery(queries.event()).data?.data
  const { timeOf } = useDates()
  if (!isTonight || !evening || !event) return []
  return findTrouble(evening, { event, at: estimateServerTime(evening, { receivedAt, now }), timeOf })
}

interface Tonight {
  event: Pick<GarbaEvent, 'startsAt'>
  at: number
  timeOf: (iso: string) => string
}

/** Names each phone once, for its worst problem. Gives clock times, not ages, so that a screen reader is not interrupted. */
export function findTrouble(
  { conflicts, devices, gates }: Pick<EveningFigures, 'conflicts' | 'devices' | 'gates'>,
  { event, at, timeOf }: Tonight,
): string[] {
  const open = conflicts.filter(({ acknowledgedAt }) => acknowledgedAt === null)
  const swaps = open.filter(({ disputed }) => disputed).length
  // Phones that last reported on other days are not missed tonight.
  let phones = devices.filter(({ lastSeen }) => Date.parse(lastSeen) > Date.parse(event.startsAt) - 2 * HOUR_MS)
  const takePhones = (sinceOf: (phone: EveningFigures['devices'][number]) => string | null, ms: number) => {
    const found = phones.flatMap((phone) => {
      const since = sinceOf(phone)
      const name = phone.deviceName ?? phone.checkerName
      return since !== null && at - Date.parse(since) >= ms ? [{ phone, name, since, unsent: phone.unsent }] : []
    })
    phones = phones.filter((phone) => found.every((taken) => taken.phone !== phone))
    return found.toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since))
  }
  const say = (
    found: readonly { name: string; since: string; unsent: number }[],
    text: (typeof words)['silent' | 'lists' | 'unsent'],
  ) => {
    const [first] = found
    return first === undefined ? [] : [text({ ...first, phones: found.length, since: timeOf(first.since) })]
  }
  const unsent = takePhones((phone) => (phone.unsent > 0 ? phone.oldestUnsent : null), UNSENT_MS)
  // The list of a silent phone is old too: its silence says more.
  const silent = takePhones((phone) => (findSilence(phone, at) === null ? null : phone.lastSeen), 0)
  const lists = takePhones((phone) => (phone.ended ? null : phone.rosterLacksSince), LIST_OLD_MS)
  return [
    ...(open.length > swaps ? [words.doubles(open.length - swaps)] : []),
    ...(swaps > 0 ? [words.swaps(swaps)] : []),
    ...say(unsent, words.unsent),
    ...say(lists, words.lists),
    ...say(silent, words.silent),
    ...findRestingGates(gates, at).map(({ name, since }) => words.rest(name, timeOf(since))),
  ]
}

/** Whether all silent phones are named: the trouble does not name one whose pairing has ended, though it may hold scans. */
export const isSilenceTold = ({ devices }: Pick<EveningFigures, 'devices'>, trouble: readonly string[]): boolean =>
  trouble.length > 0 && !devices.some(({ ended, unsent }) => ended && unsent > 0)

/** Gates that let people in earlier and have stopped, while another goes on. */
function findRestingGates(gates: EveningFigures['gates'], at: number): { name: string; since: string }[] {
  const used = gates.flatMap(({ name, none, perMinute }) => {
    const since = perMinute.at(-1)?.minute
    return none || since === undefined ? [] : [{ name, since }]
  })
  const resting = used.filter(({ since }) => at - Date.parse(since) >= REST_MS)
  return resting.length < used.length ? resting : []
}

export const TroubleStrip = ({ trouble, actions }: { trouble: readonly string[]; actions?: ReactNode }) =>
  trouble.length === 0 ? null : (
    <Banner tone="bad" live="status" title={words.title} actions={actions}>
      <ol className={styles.alarms}>
        {trouble.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ol>
    </Banner>
  )
