import { bytesText, durationText } from '@garba/shared/messages/amounts'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Stethoscope } from 'lucide-react'
import type { ReactNode } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { type AnswerOf, call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { queries } from '../../platform/queries.ts'
import { APP_VERSION } from '../../platform/version.ts'
import { useDates } from '../frame/dates.ts'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import styles from './Home.module.css'

const words = FIGURES.home.system
/** An evening with its images and a backup needs far less; below this, the disk needs attention. */
const LOW_DISK_BYTES = 1_000_000_000

type Health = AnswerOf<'health'>['data']

/** What an admin checks before the evening: does the database accept writes, is there room, is there a backup. */
export const SystemCard = () => {
  const query = useQuery(queries.health())
  return (
    <LoadedCard title={words.title} query={query} failed={words.failed} words={words} lines={3}>
      {/* The last answer says nothing about now if the server has stopped answering. */}
      {({ data }) =>
        query.error ? null : (
          <div className={styles.system}>
            <Retention events={data.retention} />
            <FailedBackup failed={data.backups?.failed ?? null} />
            <Facts health={data} />
            <Checks />
          </div>
        )
      }
    </LoadedCard>
  )
}

/** Warns before the people of a closed event are made anonymous, and when that waits for a backup (DECISIONS 9). */
const Retention = ({ events }: { events: Health['retention'] }) => {
  const { dayOf } = useDates()
  const { due, dueText, late, lateText } = words.retention
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
    <Banner tone="bad" title={words.backupFailed(momentOf(failed.at))}>
      {failed.reason}
    </Banner>
  )
}

const Facts = ({ health: { database, disk, versions, uptimeSeconds, lastBackup, backups } }: { health: Health }) => {
  const { momentOf } = useDates()
  const roomy = disk.freeBytes >= LOW_DISK_BYTES
  return (
    <dl className={styles.facts}>
      <Fact label={words.database} note={bytesText(database.sizeBytes + database.walBytes)}>
        <StateChip state={database.ok ? 'ok' : 'bad'}>{database.ok ? words.writable : words.notWritable}</StateChip>
      </Fact>
      <Fact label={words.disk} note={words.diskOf(bytesText(disk.totalBytes))}>
        <StateChip state={roomy ? 'ok' : 'warn'}>{words.diskFree(bytesText(disk.freeBytes))}</StateChip>
      </Fact>
      <Fact
        label={words.backup}
        note={backups ? words.backupEvery(backups.everyMinutes) : lastBackup === null ? words.backupHint : null}
      >
        {lastBackup === null ? <StateChip state="warn">{words.noBackup}</StateChip> : momentOf(lastBackup)}
      </Fact>
      <Fact label={words.uptime} note={null}>
        {durationText(uptimeSeconds)}
      </Fact>
      <Fact label={words.version} note={words.versions(versions)}>
        {versions.app}
        {versions.app === APP_VERSION ? null : <StateChip state="warn">{words.otherVersion(APP_VERSION)}</StateChip>}
      </Fact>
    </dl>
  )
}

const Fact = ({ label, note, children }: { label: string; note: string | null; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{label}</dt>
    <dd className="tabular">{children}</dd>
    {note === null ? null : <dd className={styles.note}>{note}</dd>}
  </div>
)

const STATES = { ok: 'ok', warning: 'warn', failure: 'bad' } as const

/** The doctor (DECISIONS 8): it asks other servers too, so it looks only when asked to. */
const Checks = () => {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => call('systemChecks') })
  const { run, running, failed, states, summary, list } = words.checks
  const wrong = data?.checks.filter(({ status }) => status !== 'ok').length ?? 0
  return (
    <div className={styles.checks}>
      <Button icon={<Stethoscope aria-hidden="true" />} busy={isPending} onClick={() => mutate()}>
        {isPending ? running : run}
      </Button>
      <p role="status">{data && !isPending ? summary(data.checks.length, wrong) : null}</p>
      {error ? <ErrorPanel>{failed(messageOf(error))}</ErrorPanel> : null}
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
