import { DESK } from '@garba/shared/messages/desk'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Banner } from '../../kit/Banner.tsx'
import { Select } from '../../kit/Select.tsx'
import { queries } from '../../platform/queries.ts'
import { useDates } from './dates.ts'
import { EVENT_PARAM, useDeskEvent } from './deskEvent.ts'
import styles from './EventChooser.module.css'

const words = DESK.events

/** Chooses the event of a view; absent while no event has ever been closed. */
export const EventChooser = () => {
  const [, setParams] = useSearchParams()
  const { asked, all } = useDeskEvent()
  const { data } = useQuery(queries.event())
  const { dayOf } = useDates()
  if (all.length === 0) return null
  const current = data?.data ? data.data.name : words.none
  return (
    <Select
      label={words.choose}
      hideLabel
      size="sm"
      className={styles.chooser ?? ''}
      value={asked.event ?? ''}
      options={[
        { value: '', label: current },
        ...all.map(({ _id, name, startsAt }) => ({ value: _id, label: words.closed(name, dayOf(startsAt)) })),
      ]}
      // What narrowed the rows of one event says nothing about another's.
      onChange={(event) => setParams(event === '' ? {} : { [EVENT_PARAM]: event })}
    />
  )
}

/** Says that the view is about a closed event, and what can still be done. */
export const ClosedNotice = () => {
  const { closed } = useDeskEvent()
  const { dayOf } = useDates()
  if (closed === null) return null
  return <Banner tone="info">{words.closedNotice(dayOf(closed.closedAt))}</Banner>
}
