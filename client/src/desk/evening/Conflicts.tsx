import type { Evening } from '@garba/shared/contracts/desk'
import type { AdmissionSide } from '@garba/shared/contracts/scan'
import { last8 } from '@garba/shared/messages/common'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { toast } from 'sonner'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { useUser } from '../../platform/identity/session.ts'
import { KEYS } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import styles from './Evening.module.css'

const words = FIGURES.evening
type Conflict = Evening['conflicts'][number]

/** Double admissions: both sides. Those that were acknowledged fold away. */
export const Conflicts = ({ conflicts, total }: { conflicts: readonly Conflict[]; total: number }) => {
  const open = conflicts.filter(({ acknowledgedAt }) => acknowledgedAt === null)
  const seen = conflicts.filter(({ acknowledgedAt }) => acknowledgedAt !== null)
  return (
    <Card title={words.conflicts}>
      {conflicts.length === 0 ? (
        <p className={styles.soft}>{words.noConflicts}</p>
      ) : (
        <>
          <p className={styles.soft}>{words.conflictsText}</p>
          {total > conflicts.length ? (
            <p className={styles.soft}>{words.conflictsShown(conflicts.length, total)}</p>
          ) : null}
          <ConflictList conflicts={open} />
          {seen.length === 0 ? null : (
            <details className={styles.folded}>
              <summary>{words.acknowledgedCount(seen.length)}</summary>
              <ConflictList conflicts={seen} />
            </details>
          )}
        </>
      )}
    </Card>
  )
}

const ConflictList = ({ conflicts }: { conflicts: readonly Conflict[] }) =>
  conflicts.length === 0 ? null : (
    <ul className={styles.conflicts}>
      {conflicts.map((conflict) => (
        <ConflictItem key={conflict.id} conflict={conflict} />
      ))}
    </ul>
  )

const ConflictItem = ({ conflict }: { conflict: Conflict }) => {
  const client = useQueryClient()
  const { momentOf } = useDates()
  const mayAcknowledge = useUser()?.role === 'admin'
  const acknowledge = useMutation({
    mutationFn: () => call('acknowledgeConflict', { params: { id: conflict.id } }),
    onSuccess: () => toast.success(words.acknowledgedToast),
    onError: (error) => toast.error(words.acknowledgeFailed(messageOf(error))),
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.evening }),
  })
  return (
    <li className={styles.conflict}>
      <p className={styles.conflictName}>
        {conflict.name} <span className={styles.soft}>{last8(conflict.ticketId)}</span>
      </p>
      <dl className={styles.sides}>
        <Side label={words.first} side={conflict.first} />
        <Side label={words.second} side={conflict.second} />
      </dl>
      {conflict.disputed ? <p className={styles.soft}>{words.disputed}</p> : null}
      {conflict.acknowledgedBy !== null && conflict.acknowledgedAt !== null ? (
        <StateChip state="ok">
          {words.acknowledged(conflict.acknowledgedBy, momentOf(conflict.acknowledgedAt))}
        </StateChip>
      ) : mayAcknowledge ? (
        <Button
          size="sm"
          icon={<Check aria-hidden="true" />}
          busy={acknowledge.isPending}
          aria-label={words.acknowledgeOf(conflict.name)}
          onClick={() => acknowledge.mutate()}
        >
          {words.acknowledge}
        </Button>
      ) : null}
    </li>
  )
}

const Side = ({ label, side }: { label: string; side: AdmissionSide }) => {
  const { momentOf } = useDates()
  const at = momentOf(side.at)
  const where = side.deviceName ?? side.deviceId
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {where === null
          ? words.noScan({ at, what: side.checkerName })
          : words.side({ at, by: side.checkerName, where })}
      </dd>
    </div>
  )
}
