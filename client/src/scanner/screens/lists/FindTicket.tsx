import { TICKET_ID_SHOWN } from '@garba/shared/constants'
import type { RosterEntry } from '@garba/shared/contracts/phones/scan'
import { ticketTail } from '@garba/shared/messages/common'
import { fold } from '@garba/shared/rules/search'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Dialog } from '../../../kit/Dialog.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { timeTextOf } from '../../core/moment.ts'
import { useScan } from '../../scan/machine.ts'
import { findableEntries, knownTicket, useRoster } from '../../store/rosterMemory.ts'
import { MANUAL } from '../../texts/scanner.ts'
import styles from './FindTicket.module.css'

interface FindTicketProps {
  open: boolean
  onClose: () => void
  /** The ticket to judge, by the same rules as a code. */
  onChoose: (ticketId: string) => void
}

/** Admission without a code: by the last 8 characters, or by name, from the list on the device. */
export const FindTicket = ({ open, onClose, onChoose }: FindTicketProps) => {
  const [typed, setTyped] = useState('')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const found = useFound({ open, typed })
  // A choice made while a code is judged would be ignored.
  const isJudging = useScan(({ state }) => state.type === 'judging')
  // As the list has it now: its owner may rename or cancel it while the checker asks for the name.
  const chosen = chosenId === null ? null : entryHere(chosenId)
  const leave = () => {
    setTyped('')
    setChosenId(null)
    onClose()
  }
  const letIn = (id: string) => {
    leave()
    onChoose(id)
  }
  const footer = chosen && (
    <>
      <Button tone="primary" size="lg" busy={isJudging} onClick={() => letIn(chosen.id)}>
        {MANUAL.letIn}
      </Button>
      <Button size="lg" onClick={() => setChosenId(null)}>
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
          <Hits typed={typed} found={found} onPick={({ id }) => setChosenId(id)} />
        </>
      )}
    </Dialog>
  )
}

/**
 * This device's admissions override the list, so that a ticket let in here is not offered as waiting. While closed it computes
 * nothing: at each live change, twelve thousand names would make the camera's picture stutter.
 */
function useFound({ open, typed }: { open: boolean; typed: string }): Found {
  const { revision, size } = useRoster()
  const query = useDeferredValue(typed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list lives outside React; its revision changes with it
  const list = useMemo(
    () => (open ? findableOf(findableEntries().map((entry) => ({ ...entry, ...statusHere(entry.id) }))) : []),
    [open, revision, size],
  )
  return useMemo(() => findTickets(list, query), [list, query])
}

const statusHere = (id: string): Partial<RosterEntry> => {
  const known = knownTicket(id)
  return known === null ? {} : { status: known.status, entryTime: known.entryTime }
}

const entryHere = (id: string): RosterEntry | null => {
  const known = knownTicket(id)
  return known && { id, status: known.status, name: known.name ?? ticketTail(id), entryTime: known.entryTime }
}

const Hits = ({ typed, found, onPick }: { typed: string; found: Found; onPick: (entry: RosterEntry) => void }) => {
  const hasQuery = [...typed.trim()].length >= 2
  const hasList = useRoster(({ syncedAt }) => syncedAt !== null)
  const said = found.entries.length > 0 ? MANUAL.results(found.entries.length) : hasList ? MANUAL.none : MANUAL.noList
  return (
    <div className={styles.hits}>
      <p className={styles.said} role="status">
        {hasQuery || !hasList ? said : ''}
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
  return `${word}, ${timeTextOf(entryTime)}`
}

const NAME_LETTERS_MIN = 2
const SHOWN_MAX = 30

/** An entry with its search text, computed once for each state of the list. */
interface Findable {
  entry: RosterEntry
  name: string
}

export const findableOf = (entries: Iterable<RosterEntry>): Findable[] =>
  Array.from(entries, (entry) => ({ entry, name: ` ${fold(entry.name)}` })).filter(
    ({ entry }) => entry.status !== 'deleted',
  )

/** Letters that Crockford's alphabet omits because they are misread, mapped to what they are mistaken for. */
const asIdCharacters = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0')

const ORDER = { active: 0, used: 1, cancelled: 2, deleted: 3 } as const

export interface Found {
  entries: RosterEntry[]
  /** There are more matches than shown. */
  more: boolean
}

/**
 * Tickets by the last 8 characters of their id, or by name: every word typed begins a word of the name, accents and case
 * ignored, from two letters on. Those that can be let in come first.
 */
export function findTickets(list: readonly Findable[], typed: string): Found {
  const tail = asIdCharacters(typed)
  const byTail = tail.length === TICKET_ID_SHOWN ? list.filter(({ entry }) => entry.id.endsWith(tail)) : []
  const hits = byTail.length > 0 ? byTail : byName(list, fold(typed))
  const sorted = hits.toSorted(
    (a, b) =>
      ORDER[a.entry.status] - ORDER[b.entry.status] ||
      a.name.localeCompare(b.name) ||
      (a.entry.id < b.entry.id ? -1 : 1),
  )
  return { entries: sorted.slice(0, SHOWN_MAX).map(({ entry }) => entry), more: sorted.length > SHOWN_MAX }
}

function byName(list: readonly Findable[], folded: string): readonly Findable[] {
  if ([...folded].length < NAME_LETTERS_MIN) return []
  const words = folded.split(' ').map((word) => ` ${word}`)
  return list.filter(({ name }) => words.every((word) => name.includes(word)))
}
