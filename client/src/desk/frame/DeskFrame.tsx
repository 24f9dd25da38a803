import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Select } from '../../kit/Select.tsx'
import { usePageTitle } from '../../platform/page.ts'
import { queries } from '../../platform/queries.ts'
import { DESK } from '../texts/desk.ts'
import styles from './DeskFrame.module.css'
import { useDates } from './dates.ts'
import { EVENT_PARAM, useDeskEvent } from './deskEvent.ts'
import { useDeskHome } from './deskHome.ts'
import eventChooserStyles from './EventChooser.module.css'

interface DeskFrameProps {
  title: string
  /** Whether the view is about one event, which can be chosen once an event has been closed. */
  byEvent?: boolean
  /** Controls that narrow the rows, such as search, filter or range. */
  filters?: ReactNode
  /** Buttons at the end of the title row: refresh, export. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a sub-view: Back to Dashboard (SPEC 2), and one row with heading, filters and actions. */
export const DeskFrame = ({ title, byEvent = false, filters, actions, children }: DeskFrameProps) => {
  const home = useDeskHome()
  usePageTitle(title)
  return (
    <section className={styles.view}>
      <header className={styles.head}>
        <div className={styles.title}>
          <Link to={home} className={styles.back}>
            <ArrowLeft aria-hidden="true" />
            <span>{DESK.backToDashboard}</span>
          </Link>
          <h1>{title}</h1>
        </div>
        {filters === undefined ? null : <div className={styles.filters}>{filters}</div>}
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </header>
      {byEvent ? <EventChooser /> : null}
      {children}
    </section>
  )
}

const words = DESK.events

/** Chooses the event of a view, with a notice on a closed one. It is absent until an event has been closed. */
const EventChooser = () => {
  const [, setParams] = useSearchParams()
  const { asked, closed, all } = useDeskEvent()
  const { data } = useQuery(queries.event())
  const { dayOf } = useDates()
  if (all.length === 0) return null
  return (
    <div className={eventChooserStyles.row}>
      <Select
        label={words.choose}
        hideLabel
        size="sm"
        className={eventChooserStyles.chooser ?? ''}
        value={asked.event ?? ''}
        options={[
          { value: '', label: data?.data ? words.current(data.data.name) : words.none },
          ...all.map(({ _id, name, startsAt }) => ({ value: _id, label: words.closed(name, dayOf(startsAt)) })),
        ]}
        // Search and filter of one event do not fit another, so they are dropped.
        onChange={(event) => setParams(event === '' ? {} : { [EVENT_PARAM]: event })}
      />
      {closed === null ? null : (
        <p className={eventChooserStyles.notice}>{words.closedNotice(dayOf(closed.closedAt))}</p>
      )}
    </div>
  )
}
