import { EVENT_MANAGER } from '@garba/shared/messages/desk'
import { EVENT_FORM } from '@garba/shared/messages/eventForm'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { EventFields } from './EventFields.tsx'
import styles from './EventForm.module.css'
import { HeroPreview } from './HeroPreview.tsx'
import { useEventForm } from './useEventForm.ts'
import { useSaveEvent } from './useSaveEvent.ts'
import type { EventValues } from './values.ts'

const words = EVENT_MANAGER

interface EventFormProps {
  isNew: boolean
  saved: EventValues
  onLeave: () => void
}

/** Create and edit are one form: checked, confirmed with Yes or No, saved (SPEC 2 "Event manager"). */
export const EventForm = ({ isNew, saved, onLeave }: EventFormProps) => {
  const { form, values, restored, discard, endDraft, refuse } = useEventForm(saved)
  const save = useSaveEvent({ isNew, setError: form.setError, onSaved: endDraft })
  const [asked, setAsked] = useState<EventValues | null>(null)
  const busy = save.isPending || save.isSuccess
  const hasErrors = Object.keys(form.formState.errors).length > 0
  const leave = () => {
    // Cancel gives the changes up; Back only leaves, and what was typed waits for the next visit.
    if (!isNew) endDraft()
    onLeave()
  }
  return (
    <div className={styles.layout}>
      <form className={styles.form} noValidate onSubmit={form.handleSubmit(setAsked, refuse)}>
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
        <EventFields form={form} />
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
          <Button type="submit" tone="primary" busy={busy}>
            {busy ? words.saving : isNew ? words.create : words.save}
          </Button>
          <Button disabled={busy} onClick={leave}>
            {isNew ? words.back : words.cancel}
          </Button>
        </div>
      </form>
      <HeroPreview values={values} />
      <ConfirmDialog
        open={asked !== null}
        title={isNew ? words.confirmCreate : words.confirmUpdate}
        confirmLabel={words.yes}
        cancelLabel={words.no}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked) save.mutate(asked)
          setAsked(null)
        }}
      >
        {isNew ? words.confirmCreateText : words.confirmUpdateText}
      </ConfirmDialog>
    </div>
  )
}
