import { EVENT_MANAGER } from '@garba/shared/messages/desk'
import type { EventFormField } from '@garba/shared/rules/eventForm'
import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { TextArea } from '../../kit/TextArea.tsx'
import { TextField, type TextFieldProps } from '../../kit/TextField.tsx'
import styles from './EventForm.module.css'
import { ImageField } from './ImageField.tsx'
import type { EventValues } from './values.ts'

const { fields: labels, groups } = EVENT_MANAGER

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.group}>
    <legend className={styles.legend}>{title}</legend>
    {children}
  </fieldset>
)

/** That the end comes after the start is said at the end, and may be mended at either. */
const clearedWith = (name: EventFormField): EventFormField[] => (name === 'startTime' ? [name, 'endTime'] : [name])

/** The fields in groups; editing one clears its error (SPEC 5). */
export const EventFields = ({ form }: { form: UseFormReturn<EventValues> }) => {
  const { errors } = form.formState
  const field = (name: EventFormField) => {
    const { onChange, onBlur, ref } = form.register(name, { onChange: () => form.clearErrors(clearedWith(name)) })
    return { label: labels[name], error: errors[name]?.message, name, onChange, onBlur, ref }
  }
  const line = (name: EventFormField, props: Partial<TextFieldProps> = {}) => <TextField {...field(name)} {...props} />
  const image = form.watch('eventImage')
  return (
    <>
      <Group title={groups.what}>
        {line('name', { autoComplete: 'off' })}
        <TextArea {...field('description')} rows={4} />
      </Group>
      <Group title={groups.when}>
        <div className={styles.row}>
          {line('date', { type: 'date' })}
          {line('startTime', { hint: labels.timeHint, placeholder: '18:30', inputMode: 'numeric' })}
          {line('endTime', { hint: labels.timeHint, placeholder: '22:30', inputMode: 'numeric' })}
        </div>
        {line('venue', { hint: labels.venueHint })}
      </Group>
      <Group title={groups.sale}>
        <div className={styles.row}>
          {line('ticketPrice', { inputMode: 'decimal' })}
          {line('groupPrice4', { inputMode: 'decimal' })}
          {line('totalTickets', { inputMode: 'numeric' })}
        </div>
      </Group>
      <Group title={groups.more}>
        <ImageField
          value={image}
          error={errors.eventImage?.message}
          onChange={(value) => {
            form.clearErrors('eventImage')
            form.setValue('eventImage', value, { shouldDirty: true })
          }}
          onProblem={(message) => form.setError('eventImage', { type: 'file', message })}
        />
        {line('features', { hint: labels.featuresHint })}
        <TextArea {...field('aboutText')} hint={labels.aboutHint} rows={5} />
      </Group>
    </>
  )
}
