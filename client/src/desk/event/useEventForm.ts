import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { dayOf } from '@garba/shared/rules/calendar'
import { parseEventForm } from '@garba/shared/rules/eventForm'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form'
import { toast } from 'sonner'
import { useDates } from '../frame/dates.ts'
import { dropDraft, keepDraft, readDraft, sameValues } from './draft.ts'
import type { EventValues } from './values.ts'

const DRAFT_PAUSE_MS = 400

/** The rule's word on each field, in the form library's shape (SPEC 5; the API asks the same rule). */
const resolverFor =
  (timeZone: string, savedDate: string): Resolver<EventValues> =>
  (values) => {
    const result = parseEventForm(values, { today: dayOf(new Date(), timeZone), savedDate })
    if (result.ok) return { values, errors: {} }
    const errors: FieldErrors<EventValues> = Object.fromEntries(
      result.errors.map(({ field, message }) => [field, { type: 'rule', message }]),
    )
    return { values: {}, errors }
  }

/** The event's form: starts from a kept draft where there is one, keeps what is typed, asks the shared rule at submit. */
export function useEventForm(saved: EventValues) {
  const { timeZone } = useDates()
  const [draft] = useState(() => readDraft(saved))
  const [restored, setRestored] = useState(
    draft !== null && (draft.lacksPicture || !sameValues(draft.values, saved)) ? draft : null,
  )
  const form = useForm<EventValues>({
    defaultValues: saved,
    ...(restored ? { values: restored.values } : {}),
    resolver: resolverFor(timeZone, saved.date),
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    shouldFocusError: true,
  })
  const values = form.watch()
  const endDraft = useDraftOf(values, saved)
  return {
    form,
    values,
    restored,
    discard: () => {
      dropDraft()
      form.reset(saved)
      setRestored(null)
    },
    /** Saved, or given up: from here on nothing is kept any more. */
    endDraft,
    refuse: () => toast.error(FAILURE_TOASTS.fixErrors),
  }
}

/** Keeps what is typed a moment after the last key, and at once when the page or the form goes. Returns the way to end it. */
function useDraftOf(values: EventValues, saved: EventValues): () => void {
  const latest = useRef({ values, saved })
  const ended = useRef(false)
  const keep = useCallback(() => {
    if (ended.current) return
    const now = latest.current
    if (sameValues(now.values, now.saved)) dropDraft()
    else keepDraft(now.values, now.saved)
  }, [])
  useEffect(() => {
    latest.current = { values, saved }
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
