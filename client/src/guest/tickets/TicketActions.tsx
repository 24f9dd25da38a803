import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { Ban, ChevronDown, Copy, Download, Ellipsis, Eye, EyeOff, Printer, Share2 } from 'lucide-react'
import { toast } from 'sonner'
import { Button, type ButtonProps } from '../../kit/Button.tsx'
import { copyText } from '../../kit/copyText.ts'
import { Menu, MenuItem, MenuSeparator } from '../../kit/Menu.tsx'
import { canShare, openShareSheet, saveFile } from '../../platform/share.ts'
import type { LoadState } from '../data/useGuestData.ts'
import { useTicketDialogs } from '../wallet/TicketLinks.tsx'
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
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onCancel: (ticket: Ticket) => void
}

/** Only active tickets can be cancelled, and only online; the rule counts from the event's day, so it needs the event. */
export const TicketActions = ({ ticket, event, online, isOpen, onOpen, onCancel }: TicketActionsProps) => {
  const { list, ticket: words } = useWords()
  const dialogs = useTicketDialogs(ticket, online)
  const isEventKnown = event.type === 'known' && event.value !== null
  return (
    <>
      <Menu
        trigger={
          <Button size="sm" tone="ghost" icon={<Ellipsis />} aria-label={list.moreOf(shortenTicketId(ticket.ticketId))}>
            {list.more}
          </Button>
        }
      >
        <MenuItem icon={<ChevronDown className={isOpen ? styles.open : undefined} />} onSelect={() => onOpen(!isOpen)}>
          {isOpen ? words.hideDetails : words.details}
        </MenuItem>
        {dialogs.items}
        {ticket.status === 'active' && !ticket.isPast ? (
          <>
            <MenuSeparator />
            <MenuItem
              tone="danger"
              icon={<Ban />}
              why={online ? (isEventKnown ? undefined : words.needsEvent) : words.needsNetwork}
              onSelect={() => onCancel(ticket)}
            >
              {words.cancel}
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {dialogs.dialog}
    </>
  )
}

interface TicketToolsProps {
  ticket: Ticket
  opened: ShownTicketParts
  onOpen: (opened: ShownTicketParts) => void
  onPrint: (ticket: Ticket) => void
}

export const TicketTools = ({ ticket, opened, onOpen, onPrint }: TicketToolsProps) => {
  const { ticket: words } = useWords()
  const { copy, download, send } = useTicketFiles(ticket)
  return (
    <div className={styles.tools}>
      {ticket.qrCode === null ? null : (
        <>
          <Tool icon={opened.code ? <EyeOff /> : <Eye />} onClick={() => onOpen({ ...opened, code: !opened.code })}>
            {opened.code ? words.hideQr : words.showQr}
          </Tool>
          <Tool icon={<Download />} onClick={() => void download()}>
            {words.download}
          </Tool>
          {canShare() ? (
            <Tool icon={<Share2 />} onClick={() => void send()}>
              {words.share}
            </Tool>
          ) : null}
        </>
      )}
      <Tool icon={<Copy />} onClick={() => void copy()}>
        {words.copyId}
      </Tool>
      {ticket.isPast ? null : (
        <Tool icon={<Printer />} onClick={() => onPrint(ticket)}>
          {words.print}
        </Tool>
      )}
    </div>
  )
}

const Tool = (props: Pick<ButtonProps, 'icon' | 'onClick' | 'children'>) => <Button size="sm" {...props} />

function useTicketFiles(ticket: Ticket) {
  const { toasts, bought } = useWords()
  const copy = () => copyText(ticket.ticketId, { copied: toasts.idCopied, failed: toasts.notCopied })
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
        <Button size="sm" tone="ghost" icon={<Ellipsis />}>
          {list.allTickets(tickets.length)}
        </Button>
      }
    >
      <MenuItem icon={<Printer />} onSelect={() => window.print()}>
        {list.printAll}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        tone="danger"
        icon={<Ban />}
        why={online ? (eventKnown ? undefined : words.needsEvent) : words.needsNetwork}
        onSelect={onCancelAll}
      >
        {cancel.all(tickets.length)}
      </MenuItem>
    </Menu>
  )
}
