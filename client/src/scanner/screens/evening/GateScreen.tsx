import { type EveningFigures, eveningSchema } from '@garba/shared/contracts/desk'
import { formatCount } from '@garba/shared/messages/language'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { Check } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { toast } from 'sonner'
import { StateChip } from '../../../kit/Badge.tsx'
import { Banner, ErrorPanel } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { Headcount } from '../../../kit/ProgressBar.tsx'
import { SkeletonCards } from '../../../kit/Skeleton.tsx'
import { callServer } from '../../../platform/http/call.ts'
import { getErrorMessage, isFailure } from '../../../platform/http/failure.ts'
import { openEventStream, type StreamState } from '../../../platform/http/stream.ts'
import { usePageTitle } from '../../../platform/page.ts'
import { clockNow, formatAge } from '../../core/moment.ts'
import { conflictWords } from '../../core/words.ts'
import { markConflictRead } from '../../store/conflicts.ts'
import { useStored } from '../../store/useStored.ts'
import { GATE_VIEW, HEADCOUNT } from '../../texts/phone.ts'
import { CONFLICT_TITLES } from '../../texts/scanner.ts'
import { ConflictName, ConflictSides } from '../lists/ConflictSides.tsx'
import { showTrouble } from '../scan/showTrouble.ts'
import styles from './GateScreen.module.css'

const words = GATE_VIEW
type Conflict = EveningFigures['conflicts'][number]

export default function GateScreen({ top }: { top: ReactNode }) {
  usePageTitle(words.title)
  const { evening, failure, line, read, retry } = useGate()
  return (
    <main className={styles.page}>
      {top}
      <h1>{words.title}</h1>
      {line === 'broken' && evening !== null ? (
        <Banner tone="warn" live="status">
          <p>{words.broken}</p>
        </Banner>
      ) : null}
      {failure !== null && evening === null ? (
        isFailure(failure) && failure.code === 'FORBIDDEN' ? (
          <Banner tone="warn" live="alert">
            <p>{words.noRight}</p>
          </Banner>
        ) : (
          <ErrorPanel onRetry={retry} retryLabel={words.retry}>
            {words.failed(getErrorMessage(failure))}
          </ErrorPanel>
        )
      ) : null}
      {failure === null && evening === null ? <SkeletonCards heights={[160, 120]} label={words.loading} /> : null}
      {evening === null ? null : (
        <>
          <Inside evening={evening} />
          <Doubles
            title={words.conflicts}
            conflicts={evening.conflicts.filter(({ disputed }) => !disputed)}
            onRead={read}
          />
          <Doubles title={words.swaps} conflicts={evening.conflicts.filter(({ disputed }) => disputed)} onRead={read} />
          <Phones evening={evening} />
        </>
      )}
    </main>
  )
}

const Inside = ({ evening }: { evening: EveningFigures }) => (
  <section className={styles.card} aria-label={HEADCOUNT.title}>
    <Headcount
      people={evening.people}
      peopleWord={HEADCOUNT.people(evening.people)}
      admitted={evening.admitted}
      sold={evening.sold}
      ticketsUsed={HEADCOUNT.ticketsUsed(evening.admitted, evening.sold)}
      facts={[
        { label: HEADCOUNT.left, count: evening.leftToCome },
        { label: HEADCOUNT.lastTen, count: enteredLately(evening) },
      ]}
    />
  </section>
)

interface DoublesProps {
  title: string
  conflicts: readonly Conflict[]
  onRead: () => Promise<void>
}

const Doubles = ({ title, conflicts, onRead }: DoublesProps) =>
  conflicts.length === 0 && title === words.swaps ? null : (
    <section className={styles.card} aria-label={title}>
      <h2>{title}</h2>
      {conflicts.length === 0 ? <p className={styles.soft}>{words.noConflicts}</p> : null}
      <ul className={styles.list}>
        {inOrder(conflicts).map((conflict) => (
          <Double key={conflict.id} conflict={conflict} onRead={onRead} />
        ))}
      </ul>
    </section>
  )

/** Open conflicts first, the oldest at the top, so that a new conflict moves nothing under the finger. */
const inOrder = (conflicts: readonly Conflict[]): Conflict[] => [
  ...conflicts.filter(({ acknowledgedBy }) => acknowledgedBy === null).toReversed(),
  ...conflicts.filter(({ acknowledgedBy }) => acknowledgedBy !== null),
]

const Double = ({ conflict, onRead }: { conflict: Conflict; onRead: () => Promise<void> }) => {
  const deviceId = useStored((store) => store.device.id)
  const [busy, setBusy] = useState(false)
  const { first, second } = conflictWords(conflict, { deviceId, clock: clockNow() })
  const acknowledge = async () => {
    setBusy(true)
    try {
      await callServer('acknowledgeConflict', { params: { id: conflict.id } })
      await markConflictRead(conflict.id, new Date().toISOString()).catch(showTrouble)
      await onRead()
    } catch (error) {
      toast.error(words.readFailed(getErrorMessage(error)))
    }
    setBusy(false)
  }
  return (
    <li className={styles.row}>
      <ConflictName name={conflict.name} ticketId={conflict.ticketId} />
      {conflict.disputed ? null : <p className={styles.soft}>{CONFLICT_TITLES[conflict.over ?? 'used']}</p>}
      <ConflictSides first={first} second={second} />
      {conflict.acknowledgedBy === null ? (
        <Button
          busy={busy}
          icon={<Check />}
          aria-label={words.readOf(conflict.name)}
          onClick={() => void acknowledge()}
        >
          {words.read}
        </Button>
      ) : (
        <StateChip state="ok">{words.readBy(conflict.acknowledgedBy)}</StateChip>
      )}
    </li>
  )
}

const Phones = ({ evening: { devices, at } }: { evening: EveningFigures }) => (
  <section className={styles.card} aria-labelledby="phones">
    <h2 id="phones">{words.devices}</h2>
    {devices.length === 0 ? <p className={styles.soft}>{words.noDevices}</p> : null}
    <ul className={styles.list}>
      {devices.map(({ deviceId, deviceName, checkerName, admitted, lastSeen, unsent }) => (
        <li key={deviceId} className={styles.row}>
          <p className={styles.name}>
            {deviceName ?? words.unnamedDevice} <span>{checkerName === deviceName ? '' : checkerName}</span>
          </p>
          <p className={styles.soft}>
            {words.device(admitted, formatAge(Math.max(0, Date.parse(at) - Date.parse(lastSeen))))}
          </p>
          {unsent === 0 ? null : <StateChip state="warn">{words.unsent(formatCount(unsent))}</StateChip>}
        </li>
      ))}
    </ul>
  </section>
)

function useGate() {
  const [evening, setEvening] = useState<EveningFigures | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [line, setLine] = useState<StreamState>('connecting')
  const [attempt, setAttempt] = useState(0)
  const read = useCallback(async () => {
    setFailure(null)
    try {
      setEvening((await callServer('gate', {})).data)
    } catch (error) {
      setFailure(error)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads and connects again
  useEffect(() => {
    void read()
    return openEventStream('gateLive', {
      onState(state, refusal) {
        setLine(state)
        // A phone that lost the right must not go on showing figures that nothing updates.
        if (state !== 'refused') return
        setEvening(null)
        setFailure(refusal)
      },
      onMessage({ event, data }) {
        if (event !== 'gate') return
        setEvening(eveningSchema.parse(JSON.parse(data)))
        setFailure(null)
      },
    })
  }, [read, attempt])
  return { evening, failure, line, read, retry: () => setAttempt(attempt + 1) }
}
