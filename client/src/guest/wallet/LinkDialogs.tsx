import { NEW_CODES_MAX } from '@garba/shared/constants'
import type { TicketLink } from '@garba/shared/contracts/link'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Send } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Checkbox } from '../../kit/Field.tsx'
import { endLinkHere } from '../../platform/endedLinks.ts'
import { callServer } from '../../platform/http/call.ts'
import { useUser } from '../../platform/identity/session.ts'
import { queries } from '../../platform/queries.ts'
import { canShare, openShareSheet } from '../../platform/share.ts'
import { ownCodes } from '../data/changes.ts'
import { updateCachedTicket } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { useFormat } from '../format.ts'
import { GuestDialog } from '../GuestDialog.tsx'
import { useWords } from '../words.ts'
import styles from './LinkDialogs.module.css'
import { SenderName, useSenderName } from './SenderName.tsx'
import type { LinkDialogProps } from './TicketLinks.tsx'
import { useWalletWords } from './words.ts'

export const ShareDialog = ({ ticket, open, onClose }: LinkDialogProps) => {
  const words = useWalletWords().share
  const guest = useWords()
  const client = useQueryClient()
  const query = { queryKey: ['links', ticket._id], staleTime: 0 }
  const links = useQuery({
    ...query,
    queryFn: async ({ signal }) => (await callServer('links', { query: { ticket: ticket._id }, signal })).links,
  })
  const userId = useUser()?._id ?? ''
  const mine = useQuery({ ...queries.myTickets(userId), enabled: false }).data?.tickets ?? []
  const others = mine.filter(({ _id, ...one }) => _id !== ticket._id && mayBeSent(one))
  const { from, field } = useSenderName()
  const [also, setAlso] = useState<readonly string[]>([])
  const refresh = () => {
    void client.invalidateQueries({ queryKey: query.queryKey })
    void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
  }
  // Made once for the same tickets and name, so that the same link is sent again after the share sheet was closed by mistake.
  const [made, setMade] = useState<{ id: string; url: string; from: string } | null>(null)
  const isEnded = links.data?.some(({ id, endedAt }) => id === made?.id && endedAt !== null) ?? false
  const make = useMutation({
    mutationFn: async (send: (url: string) => Promise<void>) => {
      const kept = isEnded || made?.from !== from ? null : made
      const body = { ticketIds: [ticket._id, ...also], purpose: 'share' as const, from }
      const link = kept ?? (await callServer('makeLink', { body })).link
      setMade({ ...link, from })
      refresh()
      await send(link.url).catch((error: unknown) => {
        console.warn('The link was not sent', error)
        toast.error(words.notSent)
      })
    },
    onError: (error) => toast.error(words.failed(failureText(error, guest))),
  })
  const end = useMutation({
    mutationFn: endLinkHere,
    onSuccess: () => setMade(null),
    onError: (error) => toast.error(failureText(error, guest)),
    onSettled: refresh,
  })
  const copy = async (link: string) => {
    await navigator.clipboard.writeText(link)
    toast.success(words.copied)
  }
  const send = async (link: string) => {
    await openShareSheet({ title: ticket.eventName, text: words.message(ticket.eventName), url: link })
  }
  return (
    <GuestDialog
      open={open}
      onClose={onClose}
      size="sm"
      title={also.length === 0 ? words.title(shortenTicketId(ticket.ticketId)) : words.titleOf(also.length + 1)}
      description={words.text}
      busy={make.isPending}
      footer={
        <>
          {canShare() ? (
            <Button tone="primary" icon={<Send />} busy={make.isPending} onClick={() => make.mutate(send)}>
              {words.send}
            </Button>
          ) : null}
          <Button
            tone={canShare() ? 'secondary' : 'primary'}
            icon={<Copy />}
            busy={make.isPending}
            onClick={() => make.mutate(copy)}
          >
            {words.copy}
          </Button>
        </>
      }
    >
      <div className="stack-3">
        <p className="soft">{words.transfer}</p>
        <SenderName {...field} />
      </div>
      {others.length === 0 ? null : (
        <fieldset className={styles.also} disabled={make.isPending}>
          <legend className={styles.heading}>{words.also}</legend>
          {others.map((other) => (
            <Checkbox
              key={other._id}
              checked={also.includes(other._id)}
              label={`${getHolderName(other)}, ${shortenTicketId(other.ticketId)}`}
              onChange={() => {
                setMade(null)
                setAlso(also.includes(other._id) ? also.filter((id) => id !== other._id) : [...also, other._id])
              }}
            />
          ))}
        </fieldset>
      )}
      {links.error === null ? null : <Banner tone="warn">{words.listFailed(failureText(links.error, guest))}</Banner>}
      {links.data === undefined || links.data.length === 0 ? null : (
        <>
          <h3 className={styles.heading}>{words.links}</h3>
          <ul className={styles.links}>
            {links.data.map((link) => (
              <LinkLine key={link.id} link={link} busy={end.isPending} onEnd={() => end.mutate(link.id)} />
            ))}
          </ul>
          <p className="soft">{words.endedHint}</p>
        </>
      )}
    </GuestDialog>
  )
}

const mayBeSent = ({ status, isPast, sent }: Pick<Ticket, 'status' | 'isPast' | 'sent'>): boolean =>
  status === 'active' && !isPast && sent === undefined

const LinkLine = ({ link, busy, onEnd }: { link: TicketLink; busy: boolean; onEnd: () => void }) => {
  const words = useWalletWords().share
  const format = useFormat()
  const made = format.moment(link.createdAt)
  return (
    <li>
      <span className={styles.facts}>
        <span>{link.purpose === 'share' ? words.ofShare : words.ofMail}</span>
        <span className="soft">
          <time dateTime={link.createdAt}>{made}</time>
        </span>
        <span>{words.devices(link.devices)}</span>
      </span>
      {link.endedAt === null ? (
        <Button size="sm" tone="ghost" disabled={busy} aria-label={words.endOf(made)} onClick={onEnd}>
          {words.end}
        </Button>
      ) : (
        <span className="soft">{words.over}</span>
      )}
    </li>
  )
}

/** "Someone else has a picture of this": the ticket gets a new code, and with it a new id. */
export const NewCodeDialog = ({ ticket, open, onClose }: LinkDialogProps) => {
  const words = useWalletWords().newCode
  const guest = useWords()
  const client = useQueryClient()
  const userId = useUser()?._id ?? ''
  // One key per opening, so that asking again after a lost answer never makes a second code.
  const [key] = useState(() => crypto.randomUUID())
  // Tickets stored before codes could be replaced lack the number.
  const left = NEW_CODES_MAX - (ticket.newCodes ?? 0)
  const replacing = useMutation({
    mutationFn: () => callServer('newCode', { params: { id: ticket._id }, headers: { 'Idempotency-Key': key } }),
    onSuccess: ({ ticket: renewed }) => {
      toast.success(words.done)
      onClose()
      ownCodes.add(renewed._id)
      updateCachedTicket(client, userId, renewed, ticket._id)
    },
    onSettled: () => void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey }),
  })
  return (
    <GuestDialog
      open={open}
      onClose={onClose}
      size="sm"
      title={words.title}
      description={words.text(shortenTicketId(ticket.ticketId))}
      busy={replacing.isPending}
      footer={
        <>
          <Button
            tone="primary"
            busy={replacing.isPending}
            disabled={left <= 0}
            onClick={() => {
              if (!replacing.isPending) replacing.mutate()
            }}
          >
            {replacing.isPending ? words.making : words.make}
          </Button>
          <Button disabled={replacing.isPending} onClick={onClose}>
            {words.keep}
          </Button>
        </>
      }
    >
      <p className="soft">{left <= 0 ? guest.failures.codes.NEW_CODE_LIMIT : words.left(left)}</p>
      {replacing.error === null ? null : (
        <Banner tone="bad" live="alert">
          {words.failed(failureText(replacing.error, guest))}
        </Banner>
      )}
    </GuestDialog>
  )
}
