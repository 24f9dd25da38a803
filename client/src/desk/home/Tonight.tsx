import type { GarbaEvent } from '@garba/shared/contracts/event'
import { useQuery } from '@tanstack/react-query'
import { ErrorPanel } from '../../kit/Banner.tsx'
import { Card } from '../../kit/Card.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { Admitted, Alarms, LineState, useEvening } from '../evening/Headline.tsx'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './Home.module.css'

const words = FIGURES.evening
const HOUR_MS = 3_600_000
/** The gates open before the first clap, and people leave after the last. */
const BEFORE_MS = 2 * HOUR_MS
const AFTER_MS = HOUR_MS
const LOOK_MS = 60_000

/** Tonight lasts from two hours before the start until one hour after the end. */
export const isTonight = ({ startsAt, endsAt }: Pick<GarbaEvent, 'startsAt' | 'endsAt'>, now: number): boolean =>
  now >= Date.parse(startsAt) - BEFORE_MS && now <= Date.parse(endsAt) + AFTER_MS

/** The dashboard shows the evening first on the night itself, and not at all on other days. */
export const Tonight = ({ hasRetry = false }: { hasRetry?: boolean }) => {
  const { data } = useQuery(queries.event())
  const now = useNow(LOOK_MS)
  return data?.data && isTonight(data.data, now) ? <TonightCard hasRetry={hasRetry} /> : null
}

/** `hasRetry`: the page's banner fetches the evening again too. */
const TonightCard = ({ hasRetry }: { hasRetry: boolean }) => {
  const { evening, line, error, isPending, refetch, receivedAt } = useEvening()
  return (
    <Card
      title={FIGURES.home.tiles.evening.title}
      actions={evening ? <LineState line={line} updatedAt={receivedAt} /> : null}
    >
      <div className={styles.tonight}>
        {error && !evening ? (
          hasRetry ? (
            <p className={styles.soft}>{DESK.notLoaded}</p>
          ) : (
            <ErrorPanel onRetry={refetch}>{words.failed(messageOf(error))}</ErrorPanel>
          )
        ) : null}
        {isPending ? <SkeletonLines lines={4} label={words.loading} /> : null}
        {evening ? (
          <>
            <Alarms alarms={evening.alarms} />
            <Admitted evening={evening} />
          </>
        ) : null}
      </div>
    </Card>
  )
}
