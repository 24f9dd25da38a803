import type { RosterEntry } from '@garba/shared/contracts/phones/scan'
import { ticketTail } from '@garba/shared/messages/common'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Dialog } from '../../../kit/Dialog.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { momentText, timeZoneNow } from '../../core/moment.ts'
import { findableEntries, knownTicket, useRoster } from '../../store/rosterMemory.ts'
import { MANUAL } from '../../texts/scanner.ts'
import styles from './FindTicket.module.css'
import { type Found, findableOf, findTickets } from './findTickets.ts'

interface FindTicketProps {
  open: boolean
  onClose: () => void
  /** The ticket to judge, by the same rules as a code. */
  onChoose: (ticketId: string) => void
}

/** Admission without a code: by the last 8 characters, or by name, from the list on the device. */
export const FindTicket = ({ open, onClose, onChoose }: FindTicketProps) => {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<RosterEntry | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const found = useFound({ open, typed })
  const leave = () => {
    setTyped('')
    setChosen(null)
    onClose()
  }
  const letIn = (id: string) => {
    leave()
    onChoose(id)
  }
  const footer = chosen && (
    <>
      <Button tone="primary" size="lg" onClick={() => letIn(chosen.id)}>
        {MANUAL.letIn}
      </Button>
      <Button size="lg" onClick={() => setChosen(null)}>
        {MANUAL.no}
      </Button>
    </>
  )
  return (
    <Dialog
      open={open}
      onClose={leave}
      title={chosen ? MANUAL.confirm(chosen.name) : MANUAL.title}
      dismissOutside={false}
      initialFocus={field}
      footer={footer ?? undefined}
    >
      {chosen ? (
        <p className={styles.confirm}>
          <strong className="tabular">{ticketTail(chosen.id)}</strong>
          <span className={styles[chosen.status]}>{statusText(chosen)}</span>
          <span>{MANUAL.confirmDetail}</span>
        </p>
      ) : (
        <>
          <TextField
            ref={field}
            label={MANUAL.label}
            hint={MANUAL.hint}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="search"
          />
          <Hits typed={typed} found={found} onPick={setChosen} />
        </>
      )}
    </Dialog>
  )
}

/**
 * Own admissions are laid over the list, so that a ticket let in here is not offered as waiting. Closed, it makes nothing:
 * each live change of twelve thousand names would cost the camera's picture a stutter.
 */
function useFound({ open, typed }: { open: boolean; typed: string }): Found {
  const { revision, size } = useRoster()
  const wanted = useDeferredValue(typed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list lives outside React; its revision changes with it
  const list = useMemo(
    () => (open ? findableOf(findableEntries().map((entry) => ({ ...entry, ...statusHere(entry.id) }))) : []),
    [open, revision, size],
  )
  return useMemo(() => findTickets(list, wanted), [list, wanted])
}

const statusHere = (id: string): Partial<RosterEntry> => {
  const known = knownTicket(id)
  return known === null ? {} : { status: known.status, entryTime: known.entryTime }
}

interface HitsProps {
  typed: string
  found: Found
  onPick: (entry: RosterEntry) => void
}

const Hits = ({ typed, found, onPick }: HitsProps) => {
  const asked = [...typed.trim()].length >= 2
  const size = useRoster((roster) => roster.size)
  const said =
    size === 0 ? MANUAL.noList : found.entries.length === 0 ? MANUAL.none : MANUAL.results(found.entries.length)
  return (
    <div className={styles.hits}>
      <p className={styles.said} role="status">
        {asked || size === 0 ? said : ''}
      </p>
      <ul className={styles.list}>
        {found.entries.map((entry) => (
          <li key={entry.id}>
            <button type="button" className={styles.hit} onClick={() => onPick(entry)}>
              <span className={styles.name}>{entry.name}</span>
              <span className={cx(styles.id, 'tabular')}>{ticketTail(entry.id)}</span>
              <span className={cx(styles.status, styles[entry.status])}>{statusText(entry)}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.more ? <p className={styles.said}>{MANUAL.more}</p> : null}
    </div>
  )
}

function statusText({ status, entryTime }: RosterEntry): string {
  const word = MANUAL.statuses[status]
  if (status !== 'used' || entryTime === null) return word
  return `${word}, ${momentText({ instant: new Date(entryTime), now: new Date(), timeZone: timeZoneNow() })}`
}
