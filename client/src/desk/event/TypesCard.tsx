import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { DeskTicketType, TicketTypeInput } from '@garba/shared/contracts/types/ticketType'
import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { formatRupees } from '@garba/shared/rules/money'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { cx } from '../../kit/cx.ts'
import { Checkbox, TextField } from '../../kit/Field.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { callServer } from '../../platform/http/call.ts'
import { getErrorMessage, isFailure } from '../../platform/http/failure.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { MomentField } from '../frame/fields/MomentField.tsx'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { CODES } from '../texts/codes.ts'
import { TICKET_TYPES as words } from '../texts/event.ts'
import { toEventValues } from './draft.ts'
import styles from './EventForm.module.css'

export const TypesCard = ({ event }: { event: GarbaEvent }) => {
  const query = useQuery(queries.deskTypes())
  const [editing, setEditing] = useState(false)
  const { momentOf } = useDates()
  const types = query.data?.types ?? []
  return (
    <Card
      title={words.title}
      actions={
        editing || query.data === undefined ? null : (
          <>
            <ButtonLink to="codes">{CODES.open}</ButtonLink>
            <Button onClick={() => setEditing(true)}>{words.edit}</Button>
          </>
        )
      }
    >
      <LoadFailure query={query} failed={words.failed} />
      {editing ? (
        <TypesForm event={event} saved={types} onEnd={() => setEditing(false)} />
      ) : (
        <ul className="stack-2">
          {types.map((type) => (
            <li key={type.id}>
              {type.name.en}
              <p className="soft">{describeType(type, momentOf)}</p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** "3 of 50 taken · ₹200 until 5 Oct, 6 pm or 40 sold, then ₹300". */
function describeType({ taken, seats, phases, paused, hidden }: DeskTicketType, momentOf: (iso: string) => string) {
  return [
    words.taken(taken, seats ?? null),
    describePrices(phases, momentOf),
    paused && words.paused,
    hidden && words.hidden,
  ]
    .filter(Boolean)
    .join(' · ')
}

type Phase = TicketTypeInput['phases'][number]

function describePrices(phases: readonly Phase[], momentOf: (iso: string) => string): string {
  return phases
    .map(({ price, groupPrice, until, sold }) => {
      const group = groupPrice && groupPrice !== price ? formatRupees(groupPrice) : null
      return words.phase(words.prices(formatRupees(price), group), until ? momentOf(until) : null, sold ?? null)
    })
    .join(words.followedBy)
}

type Draft = TicketTypeInput & { key: string; taken?: number }

const newType = (): Draft => ({ key: crypto.randomUUID(), name: { en: '' }, phases: [{ price: 0 }] })
const toCount = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed))
const replaceAt = <T,>(list: readonly T[], at: number, value: T): T[] => list.map((one, n) => (n === at ? value : one))

interface TypesFormProps {
  event: GarbaEvent
  saved: readonly DeskTicketType[]
  onEnd: () => void
}

const TypesForm = ({ event, saved, onEnd }: TypesFormProps) => {
  const client = useQueryClient()
  const [types, setTypes] = useState<Draft[]>(() => saved.map((type) => ({ ...type, key: type.id })))
  const change = (at: number, set: Partial<Draft>) =>
    setTypes((now) => now.map((type, n) => (n === at ? { ...type, ...set } : type)))
  const swap = (at: number) =>
    setTypes((now) => [...now.slice(0, at), ...now.slice(at, at + 2).reverse(), ...now.slice(at + 2)])
  const [dragged, setDragged] = useState<string | null>(null)
  const drop = (at: number) =>
    setTypes((now) => {
      const others = now.filter(({ key }) => key !== dragged)
      return [...others.slice(0, at), ...now.filter(({ key }) => key === dragged), ...others.slice(at)]
    })
  const save = useMutation({
    mutationFn: () => {
      const sent = types.map(({ key: _, taken: __, ...type }) => type)
      return callServer('updateEvent', { body: { ...toEventValues(event), _id: event._id, types: sent } })
    },
    onSuccess: async () => {
      toast.success(SUCCESS_TOASTS.eventUpdated)
      await client.invalidateQueries({ queryKey: KEYS.event })
      onEnd()
    },
  })
  const failure = isFailure(save.error) ? save.error.errors.find(({ field }) => field === 'types')?.message : undefined
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault()
        save.mutate()
      }}
    >
      {types.map((type, at) => (
        <TypeFields
          key={type.key}
          type={type}
          onChange={(set) => change(at, set)}
          onDrag={(isDragged) => setDragged(isDragged ? type.key : null)}
          onDrop={dragged === null || dragged === type.key ? null : () => drop(at)}
        >
          <IconButton label={words.up} icon={<ArrowUp />} disabled={at === 0} onClick={() => swap(at - 1)} />
          <IconButton
            label={words.down}
            icon={<ArrowDown />}
            disabled={at === types.length - 1}
            onClick={() => swap(at)}
          />
          <IconButton
            label={words.remove}
            icon={<Trash2 />}
            disabled={types.length === 1}
            onClick={() => setTypes((now) => now.filter((_, n) => n !== at))}
          />
        </TypeFields>
      ))}
      <div className={styles.actions}>
        {save.error === null ? null : (
          <Banner tone="bad" live="alert">
            {failure ?? getErrorMessage(save.error)}
          </Banner>
        )}
        <Button icon={<Plus />} onClick={() => setTypes((now) => [...now, newType()])}>
          {words.add}
        </Button>
        <Button type="submit" tone="primary" busy={save.isPending}>
          {words.save}
        </Button>
        <Button disabled={save.isPending} onClick={onEnd}>
          {words.cancel}
        </Button>
      </div>
    </form>
  )
}

interface TypeFieldsProps {
  type: Draft
  onChange: (set: Partial<Draft>) => void
  onDrag: (isDragged: boolean) => void
  onDrop: (() => void) | null
  children: ReactNode
}

const TypeFields = ({ type, onChange, onDrag, onDrop, children }: TypeFieldsProps) => {
  const { name, phases } = type
  const fields = useRef<HTMLFieldSetElement>(null)
  // A type that was just added stands below the others, perhaps out of sight.
  useEffect(() => {
    const [first] = fields.current?.querySelectorAll('input') ?? []
    if (first?.value !== '') return
    first.scrollIntoView({ block: 'center' })
    first.focus({ preventScroll: true })
  }, [])
  // What keeps guests from buying is seen at once.
  const [isOpen] = useState(type.paused === true || type.hidden === true)
  const { momentOf } = useDates()
  const count = (field: 'seats' | 'maxPerOrder') => (
    <TextField
      label={words.fields[field]}
      inputMode="numeric"
      value={String(type[field] ?? '')}
      onType={(typed) => onChange({ [field]: toCount(typed) })}
    />
  )
  const moment = (field: 'from' | 'until') => (
    <MomentField label={words.fields[field]} value={type[field]} onChange={(value) => onChange({ [field]: value })} />
  )
  const text = (language: 'en' | 'gu' | 'hi') => (
    <TextField
      label={words.names[language]}
      value={name[language] ?? ''}
      onType={(typed) => onChange({ name: { ...name, [language]: typed } })}
    />
  )
  return (
    <fieldset
      ref={fields}
      className={cx(styles.group, styles.type, onDrop !== null && styles.place)}
      onDragOver={(event) => {
        if (onDrop !== null) event.preventDefault()
      }}
      onDrop={(event) => {
        if (onDrop === null) return
        event.preventDefault()
        onDrop()
      }}
    >
      <legend className={styles.legend}>
        <span
          className={styles.grip}
          aria-hidden="true"
          title={words.drag}
          draggable
          onDragStart={(event) => {
            // Firefox drags nothing without data.
            event.dataTransfer.setData('text/plain', name.en)
            onDrag(true)
          }}
          onDragEnd={() => onDrag(false)}
        >
          <GripVertical />
        </span>
        {name.en || words.newType}
      </legend>
      <div className={styles.tools}>{children}</div>
      <div className={cx(styles.row, styles.level)}>
        {text('en')}
        {count('seats')}
      </div>
      {[...phases.entries()].map(([at, phase]) => (
        <PhaseFields
          // An earlier price is added in front.
          key={phases.length - at}
          phase={phase}
          isLast={at === phases.length - 1}
          onChange={(to) => onChange({ phases: replaceAt(phases, at, to) })}
        />
      ))}
      {phases.length > 1 ? (
        <p role="status" className="soft">
          {words.preview(describePrices(phases, momentOf))}
        </p>
      ) : null}
      <div className="wrap-2">
        <Button size="sm" onClick={() => onChange({ phases: [{ price: phases[0]?.price ?? 0 }, ...phases] })}>
          {words.addPhase}
        </Button>
        {phases.length === 1 ? null : (
          <Button size="sm" onClick={() => onChange({ phases: phases.slice(1) })}>
            {words.dropPhase}
          </Button>
        )}
      </div>
      <details open={isOpen}>
        <summary className={styles.moreOfType}>{words.more}</summary>
        <div className={styles.form}>
          <div className={cx(styles.row, styles.level)}>
            {text('gu')}
            {text('hi')}
            <TextField label={words.fields.note} value={type.note ?? ''} onType={(note) => onChange({ note })} />
            {count('maxPerOrder')}
            <TextField
              label={words.fields.admits}
              inputMode="numeric"
              value={String(type.admits ?? 1)}
              onType={(typed) => onChange({ admits: toCount(typed) ?? 1 })}
            />
            {moment('from')}
            {moment('until')}
          </div>
          <Checkbox
            label={words.fields.paused}
            checked={type.paused ?? false}
            onCheck={(paused) => onChange({ paused })}
          />
          <Checkbox
            label={words.fields.hidden}
            checked={type.hidden ?? false}
            onCheck={(hidden) => onChange({ hidden })}
          />
        </div>
      </details>
    </fieldset>
  )
}

interface PhaseFieldsProps {
  phase: Phase
  isLast: boolean
  onChange: (phase: Phase) => void
}

const PhaseFields = ({ phase, isLast, onChange }: PhaseFieldsProps) => (
  <div className={cx(styles.row, styles.level)}>
    <TextField
      label={words.fields.price}
      inputMode="decimal"
      value={String(phase.price || '')}
      onType={(typed) => onChange({ ...phase, price: Number(typed) })}
    />
    <TextField
      label={words.fields.groupPrice}
      inputMode="decimal"
      value={String(phase.groupPrice ?? '')}
      onType={(typed) => onChange({ ...phase, groupPrice: toCount(typed) })}
    />
    {isLast ? null : (
      <>
        <MomentField
          label={words.fields.phaseUntil}
          value={phase.until}
          onChange={(until) => onChange({ ...phase, until })}
        />
        <TextField
          label={words.fields.sold}
          inputMode="numeric"
          value={String(phase.sold ?? '')}
          onType={(typed) => onChange({ ...phase, sold: toCount(typed) })}
        />
      </>
    )}
  </div>
)
