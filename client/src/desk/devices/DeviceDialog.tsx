import { DEVICE_NAME_MAX } from '@garba/shared/constants'
import type { DeskDevice } from '@garba/shared/contracts/device'
import { RIGHTS, type Right } from '@garba/shared/contracts/names'
import { DEVICES } from '@garba/shared/messages/deskDevices'
import { RIGHT_LABELS } from '@garba/shared/messages/device'
import { instantOf } from '@garba/shared/rules/calendar'
import { useState } from 'react'
import { Checkbox } from '../../kit/Checkbox.tsx'
import { TextField } from '../../kit/TextField.tsx'
import type { BodyOf } from '../../platform/http/call.ts'
import { useDates } from '../frame/dates.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import styles from './Devices.module.css'

const words = DEVICES.dialog
const USUAL: readonly Right[] = ['scan', 'find', 'undo']

interface DeviceDialogProps {
  /** The one to edit; null for a new one. */
  device: DeskDevice | null
  busy: boolean
  onSave: (body: BodyOf<'createDevice'>) => void
  onClose: () => void
}

/** Name, gates, rights and end of a device. */
export const DeviceDialog = ({ device, busy, onSave, onClose }: DeviceDialogProps) => {
  const { localOf, timeZone } = useDates()
  const [name, setName] = useState(device?.name ?? '')
  const [gates, setGates] = useState(device?.gates.join(', ') ?? '')
  const [rights, setRights] = useState<ReadonlySet<Right>>(new Set(device?.rights ?? USUAL))
  const [until, setUntil] = useState(device ? localOf(device.until) : '')
  const choose = (right: Right, on: boolean) => {
    const next = new Set(rights)
    if (on) next.add(right)
    else next.delete(right)
    setRights(next)
  }
  const plain = name.trim()
  return (
    <SaveDialog
      words={{
        title: device ? words.edit : words.create,
        save: device ? words.save : words.next,
        saving: words.saving,
        cancel: words.cancel,
      }}
      description={device ? words.editOf(device.name) : words.createOf}
      note={device ? words.editNote : words.note}
      busy={busy}
      disabled={plain === '' || plain.length > DEVICE_NAME_MAX || rights.size === 0}
      onSave={() =>
        onSave({
          name: plain,
          gates: namesIn(gates),
          rights: RIGHTS.filter((right) => rights.has(right)),
          ...(until === '' ? {} : { until: instantIn(until, timeZone) }),
        })
      }
      onClose={onClose}
    >
      <div className={styles.form}>
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={name}
          maxLength={DEVICE_NAME_MAX}
          autoComplete="off"
          disabled={busy}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={words.gates}
          hint={words.gatesHint}
          value={gates}
          autoComplete="off"
          disabled={busy}
          onChange={({ target }) => setGates(target.value)}
        />
        <fieldset className={styles.rights} disabled={busy}>
          <legend>{words.rights}</legend>
          {RIGHTS.map((right) => (
            <Checkbox
              key={right}
              label={RIGHT_LABELS[right]}
              checked={rights.has(right)}
              onChange={({ target }) => choose(right, target.checked)}
            />
          ))}
        </fieldset>
        <TextField
          label={words.until}
          hint={device ? undefined : words.untilHint}
          type="datetime-local"
          value={until}
          disabled={busy}
          onChange={({ target }) => setUntil(target.value)}
        />
      </div>
    </SaveDialog>
  )
}

const namesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
]

/** What was typed is the event's local time, as everywhere on the desk. */
function instantIn(local: string, timeZone: string): string {
  const [day = '', time = ''] = local.split('T')
  return instantOf(day, time.slice(0, 5), timeZone).toISOString()
}
