import { DESK } from '@garba/shared/messages/desk'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Select } from '../../kit/Select.tsx'
import { queries } from '../../platform/queries.ts'
import { useDates } from './dates.ts'
import { EVENT_PARAM, useDeskEvent } from './deskEvent.ts'
import styles from './EventChooser.module.css'

const words = DESK.events

/** Chooses the event of a view, and says when it is a closed one; absent while no event has ever been closed. */
export const EventChooser = () => {
  const [, setParams] = useSearchParams()
  const { asked, closed, all } = useDeskEvent()
  const { data } = useQuery(queries.event())
  const { dayOf } = useDates()
  if (all.length === 0) return null
  return (
    <div className={styles.row}>
      <Select
        label={words.choose}
        hideLabel
        size="sm"
        className={styles.chooser ?? ''}
        value={asked.event ?? ''}
        options={[
          { value: '', label: data?.data ? words.current(data.data.name) : words.none },
          ...all.map(({ _id, name, startsAt }) => ({ value: _id, label: words.closed(name, dayOf(startsAt)) })),
        ]}
        // What narrowed the rows of one event says nothing about another's.
        onChange={(event) => setParams(event === '' ? {} : { [EVENT_PARAM]: event })}
      />
      {closed === null ? null : <p className={styles.notice}>{words.closedNotice(dayOf(closed.closedAt))}</p>}
    </div>
  )
}
