import { DEVICE_NAME_MAX, GATES_MAX } from '@garba/shared/constants'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import { TICKET_KINDS } from '@garba/shared/contracts/names'
import type { Gate } from '@garba/shared/contracts/phones/device'
import { HOMES } from '@garba/shared/contracts/site/pages'
import type { NamedType } from '@garba/shared/contracts/types/ticketType'
import { GATE, HEADCOUNT } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { cx } from '../../kit/cx.ts'
import { Choices, TextField } from '../../kit/Field.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { ColumnTable } from '../../kit/Table.tsx'
import { callServer } from '../../platform/http/call.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { useDeskHome } from '../frame/places.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { useChange } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import { TICKET_TYPES } from '../texts/event.ts'
import { FIGURES } from '../texts/figures.ts'
import { INSIDE, REGISTER } from '../texts/ground.ts'
import styles from './Gates.module.css'

export const Gates = ({ evening }: { evening: Pick<EveningFigures, 'gates' | 'perMinute' | 'at'> }) => {
  const { gates, at } = evening
  const isAdmin = useDeskHome() === HOMES.admin
  const [editing, setEditing] = useState(false)
  const isNone = gates.every(({ none }) => none)
  return (
    <Card
      title={GATE.title}
      flush={!isNone}
      actions={
        isAdmin ? (
          <Button size="sm" onClick={() => setEditing(true)}>
            {GATE.edit}
          </Button>
        ) : null
      }
    >
      {isNone ? (
        <p className="soft">{GATE.none}</p>
      ) : (
        <ColumnTable
          caption={GATE.title}
          bare
          rows={gates}
          keyOf={({ none, name }) => (none ? '' : name)}
          columns={[
            { title: GATE.column, wide: true, text: true, fullText: ({ name }) => name, cell: ({ name }) => name },
            { title: HEADCOUNT.title, numeric: true, cell: ({ people }) => formatCount(people) },
            { title: INSIDE.left, numeric: true, cell: ({ left }) => formatCount(left) },
            { title: INSIDE.title, numeric: true, cell: ({ inside }) => formatCount(inside) },
            {
              title: GATE.lastTen,
              numeric: true,
              cell: ({ perMinute }) => formatCount(enteredLately({ perMinute, at })),
            },
          ]}
        />
      )}
      <SpokenGates {...evening} />
      {editing ? <GatesDialog onClose={() => setEditing(false)} /> : null}
    </Card>
  )
}

const SpokenGates = ({ gates, perMinute }: Pick<EveningFigures, 'gates' | 'perMinute'>) => {
  const { timeOf } = useDates()
  const columns = gates
    .filter(({ none, perMinute: minutes }) => minutes.length > 0 && !none)
    .map((gate) => {
      const counts = new Map(gate.perMinute.map(({ minute, count }) => [minute, count]))
      return {
        name: gate.name,
        minutes: perMinute.map(({ minute }) => ({ label: timeOf(minute), count: counts.get(minute) ?? 0 })),
      }
    })
  if (columns.length === 0) return null
  return <SpokenEntries caption={GATE.perMinute} columns={columns} />
}

type Draft = Gate & { key: string }

const drafted = (gate: Gate): Draft => ({ ...gate, key: crypto.randomUUID() })

const GatesDialog = ({ onClose }: { onClose: () => void }) => {
  const query = useQuery(queries.gates())
  if (query.data) return <GatesForm {...query.data} onClose={onClose} />
  return (
    <SaveDialog {...FRAME} busy={false} missing="" onSave={onClose} onClose={onClose}>
      <LoadFailure query={query} failed={GATE.loadFailed} />
      {query.isPending ? <SkeletonLines lines={3} label={GATE.loading} /> : null}
    </SaveDialog>
  )
}

const FRAME = { words: GATE.dialog, description: GATE.dialogIntro, note: GATE.dialogNote }

const limitsOf = ({ kinds, types = [] }: Gate): string => [...kinds, ...types].join()

/**
 * Keeps what was changed elsewhere since the dialog was opened, except what was changed here too. Removed gates stay
 * removed.
 */
function besideOthers(all: readonly Gate[], { stored, now }: Record<'stored' | 'now', readonly Gate[]>): Gate[] {
  const named = (gates: readonly Gate[], { name }: Gate) => gates.find((gate) => gate.name === name)
  const kept = all.flatMap((gate) => {
    const before = named(stored, gate)
    const isSame = before !== undefined && limitsOf(before) === limitsOf(gate)
    return isSame ? (named(now, gate) ?? []) : gate
  })
  return [...kept, ...now.filter((gate) => !named(stored, gate) && !named(kept, gate))]
}

interface GatesFormProps {
  gates: readonly Gate[]
  /** Absent for an event with one type. */
  types?: readonly NamedType[] | undefined
  onClose: () => void
}

const GatesForm = ({ gates: latest, types = [], onClose }: GatesFormProps) => {
  const [stored] = useState(latest)
  const [gates, setGates] = useState(() => stored.map(drafted))
  const save = useChange({
    send: async (all: Gate[]) => {
      const { gates: now } = await callServer('gates')
      return callServer('saveGates', { body: { gates: besideOthers(all, { stored, now }) } })
    },
    failed: GATE.failed,
    stale: [KEYS.evening],
  })
  const change = (key: string, set: Partial<Gate>) =>
    setGates(gates.map((gate) => (gate.key === key ? { ...gate, ...set } : gate)))
  return (
    <SaveDialog
      {...FRAME}
      description={types.length === 0 ? FRAME.description : `${FRAME.description} ${GATE.dialogTypes}`}
      busy={save.isPending}
      missing={gates.some(({ name }) => name.trim() === '') ? DESK.missing.gateNames : null}
      onSave={() =>
        save.mutate(
          gates.map(({ key: _, name, ...gate }) => ({ name: name.trim(), ...gate })),
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <ul className={styles.gates}>
        {gates.map(({ key, name, kinds, types: chosen }, index) => (
          <li key={key} className="stack-2">
            <div className={styles.name}>
              <TextField
                label={GATE.nameOf(index + 1)}
                value={name}
                maxLength={DEVICE_NAME_MAX}
                autoComplete="off"
                onType={(typed) => change(key, { name: typed })}
              />
              <IconButton
                label={GATE.removeOf(index + 1)}
                icon={<X />}
                onClick={() => setGates(gates.filter((gate) => gate.key !== key))}
              />
            </div>
            {types.length === 0 ? null : <p className="soft">{REGISTER.columns.channel}</p>}
            <div className={styles.kinds}>
              <Choices
                options={TICKET_KINDS.map((kind) => ({
                  value: kind,
                  label: GATE.kinds[kind],
                  name: GATE.kindOf(kind, index + 1),
                }))}
                chosen={kinds}
                onChoose={(next) => change(key, { kinds: next })}
              />
            </div>
            {types.length === 0 ? null : (
              <>
                <p className="soft">{TICKET_TYPES.filter}</p>
                <div className={styles.kinds}>
                  <Choices
                    options={types.map(({ id, name: { en } }) => ({
                      value: id,
                      label: en,
                      name: GATE.typeOf(en, index + 1),
                    }))}
                    chosen={chosen ?? []}
                    onChoose={(next) => change(key, { types: next.length === 0 ? undefined : next })}
                  />
                </div>
              </>
            )}
          </li>
        ))}
      </ul>
      {gates.length < GATES_MAX ? (
        <Button size="sm" icon={<Plus />} onClick={() => setGates([...gates, drafted({ name: '', kinds: [] })])}>
          {GATE.add}
        </Button>
      ) : null}
    </SaveDialog>
  )
}

const words = FIGURES.evening
const TABLE_STEP = 10

interface Minute {
  label: string
  count: number
}

interface SpokenEntriesProps {
  caption: string
  columns: readonly { name: string; minutes: readonly Minute[] }[]
  step?: number
}

/** A table cannot be smaller than its rows, so a wrapper hides it. */
export const SpokenEntries = ({ caption, columns, step = TABLE_STEP }: SpokenEntriesProps) => (
  <div className={cx('spoken', styles.entries)}>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{words.minute}</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(columns[0]?.minutes ?? [])
          .filter((_, index) => index % step === 0)
          .map(({ label }, row) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {columns.map(({ name, minutes }) => (
                <td key={name}>{sumMinutes(minutes.slice(row * step, (row + 1) * step))}</td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  </div>
)

const sumMinutes = (minutes: readonly Minute[]): number => minutes.reduce((sum, { count }) => sum + count, 0)
