import { ANALYTICS_DAYS_SHOWN } from '@garba/shared/constants'
import type { Analytics } from '@garba/shared/contracts/desk'
import { DESK } from '@garba/shared/messages/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Segments } from '../../kit/Segments.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { queries } from '../../platform/store/queries.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadFailure.tsx'
import { RefreshButton } from '../frame/RefreshButton.tsx'
import styles from './Analytics.module.css'
import { DailySales, RangeSales } from './DailySales.tsx'
import { EventPerformance } from './EventPerformance.tsx'
import { HourlySales } from './HourlySales.tsx'
import { RangeStats } from './RangeStats.tsx'
import { daysIn, type Range } from './range.ts'

const words = FIGURES.analytics
const RANGES = (['week', 'month', 'all'] as const).map((value) => ({ value, label: words.ranges[value] }))

/** SPEC 2 "Analytics". The range filters what is shown; the request is one and the same. */
export default function AnalyticsView() {
  const [range, setRange] = useState<Range>('week')
  const load = { query: useQuery(queries.analytics()), failed: FAILURE_TOASTS.loadAnalytics }
  const { data, isPending } = load.query
  return (
    <DeskFrame
      title={DESK.titles.analytics}
      actions={
        <>
          <Segments label={words.range} value={range} options={RANGES} onChange={setRange} />
          <RefreshButton {...load} />
        </>
      }
    >
      <LoadFailure {...load} />
      {isPending ? <SkeletonCards heights={[104, 184, 360]} label={words.loading} /> : null}
      {data ? <Figures data={data.data} range={range} /> : null}
    </DeskFrame>
  )
}

const Figures = ({ data, range }: { data: Analytics; range: Range }) => {
  const { timeZone } = useDates()
  const days = daysIn(data.salesChart, { range, now: new Date(), timeZone })
  return (
    <>
      <RangeStats data={data} days={days} range={range} />
      <EventPerformance event={data.event} />
      {days.length > ANALYTICS_DAYS_SHOWN ? <RangeSales days={days} /> : null}
      <div className={styles.grid}>
        <DailySales days={days} />
        <HourlySales hours={data.hourlySales} />
      </div>
    </>
  )
}
