import { HOLDER_NAME_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, ChevronDown, MessageCircle, Send, Share2, WifiOff, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { toast } from 'sonner'
import { AnchorButton, Button, type ButtonTone } from '../../kit/Button.tsx'
import { countCharacters, TextField } from '../../kit/Field.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { callServer } from '../../platform/http/call.ts'
import { useInstall } from '../../platform/pwa/install.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { canShare, openShareSheet } from '../../platform/share.ts'
import { updateCachedTicket } from '../data/useGuestData.ts'
import { addToCalendar, openWhatsApp, whatsAppLink } from '../event/shareEvent.ts'
import { failureText } from '../failures.ts'
import { useFormat } from '../format.ts'
import { Notifications } from '../notifications/Notifications.tsx'
import { drawTicketPicture } from '../tickets/picture.tsx'
import { SentNote } from '../tickets/TicketParts.tsx'
import { SenderName, useSenderName } from '../wallet/SenderName.tsx'
import { useWalletWords } from '../wallet/words.ts'
import { useWords } from '../words.ts'
import styles from './JustBought.module.css'
import { rememberStorage } from './usePurchase.ts'

/** No browser's share sheet takes more files. */
const PICTURES_MAX = 10

interface JustBoughtProps {
  count: number
  tickets: readonly Ticket[]
  event: GarbaEvent
  userId: string
  isKept: boolean
  /** Until the event's day, calendar and sharing are what comes next. */
  isTheDay: boolean
  onDone: () => void
}

export const JustBought = ({ count, tickets, event, userId, isKept, isTheDay, onDone }: JustBoughtProps) => {
  const words = useWords()
  const [named, setNamed] = useState(false)
  const ready = useRef<HTMLParagraphElement>(null)
  useEscape(onDone)
  useEffect(rememberStorage, [])
  // The button that had the focus is gone.
  useEffect(() => {
    if (named) ready.current?.focus({ preventScroll: true })
  }, [named])
  const others = tickets.filter(({ number }) => number !== 1)
  const room = useRef<HTMLDivElement>(null)
  const leaveNames = () => {
    // The list of names is lower than its form was; what stands below both stays where it is.
    if (room.current) room.current.style.minHeight = `${room.current.offsetHeight}px`
    setNamed(true)
  }
  return (
    <div className={styles.moment}>
      <GarboRings className={styles.lamp} still />
      {others.length > 0 ? <Flames tickets={tickets} /> : null}
      <p className={styles.title}>{words.bought.title(count)}</p>
      <Ready ready={ready} count={count} tickets={tickets} event={event} isKept={isKept} isTheDay={isTheDay} />
      <Notifications centered />
      <div ref={room} className={styles.room}>
        <Friends tickets={others} userId={userId} />
        {others.length > 0 && !named ? (
          <details
            className={styles.names}
            onToggle={({ currentTarget }) => {
              if (currentTarget.open) currentTarget.scrollIntoView({ block: 'start' })
            }}
          >
            <summary>
              {words.bought.names}
              <ChevronDown />
            </summary>
            <Names tickets={others} userId={userId} onDone={leaveNames} />
          </details>
        ) : null}
      </div>
      <IconButton label={words.close} icon={<X />} className={styles.close} onClick={onDone} />
    </div>
  )
}

const Flames = ({ tickets }: { tickets: readonly Ticket[] }) => {
  const shown = tickets.slice(0, NAMES_ASKED + 1)
  return (
    <svg viewBox="-50 -50 100 100" className={styles.flames} aria-hidden="true">
      {shown.map(({ _id, number, holderName }, at) => (
        <path
          key={_id}
          d="M0-11C5-4 6-1 6 3A6 6 0 0 1-6 3C-6-1-5-4 0-11Z"
          transform={`rotate(${(360 / shown.length) * at}) translate(0-36)`}
          data-lit={number === 1 || holderName !== null || undefined}
        />
      ))}
    </svg>
  )
}

const Friends = ({ tickets, userId }: Pick<NamesProps, 'tickets' | 'userId'>) => {
  const named = tickets.filter(({ holderName }) => holderName !== null)
  const { from, field } = useSenderName()
  return named.length === 0 ? null : (
    <div className={styles.friends}>
      <ul>
        {named.map((ticket) => (
          <Friend key={ticket._id} ticket={ticket} userId={userId} from={from} />
        ))}
      </ul>
      <SenderName {...field} />
    </div>
  )
}

const Friend = ({ ticket, userId, from }: { ticket: Ticket; userId: string; from: string }) => {
  const guest = useWords()
  const { share } = useWalletWords()
  const client = useQueryClient()
  const name = getHolderName(ticket)
  const open = (url: string) => openWhatsApp(`${share.message(ticket.eventName)}\n${url}`)
  const sending = useMutation({
    mutationFn: async (name: string) =>
      (await callServer('makeLink', { body: { ticketIds: [ticket._id], purpose: 'share', from: name } })).link.url,
    onSuccess: (url) => {
      open(url)
      void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
    },
    onError: (error) => toast.error(share.failed(failureText(error, guest))),
  })
  return (
    <li>
      <span className={styles.friend}>
        <span>{name}</span>
        <SentNote ticket={ticket} />
      </span>
      <Button
        size="sm"
        icon={<Send />}
        busy={sending.isPending}
        aria-label={guest.bought.sendTo(name)}
        // A second press sends the same link again.
        onClick={() =>
          sending.data === undefined || sending.variables !== from ? sending.mutate(from) : open(sending.data)
        }
      >
        {guest.bought.send}
      </Button>
    </li>
  )
}

/** More fields would turn the moment into a form; names can be added later in each ticket's row. */
const NAMES_ASKED = 11

interface NamesProps {
  tickets: readonly Ticket[]
  userId: string
  onDone: () => void
}

/** Asks who uses the other tickets. Saved names stay saved when a later name fails. */
const Names = ({ tickets, userId, onDone }: NamesProps) => {
  const words = useWords()
  const { bought, holder } = words
  const client = useQueryClient()
  const [asked] = useState(() => tickets.slice(0, NAMES_ASKED))
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const typed = asked.map(({ _id: id, number }) => ({ id, number, name: (names[id] ?? '').trim() }))
  const isUnfit = typed.some(({ name }) => countCharacters(name) > HOLDER_NAME_MAX)
  const saved = useRef<Record<string, string>>({})
  const sent = useRef(false)
  const saving = useMutation({
    mutationFn: async () => {
      const changed: Ticket[] = []
      for (const { id, name } of typed) {
        if (name === (saved.current[id] ?? '')) continue
        const { ticket } = await callServer('nameTicket', { params: { id }, body: { name: name === '' ? null : name } })
        saved.current[id] = name
        changed.push(ticket)
      }
      for (const ticket of changed) updateCachedTicket(client, userId, ticket)
    },
    // A list that was already requested may bring the old names back.
    onSettled: () => {
      sent.current = false
      void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: KEYS.myOrders })
      onDone()
    },
  })
  return (
    <form
      className={styles.form}
      aria-label={bought.names}
      onSubmit={(event) => {
        event.preventDefault()
        if (isUnfit || sent.current) return
        sent.current = true
        saving.mutate()
      }}
    >
      <p className={styles.soft}>{bought.namesText}</p>
      <div className={styles.fields}>
        {typed.map(({ id, number, name }) => (
          <TextField
            key={id}
            label={bought.nameOf(number)}
            error={countCharacters(name) > HOLDER_NAME_MAX ? holder.tooLong(HOLDER_NAME_MAX) : undefined}
            value={names[id] ?? ''}
            autoComplete="off"
            disabled={saving.isPending}
            onChange={({ target }) => setNames({ ...names, [id]: target.value })}
          />
        ))}
      </div>
      {saving.error === null ? null : (
        <p role="alert" className={styles.failed}>
          {failureText(saving.error, words)}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" busy={saving.isPending} disabled={isUnfit}>
          {saving.isPending ? holder.saving : bought.saveNames}
        </Button>
      </div>
    </form>
  )
}

interface ReadyProps extends Pick<JustBoughtProps, 'count' | 'tickets' | 'event' | 'isKept' | 'isTheDay'> {
  ready: RefObject<HTMLParagraphElement | null>
}

const Ready = ({ ready, count, tickets, event, isKept, isTheDay }: ReadyProps) => {
  const words = useWords()
  const tone = isTheDay ? 'secondary' : 'primary'
  const isOnIos = useInstall(({ way }) => way === 'ios')
  return (
    <>
      <p ref={ready} tabIndex={-1} className={styles.ready}>
        {words.bought.ready(count)}
      </p>
      {isKept ? (
        <p className={styles.offline}>
          <WifiOff />
          {isOnIos ? words.bought.offlineIos : words.bought.offline}
        </p>
      ) : null}
      <div className={styles.buttons}>
        <Button tone={tone} icon={<CalendarPlus />} onClick={() => addToCalendar({ event, words: words.event })}>
          {words.event.addToCalendar}
        </Button>
        <ShareTickets
          // The pictures, once drawn, have the names of that time.
          key={tickets.map(getHolderName).join()}
          tickets={tickets}
          event={event}
          tone={tone}
        />
      </div>
    </>
  )
}

const ShareTickets = ({ tickets, event, tone }: Pick<JustBoughtProps, 'tickets' | 'event'> & { tone: ButtonTone }) => {
  const words = useWords()
  const format = useFormat()
  const text = words.bought.message(event.name, format.day(event.date), format.hours(event), event.venue)
  const drawn = useRef<Promise<File[]> | null>(null)
  const draw = () => {
    const lines = [`${format.day(event.date)}, ${format.hours(event)}`, event.venue]
    drawn.current ??= Promise.all(tickets.slice(0, PICTURES_MAX).map((ticket) => drawTicketPicture(ticket, lines)))
    return drawn.current
  }
  const send = async () => {
    const files = await draw().catch((error: unknown) => {
      console.warn('The tickets could not be drawn', error)
      return []
    })
    const said = { title: event.name, text }
    try {
      await openShareSheet(
        canShare({ files }) && files.length > 0 ? { ...said, files } : { ...said, url: location.origin },
      )
    } catch (error) {
      console.warn('Not shared', error)
      toast.error(words.bought.notShared)
    }
  }
  if (!canShare())
    return (
      <AnchorButton
        href={whatsAppLink(`${text}\n${location.origin}`)}
        target="_blank"
        rel="noopener noreferrer"
        tone={tone}
        icon={<MessageCircle />}
      >
        {words.bought.whatsapp}
      </AnchorButton>
    )
  return (
    // The share sheet opens only shortly after a press, so drawing starts when a finger or pointer comes near.
    <Button
      tone={tone}
      icon={<Share2 />}
      onPointerEnter={() => void draw().catch(() => null)}
      onClick={() => void send()}
    >
      {words.event.share}
    </Button>
  )
}

/** Escape closes this view, unless a dialog is open: then the key is for the dialog. */
function useEscape(onEscape: () => void): void {
  const end = useEffectEvent(onEscape)
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('[role="dialog"], dialog[open]') === null) end()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
