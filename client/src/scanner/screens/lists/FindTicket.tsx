import type { RosterEntry } from '@garba/shared/contracts/phones/scan'
import { ticketTail } from '@garba/shared/messages/common'
import { buildSearchGroups, buildSearchText, matchesSearch } from '@garba/shared/rules/search'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Dialog } from '../../../kit/Dialog.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { TAKES_CODES } from '../../../platform/keys/scannerKeys.ts'
import { formatScannerTime } from '../../core/moment.ts'
import { useScan } from '../../scan/machine.ts'
import { type FindableEntry, findableEntries, findKnownTicket, useRoster } from '../../store/rosterMemory.ts'
import { MANUAL } from '../../texts/scanner.ts'
import styles from './FindTicket.module.css'

interface FindTicketProps {
  open: boolean
  onClose: () => void
  onChoose: (ticketId: string) => void
  onChooseParty: (ticketIds: readonly string[]) => void
}

export const FindTicket = ({ open, onClose, onChoose, onChooseParty }: FindTicketProps) => {
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
  const pickParty = ({ entries }: FoundParty) => {
    leave()
    onChooseParty(entries.map(({ id }) => id))
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
            {...TAKES_CODES}
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
          <Hits
            typed={typed}
            found={found}
            onPick={({ id }) => setChosenId(id)}
            onPickParty={isJudging ? null : pickParty}
          />
        </>
      )}
    </Dialog>
  )
}

/**
 * This device's admissions override the list, so that a ticket let in here is not offered as waiting. While closed it computes
 * nothing: at each live change, twelve thousand names would make the camera's picture stutter.
 */
function useFound({ open, typed }: { open: boolean; typed: string }): TicketMatches {
  const { revision, size } = useRoster()
  const query = useDeferredValue(typed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list lives outside React; its revision changes with it
  const list = useMemo(
    () => (open ? listFindableTickets(findableEntries().map((entry) => ({ ...entry, ...statusHere(entry.id) }))) : []),
    [open, revision, size],
  )
  return useMemo(() => findTickets(list, query), [list, query])
}

const statusHere = (id: string): Partial<RosterEntry> => {
  const known = findKnownTicket(id)
  return known === null ? {} : { status: known.status, entryTime: known.entryTime }
}

const entryHere = (id: string): RosterEntry | null => {
  const known = findKnownTicket(id)
  return known && { id, status: known.status, name: known.name ?? ticketTail(id), entryTime: known.entryTime }
}

interface HitsProps {
  typed: string
  found: TicketMatches
  onPick: (entry: RosterEntry) => void
  /** Null while a code is judged, when a choice would be ignored. */
  onPickParty: ((party: FoundParty) => void) | null
}

const Hits = ({ typed, found, onPick, onPickParty }: HitsProps) => {
  const hasQuery = [...typed.trim()].length >= 2
  const hasList = useRoster(({ syncedAt }) => syncedAt !== null)
  const count = found.parties.reduce((sum, { shown }) => sum + shown.length, 0)
  const said = count > 0 ? MANUAL.results(count) : hasList ? MANUAL.none : MANUAL.noList
  return (
    <div className={styles.hits}>
      <p className={styles.said} role="status">
        {hasQuery || !hasList ? said : ''}
      </p>
      {found.parties.map((party) => (
        <section key={party.entries[0]?.id} className={cx(party.entries.length > 1 && styles.party)}>
          {party.entries.length > 1 ? <PartyHead party={party} onPick={onPickParty} /> : null}
          <ul className={styles.list}>
            {party.shown.map((entry) => (
              <li key={entry.id}>
                <button type="button" className={styles.hit} onClick={() => onPick(entry)}>
                  <span className={styles.name}>{entry.name}</span>
                  <span className={cx(styles.id, 'tabular')}>{ticketTail(entry.id)}</span>
                  {entry.paper ? <span className={styles.paper}>{entry.paper}</span> : null}
                  <span className={cx(styles.status, styles[entry.status])}>{statusText(entry)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {found.more ? <p className={styles.said}>{MANUAL.more}</p> : null}
    </div>
  )
}

const PartyHead = ({ party, onPick }: { party: FoundParty; onPick: HitsProps['onPickParty'] }) => {
  const { entries } = party
  const { order } = entries[0] ?? {}
  const { buyer } = entries.find((entry) => entry.buyer) ?? {}
  const open = entries.filter(({ status }) => status === 'active').length
  return (
    <div className={styles.head}>
      <p className={styles.order}>
        <span>{MANUAL.together(entries.length)}</span>
        {buyer || order ? <span>{[buyer, order].filter(Boolean).join(', ')}</span> : null}
      </p>
      {open < 2 ? null : (
        <Button tone="primary" busy={onPick === null} onClick={() => onPick?.(party)}>
          {MANUAL.several}
        </Button>
      )}
    </div>
  )
}

function statusText({ status, entryTime }: RosterEntry): string {
  const word = MANUAL.statuses[status]
  if (status !== 'used' || entryTime === null) return word
  return `${word}, ${formatScannerTime(entryTime)}`
}

const LETTERS_MIN = 2
const SHOWN_MAX = 30
/** The tickets of a larger order are for people who come on their own. */
const PARTY_MOST = 20

interface Findable {
  entry: FindableEntry
  text: string
}

export const listFindableTickets = (entries: Iterable<FindableEntry>): Findable[] =>
  Array.from(entries, (entry) => ({ entry, text: buildEntryText(entry) })).filter(
    ({ entry }) => entry.status !== 'deleted',
  )

/** Kept by ticket, because the list changes with each scan and twelve thousand texts take long to build. */
const built = new Map<string, { from: string; text: string }>()

function buildEntryText({ id, name, buyer = '', order = '', phone = '', paper = '' }: FindableEntry): string {
  const from = [name, buyer, order, phone, paper].join('\n')
  const known = built.get(id)
  if (known?.from === from) return known.text
  const text = buildSearchText({
    words: [name, buyer, paper],
    numbers: [id, order, phone],
    printed: Number(/\d+/.exec(paper)?.[0] ?? 0),
  })
  built.set(id, { from, text })
  return text
}

const ORDER = { active: 0, used: 1, cancelled: 2, deleted: 3 } as const

interface FoundParty {
  entries: readonly FindableEntry[]
  /** The listed tickets: all, or only the ticket itself if it was found by its own number. */
  shown: readonly FindableEntry[]
}

export interface TicketMatches {
  parties: FoundParty[]
  more: boolean
}

/**
 * Tickets by their own name or the buyer's, the last characters of their number, the order's code, the phone number of a sale
 * made here, from two characters on, or the number printed on paper. Those that can be let in come first, and with each the
 * others of its order.
 */
export function findTickets(list: readonly Findable[], typed: string): TicketMatches {
  const groups = [...typed.trim()].length < LETTERS_MIN ? [] : buildSearchGroups(typed)
  const hits = groups.length === 0 ? [] : list.filter(({ text }) => matchesSearch(text, groups))
  const sorted = hits.toSorted(
    (a, b) =>
      ORDER[a.entry.status] - ORDER[b.entry.status] ||
      a.text.localeCompare(b.text) ||
      (a.entry.id < b.entry.id ? -1 : 1),
  )
  const found = sorted.slice(0, SHOWN_MAX).map(({ entry }) => entry)
  const keys = new Set(found.map(partyKey))
  const others = list.flatMap(({ entry }) => (keys.has(partyKey(entry)) && !found.includes(entry) ? entry : []))
  const parties = [...keys].flatMap((key): FoundParty[] => {
    const isOfParty = (entry: FindableEntry) => partyKey(entry) === key
    const own = found.filter(isOfParty)
    const entries = [...own, ...others.filter(isOfParty)]
    const isByNumber = own.every(({ id }) => matchesSearch(buildSearchText({ words: [], numbers: [id] }), groups))
    if (entries.length > PARTY_MOST) return own.map((entry) => ({ entries: [entry], shown: [entry] }))
    return [{ entries, shown: isByNumber ? own : entries }]
  })
  return { parties, more: sorted.length > SHOWN_MAX }
}

/** The holders of paper tickets that were sold together are strangers to each other. */
const partyKey = ({ id, paper, party = id }: FindableEntry): string => (paper ? id : party)
