import { DESK, EVENT_MANAGER } from '@garba/shared/messages/desk'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { queries } from '../../platform/store/queries.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDeskHome } from '../frame/deskHome.ts'
import { hasDraft } from './draft.ts'
import { EventForm } from './EventForm.tsx'
import { EventPreview } from './EventPreview.tsx'
import { NO_EVENT, valuesOf } from './values.ts'

const words = EVENT_MANAGER

/** SPEC 4 "Event manager": loading, then preview or create; preview to edit and back. A kept draft opens the editor. */
export default function EventManager() {
  // Always the event as it is now: an editor must not start from what it was some minutes ago.
  const { data, error, isFetchedAfterMount } = useQuery({
    ...queries.event(),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const [editing, setEditing] = useState(hasDraft)
  const navigate = useNavigate()
  const home = useDeskHome()
  const event = data?.data ?? null
  useEffect(() => {
    if (error) toast.error(FAILURE_TOASTS.loadEvent(messageOf(error)))
  }, [error])

  if (!isFetchedAfterMount) {
    return (
      <DeskFrame title={DESK.titles.event}>
        <SkeletonCards heights={[240, 200, 160]} label={words.loading} />
      </DeskFrame>
    )
  }
  if (event === null) {
    return (
      <DeskFrame title={words.createTitle}>
        <EventForm isNew saved={NO_EVENT} onLeave={() => navigate(home)} />
      </DeskFrame>
    )
  }
  return (
    <DeskFrame title={editing ? words.editTitle : DESK.titles.event}>
      {editing ? (
        <EventForm isNew={false} saved={valuesOf(event)} onLeave={() => setEditing(false)} />
      ) : (
        <EventPreview event={event} onEdit={() => setEditing(true)} />
      )}
    </DeskFrame>
  )
}
