import { DEVICE_NAME_MAX, SECOND_MS } from '@garba/shared/constants'
import { DEVICE_STATES, RIGHTS } from '@garba/shared/contracts/names'
import type { DeskDevice } from '@garba/shared/contracts/phones/device'
import { PAIR_PAGE } from '@garba/shared/contracts/site/pages'
import { truncateText } from '@garba/shared/rules/search'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Plus, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Banner, EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog, Dialog } from '../../kit/Dialog.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { Select } from '../../kit/Select.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { callServer } from '../../platform/http/call.ts'
import { useUser } from '../../platform/identity/session.ts'
import { queries } from '../../platform/queries.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { filterOptions } from '../frame/tableUrl.tsx'
import { useChange } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import { DEVICES } from '../texts/devices.ts'
import { DeviceDialog, type Pairable, SAVING, useCreateDevice } from './DeviceDialog.tsx'
import { DevicesTable } from './DevicesTable.tsx'
import styles from './DevicesView.module.css'
import { FlaggedScans } from './FlaggedScans.tsx'
import { PhoneSalesDialog } from './PhoneSales.tsx'

/** While a pairing code is shown, the list is fetched this often, so that a paired phone appears at once. */
const WAITING_MS = 2_000
const USUAL_MS = 15_000

const STATES = filterOptions(DEVICES.allStates, DEVICE_STATES, DEVICES.states)

type DeviceDialogState =
  | { at: 'nothing' }
  | { at: 'form'; device: DeskDevice | null }
  | { at: 'revoking'; device: DeskDevice }
  | { at: 'sales'; device: DeskDevice }
  | { at: 'revokingAll' }

export default function DevicesView() {
  const client = useQueryClient()
  const [pairable, setPairable] = useState<Pairable | null>(null)
  const [asking, setAsking] = useState<DeviceDialogState>({ at: 'nothing' })
  const query = useQuery({ ...queries.devices(), refetchInterval: pairable ? WAITING_MS : USUAL_MS })
  const { data } = query
  const { state, setState } = useStateFilter()
  const changes = useDeviceChanges()
  const close = () => setAsking({ at: 'nothing' })
  const showSales = async (device: DeskDevice) => {
    const { sales } = await client.fetchQuery(queries.phoneSales(device.id)).catch(() => ({ sales: [] }))
    setAsking(sales.length > 0 ? { at: 'sales', device } : { at: 'nothing' })
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
            <Button size="sm" icon={<Ban />} onClick={() => setAsking({ at: 'revokingAll' })}>
              {DEVICES.revokeAll}
            </Button>
          ) : null}
        </>
      }
      actions={
        <>
          <RefreshButton query={query} />
          <PairThisPhone />
          <Button size="sm" tone="primary" icon={<Plus />} onClick={() => setAsking({ at: 'form', device: null })}>
            {DEVICES.add}
          </Button>
        </>
      }
    >
      <LoadFailure query={query} failed={DEVICES.failed} />
      {query.isPending ? <SkeletonRows label={DEVICES.loading} /> : null}
      {data && shown.length === 0 ? (
        <EmptyState level={2} title={all.length === 0 ? DEVICES.empty : DEVICES.none} icon={<Smartphone />}>
          {all.length === 0 ? DEVICES.emptyText : undefined}
        </EmptyState>
      ) : null}
      {shown.length > 0 ? (
        <DevicesTable
          devices={shown}
          busy={query.isFetching && query.isPlaceholderData}
          onEdit={(device) => setAsking({ at: 'form', device })}
          onNewCode={newCode}
          onRevoke={(device) => setAsking({ at: 'revoking', device })}
          onSales={(device) => setAsking({ at: 'sales', device })}
        />
      ) : null}
      {data ? <FlaggedScans scans={data.flagged} /> : null}
      {all.some((device) => device.state === 'revoked') ? (
        <Banner title={DEVICES.lost.title}>{DEVICES.lost.text}</Banner>
      ) : null}
      {asking.at === 'form' ? <DeviceDialog device={asking.device} onMade={setPairable} onClose={close} /> : null}
      {asking.at === 'sales' ? <PhoneSalesDialog device={asking.device} onClose={close} /> : null}
      <RevokeDialog
        asking={asking}
        standing={standing.length}
        changes={changes}
        onRevoked={showSales}
        onClose={close}
      />
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

function useStateFilter() {
  const [params, setParams] = useSearchParams()
  const state: StateFilter = DEVICE_STATES.find((value) => value === params.get('state')) ?? ''
  return { state, setState: (next: StateFilter) => setParams(next === '' ? {} : { state: next }, { replace: true }) }
}

const PairThisPhone = () => {
  const create = useCreateDevice()
  const name = useUser()?.name ?? ''
  const pair = () =>
    create.mutate(
      { name: truncateText(DEVICE_NAME_MAX, DEVICES.ownName(name)), rights: [...RIGHTS] },
      // The scanner is a separate page. It is opened on this page's origin, because PUBLIC_URL may be unreachable.
      { onSuccess: ({ pairing }) => window.location.assign(`${PAIR_PAGE}${new URL(pairing.url).hash}`) },
    )
  return (
    <Button size="sm" icon={<Smartphone />} busy={create.isPending} onClick={pair}>
      {DEVICES.pairThis}
    </Button>
  )
}

interface RevokeDialogProps {
  asking: DeviceDialogState
  standing: number
  changes: ReturnType<typeof useDeviceChanges>
  onRevoked: (device: DeskDevice) => Promise<void>
  onClose: () => void
}

const RevokeDialog = ({ asking, standing, changes, onRevoked, onClose }: RevokeDialogProps) => {
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
        if (one) changes.revoke.mutate(one, { onSuccess: () => onRevoked(one), onError: onClose })
        else changes.revokeAll.mutate(undefined, { onSettled: onClose })
      }}
      onCancel={onClose}
    >
      {words.text}
    </ConfirmDialog>
  )
}

const words = DEVICES.pairing

interface PairingDialogProps {
  pairable: Pairable
  now: DeskDevice
  busy: boolean
  onNewCode: () => void
  onClose: () => void
}

const PairingDialog = ({ pairable, now, busy, onNewCode, onClose }: PairingDialogProps) => {
  const { device, pairing } = pairable
  const left = Date.parse(pairing.expiresAt) - useServerNow(SECOND_MS)
  const isPaired = now.pairedAt !== null && now.pairedAt !== device.pairedAt
  // Another admin may have revoked the device, or made a newer code, which ends this code.
  const isEnded = now.revokedAt !== null || (now.codeExpiresAt ?? '') > pairing.expiresAt
  useWakeLock(true)
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={words.title(now.name)}
      initialFocus="title"
      dismissOutside={false}
      footer={
        <Button tone={isPaired ? 'primary' : 'secondary'} onClick={onClose}>
          {isPaired ? words.done : words.later}
        </Button>
      }
    >
      {isPaired ? (
        <Banner tone="ok" live="status" title={words.paired}>
          {words.pairedAs(now.label)}
        </Banner>
      ) : left > 0 && !isEnded ? (
        <div className={styles.pairing}>
          <p>{words.text}</p>
          <Qr text={pairing.url} label={words.qr} className={styles.qr} />
          <p className="soft">{words.or(formatPairingAddress(pairing.url))}</p>
          <p className={styles.code}>{pairing.code}</p>
          <p className="soft" role="timer">
            {words.left(clockText(left))}
          </p>
        </div>
      ) : (
        <Banner
          tone="warn"
          live="status"
          title={words.expired}
          actions={
            <Button tone="primary" busy={busy} onClick={onNewCode}>
              {words.newCode}
            </Button>
          }
        />
      )}
    </Dialog>
  )
}

/** The address as people type it: without https:// and the secret after the #. */
const formatPairingAddress = (url: string): string => url.replace(/^https?:\/\/|#.*$/g, '')

function clockText(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function useDeviceChanges() {
  const revoking = { ...SAVING, failed: DEVICES.revokeOne.failed }
  const renew = useChange({
    send: ({ id }: DeskDevice) => callServer('changeDevice', { params: { id }, body: { renewCode: true } }),
    ...SAVING,
  })
  const revoke = useChange({
    send: ({ id }: DeskDevice) => callServer('changeDevice', { params: { id }, body: { revoked: true } }),
    ...revoking,
  })
  const revokeAll = useChange({
    send: () => callServer('revokeAllDevices'),
    ...revoking,
  })
  return { renew, revoke, revokeAll }
}
