import { NEWS_MAX, RELOAD_AFTER_EVENT_SAVE_MS } from '@garba/shared/constants'
import type { Notice } from '@garba/shared/contracts/event'
import { VALIDATION } from '@garba/shared/messages/common'
import { EVENT_FORM } from '@garba/shared/messages/eventForm'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { dayOf } from '@garba/shared/rules/calendar'
import { type EventFormField, parseEventForm } from '@garba/shared/rules/eventForm'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { type FieldErrors, type Resolver, type UseFormReturn, type UseFormSetError, useForm } from 'react-hook-form'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { Checkbox, lengthOf, TextArea, TextField, type TextFieldProps } from '../../kit/Field.tsx'
import { useConfig } from '../../platform/config.ts'
import { call } from '../../platform/http/call.ts'
import { isFailure, messageOf } from '../../platform/http/failure.ts'
import { isUnsure } from '../../platform/http/unsure.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { useDates } from '../frame/dates.ts'
import { EVENT_MANAGER } from '../texts/desk.ts'
import {
  type Draft,
  dropDraft,
  type EventId,
  type EventValues,
  FIELDS,
  isField,
  keepDraft,
  readDraft,
  sameValues,
  valuesOf,
} from './draft.ts'
import styles from './EventForm.module.css'
import { HeroPreview } from './HeroPreview.tsx'
import { ImageField } from './ImageField.tsx'

const words = EVENT_MANAGER

/** The kind of an error about a chosen file, which stays outside the form. */
const FILE_ERROR = 'file'

interface EventFormProps {
  event: EventId
  saved: EventValues
  onLeave: () => void
}

/** Create and edit are one form: checked, confirmed with Yes or No, saved. */
export const EventForm = ({ event, saved: latest, onLeave }: EventFormProps) => {
  const isNew = event === null
  // The values that the form began with: what is saved by others meanwhile is no change made here.
  const [saved] = useState(latest)
  const { form, values, message, setMessage, restored, discard, endDraft, refuse } = useEventForm(saved, event)
  const save = useSaveEvent({ event, opened: saved, setError: form.setError, onSaved: endDraft })
  const [toConfirm, setToConfirm] = useState<EventValues | null>(null)
  // Saving must wait for a chosen picture, which would otherwise be lost.
  const [preparing, setPreparing] = useState(false)
  const mails = useConfig(({ config }) => (config?.mail ?? 'off') !== 'off')
  const tooLong = message !== null && lengthOf(message.words.trim()) > NEWS_MAX
  const busy = save.isPending || save.isSuccess
  // A refused file is not in the form, so it does not prevent saving.
  const hasErrors = Object.values(form.formState.errors).some(({ type }) => type !== FILE_ERROR)
  const leave = () => {
    // Cancel discards the changes; Back only leaves, and the draft waits for the next visit.
    if (!isNew) endDraft()
    onLeave()
  }
  return (
    <div className={styles.layout}>
      <form
        className={styles.form}
        noValidate
        onSubmit={form.handleSubmit((values) => (tooLong ? refuse() : setToConfirm(values)), refuse)}
      >
        {restored ? (
          <Banner
            tone="info"
            live="status"
            actions={
              <Button size="sm" onClick={discard}>
                {words.draftDiscard}
              </Button>
            }
          >
            {restored.lacksPicture ? words.draftWithoutPicture : words.draft}
          </Banner>
        ) : null}
        <EventFields form={form} onPreparing={setPreparing} />
        {mails && !isNew ? (
          <Group title={words.tell.title}>
            <TellHolders message={message} error={tooLong ? VALIDATION.newsTooLong : undefined} onChange={setMessage} />
          </Group>
        ) : null}
        {save.isSuccess ? (
          <Banner tone="ok" live="status">
            {words.saved}
          </Banner>
        ) : null}
        {hasErrors ? (
          <Banner tone="bad" live="alert">
            {EVENT_FORM.fixErrors}
          </Banner>
        ) : null}
        <div className={styles.actions}>
          <Button type="submit" tone="primary" busy={busy || preparing}>
            {busy ? words.saving : isNew ? words.create : words.save}
          </Button>
          <Button disabled={busy} onClick={leave}>
            {isNew ? words.back : words.cancel}
          </Button>
        </div>
      </form>
      <HeroPreview values={values} />
      <ConfirmDialog
        open={toConfirm !== null}
        title={isNew ? words.confirmCreate : words.confirmUpdate}
        confirmLabel={words.yes}
        cancelLabel={words.no}
        onCancel={() => setToConfirm(null)}
        onConfirm={() => {
          if (toConfirm) {
            // Kept at once, without the usual pause, because the session may turn out to have ended.
            keepDraft(toConfirm, { saved, event, message })
            save.mutate({ values: toConfirm, message })
          }
          setToConfirm(null)
        }}
      >
        {isNew ? words.confirmCreateText : words.confirmUpdateText}
      </ConfirmDialog>
    </div>
  )
}

const { fields: labels, groups } = EVENT_MANAGER

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.group}>
    <legend className={styles.legend}>{title}</legend>
    {children}
  </fieldset>
)

/** An end before the start is an error at the end, which editing either field or the box beside them clears. */
const clearedWith = (name: EventFormField): EventFormField[] =>
  name === 'startTime' || name === 'endsNextDay' ? [name, 'endTime'] : [name]

/** The fields in groups; editing one clears its error. */
const EventFields = ({
  form,
  onPreparing,
}: {
  form: UseFormReturn<EventValues>
  onPreparing: (is: boolean) => void
}) => {
  const { errors } = form.formState
  const field = (name: EventFormField) => {
    const { onChange, onBlur, ref } = form.register(name, { onChange: () => form.clearErrors(clearedWith(name)) })
    return { label: labels[name], error: errors[name]?.message, name, onChange, onBlur, ref }
  }
  const line = (name: EventFormField, props: Partial<TextFieldProps> = {}) => <TextField {...field(name)} {...props} />
  const image = form.watch('eventImage')
  const endsNextDay = form.watch('endsNextDay') === 'true'
  const single = Number(form.watch('ticketPrice'))
  const isGroupDearer = single > 0 && Number(form.watch('groupPrice4')) > single
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
        <Checkbox
          label={labels.endsNextDay}
          checked={endsNextDay}
          onChange={({ target }) => {
            form.clearErrors(clearedWith('endsNextDay'))
            form.setValue('endsNextDay', target.checked ? 'true' : '', { shouldDirty: true })
          }}
        />
        {line('venue', { hint: labels.venueHint })}
      </Group>
      <Group title={groups.sale}>
        <div className={styles.row}>
          {line('ticketPrice', { inputMode: 'decimal' })}
          {line('groupPrice4', { inputMode: 'decimal', hint: isGroupDearer ? words.groupDearer : undefined })}
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
          onProblem={(message) => form.setError('eventImage', { type: FILE_ERROR, message })}
          onPreparing={onPreparing}
        />
        {line('features', { hint: labels.featuresHint })}
        <TextArea {...field('aboutText')} hint={labels.aboutHint} rows={5} />
      </Group>
    </>
  )
}

const DRAFT_PAUSE_MS = 400

/** The field errors of the rule that the API uses too, in the form library's shape. */
const resolverFor =
  (timeZone: string, savedDate: string): Resolver<EventValues> =>
  (values) => {
    const result = parseEventForm(values, { today: dayOf(serverNow(), timeZone), savedDate })
    if (result.ok) return { values, errors: {} }
    const errors: FieldErrors<EventValues> = Object.fromEntries(
      result.errors.map(({ field, message }) => [field, { type: 'rule', message }]),
    )
    return { values: {}, errors }
  }

/** The event's form: starts from a draft if there is one, keeps what is typed, and checks the shared rule on submit. */
function useEventForm(saved: EventValues, event: EventId) {
  const { timeZone } = useDates()
  const [draft] = useState(() => readDraft(saved, event))
  const [restored, setRestored] = useState(
    draft !== null && (draft.lacksPicture || draft.message !== null || !sameValues(draft.values, saved)) ? draft : null,
  )
  const [message, setMessage] = useState(restored?.message ?? null)
  const form = useForm<EventValues>({
    defaultValues: saved,
    ...(restored ? { values: restored.values } : {}),
    resolver: resolverFor(timeZone, saved.date),
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    shouldFocusError: true,
  })
  const values = form.watch()
  const endDraft = useDraftOf({ values, saved, event, message })
  return {
    form,
    values,
    message,
    setMessage,
    restored,
    discard: () => {
      dropDraft()
      form.reset(saved)
      setMessage(null)
      setRestored(null)
    },
    /** Call it after saving or discarding: from then on nothing is kept. */
    endDraft,
    refuse: () => toast.error(FAILURE_TOASTS.fixErrors),
  }
}

/** Keeps what is typed shortly after the last key, and at once when the page or form closes. Returns a function that ends it. */
function useDraftOf(form: Omit<Draft, 'lacksPicture'> & { saved: EventValues; event: EventId }): () => void {
  const latest = useRef(form)
  const ended = useRef(false)
  const keep = useCallback(() => {
    if (ended.current) return
    const now = latest.current
    if (now.message === null && sameValues(now.values, now.saved)) dropDraft()
    else keepDraft(now.values, now)
  }, [])
  useEffect(() => {
    latest.current = form
    const timer = setTimeout(keep, DRAFT_PAUSE_MS)
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [keep])
  return useCallback(() => {
    ended.current = true
    dropDraft()
  }, [])
}

interface SaveOptions {
  event: EventId
  /** The values that the form began with. */
  opened: EventValues
  setError: UseFormSetError<EventValues>
  onSaved: () => void
}

/** Keeps what another admin has saved since the form was opened, except in fields that were changed here. */
async function besideOthers(values: EventValues, opened: EventValues): Promise<EventValues> {
  const { data } = await call('event')
  const now = data === null ? opened : valuesOf(data)
  const fields = FIELDS.map((field) => [field, values[field] === opened[field] ? now[field] : values[field]])
  return Object.fromEntries(fields) as EventValues
}

/** Creates the event. After a lost answer, an event with the same day and venue counts as the one created. */
async function create(values: EventValues): Promise<unknown> {
  try {
    return await call('createEvent', { body: values })
  } catch (error) {
    if (!isUnsure(error)) throw error
    const { data } = await call('event')
    if (data?.date === values.date && data.venue === values.venue.trim()) return data
    throw error
  }
}

/** Creates or changes the event; the server's field errors show at their fields, and the page reloads 1.5 s after success. */
function useSaveEvent({ event, opened, setError, onSaved }: SaveOptions) {
  const isNew = event === null
  return useMutation({
    mutationFn: async ({ values, message }: { values: EventValues; message: Notice | null }) => {
      if (event === null) return create(values)
      const body = { ...(await besideOthers(values, opened)), _id: event }
      return call('updateEvent', { body: { ...body, ...(message ? { tell: message } : {}) } })
    },
    onSuccess: () => {
      onSaved()
      toast.success(isNew ? SUCCESS_TOASTS.eventCreated : SUCCESS_TOASTS.eventUpdated)
      setTimeout(() => location.reload(), RELOAD_AFTER_EVENT_SAVE_MS)
    },
    onError: (error) => {
      const refused = isFailure(error) ? error.errors.filter(({ field }) => isField(field)) : []
      refused.forEach(({ field, message }, index) => {
        if (isField(field)) setError(field, { type: 'server', message }, { shouldFocus: index === 0 })
      })
      const reason = refused.length > 0 ? EVENT_FORM.fixErrors : messageOf(error)
      toast.error(isNew ? FAILURE_TOASTS.createEvent(reason) : FAILURE_TOASTS.updateEvent(reason))
    },
  })
}

const tellHoldersWords = EVENT_MANAGER.tell

interface TellHoldersProps {
  /** The admin's message; null to send no mail. */
  message: Notice | null
  error: string | undefined
  onChange: (message: Notice | null) => void
}

/** Whether to mail ticket holders about a saved change, and what to write. */
const TellHolders = ({ message, error, onChange }: TellHoldersProps) => (
  <>
    <Checkbox
      label={tellHoldersWords.check}
      checked={message !== null}
      onChange={({ target }) => onChange(target.checked ? { id: crypto.randomUUID(), words: '' } : null)}
    />
    {message === null ? null : (
      <TextArea
        label={tellHoldersWords.words}
        hint={tellHoldersWords.hint}
        error={error}
        max={NEWS_MAX}
        rows={4}
        value={message.words}
        onChange={({ target }) => onChange({ ...message, words: target.value })}
      />
    )}
  </>
)
