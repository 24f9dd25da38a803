import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { HOMES, POLICY_PAGES, type Policy } from '@garba/shared/contracts/site/pages'
import { describeSale, timeText } from '@garba/shared/messages/formats'
import { POLICY_TITLES } from '@garba/shared/messages/policies'
import { isAtNight } from '@garba/shared/rules/event/evening'
import { CalendarDays, Clock, MapPin, Ticket } from 'lucide-react'
import { type CSSProperties, type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../kit/Button.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { useConfig } from '../../platform/config.ts'
import { findSessionRole, useSession, useSessionStore, useSigningIn } from '../../platform/identity/session.ts'
import { useLanguage } from '../../platform/language.ts'
import { local, OWN_TICKETS } from '../../platform/store/local.ts'
import { SignInButton } from '../auth/SignInButton.tsx'
import { useEnter } from '../enter.ts'
import { NO_SCRIPT } from '../texts/noScript.ts'
import { useWords } from '../words.ts'
import { type EventFacts, type EventStatus, useEventStatus } from './facts.ts'
import styles from './Hero.module.css'

const GATE = `${HOMES.guest}/gate/all`
const POLICIES = Object.keys(POLICY_PAGES) as Policy[]

/** The header shows its own action only once the hero's is out of sight. */
export const HERO_ACTION = 'hero-action'

interface HeroProps {
  name: string
  facts: EventFacts | null
  event: GarbaEvent | null
  calm: boolean
  splash: ReactNode
  quantity: number
  choice: ReactNode
  otherWay: ReactNode
}

const getNameSize = (name: string): 'short' | 'middle' | 'long' =>
  name.length <= 18 ? 'short' : name.length <= 36 ? 'middle' : 'long'

export const Hero = ({ name, facts, event, calm, splash, quantity, choice, otherWay }: HeroProps) => {
  const { hero } = useWords()
  const evening = useEventStatus(event)
  const session = useSession()
  const signingIn = useSigningIn()
  const enter = useEnter()
  const navigate = useNavigate()
  const mayWait = useConfig(({ config }) => config?.waitingList ?? false)
  const isOver = evening.phase === 'over'
  const own = useOwn(isOver)
  const isSoldOut = evening.sale === 'soldOut'
  const isCalledOff = event?.state === 'calledOff'
  const isTheDay = evening.phase !== 'before'
  const labelForAll = evening.onSale ? hero.book : isSoldOut && mayWait ? hero.wait : hero.myTickets
  const labelForOwner = isTheDay ? hero.atGate : hero.show(own)
  return (
    <section
      className={styles.hero}
      data-phase={evening.phase}
      data-out={isSoldOut || isCalledOff || undefined}
      aria-labelledby="event-name"
    >
      <div
        className={styles.stage}
        style={
          event === null ? undefined : ({ '--sold': 1 - event.availableTickets / event.totalTickets } as CSSProperties)
        }
      >
        <GarboRings className={styles.lamp} still={!calm} />
        <div className={styles.inside}>
          <p className={styles.subtitle}>{hero.subtitle}</p>
          <h1 id="event-name" className={styles.name} data-size={getNameSize(name)}>
            {name}
          </h1>
        </div>
        {splash}
      </div>
      {event === null ? null : <Now event={event} evening={evening} />}
      {isSoldOut ? (
        <p className={styles.soldOut}>
          <Ticket />
          {hero.soldOut}
        </p>
      ) : null}
      <FactList
        facts={facts}
        left={event === null || evening.stock === 'enough' ? null : event.availableTickets}
        isSold={!isSoldOut && !isOver && !isCalledOff}
      />
      {evening.onSale && own === 0 && (facts === null || event !== null) ? (
        <div className={styles.choice}>{choice}</div>
      ) : null}
      {event === null ? null : <WhyNot event={event} sale={evening.sale} />}
      <div className={styles.actions}>
        <Button
          id={HERO_ACTION}
          tone={isOver ? 'secondary' : 'primary'}
          size="lg"
          busy={signingIn}
          onClick={() =>
            void (own > 0 ? navigate(isTheDay ? GATE : HOMES.guest) : enter(evening.onSale ? quantity : undefined))
          }
        >
          {own > 0 ? labelForOwner : labelForAll}
        </Button>
        {own > 0 && evening.onSale ? (
          <Button tone="ghost" onClick={() => void enter(1)}>
            {hero.bookMore}
          </Button>
        ) : null}
        {session.type === 'signedOut' || session.type === 'identityOnly' || signingIn ? (
          <SignInButton tone="ghost" size="lg" />
        ) : null}
      </div>
      {otherWay}
      {import.meta.env.SSR ? <WithoutScripts /> : <LeftToServer />}
    </section>
  )
}

/** The number of the guest's active tickets. 0 in the first paint, which is the same for everybody. */
function useOwn(isOver: boolean): number {
  const isGuest = findSessionRole(useSession()) === 'guest'
  useEffect(() => {
    if (isGuest) useSessionStore.setState({ ownTickets: Number(local.read(OWN_TICKETS)) })
  }, [isGuest])
  const own = useSessionStore(({ ownTickets }) => ownTickets) ?? 0
  return isGuest && !isOver ? own : 0
}

const WhyNot = ({ event, sale }: { event: GarbaEvent; sale: EventStatus['sale'] }) => {
  const { hero } = useWords()
  const language = useLanguage((store) => store.language)
  const timeZone = useConfig(({ config }) => config?.timezone ?? DEFAULT_TIMEZONE)
  if (sale === 'open' || sale === 'over' || event.state === 'calledOff') return null
  const why = describeSale(event, sale, { words: hero.sale, language, timeZone })
  return (
    <p className={why === null ? styles.returns : styles.why} suppressHydrationWarning>
      {why ?? hero.cancelledReturn}
    </p>
  )
}

/** Shown by CSS where scripts do not run: what buying needs, and links to the policies. */
const WithoutScripts = () => {
  const language = useLanguage((store) => store.language)
  const titles = POLICY_TITLES[language]
  return (
    <div className={styles.withoutScripts}>
      <p>{NO_SCRIPT[language]}</p>
      <ul>
        {POLICIES.map((policy) => (
          <li key={policy}>
            <a href={POLICY_PAGES[policy]}>{titles[policy]}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Keeps what the server has rendered: a browser that runs scripts never shows it, so its texts are not loaded. */
const LeftToServer = () => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set; React leaves the server's elements alone
  <div className={styles.withoutScripts} suppressHydrationWarning dangerouslySetInnerHTML={NOTHING} />
)
const NOTHING = { __html: '' }

const Now = ({ event, evening: { phase } }: { event: GarbaEvent; evening: EventStatus }) => {
  const { hero } = useWords()
  const language = useLanguage((store) => store.language)
  if (phase === 'before') return null
  const start = timeText(event.startTime, language)
  return (
    <>
      <p className={styles.now} suppressHydrationWarning>
        {phase === 'today' ? (isAtNight(event) ? hero.tonight(start) : hero.today(start)) : hero[phase]}
      </p>
      {phase === 'over' ? <p className={styles.thanks}>{hero.thanks}</p> : null}
    </>
  )
}

interface FactListProps {
  facts: EventFacts | null
  /** The number of tickets left; null when it is not worth mentioning. */
  left: number | null
  isSold: boolean
}

const FactList = ({ facts, left, isSold }: FactListProps) => {
  const { hero } = useWords()
  return (
    <dl className={styles.facts} aria-busy={facts === null}>
      <Fact icon={<CalendarDays />} label={hero.date} note={facts ? facts.longDate : undefined}>
        {facts?.shortDate}
      </Fact>
      <Fact icon={<Clock />} label={hero.time} note={null}>
        {facts?.time}
      </Fact>
      <Fact icon={<MapPin />} label={hero.venue} note={null} className={styles.wide}>
        {facts?.venue}
      </Fact>
      {isSold ? (
        <Fact
          icon={<Ticket />}
          label={hero.price}
          note={left === null ? hero.groupNote : null}
          className={`${styles.wide} ${styles.price}`}
        >
          {facts === null ? undefined : (
            <>
              {facts.price} <span className={styles.unit}>{hero.perTicket}</span>
              {left === null ? null : (
                <span className={styles.few}>
                  <Ticket />
                  {hero.few(left)}
                </span>
              )}
            </>
          )}
        </Fact>
      ) : null}
    </dl>
  )
}

interface FactProps {
  icon: ReactNode
  label: string
  /** A second line; null for none, undefined while it is loading. */
  note: string | null | undefined
  className?: string | undefined
  children: ReactNode
}

const Fact = ({ icon, label, note, className, children }: FactProps) => (
  <div className={`${styles.fact} ${className ?? ''}`}>
    <dt className={styles.label}>
      {icon}
      {label}
    </dt>
    {/* Node formatted the dates and times; a browser's may differ by a space or a letter. */}
    <dd className={styles.value} suppressHydrationWarning>
      {children ?? <Skeleton width="8ch" />}
    </dd>
    {note === null ? null : (
      <dd className={styles.note} suppressHydrationWarning>
        {note ?? <Skeleton width="14ch" />}
      </dd>
    )}
  </div>
)
