import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { Ban, CalendarPlus, ChevronDown, Copy, Download, Ellipsis, Eye, EyeOff, Printer, Share2 } from 'lucide-react'
import { lazy, type ReactNode } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../kit/Menu.tsx'
import { canShare, saveFile, share } from '../../platform/share.ts'
import type { Known } from '../data/useGuestData.ts'
import { addToCalendar } from '../event/shareEvent.ts'
import { NameButton } from '../NameButton.tsx'
import { useTicketLinks } from '../wallet/TicketLinks.tsx'
import { useWords } from '../words.ts'
import { pictureOf } from './picture.tsx'
import styles from './TicketActions.module.css'

/** The parts of a ticket that are shown besides its row. */
export interface Opened {
  details: boolean
  code: boolean
}

interface TicketActionsProps {
  ticket: Ticket
  event: Known<GarbaEvent | null>
  online: boolean
  opened: Opened
  onOpen: (opened: Opened) => void
  onCancel: (ticket: Ticket) => void
  onPrint: (ticket: Ticket) => void
}

/** A ticket's actions: its name, and a menu of everything else. */
export const TicketActions = (props: TicketActionsProps) => {
  const { ticket, online } = props
  const { list, holder } = useWords()
  const links = useTicketLinks(ticket, online)
  return (
    <>
      {ticket.status === 'active' && !ticket.isPast ? (
        <NameButton label={holder.action} online={online}>
          {(dialog) => <TicketNameDialog ticket={ticket} {...dialog} />}
        </NameButton>
      ) : null}
      <Menu
        trigger={
          <Button
            size="sm"
            tone="ghost"
            icon={<Ellipsis aria-hidden="true" />}
            aria-label={list.moreOf(last8(ticket.ticketId))}
          >
            {list.more}
          </Button>
        }
      >
        <Items {...props} links={links.items} />
      </Menu>
      {links.dialog}
    </>
  )
}

/** Only active tickets can be cancelled, and only online; the rule counts from the event's day, so it needs the event. */
const Items = (props: TicketActionsProps & { links: ReactNode }) => {
  const { ticket, event, online, opened, links, onOpen, onCancel, onPrint } = props
  const { ticket: words, event: eventWords } = useWords()
  const { copy, download, send } = useTicketFiles(ticket)
  const evening = event.type === 'known' ? event.value : null
  const mayChange = ticket.status === 'active' && !ticket.isPast
  return (
    <>
      <MenuItem
        icon={<ChevronDown aria-hidden="true" className={opened.details ? styles.open : undefined} />}
        onSelect={() => onOpen({ ...opened, details: !opened.details })}
      >
        {opened.details ? words.hideDetails : words.details}
      </MenuItem>
      {ticket.qrCode === null ? null : (
        <>
          <MenuItem
            icon={opened.code ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
            onSelect={() => onOpen({ ...opened, code: !opened.code })}
          >
            {opened.code ? words.hideQr : words.showQr}
          </MenuItem>
          <MenuItem icon={<Download aria-hidden="true" />} onSelect={() => void download()}>
            {words.download}
          </MenuItem>
          {canShare() ? (
            <MenuItem icon={<Share2 aria-hidden="true" />} onSelect={() => void send()}>
              {words.share}
            </MenuItem>
          ) : null}
        </>
      )}
      <MenuItem icon={<Copy aria-hidden="true" />} onSelect={() => void copy()}>
        {words.copyId}
      </MenuItem>
      {ticket.isPast ? null : (
        <MenuItem icon={<Printer aria-hidden="true" />} onSelect={() => onPrint(ticket)}>
          {words.print}
        </MenuItem>
      )}
      {links}
      {mayChange && evening !== null ? (
        <MenuItem
          icon={<CalendarPlus aria-hidden="true" />}
          onSelect={() => addToCalendar({ event: evening, words: eventWords })}
        >
          {eventWords.addToCalendar}
        </MenuItem>
      ) : null}
      {mayChange ? (
        <>
          <MenuSeparator />
          <MenuItem
            tone="danger"
            icon={<Ban aria-hidden="true" />}
            why={online ? (evening === null ? words.needsEvent : undefined) : words.needsNetwork}
            onSelect={() => onCancel(ticket)}
          >
            {words.cancel}
          </MenuItem>
        </>
      ) : null}
    </>
  )
}

// The dialog is loaded after the tickets, because it is rarely opened.
const TicketNameDialog = lazy(async () => ({ default: (await import('./TicketNameDialog.tsx')).TicketNameDialog }))

/** Copies a ticket's id, or saves or shares its code as a picture, and shows a toast for the outcome. */
function useTicketFiles(ticket: Ticket) {
  const { toasts, bought } = useWords()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(ticket.ticketId)
      toast.success(toasts.idCopied)
    } catch (error) {
      console.warn('No clipboard', error)
      toast.error(toasts.notCopied)
    }
  }
  const download = async () => {
    try {
      const picture = await pictureOf(ticket)
      saveFile(picture, picture.name)
      toast.success(toasts.qrDownloaded)
    } catch (error) {
      console.error('The QR code could not be saved', error)
      toast.error(toasts.notDownloaded)
    }
  }
  const send = async () => {
    try {
      await share({ title: ticket.eventName, files: [await pictureOf(ticket)] })
    } catch (error) {
      console.warn('Not shared', error)
      toast.error(bought.notShared)
    }
  }
  return { copy, download, send }
}

interface AllActionsProps {
  tickets: readonly Ticket[]
  online: boolean
  eventKnown: boolean
  onCancelAll: () => void
}

/** The menu of a whole group of active tickets. */
export const AllActions = ({ tickets, online, eventKnown, onCancelAll }: AllActionsProps) => {
  const { list, ticket: words, cancel } = useWords()
  return (
    <Menu
      trigger={
        <Button size="sm" tone="ghost" icon={<Ellipsis aria-hidden="true" />}>
          {list.allTickets(tickets.length)}
        </Button>
      }
    >
      <MenuItem icon={<Printer aria-hidden="true" />} onSelect={() => window.print()}>
        {list.printAll}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        tone="danger"
        icon={<Ban aria-hidden="true" />}
        why={online ? (eventKnown ? undefined : words.needsEvent) : words.needsNetwork}
        onSelect={onCancelAll}
      >
        {cancel.all(tickets.length)}
      </MenuItem>
    </Menu>
  )
}
