import type { GarbaEvent } from '@garba/shared/contracts/event'
import { POLICY_PAGES, type Policy } from '@garba/shared/contracts/pages'
import { POLICY_TITLES } from '@garba/shared/messages/policyFrame'
import { CalendarDays, CircleX, Clock, MapPin, Ticket } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { useSession } from '../../platform/identity/session.ts'
import { useLanguage } from '../../platform/language.ts'
import { SignInButton } from '../auth/SignInButton.tsx'
import { useEnter } from '../enter.ts'
import { useWords } from '../words.ts'
import type { EventFacts } from './facts.ts'
import styles from './Hero.module.css'

const POLICIES = Object.keys(POLICY_PAGES) as Policy[]

interface HeroProps {
  name: string
  /** null while the event is loading. */
  facts: EventFacts | null
  event: GarbaEvent | null
  /** The page is complete: the lamp may turn. */
  calm: boolean
}

/** Long names are set smaller, so that they fit inside the lamp. */
const sizeOf = (name: string): 'short' | 'middle' | 'long' =>
  name.length <= 18 ? 'short' : name.length <= 36 ? 'middle' : 'long'

/** SPEC 2: name, long and short date, time range, venue, price with its note, and the call-to-action. */
export const Hero = ({ name, facts, event, calm }: HeroProps) => {
  const words = useWords()
  const session = useSession()
  const enter = useEnter()
  return (
    <section className={styles.hero} aria-labelledby="event-name">
      <div className={styles.stage}>
        <GarboRings className={styles.lamp} still={!calm} />
        <div className={styles.inside}>
          <p className={styles.subtitle}>{words.hero.subtitle}</p>
          <h1 id="event-name" className={styles.name} data-size={sizeOf(name)}>
            {name}
          </h1>
        </div>
      </div>
      <Facts facts={facts} soldOut={event?.availableTickets === 0} />
      <div className={styles.actions}>
        <Button tone="primary" size="lg" busy={session.type === 'loading'} onClick={() => void enter()}>
          {words.hero.book}
        </Button>
        {session.type === 'signedOut' ? <SignInButton tone="secondary" size="lg" /> : null}
      </div>
      <WithoutScripts />
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

const Facts = ({ facts, soldOut }: { facts: EventFacts | null; soldOut: boolean }) => {
  const { hero } = useWords()
  return (
    <dl className={styles.facts} aria-busy={facts === null}>
      <Fact icon={<CalendarDays aria-hidden="true" />} label={hero.date} note={facts ? facts.longDate : undefined}>
        {facts?.shortDate}
      </Fact>
      <Fact icon={<Clock aria-hidden="true" />} label={hero.time} note={null}>
        {facts?.time}
      </Fact>
      <Fact icon={<MapPin aria-hidden="true" />} label={hero.venue} note={null} className={styles.wide}>
        {facts?.venue}
      </Fact>
      <Fact
        icon={<Ticket aria-hidden="true" />}
        label={hero.price}
        note={hero.groupNote}
        className={`${styles.wide} ${styles.price}`}
      >
        {facts === null ? undefined : (
          <>
            {facts.price} <span className={styles.unit}>{hero.perTicket}</span>
            {soldOut ? <SoldOut /> : null}
          </>
        )}
      </Fact>
    </dl>
  )
}

/** Drawn here because the kit's chips come with the icons of all states, too much for this page's byte budget. */
const SoldOut = () => {
  const { hero } = useWords()
  return (
    <span className={styles.soldOut}>
      <CircleX aria-hidden="true" />
      {hero.soldOut}
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
