import type { Evening } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { formatCount } from '@garba/shared/messages/language'
import { Smartphone } from 'lucide-react'
import { StateChip } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { useDates } from '../frame/dates.ts'
import { durationText } from '../home/amounts.ts'
import styles from './Evening.module.css'

const words = FIGURES.evening
const columns = words.deviceColumns
const SHORT_ID = 6

type Device = Evening['devices'][number]

/** Every scanner that reported: who uses it, when it was last seen, how much it still has to send. */
export const Devices = ({ evening }: { evening: Evening }) => {
  const { devices, devicesTotal } = evening
  const head = (
    <>
      <Th>{columns.device}</Th>
      <Th>{columns.checker}</Th>
      <Th numeric>{columns.seen}</Th>
      <Th>{columns.unsent}</Th>
      <Th>{columns.roster}</Th>
      <Th numeric>{columns.admitted}</Th>
    </>
  )
  return (
    <Card title={words.devices} flush={devices.length > 0}>
      {devices.length === 0 ? (
        <EmptyState title={words.noDevices} icon={<Smartphone aria-hidden="true" />} />
      ) : (
        <>
          <Table caption={words.devices} head={head} bare>
            {devices.map((device) => (
              <DeviceRow key={device.deviceId} device={device} evening={evening} />
            ))}
          </Table>
          {devicesTotal > devices.length ? (
            <p className={styles.more}>{words.devicesShown(devices.length, devicesTotal)}</p>
          ) : null}
        </>
      )}
    </Card>
  )
}

const DeviceRow = ({ device, evening }: { device: Device; evening: Evening }) => {
  const { timeOf } = useDates()
  return (
    <Tr>
      <Td>
        <strong>{device.deviceName ?? device.deviceId.slice(0, SHORT_ID)}</strong>
      </Td>
      <Td label={columns.checker}>{device.checkerName}</Td>
      <Td label={columns.seen} numeric>
        <time dateTime={device.lastSeen}>{timeOf(device.lastSeen)}</time>
      </Td>
      <Td label={columns.unsent}>
        {device.unsent === 0 ? (
          '0'
        ) : (
          <StateChip state="warn">
            {device.oldestUnsent === null
              ? device.unsent
              : words.unsentSince(device.unsent, timeOf(device.oldestUnsent))}
          </StateChip>
        )}
      </Td>
      <Td label={columns.roster}>{rosterText(device, evening)}</Td>
      <Td label={columns.admitted} numeric>
        {formatCount(device.admitted)}
      </Td>
    </Tr>
  )
}

const MINUTE_MS = 60_000

type Held = Pick<Evening['devices'][number], 'rosterRevision' | 'rosterLacksSince'>

/** How far a device's roster is behind and, from one minute on, for how long. */
export function rosterText(
  { rosterRevision, rosterLacksSince }: Held,
  { revision, at }: Pick<Evening, 'revision' | 'at'>,
) {
  if (rosterRevision === null) return words.rosterUnknown
  const behind = revision - rosterRevision
  if (behind <= 0) return words.rosterCurrent
  const age = rosterLacksSince === null ? 0 : Date.parse(at) - Date.parse(rosterLacksSince)
  const changes = words.rosterBehind(behind)
  return age < MINUTE_MS ? changes : words.rosterBehindFor(changes, durationText(age / 1_000))
}
