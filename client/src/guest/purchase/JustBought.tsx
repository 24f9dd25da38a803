import { HOLDER_NAME_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, MessageCircle, Share2, WifiOff, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { toast } from 'sonner'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { lengthOf, TextField } from '../../kit/Field.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { call } from '../../platform/http/call.ts'
import { useInstall } from '../../platform/pwa/install.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { canShare, share } from '../../platform/share.ts'
import { replaceTicket } from '../data/useGuestData.ts'
import { addToCalendar, whatsAppLink } from '../event/shareEvent.ts'
import { failureText } from '../failures.ts'
import { useFormat } from '../format.ts'
import { pictureOf } from '../tickets/picture.tsx'
import { useWords } from '../words.ts'
import styles from './JustBought.module.css'

/** No browser's share sheet takes more files. */
const PICTURES_MAX = 10

interface JustBoughtProps {
  count: number
  /** The bought tickets that are known. */
  tickets: readonly Ticket[]
  event: GarbaEvent
  userId: string
  /** Whether this browser keeps the tickets for offline use. */
  isKept: boolean
  onDone: () => void
}

/** Above newly bought tickets: the lamp lights, the others' names are asked for, then offline use, calendar and sharing. */
export const JustBought = ({ count, tickets, event, userId, isKept, onDone }: JustBoughtProps) => {
  const words = useWords()
  const [named, setNamed] = useState(false)
  const ready = useRef<HTMLParagraphElement>(null)
  useEscape(onDone)
  // The button that had the focus is gone.
  useEffect(() => {
    if (named) ready.current?.focus({ preventScroll: true })
  }, [named])
  const others = tickets.slice(1)
  return (
    <div className={styles.moment} data-asks={(others.length > 0 && !named) || undefined}>
      <GarboRings className={styles.lamp} still />
      <p className={styles.title}>{words.bought.title(count)}</p>
      {others.length > 0 && !named ? (
        <Names tickets={others} userId={userId} onDone={() => setNamed(true)} />
      ) : (
        <Ready ready={ready} count={count} tickets={tickets} event={event} isKept={isKept} />
      )}
      <IconButton label={words.close} icon={<X aria-hidden="true" />} className={styles.close} onClick={onDone} />
    </div>
  )
}

/** More fields would turn the moment into a form; names can be added later in each ticket's row. */
const NAMES_ASKED = 11

interface NamesProps {
  /** All but the buyer's own. */
  tickets: readonly Ticket[]
  userId: string
  /** Also called when skipped. */
  onDone: () => void
}

/** Asks who uses the other tickets. Names that were saved stay saved when a later one fails. */
const Names = ({ tickets, userId, onDone }: NamesProps) => {
  const words = useWords()
  const { bought, holder } = words
  const client = useQueryClient()
  const [ids] = useState(() => tickets.slice(0, NAMES_ASKED).map(({ _id }) => _id))
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const typed = ids.map((id) => ({ id, name: (names[id] ?? '').trim() }))
  const isUnfit = typed.some(({ name }) => lengthOf(name) > HOLDER_NAME_MAX)
  const saved = useRef<Record<string, string>>({})
  // A second press may come before the first is rendered.
  const sent = useRef(false)
  const saving = useMutation({
    mutationFn: async () => {
      for (const { id, name } of typed) {
        if (name === (saved.current[id] ?? '')) continue
        const { ticket } = await call('nameTicket', { params: { id }, body: { name: name === '' ? null : name } })
        saved.current[id] = name
        replaceTicket(client, userId, ticket)
      }
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
      className={styles.names}
      aria-label={bought.names}
      onSubmit={(event) => {
        event.preventDefault()
        if (isUnfit || sent.current) return
        sent.current = true
        saving.mutate()
      }}
    >
      <div>
        <p className={styles.ready}>{bought.names}</p>
        <p className={styles.soft}>{bought.namesText}</p>
      </div>
      <div className={styles.fields}>
        {typed.map(({ id, name }, index) => (
          <TextField
            key={id}
            label={bought.nameOf(index + 2)}
            error={lengthOf(name) > HOLDER_NAME_MAX ? holder.tooLong(HOLDER_NAME_MAX) : undefined}
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
        <Button tone="ghost" disabled={saving.isPending} onClick={onDone}>
          {bought.skip}
        </Button>
      </div>
    </form>
  )
}

interface ReadyProps extends Pick<JustBoughtProps, 'count' | 'tickets' | 'event' | 'isKept'> {
  ready: RefObject<HTMLParagraphElement | null>
}

const Ready = ({ ready, count, tickets, event, isKept }: ReadyProps) => {
  const words = useWords()
  const isOnIos = useInstall(({ way }) => way === 'ios')
  return (
    <>
      <p ref={ready} tabIndex={-1} className={styles.ready}>
        {words.bought.ready(count)}
      </p>
      {isKept ? (
        <p className={styles.offline}>
          <WifiOff aria-hidden="true" />
          {isOnIos ? words.bought.offlineIos : words.bought.offline}
        </p>
      ) : null}
      <div className={styles.buttons}>
        <Button icon={<CalendarPlus aria-hidden="true" />} onClick={() => addToCalendar({ event, words: words.event })}>
          {words.event.addToCalendar}
        </Button>
        <ShareTickets tickets={tickets} event={event} />
      </div>
    </>
  )
}

/** Shares a picture of each ticket, or the evening in words where the device cannot share. */
const ShareTickets = ({ tickets, event }: Pick<JustBoughtProps, 'tickets' | 'event'>) => {
  const words = useWords()
  const format = useFormat()
  const text = words.bought.message(event.name, format.day(event.date), format.hours(event), event.venue)
  const drawn = useRef<Promise<File[]> | null>(null)
  const draw = () => {
    const lines = [`${format.day(event.date)}, ${format.hours(event)}`, event.venue]
    drawn.current ??= Promise.all(tickets.slice(0, PICTURES_MAX).map((ticket) => pictureOf(ticket, lines)))
    return drawn.current
  }
  const send = async () => {
    const files = await draw().catch((error: unknown) => {
      console.warn('The tickets could not be drawn', error)
      return []
    })
    const said = { title: event.name, text }
    try {
      await share(canShare({ files }) && files.length > 0 ? { ...said, files } : { ...said, url: location.origin })
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
        icon={<MessageCircle aria-hidden="true" />}
      >
        {words.bought.whatsapp}
      </AnchorButton>
    )
  return (
    // The share sheet opens only shortly after a press, so drawing starts when a finger or pointer comes near.
    <Button
      icon={<Share2 aria-hidden="true" />}
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
