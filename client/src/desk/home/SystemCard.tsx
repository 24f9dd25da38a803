import { FIGURES } from '@garba/shared/messages/deskFigures'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { type AnswerOf, call } from '../../platform/http/call.ts'
import { APP_VERSION } from '../../platform/version.ts'
import { useDates } from '../frame/dates.ts'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import { bytesTold, durationTold } from './amounts.ts'
import styles from './System.module.css'

const words = FIGURES.home.system
/** An evening with its images and a backup beside it needs far less; below this the disk is the next thing to see to. */
const LOW_DISK_BYTES = 1_000_000_000

type Health = AnswerOf<'health'>['data']

/** What an admin looks at before the evening: does the database take writes, is there room, is there a backup. */
export const SystemCard = () => {
  const query = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => call('health', { signal }),
    staleTime: 0,
  })
  return (
    <LoadedCard title={words.title} query={query} failed={words.failed} words={words} lines={3}>
      {/* What was true before the server stopped answering says nothing about now. */}
      {({ data }) => (query.error ? null : <Facts health={data} />)}
    </LoadedCard>
  )
}

const Facts = ({ health: { database, disk, versions, uptimeSeconds, lastBackup } }: { health: Health }) => {
  const { momentOf } = useDates()
  const roomy = disk.freeBytes >= LOW_DISK_BYTES
  return (
    <dl className={styles.facts}>
      <Fact label={words.database} note={bytesTold(database.sizeBytes + database.walBytes)}>
        <StateChip state={database.ok ? 'ok' : 'bad'}>{database.ok ? words.writable : words.notWritable}</StateChip>
      </Fact>
      <Fact label={words.disk} note={words.diskOf(bytesTold(disk.totalBytes))}>
        <StateChip state={roomy ? 'ok' : 'warn'}>{words.diskFree(bytesTold(disk.freeBytes))}</StateChip>
      </Fact>
      <Fact label={words.backup} note={lastBackup === null ? words.backupHint : null}>
        {lastBackup === null ? <StateChip state="warn">{words.noBackup}</StateChip> : momentOf(lastBackup)}
      </Fact>
      <Fact label={words.uptime} note={null}>
        {durationTold(uptimeSeconds)}
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
