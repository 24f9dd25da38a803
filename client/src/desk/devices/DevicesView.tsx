import { DEVICE_NAME_MAX } from '@garba/shared/constants'
import type { DeskDevice } from '@garba/shared/contracts/device'
import { DEVICE_STATES, RIGHTS } from '@garba/shared/contracts/names'
import { PAIR_PAGE } from '@garba/shared/contracts/pages'
import { DESK } from '@garba/shared/messages/desk'
import { DEVICES } from '@garba/shared/messages/deskDevices'
import { readPairingCode } from '@garba/shared/rules/pairing'
import { useQuery } from '@tanstack/react-query'
import { Ban, Plus, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Select } from '../../kit/Select.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import type { BodyOf } from '../../platform/http/call.ts'
import { useUser } from '../../platform/identity/session.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { LoadFailure } from '../frame/LoadFailure.tsx'
import { RefreshButton } from '../frame/RefreshButton.tsx'
import { DeviceDialog } from './DeviceDialog.tsx'
import styles from './Devices.module.css'
import { DevicesTable } from './DevicesTable.tsx'
import { FlaggedScans } from './FlaggedScans.tsx'
import { PairingDialog } from './PairingDialog.tsx'
import { type Pairable, useDeviceChanges } from './useDeviceChanges.ts'

/** How often the list is fetched: soon enough for a phone that pairs to be seen at once. */
const WAITING_MS = 2_000
const USUAL_MS = 15_000

const STATES = [
  { value: '', label: DEVICES.allStates },
  ...DEVICE_STATES.map((value) => ({ value, label: DEVICES.states[value] })),
] as const

type Asking =
  | { at: 'nothing' }
  | { at: 'form'; device: DeskDevice | null }
  | { at: 'revoking'; device: DeskDevice }
  | { at: 'revokingAll' }

/** Phones that work without an account: added, paired, changed and revoked here (DECISIONS 7). */
export default function DevicesView() {
  const [pairable, setPairable] = useState<Pairable | null>(null)
  const [asking, setAsking] = useState<Asking>({ at: 'nothing' })
  const query = useQuery({ ...queries.devices(), refetchInterval: pairable ? WAITING_MS : USUAL_MS })
  const { data } = query
  const { state, setState } = useStateFilter()
  const changes = useDeviceChanges()
  const close = () => setAsking({ at: 'nothing' })
  const save = (device: DeskDevice | null, body: BodyOf<'createDevice'>) => {
    if (device) changes.change.mutate({ ...body, id: device.id }, { onSuccess: close })
    else
      changes.create.mutate(body, {
        onSuccess: (made) => {
          close()
          setPairable(made)
        },
      })
  }
  const newCode = (device: DeskDevice) =>
    changes.renew.mutate(device, {
      onSuccess: ({ device: renewed, pairing }) => pairing && setPairable({ device: renewed, pairing }),
    })
  const all = data?.devices ?? []
  const shown = all.filter((device) => state === '' || device.state === state)
  const standing = all.filter((device) => device.state === 'paired' || device.state === 'waiting')
  return (
    <DeskFrame
      title={DESK.titles.devices}
      filters={
        <>
          <Select
            label={DEVICES.state}
            hideLabel
            value={state}
            options={STATES}
            onChange={setState}
            className={styles.filter ?? ''}
          />
          {standing.length > 0 ? (
            <Button size="sm" icon={<Ban aria-hidden="true" />} onClick={() => setAsking({ at: 'revokingAll' })}>
              {DEVICES.revokeAll}
            </Button>
          ) : null}
        </>
      }
      actions={
        <>
          <RefreshButton query={query} failed={DEVICES.failed} />
          <PairThisPhone create={changes.create} />
          <Button
            size="sm"
            tone="primary"
            icon={<Plus aria-hidden="true" />}
            onClick={() => setAsking({ at: 'form', device: null })}
          >
            {DEVICES.add}
          </Button>
        </>
      }
    >
      <LoadFailure query={query} failed={DEVICES.failed} />
      {query.isPending ? <SkeletonRows label={DEVICES.loading} /> : null}
      {data && shown.length === 0 ? (
        <EmptyState level={2} title={DEVICES.empty} icon={<Smartphone aria-hidden="true" />}>
          {all.length === 0 ? DEVICES.emptyText : DEVICES.none}
        </EmptyState>
      ) : null}
      {shown.length > 0 ? (
        <DevicesTable
          devices={shown}
          busy={query.isFetching && query.isPlaceholderData}
          onEdit={(device) => setAsking({ at: 'form', device })}
          onNewCode={newCode}
          onRevoke={(device) => setAsking({ at: 'revoking', device })}
        />
      ) : null}
      {data ? <FlaggedScans scans={data.flagged} /> : null}
      {all.some((device) => device.state === 'revoked') ? (
        <Banner title={DEVICES.lost.title}>{DEVICES.lost.text}</Banner>
      ) : null}
      {asking.at === 'form' ? (
        <DeviceDialog
          device={asking.device}
          busy={changes.create.isPending || changes.change.isPending}
          onSave={(body) => save(asking.device, body)}
          onClose={close}
        />
      ) : null}
      <RevokeDialog asking={asking} standing={standing.length} changes={changes} onClose={close} />
      {pairable ? (
        <PairingDialog
          pairable={pairable}
          now={all.find(({ id }) => id === pairable.device.id) ?? pairable.device}
          busy={changes.renew.isPending}
          onNewCode={() => newCode(pairable.device)}
          onClose={() => setPairable(null)}
        />
      ) : null}
    </DeskFrame>
  )
}

type StateFilter = (typeof STATES)[number]['value']

/** The state in the address, so that a link and Back keep it. */
function useStateFilter() {
  const [params, setParams] = useSearchParams()
  const state: StateFilter = DEVICE_STATES.find((value) => value === params.get('state')) ?? ''
  return { state, setState: (next: StateFilter) => setParams(next === '' ? {} : { state: next }, { replace: true }) }
}

type Changes = ReturnType<typeof useDeviceChanges>

/** Makes a device with every right for the phone in the admin's hand, and goes to its pairing page. */
const PairThisPhone = ({ create }: Pick<Changes, 'create'>) => {
  const name = useUser()?.name ?? ''
  const pair = () =>
    create.mutate(
      { name: DEVICES.ownName(name).slice(0, DEVICE_NAME_MAX), rights: [...RIGHTS] },
      // The scanner is a page of its own. The address is this one's own: PUBLIC_URL may be out of reach here.
      { onSuccess: ({ pairing }) => window.location.assign(`${PAIR_PAGE}#${readPairingCode(pairing.code)}`) },
    )
  return (
    <Button size="sm" icon={<Smartphone aria-hidden="true" />} busy={create.isPending} onClick={pair}>
      {DEVICES.pairThis}
    </Button>
  )
}

interface RevokeDialogProps {
  asking: Asking
  /** How many would be revoked with all. */
  standing: number
  changes: Pick<Changes, 'revoke' | 'revokeAll'>
  onClose: () => void
}

const RevokeDialog = ({ asking, standing, changes, onClose }: RevokeDialogProps) => {
  const one = asking.at === 'revoking' ? asking.device : null
  const words = one ? DEVICES.revokeOne : DEVICES.revokeEvery
  return (
    <ConfirmDialog
      open={one !== null || asking.at === 'revokingAll'}
      tone="danger"
      title={one ? DEVICES.revokeOne.title(one.name) : DEVICES.revokeEvery.title(standing)}
      confirmLabel={words.confirm}
      cancelLabel={DEVICES.revokeOne.keep}
      busy={changes.revoke.isPending || changes.revokeAll.isPending}
      onConfirm={() => {
        if (one) changes.revoke.mutate(one, { onSettled: onClose })
        else changes.revokeAll.mutate(undefined, { onSettled: onClose })
      }}
      onCancel={onClose}
    >
      {words.text}
    </ConfirmDialog>
  )
}
