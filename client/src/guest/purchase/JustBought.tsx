import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { CalendarPlus, MessageCircle, Share2, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { toast } from 'sonner'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { canShare, share } from '../../platform/share.ts'
import { addToCalendar, whatsAppLink } from '../event/shareEvent.ts'
import { useFormat } from '../format.ts'
import { pictureOf } from '../tickets/picture.ts'
import { useWords } from '../words.ts'
import styles from './JustBought.module.css'

/** No browser's share sheet takes more files. */
const PICTURES_MAX = 10

interface JustBoughtProps {
  count: number
  /** Those of them that are known; their cards are on the page. */
  tickets: readonly Ticket[]
  event: GarbaEvent
  onDone: () => void
}

/** The moment after a purchase, above the new tickets: the lamp lights, then calendar and sharing. */
export const JustBought = ({ count, tickets, event, onDone }: JustBoughtProps) => {
  const words = useWords()
  useEscape(onDone)
  return (
    <div className={styles.moment}>
      <GarboRings className={styles.lamp} still />
      <p className={styles.title}>{words.bought.title(count)}</p>
      <p className={styles.ready}>{words.bought.ready(count)}</p>
      <div className={styles.buttons}>
        <Button
          icon={<CalendarPlus aria-hidden="true" />}
          onClick={() => addToCalendar({ event, siteUrl: location.origin, words: words.event })}
        >
          {words.event.addToCalendar}
        </Button>
        <ShareTickets tickets={tickets} event={event} />
      </div>
      <IconButton label={words.close} icon={<X aria-hidden="true" />} className={styles.close} onClick={onDone} />
    </div>
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
    // The share sheet opens only shortly after a press: the pictures are begun when a finger or pointer comes near.
    <Button
      icon={<Share2 aria-hidden="true" />}
      onPointerEnter={() => void draw().catch(() => null)}
      onClick={() => void send()}
    >
      {words.event.share}
    </Button>
  )
}

/** Escape ends the moment, unless a dialog is open: then it is the dialog's. */
function useEscape(onEscape: () => void): void {
  const latest = useRef(onEscape)
  useEffect(() => {
    latest.current = onEscape
  })
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('[role="dialog"], dialog[open]') === null) latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
