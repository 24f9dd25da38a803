import { EVENT_FIELDS } from '@garba/shared/messages/eventForm'
import { useState } from 'react'
import { Checkbox, TextField } from '../../kit/Field.tsx'
import { GROUND } from '../texts/event.ts'
import styles from './EventForm.module.css'
import type { EventFieldsState } from './EventForm.tsx'
import { MomentField } from './SalesFields.tsx'

export const GroundFields = ({ values, errors, change }: EventFieldsState) => {
  const [size, setSize] = useState({ metres: '', density: '' })
  const resize = (to: typeof size) => {
    setSize(to)
    const people = Math.floor(Number(to.metres) * Number(to.density))
    if (people > 0) change('capacity', String(people))
  }
  return (
    <>
      <div className={styles.row}>
        <TextField
          label={EVENT_FIELDS.capacity}
          hint={GROUND.capacityHint}
          error={errors.get('capacity')}
          inputMode="numeric"
          name="capacity"
          value={values.capacity}
          onType={(typed) => change('capacity', typed)}
        />
        <TextField
          label={GROUND.squareMetres}
          inputMode="decimal"
          value={size.metres}
          onType={(metres) => resize({ ...size, metres })}
        />
        <TextField
          label={GROUND.density}
          hint={GROUND.densityHint}
          inputMode="decimal"
          value={size.density}
          onType={(density) => resize({ ...size, density })}
        />
      </div>
      <Checkbox
        label={GROUND.comeBack}
        checked={values.reentry === 'open'}
        onCheck={(on) => change('reentry', on ? 'open' : 'none')}
      />
      {values.reentry === 'open' ? (
        <MomentField name="reentryUntil" hint={GROUND.untilHint} values={values} errors={errors} change={change} />
      ) : null}
    </>
  )
}
