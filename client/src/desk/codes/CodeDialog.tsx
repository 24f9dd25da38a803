import { REASON_MAX, TYPE_LIMITS } from '@garba/shared/constants'
import { PROMO_KINDS, type PromoKind } from '@garba/shared/contracts/names'
import type { DeskTicketType } from '@garba/shared/contracts/types/ticketType'
import { useState } from 'react'
import { Choices, TextArea, TextField } from '../../kit/Field.tsx'
import { Select } from '../../kit/Select.tsx'
import { type BodyOf, callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'
import { MomentField } from '../frame/fields/MomentField.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { useChange } from '../frame/useChange.ts'
import { CODES } from '../texts/codes.ts'
import styles from './CodesView.module.css'

const words = CODES
const KINDS = PROMO_KINDS.map((value) => ({ value, label: words.kinds[value] }))
const NOTHING = { code: '', value: '', tickets: '', perPerson: '', note: '' }

interface CodeDialogProps {
  types: readonly DeskTicketType[]
  onClose: () => void
}

export const CodeDialog = ({ types, onClose }: CodeDialogProps) => {
  const [draft, setDraft] = useState(NOTHING)
  const [kind, setKind] = useState<PromoKind>('percent')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [until, setUntil] = useState<string | null>(null)
  const make = useChange({
    send: (body: BodyOf<'makePromoCode'>) => callServer('makePromoCode', { body }),
    failed: words.makeFailed,
    fields: Object.keys(NOTHING),
    stale: [KEYS.codes],
  })
  const errors = isFailure(make.error) ? make.error.errors : []
  const field = (of: keyof typeof draft) => ({
    value: draft[of],
    error: errors.find(({ field: wrong }) => wrong === of)?.message,
    onType: (typed: string) => setDraft((before) => ({ ...before, [of]: typed })),
  })
  const sent = (typed: string) => (typed.trim() === '' ? null : Number(typed))
  // An access code shows hidden types, and does nothing for others.
  const offered = types.filter(({ hidden }) => kind !== 'access' || hidden)
  const forTypes = chosen.filter((id) => offered.some((type) => type.id === id))
  return (
    <SaveDialog
      words={words.dialog}
      description={words.description}
      note={words.note}
      busy={make.isPending}
      missing={
        draft.code.trim() === ''
          ? words.missing.code
          : kind !== 'access' && draft.value.trim() === ''
            ? words.missing.value
            : null
      }
      onSave={() =>
        make.mutate(
          {
            code: draft.code,
            kind,
            value: kind === 'access' ? null : sent(draft.value),
            types: forTypes.length === 0 ? null : [...forTypes],
            until,
            tickets: sent(draft.tickets),
            perPerson: sent(draft.perPerson),
            note: draft.note,
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <div className="stack-4">
        <TextField
          label={words.fields.code}
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={TYPE_LIMITS.code}
          {...field('code')}
        />
        <Select label={words.fields.kind} value={kind} options={KINDS} onChange={setKind} />
        {kind === 'access' ? null : <TextField label={words.fields[kind]} inputMode="decimal" {...field('value')} />}
        {types.length > 1 && offered.length > 0 ? (
          <fieldset className={styles.types}>
            <legend>{words.fields.types}</legend>
            <Choices
              options={offered.map(({ id, name }) => ({ value: id, label: name.en }))}
              chosen={forTypes}
              onChoose={setChosen}
            />
          </fieldset>
        ) : null}
        <MomentField label={words.fields.until} value={until} onChange={setUntil} />
        <TextField label={words.fields.tickets} inputMode="numeric" {...field('tickets')} />
        <TextField label={words.fields.perPerson} inputMode="numeric" {...field('perPerson')} />
        <TextArea label={words.fields.note} hint={words.fields.noteHint} rows={2} max={REASON_MAX} {...field('note')} />
      </div>
    </SaveDialog>
  )
}
