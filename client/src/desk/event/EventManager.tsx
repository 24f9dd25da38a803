import { REQUEST_RETRIES } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { OPEN_MATTERS } from '@garba/shared/messages/eventForm'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { closingProblem } from '@garba/shared/rules/event/evening'
import { formatRupees } from '@garba/shared/rules/money'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive, Pencil } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner, ErrorPanel } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card, Fact } from '../../kit/Card.tsx'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { ImageWithFallback } from '../../kit/ImageWithFallback.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { useConfig } from '../../platform/config.ts'
import { callServer } from '../../platform/http/call.ts'
import { getErrorMessage, isFailure } from '../../platform/http/failure.ts'
import { queries } from '../../platform/queries.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { hoursText, useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { EventMark } from '../frame/EventMark.tsx'
import { useDeskHome } from '../frame/places.ts'
import { RegisterLink } from '../register/links.tsx'
import { DESK, EVENT_MANAGER } from '../texts/desk.ts'
import { ONLINE_SALES } from '../texts/event.ts'
import { hasDraft, nextValuesOf, toEventValues } from './draft.ts'
import styles from './EventForm.module.css'
import { EventForm, takeMoved } from './EventForm.tsx'
import { EventStateCard } from './EventStateCard.tsx'
import { HeroPreview } from './HeroPreview.tsx'
import { TypesCard } from './TypesCard.tsx'
import { WaitingCard } from './WaitingCard.tsx'

const words = EVENT_MANAGER

export default function EventManager() {
  // Always fetched: an editor must not start from a copy that is minutes old.
  const { data, error, isFetchedAfterMount } = useQuery({
    ...queries.event(),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const [editing, setEditing] = useState<boolean | null>(null)
  const navigate = useNavigate()
  const home = useDeskHome()
  const { eventQuery, chosen: closed, loading, all, isLoaded, refetch } = useDeskEvent()
  const event = data?.data ?? null
  useEffect(() => {
    if (error) toast.error(FAILURE_TOASTS.loadEvent(getErrorMessage(error)), { id: 'load' })
  }, [error])

  if (closed) {
    return (
      <DeskFrame title={DESK.titles.event} byEvent>
        <EventPreview event={closed} />
      </DeskFrame>
    )
  }
  if (!isFetchedAfterMount || loading || (event === null && !isLoaded)) {
    return (
      <DeskFrame title={DESK.titles.event}>
        <SkeletonCards heights={[240, 200, 160]} label={words.loading} />
      </DeskFrame>
    )
  }
  if (eventQuery.event !== undefined && eventQuery.event !== event?._id) {
    return (
      <DeskFrame title={DESK.titles.event} byEvent>
        <ErrorPanel onRetry={refetch}>{words.notFound}</ErrorPanel>
      </DeskFrame>
    )
  }
  if (event === null) {
    return (
      <DeskFrame title={words.createTitle} byEvent>
        <EventForm event={null} saved={nextValuesOf(all[0])} from={all[0]?.name} onLeave={() => navigate(home)} />
      </DeskFrame>
    )
  }
  // Decided once: a form stays open when its draft is discarded.
  if (editing === null) setEditing(hasDraft(event._id))
  return (
    <DeskFrame title={editing ? words.editTitle : DESK.titles.event} byEvent={!editing}>
      {editing ? (
        <EventForm key={event._id} event={event._id} saved={toEventValues(event)} onLeave={() => setEditing(false)} />
      ) : (
        <EventPreview event={event} onEdit={() => setEditing(true)} />
      )}
    </DeskFrame>
  )
}

const onlineSalesText = ({ paused, salesFrom, salesUntil }: GarbaEvent, momentOf: (iso: string) => string): string => {
  const shown = (at: string | null | undefined) => (at ? momentOf(at) : null)
  return paused ? ONLINE_SALES.paused(paused) : ONLINE_SALES.between(shown(salesFrom), shown(salesUntil))
}

/** Without `onEdit` the event is closed: it can only be read. */
const EventPreview = ({ event, onEdit }: { event: GarbaEvent; onEdit?: () => void }) => {
  const { dayOf, momentOf } = useDates()
  const { facts } = words
  const mayWait = useConfig(({ config }) => config?.waitingList ?? false)
  const [moved] = useState(takeMoved)
  return (
    <>
      {moved === '' ? null : (
        <Banner tone="info" live="status">
          {moved}
        </Banner>
      )}
      <div className={styles.layout}>
        <Card
          title={event.name}
          actions={
            onEdit ? (
              <>
                <EventMark event={event} />
                <Button tone="primary" icon={<Pencil />} onClick={onEdit}>
                  {words.edit}
                </Button>
              </>
            ) : (
              <StateChip state="info">{words.closed}</StateChip>
            )
          }
        >
          <div className={styles.facts}>
            {event.eventImage ? (
              <ImageWithFallback src={event.eventImage} alt={event.name} className={styles.picture} />
            ) : null}
            <dl className={styles.short}>
              <Fact label={facts.date}>{dayOf(event.startsAt)}</Fact>
              <Fact label={facts.time}>{hoursText(event)}</Fact>
              <Fact label={facts.tickets}>{facts.available(event.availableTickets, event.totalTickets)}</Fact>
              <Fact label={facts.price}>{formatRupees(event.ticketPrice)}</Fact>
              <Fact label={facts.group}>{formatRupees(event.groupPrice4)}</Fact>
              <Fact label={ONLINE_SALES.fact}>{onlineSalesText(event, momentOf)}</Fact>
            </dl>
            <dl className={styles.facts}>
              <Fact label={facts.venue}>{event.venue}</Fact>
              <Fact label={facts.description}>{event.description}</Fact>
              <Fact label={facts.about}>{event.aboutText}</Fact>
              <Fact label={facts.features}>{event.features.join(', ')}</Fact>
            </dl>
          </div>
        </Card>
        {onEdit ? <HeroPreview values={toEventValues(event)} /> : null}
        {onEdit ? <EventStateCard /> : null}
        {onEdit ? <TypesCard event={event} /> : null}
        {onEdit && mayWait ? <WaitingCard /> : null}
        {onEdit ? <CloseEvent event={event} /> : null}
      </div>
    </>
  )
}

const closeEventWords = EVENT_MANAGER.close
const LOOK_MS = 30_000

const CloseEvent = ({ event }: { event: GarbaEvent }) => {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const noteId = useId()
  const now = useServerNow(LOOK_MS)
  const tooEarly = closingProblem({ endsAt: Date.parse(event.endsAt), held: 0 }, now) !== null
  const open = useQuery({ ...queries.openMatters(event._id), enabled: asking })
  const matters = open.data?.matters ?? []
  const close = useMutation({
    // Safe to repeat: closing twice gives the same answer.
    mutationFn: () =>
      callServer('closeEvent', {
        params: { id: event._id },
        body: { anyway: matters.length > 0, matters },
        retries: REQUEST_RETRIES,
      }),
    onSuccess: () => toast.success(closeEventWords.done),
    onError: (error) => toast.error(closeEventWords.failed(getErrorMessage(error))),
    onSettled: async (_closed, error) => {
      // Every list and figure of the desk is about another event now, or the list in the dialog was outdated.
      await client.invalidateQueries()
      setAsking(isFailure(error) && error.code === 'EVENT_HAS_OPEN_MATTERS')
    },
  })
  return (
    <Card title={closeEventWords.title}>
      <div className={styles.closing}>
        <p id={noteId}>{tooEarly ? closeEventWords.notYet : closeEventWords.text}</p>
        <Button icon={<Archive />} disabled={tooEarly} aria-describedby={noteId} onClick={() => setAsking(true)}>
          {closeEventWords.action}
        </Button>
        <RegisterLink />
      </div>
      <ConfirmDialog
        open={asking}
        tone="danger"
        title={closeEventWords.question(event.name)}
        confirmLabel={
          close.isPending ? closeEventWords.busy : matters.length > 0 ? closeEventWords.anyway : closeEventWords.action
        }
        cancelLabel={closeEventWords.keep}
        busy={close.isPending || (asking && open.isPending)}
        disabled={matters.some(({ kind }) => kind === 'heldOrders')}
        onConfirm={() => close.mutate()}
        onCancel={() => setAsking(false)}
      >
        <div className="stack-4">
          {matters.length === 0 ? null : (
            <Banner tone="warn" title={closeEventWords.open}>
              <ul className="stack-2">
                {matters.map(({ kind, count }) => (
                  <li key={kind}>{OPEN_MATTERS[kind](count)}</li>
                ))}
              </ul>
            </Banner>
          )}
          <ul className="stack-2">
            {closeEventWords.consequences.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      </ConfirmDialog>
    </Card>
  )
}
