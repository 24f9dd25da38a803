import type { TicketLink } from '@garba/shared/contracts/link'
import { shortenTicketId } from '@garba/shared/messages/common'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { endLinkHere } from '../../platform/endedLinks.ts'
import { callServer } from '../../platform/http/call.ts'
import { getErrorMessage } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { useChange } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import styles from './TicketsView.module.css'

const words = DESK.tickets.links

export const LinksDialog = ({ ticketId, onClose }: { ticketId: string; onClose: () => void }) => {
  const client = useQueryClient()
  const queryKey = ['links', ticketId]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await callServer('links', { query: { ticket: ticketId }, signal })).links,
    staleTime: 0,
  })
  const end = useChange({
    send: async (id: string) => {
      await endLinkHere(id)
      // It may be the link that the counter would show again.
      client.removeQueries({ queryKey: KEYS.handedOut })
    },
    done: words.done,
    failed: words.failed,
    stale: [queryKey],
  })
  return (
    <Dialog open onClose={onClose} size="sm" title={words.title(shortenTicketId(ticketId))} description={words.text}>
      {error === null ? null : (
        <Banner tone="bad" live="alert" actions={<Button onClick={() => void refetch()}>{words.retry}</Button>}>
          {words.loadFailed(getErrorMessage(error))}
        </Banner>
      )}
      {data === undefined && error === null ? <Skeleton height="4rem" /> : null}
      {data?.length === 0 ? <p>{words.none}</p> : null}
      <ul className={styles.links}>
        {data?.map((link) => (
          <LinkRow key={link.id} link={link} busy={end.isPending} onEnd={() => end.mutate(link.id)} />
        ))}
      </ul>
    </Dialog>
  )
}

const LinkRow = ({ link, busy, onEnd }: { link: TicketLink; busy: boolean; onEnd: () => void }) => {
  const { momentOf } = useDates()
  const made = momentOf(link.createdAt)
  return (
    <li>
      <span>
        {words.purpose[link.purpose]}, {made}
        <br />
        <span className={styles.soft}>{words.devices({ tickets: link.tickets, devices: link.devices })}</span>
      </span>
      {link.endedAt === null ? (
        <Button size="sm" busy={busy} aria-label={words.endOf(made)} onClick={onEnd}>
          {words.end}
        </Button>
      ) : (
        <span className={styles.soft}>{words.ended(momentOf(link.endedAt))}</span>
      )}
    </li>
  )
}
