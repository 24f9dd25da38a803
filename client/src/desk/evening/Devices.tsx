import { MINUTE_MS } from '@garba/shared/constants'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import { durationText } from '@garba/shared/messages/amounts'
import { formatCount } from '@garba/shared/messages/language'
import { StateChip } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { useNow } from '../../platform/screen/now.ts'
import { OlderVersion, OlderVersionNote } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './EveningView.module.css'

const words = FIGURES.evening
const columns = words.deviceColumns
const SHORT_ID = 6
const SILENCE_LOOKED_AT_MS = 10_000

type Device = EveningFigures['devices'][number]

export const Devices = ({ evening, receivedAt }: { evening: EveningFigures; receivedAt: number }) => {
  const now = useNow(SILENCE_LOOKED_AT_MS)
  const { devices, devicesTotal } = evening
  const at = estimateServerTime(evening, { receivedAt, now })
  const isGone = (device: Device) => device.unsent === 0 && (device.ended || findSilence(device, at)?.state === 'bad')
  const silent = devices.filter(isGone)
  const gone = silent.length < 2 ? [] : silent
  const isWell = (device: Device) => device.unsent === 0 && findSilence(device, at) === null
  const [well, unwell] = [devices.filter(isWell), devices.filter((device) => !isWell(device))]
  const shown = [...unwell, ...well].filter((device) => !gone.includes(device))
  const head = (
    <>
      <Th>{columns.device}</Th>
      <Th>{columns.checker}</Th>
      <Th>{columns.seen}</Th>
      <Th>{columns.unsent}</Th>
      <Th>{columns.roster}</Th>
      <Th numeric>{columns.admitted}</Th>
    </>
  )
  return (
    <Card title={words.devices} flush={devices.length > 0}>
      {devices.length === 0 ? (
        <p className="soft">
          {words.noDevices} {words.noDevicesHint}
        </p>
      ) : (
        <>
          <OlderVersionNote devices={devices} className={styles.cardNote} />
          <Table caption={words.devices} head={head} bare>
            {shown.map((device) => (
              <DeviceRow key={device.deviceId} device={device} evening={evening} at={at} />
            ))}
            {gone.length === 0 ? null : <GoneRow devices={gone} at={at} />}
          </Table>
          {devicesTotal > devices.length ? (
            <p className={styles.more}>{words.devicesShown(devices.length, devicesTotal)}</p>
          ) : null}
        </>
      )}
    </Card>
  )
}

const GoneRow = ({ devices, at }: { devices: readonly Device[]; at: number }) => {
  const expected = devices.filter(({ ended }) => !ended)
  const least = Math.min(...expected.map(({ lastSeen }) => at - Date.parse(lastSeen)))
  const names = devices.map(({ deviceName, deviceId }) => deviceName ?? deviceId.slice(0, SHORT_ID)).join(', ')
  return (
    <Tr>
      <Td wide>
        <strong>{words.gone(devices.length)}</strong>
        <p className="soft">{names}</p>
      </Td>
      <Td label={columns.checker}>–</Td>
      <Td label={columns.seen}>
        {expected.length === 0 ? (
          <StateChip state="info">{words.ended}</StateChip>
        ) : (
          <StateChip state="bad">{words.silentAtLeast(durationText(least / 1_000))}</StateChip>
        )}
      </Td>
      <Td label={columns.unsent}>0</Td>
      <Td label={columns.roster}>–</Td>
      <Td label={columns.admitted} numeric>
        {formatCount(devices.reduce((sum, { admitted }) => sum + admitted, 0))}
      </Td>
    </Tr>
  )
}

interface DeviceRowProps {
  device: Device
  evening: EveningFigures
  at: number
}

const DeviceRow = ({ device, evening, at }: DeviceRowProps) => {
  const { sinceOf } = useDates()
  const silent = findSilence(device, at)
  return (
    <Tr>
      <Td>
        <span className={styles.device}>
          <strong>{device.deviceName ?? device.deviceId.slice(0, SHORT_ID)}</strong>
          <OlderVersion version={device.olderVersion} />
        </span>
      </Td>
      <Td label={columns.checker}>{device.checkerName}</Td>
      <Td label={columns.seen}>
        <span className={styles.seen}>
          {silent === null ? (
            <time dateTime={device.lastSeen}>{sinceOf(device.lastSeen, evening.at)}</time>
          ) : (
            <StateChip state={silent.state}>{silent.text}</StateChip>
          )}
          {device.ended ? <StateChip state="info">{words.ended}</StateChip> : null}
        </span>
      </Td>
      <Td label={columns.unsent}>
        {device.unsent === 0 ? (
          '0'
        ) : (
          <StateChip state="warn">
            {device.oldestUnsent === null
              ? device.unsent
              : words.unsentSince(device.unsent, sinceOf(device.oldestUnsent, evening.at))}
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

type DeviceRoster = Pick<EveningFigures['devices'][number], 'rosterRevision' | 'rosterLacksSince'>

const SILENT_WARN_MS = 5 * MINUTE_MS
const SILENT_BAD_MS = 15 * MINUTE_MS

/** The server's time in ms, from its last answer: the desk's own clock may be wrong. */
export const estimateServerTime = (
  { at }: Pick<EveningFigures, 'at'>,
  { receivedAt, now }: { receivedAt: number; now: number },
) => Date.parse(at) + Math.max(0, now - receivedAt)

/**
 * A device that has been silent for 5 minutes may be in a dead spot; after 15 somebody should look for it. A device
 * that has ended is not missed.
 */
export function findSilence(
  { lastSeen, ended }: Pick<Device, 'lastSeen' | 'ended'>,
  at: number,
): { state: 'warn' | 'bad'; text: string } | null {
  const ms = at - Date.parse(lastSeen)
  if (ended || ms < SILENT_WARN_MS) return null
  return { state: ms < SILENT_BAD_MS ? 'warn' : 'bad', text: words.silentFor(durationText(ms / 1_000)) }
}

export function rosterText(
  { rosterRevision, rosterLacksSince }: DeviceRoster,
  { revision, at }: Pick<EveningFigures, 'revision' | 'at'>,
) {
  if (rosterRevision === null) return words.rosterUnknown
  const behind = revision - rosterRevision
  if (behind <= 0) return words.rosterCurrent
  const age = rosterLacksSince === null ? 0 : Date.parse(at) - Date.parse(rosterLacksSince)
  return age < MINUTE_MS ? words.rosterBehind(behind) : words.rosterBehindFor(durationText(age / 1_000), behind)
}
