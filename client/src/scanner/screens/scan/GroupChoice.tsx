import { refusalText } from '@garba/shared/messages/codes'
import { ticketTail } from '@garba/shared/messages/common'
import { CircleCheck, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Dialog } from '../../../kit/Dialog.tsx'
import { Checkbox } from '../../../kit/Field.tsx'
import { useNow } from '../../../platform/screen/now.ts'
import type { HistoryRecord } from '../../../platform/store/scannerSchema.ts'
import { formatScannerTime } from '../../core/moment.ts'
import type { Member } from '../../core/scan.ts'
import { countGroupMembers } from '../../scan/group.ts'
import { dismissVerdict, letIn, lookAgain } from '../../scan/machine.ts'
import { undoableAdmission } from '../../store/record.ts'
import { useStored } from '../../store/useStored.ts'
import { GROUP, MANUAL, RECENT, SCAN, SCANNER } from '../../texts/scanner.ts'
import styles from './GroupChoice.module.css'
import { UndoButton, useUndoer } from './LastScan.tsx'
import { useTypeWords } from './Verdict.tsx'

/** A ticket that was sent to somebody else comes last, and goes in only if the checker ticks it. */
export const GroupChoice = ({ members, byHand }: { members: readonly Member[]; byHand: boolean }) => {
  const all = members.filter(({ refusal }) => refusal === null)
  const own = all.filter(({ sent }) => !sent)
  const able = [...own, ...all.filter(({ sent }) => sent)]
  const [changed, setChanged] = useState<ReadonlySet<string> | null>(null)
  const excluded = changed ?? new Set(able.slice(own.length).map(({ ticketId }) => ticketId))
  const main = useRef<HTMLButtonElement>(null)
  const chosen = able.filter(({ ticketId }) => !excluded.has(ticketId))
  const toggle = (ticketId: string) => {
    const next = new Set(excluded)
    if (!next.delete(ticketId)) next.add(ticketId)
    setChanged(next)
  }
  return (
    <Dialog
      open
      onClose={dismissVerdict}
      title={GROUP.title(members.length)}
      description={[GROUP.counts(countGroupMembers(members)), byHand && MANUAL.confirmDetail]
        .filter(Boolean)
        .join('. ')}
      dismissOutside={false}
      initialFocus={main}
      closeLabel={GROUP.notNow}
      footer={
        <div className={styles.foot}>
          {(changed?.size ?? 0) === 0 && own.length > 1 ? <Fewer able={own} /> : null}
          {able.length === 0 ? (
            <Button ref={main} size="lg" block onClick={dismissVerdict}>
              {SCANNER.continue}
            </Button>
          ) : (
            <Button
              ref={main}
              tone="primary"
              size="lg"
              block
              disabled={chosen.length === 0}
              onClick={() => letIn(chosen)}
            >
              {excluded.size === 0 ? GROUP.letAllIn(chosen.length) : GROUP.letIn(chosen.length)}
            </Button>
          )}
        </div>
      }
    >
      <ul className={styles.list} aria-label={GROUP.members}>
        {[...able, ...members.filter((member) => !able.includes(member))].map((member) => (
          <li key={member.ticketId} className={styles.row}>
            {member.refusal === null ? (
              <Checkbox
                className={styles.able}
                checked={!excluded.has(member.ticketId)}
                onChange={() => toggle(member.ticketId)}
                label={<Words member={member} />}
              />
            ) : (
              <Unable member={member} />
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const Fewer = ({ able }: { able: readonly Member[] }) => (
  <div className={styles.fewer}>
    <p>{GROUP.fewer}</p>
    <div className={styles.numbers}>
      {able.slice(1).map(({ ticketId }, index) => (
        <Button key={ticketId} aria-label={GROUP.letIn(index + 1)} onClick={() => letIn(able.slice(0, index + 1))}>
          {index + 1}
        </Button>
      ))}
    </div>
  </div>
)

const Words = ({ member }: { member: Member }) => {
  const type = useTypeWords(member.ticketId, { withNote: member.refusal === null })
  return (
    <span className={styles.words}>
      <span className={styles.name}>{member.name ?? ticketTail(member.ticketId)}</span>
      {type === null ? null : <span className={styles.type}>{type}</span>}
      <span
        className={cx(
          styles.state,
          member.refusal !== null && (member.refusal === 'ALREADY_USED' ? styles.inside : styles.out),
        )}
      >
        {member.name === null ? null : <span className="tabular">{ticketTail(member.ticketId)}</span>}
        <span>{formatMemberState(member)}</span>
      </span>
    </span>
  )
}

function formatMemberState({ refusal, entry, gates, sent }: Member): string {
  if (refusal === null) return sent ? GROUP.sent : GROUP.ready
  if (refusal === 'WRONG_GATE') return refusalText(refusal, { gates }, SCAN).detail
  if (refusal !== 'ALREADY_USED') return refusalText(refusal, {}, SCAN).title
  return GROUP.inside(entry?.at ? formatScannerTime(entry.at) : null)
}

const Unable = ({ member }: { member: Member }) => {
  const Icon = member.refusal === 'ALREADY_USED' ? CircleCheck : X
  const record = useUndoable(member)
  return (
    <div className={styles.unable}>
      <Icon aria-hidden="true" />
      <Words member={member} />
      {record === null ? null : (
        <UndoButton admission={record} onUndone={lookAgain}>
          {RECENT.undo}
        </UndoButton>
      )}
    </div>
  )
}

function useUndoable({ ticketId }: Member): HistoryRecord | null {
  const checkerName = useUndoer()
  const history = useStored((store) => store.history)
  const now = useNow(1_000)
  return checkerName === null ? null : undoableAdmission(history, { ticketId, checkerName, now })
}
