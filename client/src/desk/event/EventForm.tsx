import { NEWS_MAX, RELOAD_AFTER_EVENT_SAVE_MS } from '@garba/shared/constants'
import type { FieldError } from '@garba/shared/contracts/common'
import { EVENT_FORM_FIELDS, type EventFormField, type Notice } from '@garba/shared/contracts/event'
import { VALIDATION } from '@garba/shared/messages/codes'
import { EVENT_FORM, movedText } from '@garba/shared/messages/eventForm'
import { timeText } from '@garba/shared/messages/formats'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { HHMM, toLocalDay } from '@garba/shared/rules/event/calendar'
import { parseEventForm } from '@garba/shared/rules/event/eventForm'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { Checkbox, countCharacters, TextArea, TextField, type TextFieldProps, useFirstWrong } from '../../kit/Field.tsx'
import { useConfig } from '../../platform/config.ts'
import { type AnswerOf, callServer } from '../../platform/http/call.ts'
import { getErrorMessage, isFailure } from '../../platform/http/failure.ts'
import { isUnsure } from '../../platform/http/unsure.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { useDates } from '../frame/dates.ts'
import { EVENT_MANAGER } from '../texts/desk.ts'
import { NEXT_EVENT } from '../texts/event.ts'
import {
  type Draft,
  dropDraft,
  type EventId,
  type EventValues,
  keepDraft,
  NO_EVENT,
  readDraft,
  sameValues,
  toEventValues,
} from './draft.ts'
import styles from './EventForm.module.css'
import { GroundFields } from './GroundFields.tsx'
import { HeroPreview } from './HeroPreview.tsx'
import { ImageField } from './ImageField.tsx'
import { SalesFields } from './SalesFields.tsx'

const words = EVENT_MANAGER

interface EventFormProps {
  event: EventId
  saved: EventValues
  /** The name of the last event, with whose values a new one begins. */
  from?: string | undefined
  onLeave: () => void
}

export const EventForm = ({ event, saved: latest, from, onLeave }: EventFormProps) => {
  const isNew = event === null
  // The values that the form began with: what is saved by others meanwhile is no change made here.
  const [saved] = useState(latest)
  const { fields, reset, check, message, setMessage, restored, discard, endDraft, refuse } = useEventForm(saved, event)
  const { values, errors } = fields
  const save = useSaveEvent({ event, opened: saved, onRefused: fields.refuse, onSaved: endDraft })
  const [toConfirm, setToConfirm] = useState<EventValues | null>(null)
  // Saving must wait for a chosen picture, which would otherwise be lost.
  const [preparing, setPreparing] = useState(false)
  const mails = useConfig(({ config }) => (config?.mail ?? 'off') !== 'off')
  const tooLong = message !== null && countCharacters(message.words.trim()) > NEWS_MAX
  const busy = save.isPending || save.isSuccess
  const leave = () => {
    // Cancel discards the changes; Back only leaves, and the draft waits for the next visit.
    if (!isNew) endDraft()
    onLeave()
  }
  return (
    <div className={styles.layout}>
      <form
        className={styles.form}
        ref={fields.form}
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault()
          if (!check() || tooLong) refuse()
          else setToConfirm(values)
        }}
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
        ) : from === undefined || sameValues(values, NO_EVENT) ? null : (
          <Banner
            tone="info"
            actions={
              <Button size="sm" onClick={() => reset(NO_EVENT)}>
                {NEXT_EVENT.empty}
              </Button>
            }
          >
            {NEXT_EVENT.begins(from)}
          </Banner>
        )}
        <EventFields {...fields} onPreparing={setPreparing} />
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
        {errors.size > 0 ? (
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

export interface EventFieldsState {
  values: EventValues
  errors: ReadonlyMap<string, string>
  change: (name: EventFormField, value: string) => void
}

const EventFields = ({
  values,
  errors,
  change,
  onPreparing,
}: EventFieldsState & { onPreparing: (is: boolean) => void }) => {
  // A refused file is not in the form, so it does not prevent saving.
  const [fileProblem, setFileProblem] = useState<string | null>(null)
  const field = (name: EventFormField) => ({
    ...{ label: labels[name], error: errors.get(name), name, value: values[name] },
    onType: (typed: string) => change(name, typed),
  })
  const line = (name: EventFormField, props: Partial<TextFieldProps> = {}) => <TextField {...field(name)} {...props} />
  /** The 12-hour time in words beside what is typed, because 18:30 is easily meant as 8:30. */
  const clock = (time: string) => (HHMM.test(time) ? `${timeText(time, 'en')} (${labels.timeHint})` : labels.timeHint)
  const single = Number(values.ticketPrice)
  const isGroupDearer = single > 0 && Number(values.groupPrice4) > single
  return (
    <>
      <Group title={groups.what}>
        {line('name', { autoComplete: 'off' })}
        <TextArea {...field('description')} rows={4} />
      </Group>
      <Group title={groups.when}>
        <div className={styles.row}>
          {line('date', { type: 'date' })}
          {line('startTime', { hint: clock(values.startTime), placeholder: '18:30', inputMode: 'numeric' })}
          {line('endTime', { hint: clock(values.endTime), placeholder: '22:30', inputMode: 'numeric' })}
        </div>
        <Checkbox
          label={labels.endsNextDay}
          checked={values.endsNextDay === 'true'}
          onCheck={(on) => change('endsNextDay', on ? 'true' : '')}
        />
        {line('venue', { hint: labels.venueHint })}
      </Group>
      <Group title={groups.sale}>
        <div className={styles.row}>
          {line('ticketPrice', { inputMode: 'decimal' })}
          {line('groupPrice4', { inputMode: 'decimal', hint: isGroupDearer ? words.groupDearer : words.groupStays })}
          {line('totalTickets', { inputMode: 'numeric' })}
        </div>
        <SalesFields {...{ values, errors, change }} />
      </Group>
      <Group title={groups.ground}>
        <GroundFields {...{ values, errors, change }} />
      </Group>
      <Group title={groups.more}>
        <ImageField
          value={values.eventImage}
          error={fileProblem ?? errors.get('eventImage')}
          onChange={(value) => {
            setFileProblem(null)
            change('eventImage', value)
          }}
          onProblem={setFileProblem}
          onPreparing={onPreparing}
        />
        {line('features', { hint: labels.featuresHint })}
        <TextArea {...field('aboutText')} hint={labels.aboutHint} rows={5} />
      </Group>
    </>
  )
}

const DRAFT_PAUSE_MS = 400

/** An end before the start is an error at the end, which editing either field or the box beside them clears. */
const ALSO_CLEARED: Partial<Record<EventFormField, EventFormField>> = {
  startTime: 'endTime',
  endsNextDay: 'endTime',
  salesFrom: 'salesUntil',
  capacity: 'totalTickets',
}

function useEventFields(first: EventValues) {
  const [values, setValues] = useState(first)
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const [changed, setChanged] = useState<ReadonlySet<string | undefined>>(new Set())
  const refuse = useCallback((errors: readonly FieldError[]) => {
    setRefused(new Map(errors.map(({ field, message }) => [field, message])))
    setChanged(new Set())
  }, [])
  return {
    form: useFirstWrong(refused),
    values,
    errors: new Map([...refused].filter(([name]) => !changed.has(name))),
    change: (name: EventFormField, value: string) => {
      setValues((now) => ({ ...now, [name]: value }))
      setChanged((now) => new Set([...now, name, ALSO_CLEARED[name]]))
    },
    refuse,
    reset: (to: EventValues) => {
      setValues(to)
      refuse([])
    },
  }
}

function useEventForm(saved: EventValues, event: EventId) {
  const { timeZone } = useDates()
  const [draft] = useState(() => readDraft(saved, event))
  const [restored, setRestored] = useState(
    draft !== null && (draft.lacksPicture || draft.message !== null || !sameValues(draft.values, saved)) ? draft : null,
  )
  const [message, setMessage] = useState(restored?.message ?? null)
  const { reset, ...fields } = useEventFields(restored?.values ?? saved)
  const { values, refuse } = fields
  const endDraft = useDraftAutosave({ values, saved, event, message })
  return {
    fields,
    reset,
    /** Whether the event may be saved like this; otherwise the fields show why not. */
    check: () => {
      const today = toLocalDay(serverNow(), timeZone)
      const result = parseEventForm(values, { today, savedDate: saved.date })
      refuse(result.ok ? [] : result.errors)
      return result.ok
    },
    message,
    setMessage,
    restored,
    discard: () => {
      dropDraft()
      reset(saved)
      setMessage(null)
      setRestored(null)
    },
    /** Call it after saving or discarding: from then on nothing is kept. */
    endDraft,
    refuse: () => toast.error(FAILURE_TOASTS.fixErrors),
  }
}

/** Keeps what is typed shortly after the last key, and at once when the page or form closes. Returns a function that ends it. */
function useDraftAutosave(form: Omit<Draft, 'lacksPicture'> & { saved: EventValues; event: EventId }): () => void {
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
  opened: EventValues
  onRefused: (errors: readonly FieldError[]) => void
  onSaved: () => void
}

/** Keeps what another admin has saved since the form was opened, except in fields that were changed here. */
async function besideOthers(values: EventValues, opened: EventValues): Promise<EventValues> {
  const { data } = await callServer('event')
  const now = data === null ? opened : toEventValues(data)
  const fields = EVENT_FORM_FIELDS.map((field) => [field, values[field] === opened[field] ? now[field] : values[field]])
  return Object.fromEntries(fields) as EventValues
}

/** Creates the event. After a lost answer, an event with the same day and venue counts as the created event. */
async function create(values: EventValues): Promise<unknown> {
  try {
    return await callServer('createEvent', { body: values })
  } catch (error) {
    if (!isUnsure(error)) throw error
    const { data } = await callServer('event')
    if (data?.date === values.date && data.venue === values.venue.trim()) return data
    throw error
  }
}

const MOVED = 'garba.moved'

/** The answer is kept across the reload, because a second and a half is too short to read it. */
function saveMovedText(answer: unknown): void {
  const { moved } = answer as Partial<AnswerOf<'updateEvent'>>
  if (moved) sessionStorage.setItem(MOVED, movedText(moved))
}

/** What moved with the event when it was last saved here; empty if nothing did. Said once. */
export function takeMoved(): string {
  const text = sessionStorage.getItem(MOVED) ?? ''
  sessionStorage.removeItem(MOVED)
  return text
}

function useSaveEvent({ event, opened, onRefused, onSaved }: SaveOptions) {
  const isNew = event === null
  return useMutation({
    mutationFn: async ({ values, message }: { values: EventValues; message: Notice | null }) => {
      if (event === null) return create(values)
      const body = { ...(await besideOthers(values, opened)), _id: event }
      return callServer('updateEvent', { body: { ...body, ...(message ? { tell: message } : {}) } })
    },
    onSuccess: (answer) => {
      onSaved()
      saveMovedText(answer)
      toast.success(isNew ? SUCCESS_TOASTS.eventCreated : SUCCESS_TOASTS.eventUpdated)
      setTimeout(() => location.reload(), RELOAD_AFTER_EVENT_SAVE_MS)
    },
    onError: (error) => {
      const refused = isFailure(error)
        ? error.errors.filter(({ field }) => EVENT_FORM_FIELDS.some((name) => name === field))
        : []
      onRefused(refused)
      const reason = refused.length > 0 ? EVENT_FORM.fixErrors : getErrorMessage(error)
      toast.error(isNew ? FAILURE_TOASTS.createEvent(reason) : FAILURE_TOASTS.updateEvent(reason))
    },
  })
}

const tellHoldersWords = EVENT_MANAGER.tell

interface TellHoldersProps {
  message: Notice | null
  error: string | undefined
  onChange: (message: Notice | null) => void
}

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
