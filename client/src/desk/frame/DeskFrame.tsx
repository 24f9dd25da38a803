import { OLDER_VERSION } from '@garba/shared/messages/gate'
import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Select } from '../../kit/Select.tsx'
import { usePageTitle } from '../../platform/page.ts'
import { queries } from '../../platform/queries.ts'
import { DESK } from '../texts/desk.ts'
import styles from './DeskFrame.module.css'
import { useDates } from './dates.ts'
import { EVENT_PARAM, useDeskEvent } from './deskEvent.ts'
import type { Load } from './LoadedCard.tsx'
import { useDeskHome } from './places.ts'

interface DeskFrameProps {
  title: string
  /** The list that this page belongs to. */
  up?: { to: string; label: string }
  byEvent?: boolean
  filters?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export const DeskFrame = ({ title, up, byEvent = false, filters, actions, children }: DeskFrameProps) => {
  const home = useDeskHome()
  usePageTitle(title)
  return (
    <section className={styles.view}>
      <header className={styles.head}>
        <div className={styles.title}>
          <Link to={home} className={styles.back}>
            <ArrowLeft />
            <span>{DESK.backToDashboard}</span>
          </Link>
          {up ? (
            <Link to={up.to} className={styles.back}>
              <span>{up.label}</span>
            </Link>
          ) : null}
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

const EventChooser = () => {
  const [, setParams] = useSearchParams()
  const { eventQuery, closed, all } = useDeskEvent()
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
        value={eventQuery.event ?? ''}
        options={[
          { value: '', label: data?.data ? words.current(data.data.name) : words.none },
          ...all.map(({ _id, name, startsAt }) => ({ value: _id, label: words.closed(name, dayOf(startsAt)) })),
        ]}
        // Search and filter of one event do not fit another, so they are dropped.
        onChange={(event) => setParams(event === '' ? {} : { [EVENT_PARAM]: event })}
      />
      {closed === null ? null : <p className="soft">{words.closedNotice(closed.name, dayOf(closed.closedAt))}</p>}
    </div>
  )
}

/** Says that the data is fresh; that it could not be loaded stands on the page. */
export const RefreshButton = ({ query }: Pick<Load, 'query'>) => {
  if (query.error !== null && query.data === undefined) return null
  const refresh = async () => {
    const { error } = await query.refetch()
    if (error === null) toast.success(SUCCESS_TOASTS.dataRefreshed)
  }
  return (
    <Button
      size="sm"
      icon={<RotateCw />}
      className={styles.refresh}
      busy={query.isFetching && !query.isPending}
      onClick={() => void refresh()}
    >
      {DESK.refresh}
    </Button>
  )
}

const NOTE = 'older-version'

export const OlderVersion = ({ version }: { version: string | null }) =>
  version === null ? null : (
    <span aria-describedby={NOTE} title={version}>
      <StateChip state="warn">{OLDER_VERSION.mark(version.split('+')[0] ?? version)}</StateChip>
    </span>
  )

interface OlderVersionNoteProps {
  devices: readonly { olderVersion: string | null }[]
  className?: string | undefined
}

export const OlderVersionNote = ({ devices, className }: OlderVersionNoteProps) => {
  const older = devices.filter(({ olderVersion }) => olderVersion !== null).length
  return older === 0 ? null : (
    <p id={NOTE} className={className}>
      {OLDER_VERSION.found(older)} {OLDER_VERSION.cure}
    </p>
  )
}
