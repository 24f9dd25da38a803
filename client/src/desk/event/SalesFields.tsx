import { EVENT_LIMITS } from '@garba/shared/constants'
import { EVENT_FIELDS } from '@garba/shared/messages/eventForm'
import { Checkbox, TextArea, TextField } from '../../kit/Field.tsx'
import { instantIn, useDates } from '../frame/dates.ts'
import { ONLINE_SALES } from '../texts/event.ts'
import styles from './EventForm.module.css'
import type { EventFieldsState } from './EventForm.tsx'

export const SalesFields = ({ values, errors, change }: EventFieldsState) => {
  const state = { values, errors, change }
  const { paused } = values
  return (
    <>
      <div className={styles.row}>
        <MomentField name="salesFrom" hint={ONLINE_SALES.hints.salesFrom} {...state} />
        <MomentField name="salesUntil" hint={ONLINE_SALES.hints.salesUntil} {...state} />
      </div>
      <Checkbox
        label={ONLINE_SALES.pause}
        checked={paused !== ''}
        onCheck={(on) => change('paused', on ? ONLINE_SALES.sentence : '')}
      />
      {paused === '' ? null : (
        <TextArea
          label={ONLINE_SALES.words}
          hint={ONLINE_SALES.wordsHint}
          error={errors.get('paused')}
          max={EVENT_LIMITS.paused}
          rows={2}
          name="paused"
          value={paused}
          // Empty means no pause: a deleted sentence is an error instead.
          onType={(typed) => change('paused', typed || ' ')}
        />
      )}
      <p className="soft">{ONLINE_SALES.note}</p>
    </>
  )
}

interface MomentFieldProps extends Pick<EventFieldsState, 'values' | 'errors' | 'change'> {
  name: 'salesFrom' | 'salesUntil' | 'reentryUntil'
  hint: string
}

export const MomentField = ({ name, hint, values, errors, change }: MomentFieldProps) => {
  const { timeZone, localOf } = useDates()
  const value = values[name]
  return (
    <TextField
      label={EVENT_FIELDS[name]}
      error={errors.get(name)}
      hint={hint}
      type="datetime-local"
      name={name}
      value={isInstant(value) ? localOf(value) : value}
      onType={(typed) => change(name, instantOrTyped(typed, timeZone))}
    />
  )
}

const isInstant = (value: string): boolean => value.endsWith('Z')

/** A browser's field accepts years of up to six digits; the form's rule refuses what is no moment. */
function instantOrTyped(typed: string, timeZone: string): string {
  try {
    return typed === '' ? '' : instantIn(typed, timeZone)
  } catch {
    return typed
  }
}
