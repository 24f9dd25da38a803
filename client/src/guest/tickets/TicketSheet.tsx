import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { ChevronDown, QrCode } from 'lucide-react'
import { type CSSProperties, useDeferredValue, useId, useState } from 'react'
import { Link } from 'react-router'
import { cx } from '../../kit/cx.ts'
import { entryPassButtonId, entryPassPath, ticketCardId } from '../paths.ts'
import { type GuestWords, useWords } from '../words.ts'
import { findTicketLook, statusText } from './status.ts'
import { type ShownTicketParts, TicketActions, TicketTools } from './TicketActions.tsx'
import { findStampText, type TicketProps, wasUnused } from './TicketCard.tsx'
import stubStyles from './TicketParts.module.css'
import { Code, SentNote, TicketDetails, TicketFacts, TypeName, When } from './TicketParts.tsx'
import styles from './TicketSheet.module.css'

/** The tickets that fit on a screen are rendered with the first paint; the others follow. */
const DRAWN_FIRST = 12
/** Only this many slide out, because later tickets are not in view. */
const MOVING = 8

interface TicketSheetProps extends Omit<TicketProps, 'ticket' | 'justEntered'> {
  tickets: readonly Ticket[]
  /** Whether the event is shown once, above the tickets. */
  hasHead: boolean
  isMixed?: boolean
  /** The tickets that were just bought; these slide out. */
  fresh: readonly string[]
  entered: ReadonlySet<string>
}

export const TicketSheet = ({ tickets, hasHead, isMixed = false, fresh, entered, ...props }: TicketSheetProps) => {
  const today = hasHead && tickets.some(({ status }) => status === 'active') ? props.eventDay : null
  const { list } = useWords()
  const drawn = useDeferredValue(tickets.length, DRAWN_FIRST)
  return (
    <div className={styles.sheet} data-surface="paper" data-today={today ?? undefined}>
      {hasHead ? (
        <div className={styles.head}>
          <p className={styles.event}>{tickets[0]?.eventName}</p>
          <When event={props.event} eventDay={today} />
        </div>
      ) : null}
      <ul className={styles.rows}>
        {tickets.slice(0, drawn).map((ticket, index) => (
          <li
            key={ticket._id}
            className={fresh.includes(ticket._id) ? styles.fresh : undefined}
            style={{ '--nth': Math.min(index, MOVING) } as CSSProperties}
          >
            <TicketRow
              {...props}
              ticket={ticket}
              name={getTicketName(ticket, isMixed ? null : list)}
              isMixed={isMixed}
              justEntered={entered.has(ticket._id)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The buyer uses the first ticket; the others have numbers until they have names. */
const getTicketName = ({ holderName, number, user }: Ticket, list: GuestWords['list'] | null): string =>
  holderName ?? (list === null || number <= 1 ? user.name : list.nth(number))

interface TicketRowProps extends TicketProps {
  name: string
  isMixed: boolean
}

const TicketRow = (props: TicketRowProps) => {
  const { ticket, name, isMixed, justEntered, level = 4 } = props
  const Heading = `h${level}` as const
  const words = useWords()
  const [opened, setOpened] = useState<ShownTicketParts>({ details: false, code: false })
  const headingId = useId()
  const bodyId = useId()
  const id = shortenTicketId(ticket.ticketId)
  const unused = wasUnused(props)
  const isOpen = opened.details || opened.code
  const stamp = findStampText(ticket, words)
  const facts = (
    <span className={styles.words}>
      <span className={styles.name}>{name}</span>
      <span className={styles.facts}>
        <TypeName ticket={ticket} />
        <span className={styles.id}>{id}</span>
        <span className={styles.status}>
          {unused ? `${words.ticket.past.unused}. ${words.ticket.past.over}` : statusText(ticket, words.ticket)}
        </span>
        {unused ? null : <SentNote ticket={ticket} />}
        {isMixed ? <span>{ticket.eventName}</span> : null}
      </span>
    </span>
  )
  return (
    <article
      id={ticketCardId(ticket._id)}
      tabIndex={-1}
      className={styles.ticket}
      data-status={unused ? 'used' : findTicketLook(ticket)}
      aria-labelledby={headingId}
    >
      <Heading id={headingId} className="spoken">
        {name === getHolderName(ticket) ? name : `${name}, ${getHolderName(ticket)}`}, {words.ticket.name(id)}
      </Heading>
      <div className={styles.row}>
        {stamp === null ? (
          <Link
            id={entryPassButtonId(ticket.ticketId)}
            to={entryPassPath(ticket.ticketId)}
            className={cx(styles.who, styles.link)}
          >
            <span className="spoken">{words.entryPass.title}, </span>
            {facts}
            <QrCode />
          </Link>
        ) : (
          <>
            <button
              type="button"
              className={styles.who}
              aria-expanded={isOpen}
              aria-controls={isOpen ? bodyId : undefined}
              onClick={() => setOpened({ details: !isOpen, code: false })}
            >
              {facts}
              <ChevronDown className={isOpen ? styles.opened : undefined} />
            </button>
            <span
              className={cx(styles.stamp, stubStyles.stamping)}
              data-fresh={justEntered || undefined}
              aria-hidden="true"
            >
              {stamp}
            </span>
          </>
        )}
        <div className={styles.actions}>
          <TicketActions {...props} isOpen={isOpen} onOpen={(details) => setOpened({ details, code: details })} />
        </div>
      </div>
      {isOpen ? (
        <div id={bodyId} className={styles.body}>
          {opened.code && ticket.qrCode !== null ? (
            <Code ticket={ticket} code={ticket.qrCode} isOpener={false} />
          ) : null}
          <div className={styles.about}>
            <TicketFacts ticket={ticket} />
            {opened.details ? <TicketDetails ticket={ticket} /> : null}
            {opened.details ? <TicketTools {...props} opened={opened} onOpen={setOpened} /> : null}
          </div>
        </div>
      ) : null}
    </article>
  )
}
