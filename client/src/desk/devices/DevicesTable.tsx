import type { DeviceState } from '@garba/shared/contracts/names'
import type { DeskDevice } from '@garba/shared/contracts/phones/device'
import { PHONE_ROLE_LABELS, RIGHT_LABELS } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import { BadgeIndianRupee, Ban, Pencil, QrCode, ScrollText } from 'lucide-react'
import { StateChip, type StateTone } from '../../kit/Badge.tsx'
import { MenuItem, MenuSeparator } from '../../kit/Menu.tsx'
import { Td, Th, Tr } from '../../kit/Table.tsx'
import { OlderVersion, OlderVersionNote } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { MenuTable, PlaceItem, RowMenu } from '../frame/RowMenu.tsx'
import { DEVICES } from '../texts/devices.ts'
import { PHONE_SALES } from '../texts/phoneSales.ts'
import { getPhoneRole } from './DeviceDialog.tsx'
import styles from './DevicesView.module.css'

const words = DEVICES
const { columns } = words
const TONES = {
  waiting: 'info',
  paired: 'ok',
  revoked: 'bad',
  lapsed: 'warn',
} as const satisfies Record<DeviceState, StateTone>

interface DevicesTableProps {
  devices: readonly DeskDevice[]
  busy: boolean
  onEdit: (device: DeskDevice) => void
  onNewCode: (device: DeskDevice) => void
  onRevoke: (device: DeskDevice) => void
  onSales: (device: DeskDevice) => void
}

export const DevicesTable = ({ devices, busy, ...act }: DevicesTableProps) => {
  const head = (
    <>
      <Th>{columns.device}</Th>
      <Th>{columns.role}</Th>
      <Th>{columns.shift}</Th>
      <Th>{columns.gates}</Th>
      <Th>{columns.state}</Th>
      <Th>{columns.date}</Th>
      <Th numeric>{columns.unsent}</Th>
      <Th numeric>{columns.admitted}</Th>
    </>
  )
  return (
    <>
      <OlderVersionNote devices={devices.filter((device) => !hasEnded(device))} className="soft" />
      <MenuTable list caption={words.caption} head={head} busy={busy}>
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} {...act} />
        ))}
      </MenuTable>
    </>
  )
}

type RowProps = Omit<DevicesTableProps, 'devices' | 'busy'> & { device: DeskDevice }

const DeviceRow = ({ device, onEdit, onNewCode, onRevoke, onSales }: RowProps) => {
  const { momentOf } = useDates()
  const { name, state, label, gate } = device
  const isOver = hasEnded(device)
  return (
    <Tr>
      <Td place="title" text title={name}>
        <span className={styles.name}>{name}</span>
        {label === null ? null : <span className="soft">{label}</span>}
      </Td>
      <Td label={columns.role} title={device.rights.map((right) => RIGHT_LABELS[right]).join(', ')}>
        {PHONE_ROLE_LABELS[getPhoneRole(device.rights)]}
      </Td>
      <Td label={columns.shift} none={device.shiftName === null} className={styles.shift}>
        {device.shiftName ?? words.noShift}
      </Td>
      <Td label={columns.gates} text className={styles.gates} title={device.gates.join(', ')}>
        {gate ?? (device.gates.length === 0 ? words.anyGate : device.gates.join(', '))}
      </Td>
      <Td label={columns.state} place="state">
        {isOver || device.olderVersion === null ? (
          <StateChip state={TONES[state]}>{words.states[state]}</StateChip>
        ) : (
          <OlderVersion version={device.olderVersion} />
        )}
      </Td>
      <Td label={columns.date} place="detail" className={styles.when}>
        {dateText(device, momentOf)}
      </Td>
      <Td label={columns.unsent} numeric none={device.lastSeen === null || device.unsent === 0}>
        {device.lastSeen === null ? '–' : formatCount(device.unsent)}
        <span className={styles.unit}> {words.unsent}</span>
      </Td>
      <Td label={columns.admitted} numeric none={device.admitted + device.flagged === 0}>
        {formatCount(device.admitted)}
        <span className={styles.unit}> {words.used}</span>
        {device.flagged > 0 ? <span className="soft"> ({words.flagged(device.flagged)})</span> : null}
      </Td>
      <Td corner>
        <RowMenu label={words.moreOf(name)}>
          <MenuItem icon={<Pencil />} disabled={state === 'revoked'} onSelect={() => onEdit(device)}>
            {words.menu.edit}
          </MenuItem>
          <MenuItem icon={<QrCode />} disabled={isOver} onSelect={() => onNewCode(device)}>
            {words.menu.newCode}
          </MenuItem>
          <MenuItem icon={<BadgeIndianRupee />} onSelect={() => onSales(device)}>
            {PHONE_SALES.menu}
          </MenuItem>
          <PlaceItem to={`../audit?${new URLSearchParams({ search: device.id })}`} Icon={ScrollText}>
            {words.menu.audit}
          </PlaceItem>
          <MenuSeparator />
          <MenuItem icon={<Ban />} tone="danger" disabled={state === 'revoked'} onSelect={() => onRevoke(device)}>
            {words.menu.revoke}
          </MenuItem>
        </RowMenu>
      </Td>
    </Tr>
  )
}

const hasEnded = ({ state }: DeskDevice): boolean => state === 'revoked' || state === 'lapsed'

function dateText({ state, ...device }: DeskDevice, momentOf: (iso: string) => string): string {
  if (device.scansOfflineUntil !== null) return words.offlineUntil(momentOf(device.scansOfflineUntil))
  if (state === 'waiting' && device.codeExpiresAt !== null) return words.codeUntil(momentOf(device.codeExpiresAt))
  if (state === 'revoked' && device.revokedAt !== null) return words.endedAt(momentOf(device.revokedAt))
  if (state === 'lapsed' && device.endsAt !== null) return words.endedAt(momentOf(device.endsAt))
  return device.lastSeen === null ? words.never : momentOf(device.lastSeen)
}
