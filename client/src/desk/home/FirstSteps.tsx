import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Circle, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { cx } from '../../kit/cx.ts'
import { useConfig } from '../../platform/config.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { queries } from '../../platform/queries.ts'
import { useIsTonight } from '../evening/Headline.tsx'
import { FIGURES } from '../texts/figures.ts'
import styles from './AdminHome.module.css'
import { BackUpNow } from './Todo.tsx'

const words = FIGURES.home.first

type StepName = keyof typeof words.steps
type StepsDone = Readonly<Record<StepName, boolean>>

/** What is ready, or null once everything is, once the event has begun, and where there is nothing to prepare. */
export function useFirstSteps(): StepsDone | null {
  const event = useQuery(queries.event()).data
  const health = useQuery(queries.health()).data?.data
  const devices = useQuery(queries.devices()).data?.devices
  const config = useConfig((known) => known.config)
  const isTonight = useIsTonight()
  if (!event || !health || !devices || !config || config.rehearsal || isTonight || health.readOnly !== undefined)
    return null
  if (event.data !== null && Date.parse(event.data.startsAt) <= serverNow().getTime()) return null
  const done = {
    event: event.data !== null,
    // A real server starts only after its organiser has chosen.
    payments: !config.demo || config.payments.providers.length > 0,
    mail: config.mail !== 'off',
    backup: health.lastBackup !== null,
    phone: devices.some(({ state }) => state === 'paired'),
    rehearsal: health.rehearsed,
  }
  return Object.values(done).every(Boolean) ? null : done
}

const ACTIONS: Partial<Record<StepName, ReactNode>> = {
  event: (
    <ButtonLink to="event" size="sm" tone="primary">
      {words.steps.event.action}
    </ButtonLink>
  ),
  backup: <BackUpNow />,
  phone: (
    <ButtonLink to="devices" size="sm">
      {words.steps.phone.action}
    </ButtonLink>
  ),
}

export const FirstSteps = ({ done }: { done: StepsDone | null }) => {
  if (done === null) return null
  const steps = Object.keys(words.steps) as StepName[]
  const next = steps.find((step) => !done[step])
  return (
    <Card
      title={words.title}
      className={styles.compact}
      actions={
        <span className="soft tabular">{words.count(steps.filter((step) => done[step]).length, steps.length)}</span>
      }
    >
      <ol className={styles.steps} aria-label={words.title}>
        {steps.map((step) => {
          const { title, text } = words.steps[step]
          return (
            <li key={step} className={cx(done[step] && styles.done)}>
              {done[step] ? (
                <p className={styles.stepTitle}>
                  <CircleCheck aria-label={words.done} /> {title}
                </p>
              ) : (
                <details name="first-steps" open={step === next}>
                  <summary className={styles.stepTitle}>
                    <Circle /> {title}
                    <ChevronRight className={styles.turns} />
                  </summary>
                  <div className={styles.step}>
                    <p className={styles.stepText}>{text}</p>
                    {ACTIONS[step]}
                  </div>
                </details>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
