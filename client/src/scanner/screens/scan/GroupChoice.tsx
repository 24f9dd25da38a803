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
import { EXITS } from '../../texts/movement.ts'
import { GROUP, MANUAL, RECENT, SCAN, SCANNER } from '../../texts/scanner.ts'
import styles from './GroupChoice.module.css'
import { UndoButton, useUndoer } from './LastScan.tsx'
import { useTypeWords } from './Verdict.tsx'

/** A ticket that was sent to somebody else comes last, and goes in only if the checker ticks it. */
export const GroupChoice = ({ members, byHand }: { members: readonly Member[]; byHand: boolean }) => {
  const isExit = members.some(({ exit }) => exit)
  const all = members.filter(({ refusal, exit }) => refusal === null && !exit?.leftAt)
  const isOwn = ({ sent, exit }: Member) => !sent && exit?.isInside !== false
  const own = all.filter(isOwn)
  const able = [...own, ...all.filter((member) => !isOwn(member))]
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
      description={
        isExit
          ? EXITS.group.counts(countLeavers(members))
          : [GROUP.counts(countGroupMembers(members)), byHand && MANUAL.confirmDetail].filter(Boolean).join('. ')
      }
      dismissOutside={false}
      initialFocus={main}
      closeLabel={GROUP.notNow}
      footer={
        <div className={styles.foot}>
          {(changed?.size ?? 0) === 0 && own.length > 1 ? <Fewer able={own} isExit={isExit} /> : null}
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
              {formatAction(chosen.length, { isAll: excluded.size === 0, isExit })}
            </Button>
          )}
        </div>
      }
    >
      <ul className={styles.list} aria-label={GROUP.members}>
        {[...able, ...members.filter((member) => !able.includes(member))].map((member) => (
          <li key={member.ticketId} className={styles.row}>
            {able.includes(member) ? (
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

function formatAction(count: number, { isAll = false, isExit }: { isAll?: boolean; isExit: boolean }): string {
  if (isExit) return isAll ? EXITS.group.letAllOut(count) : EXITS.group.letOut(count)
  return isAll ? GROUP.letAllIn(count) : GROUP.letIn(count)
}

function countLeavers(members: readonly Member[]) {
  const inside = members.filter(({ exit }) => exit?.isInside).length
  const gone = members.filter(({ exit }) => exit?.leftAt).length
  return { inside, gone, absent: members.length - inside - gone }
}

const Fewer = ({ able, isExit }: { able: readonly Member[]; isExit: boolean }) => (
  <div className={styles.fewer}>
    <p>{isExit ? EXITS.group.fewer : GROUP.fewer}</p>
    <div className={styles.numbers}>
      {able.slice(1).map(({ ticketId }, index) => (
        <Button
          key={ticketId}
          aria-label={formatAction(index + 1, { isExit })}
          onClick={() => letIn(able.slice(0, index + 1))}
        >
          {index + 1}
        </Button>
      ))}
    </div>
  </div>
)

const Words = ({ member }: { member: Member }) => {
  const type = useTypeWords(member, { withNote: member.refusal === null })
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

function formatMemberState({ refusal, entry, gates, sent, exit }: Member): string {
  if (exit?.leftAt) return EXITS.group.gone(formatScannerTime(exit.leftAt))
  if (exit) return exit.isInside ? EXITS.group.inside : EXITS.group.absent
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
      <Icon />
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
