import { useQuery } from '@tanstack/react-query'
import { ErrorPanel } from '../../kit/Banner.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { getErrorMessage } from '../../platform/http/failure.ts'
import { queries } from '../../platform/queries.ts'
import { Admitted, Alarms, LineState, useIsTonight, useLiveEvening } from '../evening/Headline.tsx'
import { TroubleStrip, useTrouble } from '../evening/Trouble.tsx'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './AdminHome.module.css'

const words = FIGURES.evening
export const useTonight = () => useQuery({ ...queries.evening(), enabled: useIsTonight() })

export const Tonight = ({ hasRetry = false }: { hasRetry?: boolean }) =>
  useIsTonight() ? <TonightCard hasRetry={hasRetry} /> : null

const TonightCard = ({ hasRetry }: { hasRetry: boolean }) => {
  const { evening, line, error, isPending, refetch, receivedAt, dataUpdatedAt } = useLiveEvening()
  const trouble = useTrouble(evening, dataUpdatedAt)
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
            <ErrorPanel onRetry={refetch}>{words.failed(getErrorMessage(error))}</ErrorPanel>
          )
        ) : null}
        {isPending ? <SkeletonLines lines={4} label={words.loading} /> : null}
        {evening ? (
          <>
            <TroubleStrip
              trouble={trouble}
              actions={
                <ButtonLink size="sm" to="gate">
                  {FIGURES.home.todo.open.evening}
                </ButtonLink>
              }
            />
            <Alarms alarms={evening.alarms} />
            <Admitted evening={evening} />
          </>
        ) : null}
      </div>
    </Card>
  )
}
