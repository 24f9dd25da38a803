import { HOUR_MS } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Block } from '@garba/shared/contracts/phones/block'
import type { DeskDevice } from '@garba/shared/contracts/phones/device'
import { ageText } from '@garba/shared/messages/formats'
import { LOST } from '@garba/shared/messages/order'
import { endsTooEarly } from '@garba/shared/rules/event/eventDay'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import {
  BadgeIndianRupee,
  CalendarX,
  CircleCheck,
  HardDrive,
  History,
  Hourglass,
  Image,
  Lock,
  type LucideIcon,
  MailWarning,
  SearchCheck,
  TimerOff,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { callServer } from '../../platform/http/call.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { useIsTonight } from '../evening/Headline.tsx'
import { useChange } from '../frame/useChange.ts'
import { UNSENT_MAILS } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './AdminHome.module.css'

const words = FIGURES.home.todo
/** An older backup would lose a day of sales. */
const BACKUP_OLD_MS = 24 * HOUR_MS
const LOOK_MS = 60_000

export const REFUNDS_DUE = { page: 1, refund: 'due' } as const

/**
 * Lists what an admin has to do, most urgent first, each with its action. Leaves out what could not be read, on the night
 * what can wait until morning, and on a read-only server what it would refuse. `steps` is null once the first steps are
 * done; until then they may ask for the first backup, and count as something to do.
 */
export const Todo = ({ steps }: { steps: { backup: boolean } | null }) => {
  const now = useNow(LOOK_MS)
  const event = useQuery(queries.event()).data?.data ?? null
  const isTonight = useIsTonight()
  const lostTickets = useQuery(queries.lostTickets())
  const refunds = useQuery(queries.tickets(REFUNDS_DUE))
  const matters = useQuery(queries.attention())
  const phones = useQuery(queries.devices())
  const blocks = useQuery(queries.blocks())
  const reads = [lostTickets, refunds, matters]
  const health = useQuery(queries.health()).data?.data
  const early = event === null ? [] : earlyPhones(phones.data?.devices ?? [], blocks.data?.blocks ?? [], { event, now })
  const isReadOnly = health?.readOnly !== undefined
  const lost = lostTickets.data?.waiting ?? 0
  const due = refunds.data?.pagination.totalTickets ?? 0
  const confirm = matters.data?.unpaid?.upi ?? 0
  const unpaid = matters.data?.unpaid?.seats ?? 0
  const otherDay = matters.data?.otherDay.length ?? 0
  const restored = matters.data?.attention.filter(({ kind }) => kind === 'restored').length ?? 0
  const open = (matters.data?.attention.length ?? 0) - restored
  const lines = [
    early.length > 0 && { Icon: TimerOff, text: words.early(early), to: 'devices', action: words.open.early },
    lost > 0 && { Icon: SearchCheck, text: LOST.notice(lost), to: 'tickets/lost', action: LOST.open },
    otherDay > 0 && { Icon: CalendarX, text: words.otherDay(otherDay), to: 'gate', action: words.open.evening },
    restored > 0 && { Icon: History, text: words.restored, to: 'money', action: words.open.restored },
    open > 0 && { Icon: TriangleAlert, text: words.matters(open), to: 'money', action: words.open.matters },
    confirm > 0 && {
      Icon: BadgeIndianRupee,
      text: words.confirm(confirm),
      to: 'orders?state=held&provider=upi',
      action: words.open.confirm,
    },
    unpaid > 0 && {
      Icon: Hourglass,
      text: words.unpaid(unpaid),
      to: 'orders?state=held',
      action: words.open.unpaid,
    },
    due > 0 && {
      Icon: Undo2,
      text: words.refunds(due, formatRupees(refunds.data?.refundTotal ?? 0)),
      to: 'tickets?status=refund-due',
      action: words.open.refunds,
    },
    event !== null &&
      event.eventImage === null &&
      !isTonight &&
      !isReadOnly && { Icon: Image, text: words.picture, to: 'event', action: words.open.picture },
  ].filter((line) => line !== false)
  const isOld =
    health !== undefined && !isReadOnly && !isTonight && steps?.backup !== false && isBackupOld(health.lastBackup, now)
  const unsent = isReadOnly ? 0 : (health?.refusedMails ?? 0)
  const isEmpty = lines.length === 0 && unsent === 0 && !isOld
  const isNothing = isEmpty && reads.every(({ data }) => data !== undefined)
  if (isNothing && steps !== null) return null
  return (
    <Card title={words.title} className={styles.compact}>
      {isNothing ? (
        <p className={styles.nothing}>
          {isReadOnly ? <Lock /> : <CircleCheck />}
          {isReadOnly ? words.readOnly : words.nothing}
        </p>
      ) : isEmpty ? (
        <p className={styles.soft}>{words.unknown}</p>
      ) : (
        <ul className={styles.todo} aria-label={words.title}>
          {lines.map(({ Icon, text, to, action }) => (
            <Line key={text} Icon={Icon} text={text}>
              <ButtonLink size="sm" to={to}>
                {action}
              </ButtonLink>
            </Line>
          ))}
          {unsent > 0 ? (
            <Line Icon={MailWarning} text={UNSENT_MAILS.waiting(unsent)}>
              <SendMailsAgain />
            </Line>
          ) : null}
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

const earlyPhones = (
  devices: readonly DeskDevice[],
  blocks: readonly Block[],
  { event, now }: { event: GarbaEvent; now: number },
) => {
  const times = { endsAt: new Date(event.endsAt), createdAt: new Date(event.createdAt), now: new Date(now) }
  return devices
    .filter(({ state, until }) => state !== 'revoked' && endsTooEarly(until === null ? null : new Date(until), times))
    .map(({ name }) => ({
      name,
      hasCodes: blocks.some(({ label, left, kind }) => kind === 'device' && label === name && left > 0),
    }))
}

const SendMailsAgain = () => {
  const { mutate, isPending } = useChange({
    send: () => callServer('sendMailsAgain'),
    done: ({ mails }) => UNSENT_MAILS.sent(mails),
    failed: UNSENT_MAILS.failed,
    stale: [KEYS.health],
  })
  return (
    <Button size="sm" busy={isPending} onClick={() => mutate()}>
      {UNSENT_MAILS.send}
    </Button>
  )
}

export const BackUpNow = () => {
  const { mutate, isPending } = useChange({
    send: () => callServer('backUpNow'),
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
