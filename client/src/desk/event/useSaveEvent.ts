import { RELOAD_AFTER_EVENT_SAVE_MS } from '@garba/shared/constants'
import { EVENT_FORM } from '@garba/shared/messages/eventForm'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { useMutation } from '@tanstack/react-query'
import type { UseFormSetError } from 'react-hook-form'
import { toast } from 'sonner'
import { call } from '../../platform/http/call.ts'
import { isFailure, messageOf } from '../../platform/http/failure.ts'
import { type EventValues, isField } from './values.ts'

interface SaveOptions {
  isNew: boolean
  setError: UseFormSetError<EventValues>
  onSaved: () => void
}

/** Creates or changes the event; the server's field errors stand at their fields, the page reloads 1.5 s after success. */
export function useSaveEvent({ isNew, setError, onSaved }: SaveOptions) {
  return useMutation({
    mutationFn: (values: EventValues) => call(isNew ? 'createEvent' : 'updateEvent', { body: values }),
    onSuccess: () => {
      onSaved()
      toast.success(isNew ? SUCCESS_TOASTS.eventCreated : SUCCESS_TOASTS.eventUpdated)
      setTimeout(() => location.reload(), RELOAD_AFTER_EVENT_SAVE_MS)
    },
    onError: (error) => {
      const told = isFailure(error) ? error.errors.filter(({ field }) => isField(field)) : []
      told.forEach(({ field, message }, index) => {
        if (isField(field)) setError(field, { type: 'server', message }, { shouldFocus: index === 0 })
      })
      const reason = told.length > 0 ? EVENT_FORM.fixErrors : messageOf(error)
      toast.error(isNew ? FAILURE_TOASTS.createEvent(reason) : FAILURE_TOASTS.updateEvent(reason))
    },
  })
}
