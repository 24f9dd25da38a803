import { useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/Card.tsx'
import { queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { WAITING_LIST } from '../texts/event.ts'

const words = WAITING_LIST

export const WaitingCard = () => {
  const query = useQuery(queries.waitingList())
  const { momentOf, timeOf } = useDates()
  const { waiting = [], offers = [], tickets = 0 } = query.data ?? {}
  return (
    <Card title={words.title}>
      <LoadFailure query={query} failed={words.failed} />
      <div className="stack-3">
        {query.data === undefined ? null : <p>{words.sum(waiting.length, tickets)}</p>}
        {offers.length === 0 ? null : (
          <ul className="stack-2" aria-label={words.offers}>
            {offers.map(({ order, name, quantity, until }) => (
              <li key={order}>{words.offer(name, quantity, timeOf(until))}</li>
            ))}
          </ul>
        )}
        {waiting.length === 0 ? null : (
          <ol className="stack-2" aria-label={words.title}>
            {waiting.map(({ user, name, email, quantity, since }) => (
              <li key={user}>
                {words.person(name, quantity)}
                <p className="soft">
                  {email}, {words.since(momentOf(since))}
                </p>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Card>
  )
}
