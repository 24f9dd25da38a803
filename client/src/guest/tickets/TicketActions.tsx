import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { Ban, CalendarPlus, ChevronDown, Copy, Download, Ellipsis, Eye, EyeOff, Printer, Share2 } from 'lucide-react'
import { lazy, type ReactNode } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../kit/Menu.tsx'
import { canShare, openShareSheet, saveFile } from '../../platform/share.ts'
import type { LoadState } from '../data/useGuestData.ts'
import { addToCalendar } from '../event/shareEvent.ts'
import { NameButton } from '../NameButton.tsx'
import { useTicketLinks } from '../wallet/TicketLinks.tsx'
import { useWords } from '../words.ts'
import { drawTicketPicture } from './picture.tsx'
import styles from './TicketActions.module.css'

export interface ShownTicketParts {
  details: boolean
  code: boolean
}

interface TicketActionsProps {
  ticket: Ticket
  event: LoadState<GarbaEvent | null>
  online: boolean
  opened: ShownTicketParts
  onOpen: (opened: ShownTicketParts) => void
  onCancel: (ticket: Ticket) => void
  onPrint: (ticket: Ticket) => void
}

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
            aria-label={list.moreOf(shortenTicketId(ticket.ticketId))}
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

const TicketNameDialog = lazy(async () => ({ default: (await import('./TicketNameDialog.tsx')).TicketNameDialog }))

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
      const picture = await drawTicketPicture(ticket)
      saveFile(picture, picture.name)
      toast.success(toasts.qrDownloaded)
    } catch (error) {
      console.error('The QR code could not be saved', error)
      toast.error(toasts.notDownloaded)
    }
  }
  const send = async () => {
    try {
      await openShareSheet({ title: ticket.eventName, files: [await drawTicketPicture(ticket)] })
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
