import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import { findLastNumber } from '@garba/shared/rules/ticketNumber'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { pickShownType } from '@garba/shared/rules/types/ticketTypes'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Printer, QrCode, Share2, Smartphone } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import { ErrorPanel } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { PrintedPages, PrintedTicket } from '../../kit/PrintSheet.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { callServer } from '../../platform/http/call.ts'
import { getErrorMessage } from '../../platform/http/failure.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { drawCode } from '../../platform/screen/picture.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import { canShare, openShareSheet, saveFile } from '../../platform/share.ts'
import { hoursText, useDates } from '../frame/dates.ts'
import { SELL } from '../texts/sell.ts'
import styles from './TicketCodes.module.css'

const words = SELL.codes

type TicketWithCode = Ticket & { qrCode: string }
const isCoded = (ticket: Ticket): ticket is TicketWithCode => ticket.qrCode !== null

interface TicketCodesProps {
  tickets: readonly Ticket[]
  order: string | null
  /** For a buyer without an account, who takes a link to the tickets along; `now` makes it at once, so that it is printed too. */
  along?: 'now' | 'asked' | undefined
  onClose: () => void
}

export const TicketCodes = ({ tickets, order, along, onClose }: TicketCodesProps) => {
  const coded = tickets.filter(isCoded)
  const [at, setAt] = useState(0)
  const frame = useRef<HTMLDivElement>(null)
  const shown = coded[at]
  const of = coded.length
  const [isAlong, showAlong] = useState(false)
  const link = useLinkTo(coded, 'order', along === 'now' || (along === 'asked' && isAlong))
  useWakeLock(true)
  useArrowKeys({ at, of, go: setAt })
  return (
    <Dialog
      open
      size="full"
      onClose={onClose}
      title={isAlong ? words.along.title : words.title(shown?.number ?? 1, findLastNumber(tickets))}
      initialFocus="title"
      dismissOutside={false}
      footer={
        <>
          <Button tone="primary" onClick={onClose}>
            {words.done}
          </Button>
          <Button icon={<Printer />} onClick={() => window.print()}>
            {words.print(of)}
          </Button>
          {along === undefined || of === 0 ? null : (
            <Button icon={isAlong ? <QrCode /> : <Smartphone />} onClick={() => showAlong(!isAlong)}>
              {isAlong ? words.along.back : words.along.action}
            </Button>
          )}
          {shown && !isAlong ? (
            <Button icon={<Share2 />} onClick={() => void shareCode(shown, frame.current)}>
              {canShare() ? words.share : words.save}
            </Button>
          ) : null}
        </>
      }
    >
      {isAlong ? <TakeAlong tickets={coded} link={link} /> : null}
      {shown && !isAlong ? (
        <div ref={frame} className={styles.frame}>
          <Qr text={shown.qrCode} label={words.of(shortenTicketId(shown.id))} className={styles.qr} />
          <p className={styles.name}>{getHolderName(shown)}</p>
          <p className={styles.id}>{shortenTicketId(shown.id)}</p>
          {of === 1 ? null : (
            <div className={styles.turn}>
              <Button icon={<ChevronLeft />} disabled={at === 0} onClick={() => setAt(at - 1)}>
                {words.previous}
              </Button>
              <Button iconAfter={<ChevronRight />} disabled={at === of - 1} onClick={() => setAt(at + 1)}>
                {words.next}
              </Button>
            </div>
          )}
        </div>
      ) : null}
      <Printed tickets={coded} order={order} url={link.data ?? null} />
    </Dialog>
  )
}

const useLinkTo = (tickets: readonly TicketWithCode[], purpose: 'order' | 'offer', enabled: boolean) => {
  const ticketIds = tickets.map(({ id }) => id)
  return useQuery({
    queryKey: [...KEYS.handedOut, purpose, ...ticketIds],
    queryFn: async () => (await callServer('makeLink', { body: { ticketIds, purpose } })).link.url,
    enabled: enabled && tickets.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const TakeAlong = ({ tickets, link }: { tickets: readonly TicketWithCode[]; link: ReturnType<typeof useLinkTo> }) => {
  const [offers, setOffers] = useState(false)
  const offer = useLinkTo(tickets, 'offer', offers)
  const { data, error, isFetching, refetch } = offers ? offer : link
  const { of, text } = offers ? words.along.offer : words.along
  return (
    <div className={styles.frame}>
      {data === undefined ? null : <Qr text={data} label={of} className={styles.qr} />}
      {error === null ? (
        <p className={styles.name}>{text}</p>
      ) : (
        <ErrorPanel onRetry={() => void refetch()} busy={isFetching}>
          {words.along.failed(getErrorMessage(error))}
        </ErrorPanel>
      )}
      {tickets.every(({ user }) => user._id === null) ? (
        <Button onClick={() => setOffers(!offers)}>{offers ? words.along.offer.back : words.along.offer.action}</Button>
      ) : null}
    </div>
  )
}

function useArrowKeys({ at, of, go }: { at: number; of: number; go: (at: number) => void }): void {
  useLayoutEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1 }[key]
      if (to !== undefined && to >= 0 && to < of) go(to)
    }
    // In the capture phase, because the dialog keeps keys to itself.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [at, of, go])
}

async function shareCode(ticket: TicketWithCode, frame: HTMLElement | null): Promise<void> {
  const svg = frame?.querySelector<SVGSVGElement>(`svg.${styles.qr}`)
  if (!svg) return
  try {
    const picture = await drawCode({
      svg,
      title: getHolderName(ticket),
      lines: [`${ticket.eventName} · ${shortenTicketId(ticket.id)}`],
      fileName: `garba-ticket-${ticket.id}-qr.png`,
    })
    if (canShare({ files: [picture] })) await openShareSheet({ files: [picture], title: ticket.eventName })
    else saveFile(picture, picture.name)
  } catch (error) {
    console.warn('The picture could not be shared', error)
    toast.error(words.shareFailed)
  }
}

const Printed = ({
  tickets,
  order,
  url,
}: {
  tickets: readonly TicketWithCode[]
  order: string | null
  url: string | null
}) => {
  const { data } = useQuery(queries.event())
  const { dayOf, momentOf } = useDates()
  const event = data?.data ?? null
  return (
    <PrintedPages>
      {tickets.map((ticket) => (
        <PrintedTicket
          key={ticket.id}
          title={ticket.eventName}
          lines={event === null ? [] : [`${dayOf(event.startsAt)}, ${hoursText(event)}`, event.venue]}
          code={{ text: ticket.qrCode, label: words.of(shortenTicketId(ticket.id)) }}
          name={getHolderName(ticket)}
          type={pickShownType(ticket.type, 'en')}
          id={`${words.title(ticket.number, findLastNumber(tickets))} · ${shortenTicketId(ticket.id)}`}
          facts={[
            [words.price, formatRupees(ticket.price)],
            [words.bought, momentOf(ticket.createdAt)],
            ...(order === null ? [] : [[words.order, order] as const]),
            [words.fullId, ticket.id],
          ]}
          small={`${words.one} ${words.atGate}`}
        />
      ))}
      {url === null ? null : (
        <article className={styles.receipt}>
          <h1>{words.along.title}</h1>
          <Qr text={url} label={words.along.of} className={styles.printedLink} />
          <p>{words.along.text}</p>
          {order === null ? null : <p>{`${words.order} ${order}`}</p>}
        </article>
      )}
    </PrintedPages>
  )
}
