import { REQUEST_RETRIES } from '@garba/shared/constants'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import type { AdmissionSide } from '@garba/shared/contracts/phones/scan'
import { shortenTicketId } from '@garba/shared/messages/common'
import { Check, CheckCheck } from 'lucide-react'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card, EmptyCard } from '../../kit/Card.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useUser } from '../../platform/identity/session.ts'
import { KEYS } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { useChange } from '../frame/useChange.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './EveningView.module.css'

const words = FIGURES.evening
type Conflict = EveningFigures['conflicts'][number]

interface ConflictsProps {
  conflicts: readonly Conflict[]
  total: number
}

export const DoubleAdmissions = ({ conflicts, total }: ConflictsProps) => {
  const swaps = conflicts.filter(({ disputed }) => disputed)
  const doubles = conflicts.filter(({ disputed }) => !disputed)
  return (
    <>
      <ConflictsCard
        title={words.conflicts}
        text={words.conflictsText}
        conflicts={doubles}
        total={total - swaps.length}
      />
      {swaps.length === 0 ? null : (
        <ConflictsCard title={words.swaps} text={words.disputed} conflicts={swaps} total={swaps.length} />
      )}
    </>
  )
}

const ConflictsCard = ({ title, text, conflicts, total }: ConflictsProps & { title: string; text: string }) => {
  // Oldest first, so that a new conflict does not move the others under the pointer.
  const open = conflicts.filter(({ acknowledgedAt }) => acknowledgedAt === null).toReversed()
  const seen = conflicts.filter(({ acknowledgedAt }) => acknowledgedAt !== null)
  const mayAcknowledge = useUser()?.role === 'admin'
  if (conflicts.length === 0) return <EmptyCard title={title}>{words.noConflicts}</EmptyCard>
  return (
    <Card title={title} flush actions={mayAcknowledge && open.length > 1 ? <AcknowledgeAll conflicts={open} /> : null}>
      <p className={styles.cardNote}>
        {text} {total > conflicts.length ? words.conflictsShown(conflicts.length, total) : null}
      </p>
      {open.length === 0 ? null : <ConflictTable caption={title} conflicts={open} mayAcknowledge={mayAcknowledge} />}
      {seen.length === 0 ? null : (
        <details className={styles.folded}>
          <summary>{words.acknowledgedCount(seen.length)}</summary>
          <ConflictTable caption={title} conflicts={seen} mayAcknowledge={mayAcknowledge} />
        </details>
      )}
    </Card>
  )
}

/** Acknowledges one after the other, so that each has its own row in the audit trail. */
const useAcknowledge = (conflicts: readonly Conflict[], done: string) =>
  useChange({
    send: async () => {
      let refusal: unknown = null
      // Safe to repeat, because the first acknowledgement stays.
      for (const { id } of conflicts)
        await callServer('acknowledgeConflict', { params: { id }, retries: REQUEST_RETRIES }).catch(
          (error: unknown) => {
            if (!isFailure(error) || error.code !== 'CONFLICT_OWN') throw error
            refusal = error
          },
        )
      if (refusal !== null) throw refusal
    },
    done,
    failed: words.acknowledgeFailed,
    stale: [KEYS.evening],
  })

const AcknowledgeAll = ({ conflicts }: { conflicts: readonly Conflict[] }) => {
  const { mutate, isPending } = useAcknowledge(conflicts, words.acknowledgedAll)
  return (
    <Button size="sm" icon={<CheckCheck />} busy={isPending} onClick={() => mutate()}>
      {words.acknowledgeAll}
    </Button>
  )
}

interface ConflictTableProps {
  caption: string
  conflicts: readonly Conflict[]
  mayAcknowledge: boolean
}

const ConflictTable = ({ caption, conflicts, mayAcknowledge }: ConflictTableProps) => {
  const columns = words.conflictColumns
  const head = (
    <>
      <Th>{columns.holder}</Th>
      <Th>{words.first}</Th>
      <Th>{words.second}</Th>
      <Th>{columns.seen}</Th>
    </>
  )
  return (
    <Table caption={caption} head={head} bare>
      {conflicts.map((conflict) => (
        <ConflictRow key={conflict.id} conflict={conflict} mayAcknowledge={mayAcknowledge} />
      ))}
    </Table>
  )
}

const ConflictRow = ({ conflict, mayAcknowledge }: { conflict: Conflict; mayAcknowledge: boolean }) => {
  const { momentOf } = useDates()
  const acknowledge = useAcknowledge([conflict], words.acknowledgedToast)
  return (
    <Tr className={styles.conflict}>
      <Td wide className={styles.conflictName}>
        {conflict.name} <span className="soft">{shortenTicketId(conflict.ticketId)}</span>
      </Td>
      <Td label={words.first} wide>
        <Side side={conflict.first} />
      </Td>
      <Td label={words.second} wide>
        <Side side={conflict.second} />
      </Td>
      <Td>
        {conflict.acknowledgedBy !== null && conflict.acknowledgedAt !== null ? (
          <StateChip state="ok">
            {words.acknowledged(conflict.acknowledgedBy, momentOf(conflict.acknowledgedAt))}
          </StateChip>
        ) : mayAcknowledge ? (
          <Button
            size="sm"
            icon={<Check />}
            busy={acknowledge.isPending}
            aria-label={words.acknowledgeOf(conflict.name)}
            onClick={() => acknowledge.mutate()}
          >
            {words.acknowledge}
          </Button>
        ) : null}
      </Td>
    </Tr>
  )
}

const Side = ({ side }: { side: AdmissionSide }) => {
  const { momentOf } = useDates()
  const at = momentOf(side.at)
  const where = side.deviceName ?? side.deviceId
  return where === null ? words.noScan({ at, what: side.checkerName }) : words.side({ at, by: side.checkerName, where })
}
