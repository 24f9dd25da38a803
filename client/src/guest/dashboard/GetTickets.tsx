import { GROUP_TIER_FROM, UNPAID_SEATS_PER_PERSON } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { SaleState } from '@garba/shared/contracts/site/site'
import { describeSale } from '@garba/shared/messages/formats'
import { formatRupees } from '@garba/shared/rules/money'
import { pickCurrentPrices } from '@garba/shared/rules/types/currentPrices'
import { useQuery } from '@tanstack/react-query'
import { Share, SquarePlus, Ticket, User, Users } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { useConfig } from '../../platform/config.ts'
import { findEmbeddedBrowser } from '../../platform/embedded.ts'
import { useLanguage } from '../../platform/language.ts'
import { askInstall, useInstall } from '../../platform/pwa/install.ts'
import { queries } from '../../platform/queries.ts'
import { local } from '../../platform/store/local.ts'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import type { LoadState } from '../data/useGuestData.ts'
import { useFormat } from '../format.ts'
import { When } from '../tickets/TicketParts.tsx'
import sheet from '../tickets/TicketSheet.module.css'
import { TypeList } from '../types/TypeList.tsx'
import { type GuestWords, useWords } from '../words.ts'
import styles from './GetTickets.module.css'
import { PanelLine } from './Panel.tsx'

const WaitingList = lazy(async () => ({ default: (await import('../orders/WaitingList.tsx')).WaitingList }))
const CounterNote = lazy(async () => ({ default: (await import('../orders/HomeParts.tsx')).CounterNote }))

interface GetTicketsProps {
  event: LoadState<GarbaEvent | null>
  sale: SaleState | null
  online: boolean
  userId: string | null
  atCounter: boolean
  isHeld: boolean
  onBuy: (quantity?: number, type?: string) => void
}

const WHY_CLOSED = 'why-closed'

/** How often to look whether tickets are on sale: nobody who waits for the beginning should wait a minute more. */
export const findTickMs = (event: GarbaEvent | null): number =>
  Date.parse(event?.salesFrom ?? '') > Date.now() ? 1_000 : 60_000

const isFew = (event: GarbaEvent | null, sale: SaleState | null) =>
  sale === 'open' && (event?.availableTickets ?? 0) < UNPAID_SEATS_PER_PERSON

const remainingText = (left: number, sale: SaleState | null, { soldOut, remaining }: GuestWords['list']) =>
  sale === 'over' || sale === 'calledOff' ? '' : left === 0 ? soldOut : remaining(left)

export const PricesLine = (props: GetTicketsProps) => {
  const { event, sale, userId } = props
  const { lines, list } = useWords()
  const offered = event.type === 'known' ? event.value : null
  const mayWait = useConfig(({ config }) => config?.waitingList ?? false)
  const { data } = useQuery({
    ...queries.ownWaiting(userId ?? ''),
    enabled: userId !== null && mayWait && (sale === 'soldOut' || isFew(offered, sale)),
  })
  const left = offered?.availableTickets
  return (
    <PanelLine
      icon={<Ticket />}
      title={lines.prices}
      note={left === undefined ? '' : remainingText(left, sale, list)}
      isOpen={
        (event.type !== 'loading' && offered === null) ||
        (data !== undefined && (data.waiting !== null || data.offer !== null))
      }
    >
      <GetTickets {...props} />
    </PanelLine>
  )
}

export const EmptyTicket = (props: GetTicketsProps) => {
  const { event } = props
  const { list, event: words } = useWords()
  const offered = event.type === 'known' ? event.value : null
  return (
    <section className={sheet.sheet} data-surface="paper" aria-labelledby="no-tickets">
      <div className={`${sheet.head} ${styles.emptyHead}`}>
        <div>
          <h3 id="no-tickets" className={styles.none}>
            {list.emptyTitle}
          </h3>
          <p className="soft">{event.type === 'known' && offered === null ? words.noneDetail : list.emptyDetail}</p>
        </div>
        {offered === null ? null : <p className={sheet.event}>{offered.name}</p>}
        <When event={event} eventDay={null} />
      </div>
      <div className={sheet.ticket}>
        <div className={styles.onPaper}>
          <GetTickets {...props} isFirst />
        </div>
      </div>
    </section>
  )
}

const GetTickets = (props: GetTicketsProps & { isFirst?: boolean }) => {
  const { event, sale, online, userId, atCounter, isHeld, isFirst = false, onBuy } = props
  const { buy, ticket, list } = useWords()
  const quiet = !isFirst || isHeld || sale === 'soldOut'
  const language = useLanguage((store) => store.language)
  const { timeZone } = useFormat()
  const offered = event.type === 'known' ? event.value : null
  const prices = offered && pickCurrentPrices(offered)
  const types = offered?.types ?? []
  const saving = prices === null ? 0 : prices.ticketPrice - prices.groupPrice4
  const closed = !online || userId === null || sale !== 'open' || atCounter
  const mayWait = useConfig(({ config }) => config?.waitingList ?? false)
  const why = !online ? OFFLINE_NOTE : closed ? WHY_CLOSED : undefined
  const reason =
    event.type === 'failed'
      ? ticket.needsEvent
      : offered === null
        ? buy.noEvent
        : sale === null
          ? null
          : describeSale(offered, sale, { words: buy.why, language, timeZone })
  return (
    <div className={sale === 'soldOut' ? styles.soldOut : undefined}>
      <div className={styles.heading}>
        <h3>{buy.title}</h3>
        {isFirst && offered !== null ? <span>{remainingText(offered.availableTickets, sale, list)}</span> : null}
      </div>
      {event.type === 'loading' ? (
        <div className={styles.tiers} aria-hidden="true">
          <Skeleton className={styles.bone} />
          <Skeleton className={styles.bone} />
        </div>
      ) : null}
      {prices === null || offered === null ? null : types.length > 1 ? (
        <TypeList types={types} free={offered.availableTickets} onChoose={closed ? null : (type) => onBuy(1, type)} />
      ) : (
        <ul className={styles.tiers}>
          <Tier
            icon={<User />}
            name={buy.individual}
            range={buy.individualRange}
            price={prices.ticketPrice}
            disabled={closed}
            why={why}
            onPick={() => onBuy(1)}
          />
          <Tier
            icon={<Users />}
            name={buy.group}
            range={buy.groupRange}
            price={prices.groupPrice4}
            note={saving > 0 ? buy.saveEach(formatRupees(saving)) : null}
            disabled={closed}
            why={why}
            onPick={() => onBuy(GROUP_TIER_FROM)}
          />
        </ul>
      )}
      <div className={styles.act}>
        {event.type !== 'loading' && closed && reason !== null ? (
          <p id={WHY_CLOSED} className={styles.over}>
            {reason}
          </p>
        ) : null}
        {atCounter && (sale === null || sale === 'open') ? (
          <Suspense fallback={null}>
            <CounterNote />
          </Suspense>
        ) : (
          <Button
            block
            id={sale === 'soldOut' && online ? WHY_CLOSED : undefined}
            size={quiet ? 'md' : 'lg'}
            tone={quiet ? 'secondary' : 'primary'}
            icon={sale === 'open' ? <Ticket /> : null}
            disabled={closed}
            aria-describedby={sale === 'soldOut' ? undefined : why}
            onClick={() => onBuy()}
          >
            {isFirst && sale === 'open' ? list.buyFirst : buy.states[sale ?? 'open']}
          </Button>
        )}
        {userId === null || !online || !mayWait || (sale !== 'soldOut' && !isFew(offered, sale)) ? null : (
          <Suspense fallback={null}>
            <WaitingList userId={userId} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

interface TierProps {
  icon: ReactNode
  name: string
  range: string
  price: number
  note?: string | null
  disabled: boolean
  why: string | undefined
  onPick: () => void
}

const Tier = ({ icon, name, range, price, note = null, disabled, why, onPick }: TierProps) => {
  const { buy } = useWords()
  return (
    <li>
      <button type="button" className={styles.tier} disabled={disabled} aria-describedby={why} onClick={onPick}>
        {icon}
        <span className={styles.words}>
          <span className={styles.name}>{name}</span>
          <span className="soft">{range}</span>
          {note === null ? null : <span className={styles.note}>{note}</span>}
        </span>
        <span className={styles.price}>
          <span className={styles.rupees}>{formatRupees(price)}</span>
          <span className="soft">{buy.each}</span>
        </span>
      </button>
    </li>
  )
}

const DISMISSED = 'garba.installDismissed'

/**
 * A quiet offer to put the tickets on the home screen; once declined, it never comes back on this device. `warned`: the page
 * already says how long an iPhone's browser keeps tickets.
 */
export const InstallOffer = ({ warned = false }: { warned?: boolean }) => {
  const { install } = useWords()
  const way = useInstall((store) => store.way)
  const [dismissed, setDismissed] = useState(() => local.read(DISMISSED) === '1')
  // A browser built into an app cannot install anything.
  if (dismissed || (way !== 'prompt' && way !== 'ios') || findEmbeddedBrowser() !== null) return null
  const dismiss = () => {
    local.write(DISMISSED, '1')
    setDismissed(true)
  }
  return (
    <aside className={styles.offer} aria-labelledby="install-offer">
      <img src="/icons/guest-192.png" alt="" width={56} height={56} className={styles.icon} />
      <div className={styles.installOfferWords}>
        <h2 id="install-offer" className={styles.title}>
          {install.title}
        </h2>
        <p>{way === 'ios' && !warned ? install.ios.detail : install.detail}</p>
        {way === 'ios' ? <IosSteps /> : null}
      </div>
      <div className="wrap-2">
        {way === 'prompt' ? (
          <Button tone="primary" onClick={() => void askInstall()}>
            {install.action}
          </Button>
        ) : null}
        <Button tone="ghost" onClick={dismiss}>
          {install.dismiss}
        </Button>
      </div>
    </aside>
  )
}

const IosSteps = () => {
  const {
    install: { ios },
  } = useWords()
  return (
    <ol className={styles.steps}>
      <Step picture={<Share />}>
        {ios.share} {ios.where}
      </Step>
      <Step picture={<SquarePlus />}>{ios.add}</Step>
      <Step picture={<Ticket />}>{ios.open}</Step>
    </ol>
  )
}

const Step = ({ picture, children }: { picture: ReactNode; children: ReactNode }) => (
  <li className={styles.step}>
    <span className={styles.picture}>{picture}</span>
    <span>{children}</span>
  </li>
)
