import type { Evening } from '@garba/shared/contracts/desk'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { ageText } from '@garba/shared/messages/formats'
import { LOST } from '@garba/shared/messages/order'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import {
  BadgeIndianRupee,
  CircleCheck,
  HardDrive,
  Image,
  type LucideIcon,
  SearchCheck,
  Smartphone,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { call } from '../../platform/http/call.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { serverTimeOf, silenceOf } from '../evening/Devices.tsx'
import { useChange } from '../frame/useChange.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './Home.module.css'
import { isTonight } from './Tonight.tsx'

const words = FIGURES.home.todo
const HOUR_MS = 3_600_000
/** An older backup would lose a day of sales. */
const BACKUP_OLD_MS = 24 * HOUR_MS
const LOOK_MS = 60_000

export const REFUNDS_DUE = { page: 1, refund: 'due' } as const

/**
 * Lists what waits for an admin, most urgent first, each with its one action. Leaves out what could not be read and, on a
 * read-only server, what it would refuse.
 */
export const Todo = () => {
  const now = useNow(LOOK_MS)
  const event = useQuery(queries.event()).data?.data ?? null
  const lostTickets = useQuery(queries.lostTickets())
  const refunds = useQuery(queries.tickets(REFUNDS_DUE))
  const matters = useQuery(queries.attention())
  const reads = [lostTickets, refunds, matters]
  const health = useQuery(queries.health()).data?.data
  const tonight = useQuery({ ...queries.evening(), enabled: event !== null && isTonight(event, now) })
  const evening = tonight.data?.data
  const silent =
    event && evening
      ? silentPhones(evening, event, serverTimeOf(evening, { receivedAt: tonight.dataUpdatedAt, now }))
      : 0
  const isReadOnly = health?.readOnly !== undefined
  const lost = lostTickets.data?.waiting ?? 0
  const due = refunds.data?.pagination.totalTickets ?? 0
  const confirm = matters.data?.upiWaiting?.orders ?? 0
  const open = matters.data?.attention.length ?? 0
  const lines = [
    silent > 0 && { Icon: Smartphone, text: words.silent(silent), to: 'gate', action: words.open.silent },
    lost > 0 && { Icon: SearchCheck, text: LOST.notice(lost), to: 'tickets/lost', action: LOST.open },
    open > 0 && { Icon: TriangleAlert, text: words.matters(open), to: 'money', action: words.open.matters },
    confirm > 0 && {
      Icon: BadgeIndianRupee,
      text: words.confirm(confirm),
      to: 'orders?state=held&provider=upi',
      action: words.open.confirm,
    },
    due > 0 && {
      Icon: Undo2,
      text: words.refunds(due, formatRupees(refunds.data?.refundTotal ?? 0)),
      to: 'tickets?status=refund-due',
      action: words.open.refunds,
    },
    event !== null &&
      event.eventImage === null &&
      !isReadOnly && { Icon: Image, text: words.picture, to: 'event', action: words.open.picture },
  ].filter((line) => line !== false)
  const isOld = health !== undefined && !isReadOnly && isBackupOld(health.lastBackup, now)
  const isNothing = lines.length === 0 && !isOld && reads.every(({ data }) => data !== undefined)
  return (
    <Card title={words.title} className={styles.compact}>
      {isNothing ? (
        <p className={styles.nothing}>
          <CircleCheck />
          {words.nothing}
        </p>
      ) : lines.length === 0 && !isOld ? (
        reads.some(({ isPending }) => isPending) ? (
          <SkeletonLines lines={1} label={words.loading} />
        ) : (
          <p className={styles.soft}>{words.unknown}</p>
        )
      ) : (
        <ul className={styles.todo} aria-label={words.title}>
          {lines.map(({ Icon, text, to, action }) => (
            <Line key={to} Icon={Icon} text={text}>
              <ButtonLink size="sm" to={to}>
                {action}
              </ButtonLink>
            </Line>
          ))}
          {isOld ? (
            <Line
              Icon={HardDrive}
              text={words.backup(health.lastBackup === null ? null : ageText(now - Date.parse(health.lastBackup)))}
            >
              <BackUpNow />
            </Line>
          ) : null}
        </ul>
      )}
    </Card>
  )
}

const Line = ({ Icon, text, children }: { Icon: LucideIcon; text: string; children: ReactNode }) => (
  <li>
    <Icon />
    <span>{text}</span>
    {children}
  </li>
)

export const isBackupOld = (lastBackup: string | null, now: number) =>
  lastBackup === null || now - Date.parse(lastBackup) > BACKUP_OLD_MS

const silentPhones = ({ devices }: Evening, { startsAt }: GarbaEvent, at: number) =>
  devices.filter(
    (device) =>
      // Phones that last reported on other days are not missed tonight.
      Date.parse(device.lastSeen) > Date.parse(startsAt) - 2 * HOUR_MS && silenceOf(device, at) !== null,
  ).length

/** Makes a backup; the answer comes once it has been checked by opening it. */
export const BackUpNow = () => {
  const { mutate, isPending } = useChange({
    send: () => call('backUpNow'),
    done: words.backedUp,
    failed: words.backupFailed,
    stale: [KEYS.health],
  })
  return (
    <Button size="sm" busy={isPending} onClick={() => mutate()}>
      {isPending ? words.backingUp : words.backUp}
    </Button>
  )
}
