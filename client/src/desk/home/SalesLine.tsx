import type { Analytics } from '@garba/shared/contracts/desk'
import { formatCount } from '@garba/shared/messages/language'
import { dayBefore, daysBetween, daysUntil, toLocalDay } from '@garba/shared/rules/event/calendar'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/Card.tsx'
import { serverNow } from '../../platform/net/clock.ts'
import { queries } from '../../platform/queries.ts'
import { shortCalendarDay, useDates } from '../frame/dates.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './AdminHome.module.css'

const words = FIGURES.home.sales
const WIDTH = 600
const HEIGHT = 120

export const SalesLine = () => {
  const event = useQuery(queries.event()).data?.data
  const days = useQuery(queries.analytics()).data?.data.salesChart
  const { timeZone } = useDates()
  if (!event || !days) return null
  const now = serverNow()
  const day = toLocalDay(new Date(event.startsAt), timeZone)
  const left = daysUntil({ day, timeZone, now })
  return (
    <Card
      title={FIGURES.analytics.overTime}
      className={styles.compact}
      actions={left > 0 ? <strong className="tabular">{words.toGo(left)}</strong> : null}
    >
      {days.length === 0 ? (
        <p className="soft">{words.none}</p>
      ) : (
        <DrawnDays days={days} until={day} today={toLocalDay(now, timeZone)} />
      )}
    </Card>
  )
}

interface DrawnDaysProps {
  days: Analytics['salesChart']
  until: string
  today: string
}

const DrawnDays = ({ days, until, today }: DrawnDaysProps) => {
  // From the day before the first sale, so that a single day is a line as well.
  const first = dayBefore(days[0]?._id ?? today, 1)
  const last = [until, days.at(-1)?._id ?? today].toSorted().at(-1) ?? until
  const steps = Math.max(1, daysBetween(first, last).length - 1)
  const most = Math.max(1, ...days.map(({ count }) => count))
  const points = days.map(({ count }, at) => `${((at + 1) / steps) * WIDTH} ${HEIGHT - (count / most) * (HEIGHT - 4)}`)
  const end = (days.length / steps) * WIDTH
  return (
    <>
      <p className={styles.most}>{words.most(formatCount(most))}</p>
      <svg className={styles.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className={styles.area} d={`M0 ${HEIGHT}L${points.join('L')}L${end} ${HEIGHT}Z`} />
        <path d={`M0 ${HEIGHT}L${points.join('L')}`} />
        <path className={styles.ground} d={`M0 ${HEIGHT}H${WIDTH}`} />
      </svg>
      <p className={styles.ends} aria-hidden="true">
        <span>{shortCalendarDay(first)}</span>
        <span>{last === until && until > today ? words.event(shortCalendarDay(until)) : shortCalendarDay(last)}</span>
      </p>
      <div className="spoken">
        <table>
          <caption>{FIGURES.analytics.overTime}</caption>
          <tbody>
            {days.map(({ _id, count }) => (
              <tr key={_id}>
                <th scope="row">{shortCalendarDay(_id)}</th>
                <td>{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
