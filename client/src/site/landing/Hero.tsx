import type { GarbaEvent } from '@garba/shared/contracts/event'
import { POLICY_PAGES, type Policy } from '@garba/shared/contracts/pages'
import { POLICY_TITLES } from '@garba/shared/messages/policyFrame'
import { timeText } from '@garba/shared/messages/timeText'
import { isAtNight } from '@garba/shared/rules/evening'
import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { useSession } from '../../platform/identity/session.ts'
import { useLanguage } from '../../platform/language.ts'
import { SignInButton } from '../auth/SignInButton.tsx'
import { useEnter } from '../enter.ts'
import { useWords } from '../words.ts'
import { type Evening, useEvening } from './evening.ts'
import { FactList } from './FactList.tsx'
import type { EventFacts } from './facts.ts'
import styles from './Hero.module.css'

const POLICIES = Object.keys(POLICY_PAGES) as Policy[]

/** The id of the way in; the header shows its own only once this one is out of sight. */
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
}

/** Long names are set smaller, so that they fit inside the lamp. */
const sizeOf = (name: string): 'short' | 'middle' | 'long' =>
  name.length <= 18 ? 'short' : name.length <= 36 ? 'middle' : 'long'

/** SPEC 2: name, long and short date, time range, venue, price with its note, and the call-to-action. */
export const Hero = ({ name, facts, event, calm, splash }: HeroProps) => {
  const words = useWords()
  const evening = useEvening(event)
  const session = useSession()
  const enter = useEnter()
  return (
    <section className={styles.hero} data-phase={evening.phase} aria-labelledby="event-name">
      <div className={styles.stage}>
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
      <div className={styles.actions}>
        <Button
          id={HERO_ACTION}
          tone={evening.phase === 'over' ? 'secondary' : 'primary'}
          size="lg"
          busy={session.type === 'loading'}
          onClick={() => void enter()}
        >
          {evening.onSale ? words.hero.book : words.hero.myTickets}
        </Button>
        {session.type === 'signedOut' ? <SignInButton tone="secondary" size="lg" /> : null}
      </div>
      {evening.stock === 'none' && evening.phase !== 'over' ? (
        <p className={styles.returns}>{words.hero.cancelledReturn}</p>
      ) : null}
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
