import type { GarbaEvent } from '@garba/shared/contracts/event'
import { POLICY_PAGES, type Policy } from '@garba/shared/contracts/site/pages'
import { timeText } from '@garba/shared/messages/formats'
import { POLICY_TITLES } from '@garba/shared/messages/policyTitles'
import { isAtNight } from '@garba/shared/rules/evening'
import { CalendarDays, CircleX, Clock, MapPin, Ticket } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { useSession, useSigningIn } from '../../platform/identity/session.ts'
import { useLanguage } from '../../platform/language.ts'
import { SignInButton } from '../auth/SignInButton.tsx'
import { useEnter } from '../enter.ts'
import { useWords } from '../words.ts'
import factListStyles from './FactList.module.css'
import { type Evening, type EventFacts, useEvening } from './facts.ts'
import styles from './Hero.module.css'

const POLICIES = Object.keys(POLICY_PAGES) as Policy[]

/** The id of the hero's action. The header shows its own only once this one is out of sight. */
export const HERO_ACTION = 'hero-action'

interface HeroProps {
  name: string
  /** null while the event is loading. */
  facts: EventFacts | null
  event: GarbaEvent | null
  /** The page is complete: the lamp may turn. */
  calm: boolean
  /** The intro, whose lamp becomes this one. */
  splash: ReactNode
  /** How many tickets to buy. */
  quantity: number
  /** The control for `quantity`; it comes with the rest of the page, and its place is reserved. */
  choice: ReactNode
  /** How to sign in without Google; it comes with the rest of the page too. */
  otherWay: ReactNode
}

/** Long names are set smaller, so that they fit inside the lamp. */
const sizeOf = (name: string): 'short' | 'middle' | 'long' =>
  name.length <= 18 ? 'short' : name.length <= 36 ? 'middle' : 'long'

/** Name, long and short date, time range, venue, price with its note, and the call-to-action. */
export const Hero = ({ name, facts, event, calm, splash, quantity, choice, otherWay }: HeroProps) => {
  const words = useWords()
  const evening = useEvening(event)
  const session = useSession()
  const signingIn = useSigningIn()
  const enter = useEnter()
  return (
    <section className={styles.hero} data-phase={evening.phase} aria-labelledby="event-name">
      <div
        className={styles.stage}
        style={
          event === null ? undefined : ({ '--sold': 1 - event.availableTickets / event.totalTickets } as CSSProperties)
        }
      >
        <GarboRings className={styles.lamp} still={!calm} />
        <div className={styles.inside}>
          <p className={styles.subtitle}>{words.hero.subtitle}</p>
          <h1 id="event-name" className={styles.name} data-size={sizeOf(name)}>
            {name}
          </h1>
        </div>
        {splash}
      </div>
      {event === null ? null : <Now event={event} evening={evening} />}
      <FactList
        facts={facts}
        left={evening.phase === 'over' || event === null ? null : event.availableTickets}
        stock={evening.stock}
      />
      {evening.onSale && (facts === null || event !== null) ? <div className={styles.choice}>{choice}</div> : null}
      <div className={styles.actions}>
        <Button
          id={HERO_ACTION}
          tone={evening.phase === 'over' ? 'secondary' : 'primary'}
          size="lg"
          busy={signingIn}
          onClick={() => void enter(evening.onSale ? quantity : undefined)}
        >
          {evening.onSale ? words.hero.book : words.hero.myTickets}
        </Button>
        {session.type === 'signedOut' || signingIn ? <SignInButton tone="secondary" size="lg" /> : null}
      </div>
      {otherWay}
      {evening.stock === 'none' && evening.phase !== 'over' ? (
        <p className={styles.returns}>{words.hero.cancelledReturn}</p>
      ) : null}
      {import.meta.env.SSR ? <WithoutScripts /> : <LeftToServer />}
    </section>
  )
}

/** Shown by CSS where scripts do not run: what buying needs, and links to the policies. */
const WithoutScripts = () => {
  const { hero } = useWords()
  const titles = POLICY_TITLES[useLanguage(({ language }) => language)]
  return (
    <div className={styles.withoutScripts}>
      <p>{hero.noScript}</p>
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

/** On its day and after it, what the event is at this moment. */
const Now = ({ event, evening: { phase } }: { event: GarbaEvent; evening: Evening }) => {
  const { hero } = useWords()
  const language = useLanguage((store) => store.language)
  if (phase === 'before') return null
  const start = timeText(event.startTime, language)
  return (
    <p className={styles.now} suppressHydrationWarning>
      {phase === 'today' ? (isAtNight(event) ? hero.tonight(start) : hero.today(start)) : hero[phase]}
    </p>
  )
}

interface FactListProps {
  facts: EventFacts | null
  /** The number of tickets left; null when it is not worth mentioning. */
  left: number | null
  stock: Evening['stock']
}

/** When, where and how much, in one glance. */
const FactList = ({ facts, left, stock }: FactListProps) => {
  const { hero } = useWords()
  return (
    <dl className={factListStyles.facts} aria-busy={facts === null}>
      <Fact icon={<CalendarDays aria-hidden="true" />} label={hero.date} note={facts ? facts.longDate : undefined}>
        {facts?.shortDate}
      </Fact>
      <Fact icon={<Clock aria-hidden="true" />} label={hero.time} note={null}>
        {facts?.time}
      </Fact>
      <Fact icon={<MapPin aria-hidden="true" />} label={hero.venue} note={null} className={factListStyles.wide}>
        {facts?.venue}
      </Fact>
      <Fact
        icon={<Ticket aria-hidden="true" />}
        label={hero.price}
        note={hero.groupNote}
        className={`${factListStyles.wide} ${factListStyles.price}`}
      >
        {facts === null ? undefined : (
          <>
            {facts.price} <span className={factListStyles.unit}>{hero.perTicket}</span>
            {left === null || stock === 'enough' ? null : <Left left={left} />}
          </>
        )}
      </Fact>
    </dl>
  )
}

/** Drawn here because the kit's chips come with the icons of all states, too much for this page's byte budget. */
const Left = ({ left }: { left: number }) => {
  const { hero } = useWords()
  return left === 0 ? (
    <span className={factListStyles.soldOut}>
      <CircleX aria-hidden="true" />
      {hero.soldOut}
    </span>
  ) : (
    <span className={factListStyles.few}>
      <Ticket aria-hidden="true" />
      {hero.few(left)}
    </span>
  )
}

interface FactProps {
  icon: ReactNode
  label: string
  /** A second line; null for none, undefined while it is loading. */
  note: string | null | undefined
  className?: string | undefined
  /** Absent while loading. */
  children: ReactNode
}

const Fact = ({ icon, label, note, className, children }: FactProps) => (
  <div className={`${factListStyles.fact} ${className ?? ''}`}>
    <dt className={factListStyles.label}>
      {icon}
      {label}
    </dt>
    {/* Node formatted the dates and times; a browser's may differ by a space or a letter. */}
    <dd className={factListStyles.value} suppressHydrationWarning>
      {children ?? <Skeleton width="8ch" />}
    </dd>
    {note === null ? null : (
      <dd className={factListStyles.note} suppressHydrationWarning>
        {note ?? <Skeleton width="14ch" />}
      </dd>
    )}
  </div>
)
