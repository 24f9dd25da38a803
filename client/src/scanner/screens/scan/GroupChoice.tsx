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
import { timeTextOf } from '../../core/moment.ts'
import type { Member } from '../../core/scan.ts'
import { countsOf } from '../../scan/group.ts'
import { dismissVerdict, letIn, scanAgain } from '../../scan/machine.ts'
import { undoableAdmission } from '../../store/record.ts'
import { useStored } from '../../store/useStored.ts'
import { GROUP, RECENT, SCANNER } from '../../texts/scanner.ts'
import styles from './GroupChoice.module.css'
import { UndoButton, useUndoer } from './LastScan.tsx'

/** Chooses whom of a group to let in: all who can go in with one tap, fewer by number or by name. */
export const GroupChoice = ({ members }: { members: readonly Member[] }) => {
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const main = useRef<HTMLButtonElement>(null)
  const able = members.filter(({ refusal }) => refusal === null)
  const chosen = able.filter(({ ticketId }) => !excluded.has(ticketId))
  const toggle = (ticketId: string) => {
    const next = new Set(excluded)
    if (!next.delete(ticketId)) next.add(ticketId)
    setExcluded(next)
  }
  return (
    <Dialog
      open
      onClose={dismissVerdict}
      title={GROUP.title(members.length)}
      description={GROUP.counts(countsOf(members))}
      dismissOutside={false}
      initialFocus={main}
      closeLabel={GROUP.notNow}
      footer={
        <div className={styles.foot}>
          {excluded.size === 0 && able.length > 1 ? <Fewer able={able} /> : null}
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

/** Lets in the first few of the list with one tap. */
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

const Words = ({ member }: { member: Member }) => (
  <span className={styles.words}>
    <span className={styles.name}>{member.name ?? ticketTail(member.ticketId)}</span>
    <span
      className={cx(
        styles.state,
        member.refusal !== null && (member.refusal === 'ALREADY_USED' ? styles.inside : styles.out),
      )}
    >
      {member.name === null ? null : <span className="tabular">{ticketTail(member.ticketId)}</span>}
      <span>{stateOf(member)}</span>
    </span>
  </span>
)

function stateOf({ refusal, entry, gates }: Member): string {
  if (refusal === null) return GROUP.ready
  if (refusal === 'WRONG_GATE') return refusalText(refusal, { gates }).detail
  if (refusal !== 'ALREADY_USED') return refusalText(refusal).title
  return GROUP.inside(entry?.at ? timeTextOf(entry.at) : null)
}

const Unable = ({ member }: { member: Member }) => {
  const Icon = member.refusal === 'ALREADY_USED' ? CircleCheck : X
  const record = useUndoable(member)
  return (
    <div className={styles.unable}>
      <Icon aria-hidden="true" />
      <Words member={member} />
      {record === null ? null : (
        <UndoButton admission={record} onUndone={judgeAgain}>
          {RECENT.undo}
        </UndoButton>
      )}
    </div>
  )
}

/** The checker's own admission of this ticket, while it can be undone. */
function useUndoable({ ticketId }: Member): HistoryRecord | null {
  const checkerName = useUndoer()
  const history = useStored((store) => store.history)
  const now = useNow(1_000)
  return checkerName === null ? null : undoableAdmission(history, { ticketId, checkerName, now })
}

/** Judges the group's code again, so that the list is up to date. */
function judgeAgain(): void {
  dismissVerdict()
  scanAgain()
}
