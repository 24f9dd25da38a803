import { bytesText, durationText } from '@garba/shared/messages/amounts'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { type UseMutationResult, useMutation, useQuery } from '@tanstack/react-query'
import {
  CalendarCog,
  CalendarPlus,
  ChartColumn,
  ChevronRight,
  DoorOpen,
  ScrollText,
  Stethoscope,
  Ticket,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner, ErrorPanel } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import { APP_VERSION } from '../../platform/config.ts'
import { type AnswerOf, callServer } from '../../platform/http/call.ts'
import { getErrorMessage } from '../../platform/http/failure.ts'
import { usePageTitle } from '../../platform/page.ts'
import { queries } from '../../platform/queries.ts'
import { useIsTonight } from '../evening/Headline.tsx'
import { RefreshButton } from '../frame/DeskFrame.tsx'
import { hoursText, useDates } from '../frame/dates.ts'
import { EventMark } from '../frame/EventMark.tsx'
import { joinLoads, LastKnown, type Load, LoadedCard, LoadFailure, useFirstLoad } from '../frame/LoadedCard.tsx'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './AdminHome.module.css'
import { FirstSteps, useFirstSteps } from './FirstSteps.tsx'
import { SalesLine } from './SalesLine.tsx'
import { HomeFrame, StatCards, useFigureLoads } from './StatCards.tsx'
import { BackUpNow, isBackupOld, REFUNDS_DUE, Todo } from './Todo.tsx'
import { Tonight, useTonight } from './Tonight.tsx'

const { tiles, stats } = FIGURES.home

export default function AdminHome() {
  usePageTitle(DESK.titles.admin)
  const { isFirst, load } = useHomeLoad()
  const steps = useFirstSteps()
  return (
    <HomeFrame title={DESK.titles.admin} isFirst={isFirst}>
      <Notices />
      {load ? <LoadFailure {...load} /> : null}
      <Tonight hasRetry={load !== null} />
      <FirstSteps done={steps} />
      <div className={styles.first}>
        <div className={styles.second}>
          <Todo steps={steps} />
          <SalesLine />
        </div>
        <div className={styles.second}>
          <StatCards averageLabel={stats.average} hasRetry={load !== null} />
          <EventStatusCard />
        </div>
      </div>
      <MoreLine />
    </HomeFrame>
  )
}

/**
 * The home's reads. Those in `load` share one banner and one Retry when they fail; it is null while none of them fails, or only
 * the figures, which show their own age.
 */
function useHomeLoad(): { isFirst: boolean; load: Load | null } {
  const health = useQuery(queries.health())
  const refunds = useQuery(queries.tickets(REFUNDS_DUE))
  const event = useQuery(queries.event())
  const others = [useQuery(queries.lostTickets()), refunds, useQuery(queries.attention())]
  const figures = useFigureLoads()
  const phones = [useQuery(queries.devices()), useQuery(queries.blocks()), useTonight()]
  const reads = [health, event, ...others]
  const isFirst = useFirstLoad([...reads, ...phones, useQuery(queries.analytics())])
  if (!reads.some(({ error }) => error)) return { isFirst, load: null }
  const load = joinLoads([
    { query: health, failed: systemWords.failed },
    { query: event, failed: FAILURE_TOASTS.loadEvent },
    ...others.map((query) => ({ query, failed: FAILURE_TOASTS.loadData })),
    ...figures,
  ])
  return { isFirst, load }
}

interface TileProps {
  to: string
  icon: ReactNode
  title: string
  text: string
}

const Tile = ({ to, icon, title, text }: TileProps) => (
  <Link to={to} className={styles.tile}>
    <span className={styles.tileIcon} aria-hidden="true">
      {icon}
    </span>
    <span className={styles.tileWords}>
      <span className={styles.tileTitle}>{title}</span>
      <span className={styles.soft}>{text}</span>
    </span>
    <ChevronRight className={styles.tileArrow} />
  </Link>
)

const words = FIGURES.home.event

const EventStatusCard = () => {
  const query = useQuery(queries.event())
  const { data } = query
  const { dayOf } = useDates()
  const event = data?.data ?? null
  const card = { className: styles.compact, title: words.title }
  // An event that cannot be loaded must never look like no event.
  if (data === undefined) return <Card {...card} actions={<StateChip state="bad">{words.unreadable}</StateChip>} />
  return (
    <Card
      {...card}
      actions={
        <>
          {event ? <EventMark event={event} /> : null}
          <StateChip state={event ? 'ok' : 'warn'}>{event ? words.configured : words.notConfigured}</StateChip>
        </>
      }
    >
      <LastKnown query={query} />
      <div className={styles.eventBody}>
        {event ? (
          <div className={styles.eventFacts}>
            <p className={styles.eventName}>{event.name}</p>
            <p className={styles.soft}>
              {dayOf(event.startsAt)}, {hoursText(event)}, {event.venue}
            </p>
          </div>
        ) : (
          <p className={styles.eventFacts}>{words.none}</p>
        )}
        {event ? (
          <div className={styles.eventSold}>
            <ProgressBar label={words.taken} value={(1 - event.availableTickets / event.totalTickets) * 100} />
            <p className="tabular">{words.left(event.availableTickets, event.totalTickets)}</p>
          </div>
        ) : null}
        <ButtonLink to="event" size="sm" icon={event ? <CalendarCog /> : <CalendarPlus />}>
          {event ? words.manage : words.create}
        </ButtonLink>
      </div>
    </Card>
  )
}

/** What must not wait in a closed line. A failed backup waits for the morning. */
const Notices = () => {
  const { data, error } = useQuery(queries.health())
  const isTonight = useIsTonight()
  if (data === undefined || error) return null
  const { readOnly, retention, backups } = data.data
  return (
    <>
      {readOnly === undefined ? null : (
        <Banner tone="bad" live="status" title={FIGURES.home.system.readOnly}>
          {readOnly}
        </Banner>
      )}
      <Retention events={retention} />
      <FailedBackup failed={isTonight ? null : (backups?.failed ?? null)} />
    </>
  )
}

/** Tiles that repeat the rail, and the system, in a line that opens by itself only for trouble. */
const MoreLine = () => {
  const { data, error } = useQuery(queries.health())
  const isWell = data !== undefined && !error && isSystemWell(data.data)
  const state = isWell ? 'ok' : 'warn'
  return (
    <details className={styles.more} open={!isWell}>
      <summary className={styles.moreTitle}>
        <ChevronRight className={styles.turns} />
        <span className={styles.moreLink}>{FIGURES.home.more}</span>
        <StateChip state={state}>{isWell ? systemWords.well : systemWords.unwell}</StateChip>
      </summary>
      <nav className={styles.tiles}>
        <Tile to="users" icon={<Users />} {...tiles.users} />
        <Tile to="tickets" icon={<Ticket />} {...tiles.tickets} />
        <Tile to="analytics" icon={<ChartColumn />} {...tiles.analytics} />
        <Tile to="gate" icon={<DoorOpen />} {...tiles.evening} />
        <Tile to="audit" icon={<ScrollText />} {...tiles.audit} />
      </nav>
      <SystemCard />
    </details>
  )
}

const systemWords = FIGURES.home.system
/** An evening with its images and a backup needs far less; below this, the disk needs attention. */
const LOW_DISK_BYTES = 1_000_000_000

type Health = AnswerOf<'health'>['data']

const isSystemWell = ({ database, disk, versions }: Health) =>
  database.ok && disk.freeBytes >= LOW_DISK_BYTES && versions.app === APP_VERSION

const SystemCard = () => {
  const query = useQuery(queries.health())
  const checks = useMutation({ mutationFn: () => callServer('systemChecks') })
  // The last answer says nothing about now if the server has stopped answering.
  const health = query.error ? undefined : query.data?.data
  return (
    <LoadedCard
      query={query}
      words={systemWords}
      lines={3}
      actions={
        <>
          {health === undefined ? null : (
            <>
              {health.readOnly !== undefined || isBackupOld(health.lastBackup, Date.now()) ? null : <BackUpNow />}
              <Button size="sm" icon={<Stethoscope />} busy={checks.isPending} onClick={() => checks.mutate()}>
                {checks.isPending ? systemWords.checks.running : systemWords.checks.run}
              </Button>
            </>
          )}
          <RefreshButton query={query} />
        </>
      }
    >
      {() =>
        health === undefined ? (
          <p className={styles.soft}>{DESK.notLoaded}</p>
        ) : (
          <div className="stack-4">
            <Facts health={health} />
            <Checks {...checks} />
          </div>
        )
      }
    </LoadedCard>
  )
}

const Retention = ({ events }: { events: Health['retention'] }) => {
  const { dayOf } = useDates()
  const { due, dueText, late, lateText } = systemWords.retention
  return events.map(({ event, from, waitsForBackup }) => (
    <Banner
      key={`${event} ${from}`}
      tone="warn"
      title={waitsForBackup ? late(event, dayOf(from)) : due(event, dayOf(from))}
    >
      {waitsForBackup ? lateText : dueText}
    </Banner>
  ))
}

const FailedBackup = ({ failed }: { failed: NonNullable<Health['backups']>['failed'] }) => {
  const { momentOf } = useDates()
  if (failed === null) return null
  return (
    <Banner tone="bad" title={systemWords.backupFailed(momentOf(failed.at))}>
      {failed.reason}
    </Banner>
  )
}

const Facts = ({ health: { database, disk, versions, uptimeSeconds, lastBackup, backups } }: { health: Health }) => {
  const { momentOf } = useDates()
  const roomy = disk.freeBytes >= LOW_DISK_BYTES
  return (
    <dl className={styles.facts}>
      <Fact label={systemWords.database} note={bytesText(database.sizeBytes + database.walBytes)}>
        <StateChip state={database.ok ? 'ok' : 'bad'}>
          {database.ok ? systemWords.writable : systemWords.notWritable}
        </StateChip>
      </Fact>
      <Fact label={systemWords.disk} note={systemWords.diskOf(bytesText(disk.totalBytes))}>
        <StateChip state={roomy ? 'ok' : 'warn'}>{systemWords.diskFree(bytesText(disk.freeBytes))}</StateChip>
      </Fact>
      <Fact label={systemWords.backup} note={backups ? systemWords.backupEvery(backups.everyMinutes) : null}>
        {lastBackup === null ? <StateChip state="warn">{systemWords.noBackup}</StateChip> : momentOf(lastBackup)}
      </Fact>
      <Fact label={systemWords.uptime} note={null}>
        {durationText(uptimeSeconds)}
      </Fact>
      <Fact label={systemWords.version} note={systemWords.versions(versions)}>
        {versions.app}
        {versions.app === APP_VERSION ? null : (
          <StateChip state="warn">{systemWords.otherVersion(APP_VERSION)}</StateChip>
        )}
      </Fact>
    </dl>
  )
}

const Fact = ({ label, note, children }: { label: string; note: string | null; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{label}</dt>
    <dd className="tabular">{children}</dd>
    {note === null ? null : <dd className="soft">{note}</dd>}
  </div>
)

const STATES = { ok: 'ok', warning: 'warn', failure: 'bad' } as const

/** The doctor's checks contact other servers too, so they run only on request. */
const Checks = ({
  data,
  error,
  isPending,
}: Pick<UseMutationResult<AnswerOf<'systemChecks'>>, 'data' | 'error' | 'isPending'>) => {
  const { failed, states, summary, list } = systemWords.checks
  const wrong = data?.checks.filter(({ status }) => status !== 'ok').length ?? 0
  return (
    <div className={styles.checks}>
      <p role="status">{data && !isPending ? summary(data.checks.length, wrong) : null}</p>
      {error ? <ErrorPanel>{failed(getErrorMessage(error))}</ErrorPanel> : null}
      {data ? (
        <ul aria-label={list}>
          {data.checks.map(({ name, status, detail, cure }) => (
            <li key={name} className={styles.check}>
              <StateChip state={STATES[status]}>{`${name}: ${states[status]}`}</StateChip>
              <div>
                {detail}
                {cure === undefined ? null : <p className={styles.soft}>{cure}</p>}
              </div>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
