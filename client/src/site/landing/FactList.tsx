import { CalendarDays, CircleX, Clock, MapPin, Ticket } from 'lucide-react'
import type { ReactNode } from 'react'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { useWords } from '../words.ts'
import type { Evening } from './evening.ts'
import styles from './FactList.module.css'
import type { EventFacts } from './facts.ts'

interface FactListProps {
  facts: EventFacts | null
  /** Tickets on sale; null when they are not worth a word. */
  left: number | null
  stock: Evening['stock']
}

/** When, where and how much, in one glance. */
export const FactList = ({ facts, left, stock }: FactListProps) => {
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
    <span className={styles.soldOut}>
      <CircleX aria-hidden="true" />
      {hero.soldOut}
    </span>
  ) : (
    <span className={styles.few}>
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
