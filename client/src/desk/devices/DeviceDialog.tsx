import { DEVICE_GATES_MAX, DEVICE_NAME_MAX } from '@garba/shared/constants'
import { RIGHTS, type Right } from '@garba/shared/contracts/names'
import type { DeskDevice, PairingCode } from '@garba/shared/contracts/phones/device'
import { DEVICE, GATE, PHONE_ROLE_LABELS, RIGHT_LABELS } from '@garba/shared/messages/gate'
import { isDay } from '@garba/shared/rules/event/calendar'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { Choices, TextField } from '../../kit/Field.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { type BodyOf, callServer } from '../../platform/http/call.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { instantIn, useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { useChange } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import { DEVICES } from '../texts/devices.ts'
import styles from './DevicesView.module.css'

const words = DEVICES.dialog

const PHONE_ROLES = {
  checker: ['scan', 'find', 'undo'],
  seller: ['scan', 'find', 'undo', 'sell'],
  supervisor: ['scan', 'find', 'undo', 'sell', 'complimentary', 'supervise'],
} as const satisfies Record<string, readonly Right[]>

type PhoneRole = keyof typeof PHONE_ROLES
const PHONE_ROLE_NAMES = ['checker', 'seller', 'supervisor'] as const satisfies readonly PhoneRole[]

export const getPhoneRole = (rights: readonly Right[]): PhoneRole | 'custom' =>
  PHONE_ROLE_NAMES.find((role) => {
    const of: readonly Right[] = PHONE_ROLES[role]
    return of.length === new Set(rights).size && of.every((right) => rights.includes(right))
  }) ?? 'custom'

interface DeviceDialogProps {
  device: DeskDevice | null
  onMade: (made: Pairable) => void
  onClose: () => void
}

export interface Pairable {
  device: DeskDevice
  pairing: PairingCode
}

export const SAVING = { failed: DEVICES.saveFailed, stale: [KEYS.devices, KEYS.evening] }

export const useCreateDevice = () =>
  useChange({
    send: (body: BodyOf<'createDevice'>): Promise<Pairable> => callServer('createDevice', { body }),
    ...SAVING,
  })

/** Sends only what this person changed, so that changes by others since the dialog was opened stay. */
const useEditDevice = (device: DeskDevice | null) =>
  useChange({
    send: ({ name, gates, rights, ...end }: BodyOf<'createDevice'>) =>
      callServer('changeDevice', {
        params: { id: device?.id ?? '' },
        body: {
          ...(name === device?.name ? {} : { name }),
          ...(gates?.join('\n') === device?.gates.join('\n') ? {} : { gates }),
          ...(rights?.join() === device?.rights.join() ? {} : { rights }),
          ...end,
        },
      }),
    ...SAVING,
  })

export const DeviceDialog = ({ device, onMade, onClose }: DeviceDialogProps) => {
  const create = useCreateDevice()
  const edit = useEditDevice(device)
  const save = (body: BodyOf<'createDevice'>) => {
    if (device) edit.mutate(body, { onSuccess: onClose })
    else
      create.mutate(body, {
        onSuccess: (made) => {
          onClose()
          onMade(made)
        },
      })
  }
  const { localOf, timeZone } = useDates()
  const [name, setName] = useState(device?.name ?? '')
  const [gates, setGates] = useState<readonly string[]>(device?.gates ?? [])
  const [rights, setRights] = useState<readonly Right[]>(device?.rights ?? PHONE_ROLES.checker)
  const stored = device?.until ? localOf(device.until) : ''
  const [until, setUntil] = useState(stored)
  const plain = name.trim()
  // The field has no seconds, so an end that was not changed is left as it is.
  const end = until === stored ? null : until
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
      busy={create.isPending || edit.isPending}
      missing={
        plain === ''
          ? DESK.missing.deviceName
          : rights.length === 0
            ? DESK.missing.right
            : end && !isDay(dayTyped(end))
              ? DEVICE.untilFar
              : null
      }
      onSave={() =>
        save({
          name: plain,
          gates: [...gates],
          rights: [...rights],
          ...(end === null ? {} : { until: end === '' ? null : instantIn(end, timeZone) }),
        })
      }
      onClose={onClose}
    >
      <div className="stack-4">
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={name}
          maxLength={DEVICE_NAME_MAX}
          autoComplete="off"
          onType={setName}
        />
        <GateChoice bound={device?.gates ?? []} chosen={gates} onChoose={setGates} />
        <RoleChoice rights={rights} onChoose={setRights} />
        <TextField label={words.until} hint={words.untilHint} type="datetime-local" value={until} onType={setUntil} />
      </div>
    </SaveDialog>
  )
}

interface RoleChoiceProps {
  rights: readonly Right[]
  onChoose: (rights: readonly Right[]) => void
}

const ROLES = [...PHONE_ROLE_NAMES, 'custom'] as const
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: PHONE_ROLE_LABELS[value] }))

const RoleChoice = ({ rights, onChoose }: RoleChoiceProps) => {
  const [isCustom, setCustom] = useState(getPhoneRole(rights) === 'custom')
  const role = isCustom ? 'custom' : getPhoneRole(rights)
  return (
    <div className={styles.role}>
      <p className={styles.label}>{words.role}</p>
      <Segments
        label={words.role}
        value={role}
        options={ROLE_OPTIONS}
        onChange={(next) => {
          setCustom(next === 'custom')
          if (next !== 'custom') onChoose(PHONE_ROLES[next])
        }}
      />
      {role === 'custom' ? (
        <fieldset className={styles.choices}>
          <legend>{words.rights}</legend>
          <Choices
            options={RIGHTS.map((value) => ({ value, label: RIGHT_LABELS[value] }))}
            chosen={rights}
            onChoose={onChoose}
          />
        </fieldset>
      ) : (
        <p className={styles.hint}>{words.roles[role]}</p>
      )}
    </div>
  )
}

interface GateChoiceProps {
  /** The stored choice. A removed gate is shown as long as the phone is bound to it. */
  bound: readonly string[]
  chosen: readonly string[]
  onChoose: (gates: readonly string[]) => void
}

const GateChoice = ({ bound, chosen, onChoose }: GateChoiceProps) => {
  const query = useQuery(queries.gates())
  const known = query.data?.gates.map(({ name }) => name) ?? []
  const gone = bound.filter((name) => !known.includes(name))
  const all = [...known, ...gone]
  return (
    <fieldset className={styles.choices}>
      <legend>{words.gates}</legend>
      <LoadFailure query={query} failed={GATE.loadFailed} />
      {query.isPending ? <SkeletonLines lines={2} label={GATE.loading} /> : null}
      <Choices
        options={all.map((value) => ({
          value,
          label: query.data && gone.includes(value) ? words.goneGate(value) : value,
        }))}
        chosen={chosen}
        onChoose={onChoose}
        most={DEVICE_GATES_MAX}
      />
      {query.data ? (
        <p className={styles.hint}>
          {all.length === 0 ? words.noGates : words.gatesHint}{' '}
          {known.length === 0 ? <Link to="../gate">{words.makeGates}</Link> : null}
        </p>
      ) : null}
    </fieldset>
  )
}

/** The day as typed, which may be invalid: a browser's field accepts years of up to six digits. */
const dayTyped = (local: string): string => local.split('T')[0] ?? ''
