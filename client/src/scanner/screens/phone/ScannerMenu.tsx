import { DEVICE_NAME_MAX } from '@garba/shared/constants'
import type { Gate, OwnDevice } from '@garba/shared/contracts/phones/device'
import { pickTypeName } from '@garba/shared/rules/types/ticketTypes'
import {
  ChartNoAxesColumn,
  ClipboardCheck,
  DoorOpen,
  Download,
  LogOut,
  Menu as MenuIcon,
  QrCode,
  Tag,
  Ticket,
  UserRound,
} from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../../kit/Button.tsx'
import { ConfirmDialog, Dialog } from '../../../kit/Dialog.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { IconButton } from '../../../kit/IconButton.tsx'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../../../kit/Menu.tsx'
import { getErrorMessage } from '../../../platform/http/failure.ts'
import { signOut } from '../../../platform/identity/actions.ts'
import { useSigningOut, useUser } from '../../../platform/identity/session.ts'
import { useLanguage } from '../../../platform/language.ts'
import { useOnline } from '../../../platform/net/connectivity.ts'
import { useMaySell, usePairingRow, useRight } from '../../core/pairing.ts'
import { goTo } from '../../core/useView.ts'
import { nameDevice, placeDevice } from '../../store/device.ts'
import { readUnsent } from '../../store/outbox.ts'
import { rosterGates, typesOfGate, useRoster } from '../../store/rosterMemory.ts'
import { useStored } from '../../store/useStored.ts'
import { asksServer, useConnection } from '../../sync/connection.ts'
import { moveToGate } from '../../sync/pairing.ts'
import { FRAME, GATE_VIEW, INSTALL, READINESS, SHIFT } from '../../texts/phone.ts'
import { DEVICE, LEAVING, SCANNER } from '../../texts/scanner.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import { showTrouble } from '../scan/showTrouble.ts'
import { useInstaller } from './InstallScanner.tsx'
import { LanguageItems } from './LanguageChoice.tsx'
import styles from './ScannerMenu.module.css'
import { ChangeShift } from './Shift.tsx'

/** Once closed, the gate question does not open again with this screen, for example after each sale. */
let isGateAsked = false

/** `titled`: shows the dashboard's title, because the screen does not show it while the scanner runs. */
export const ScannerMenu = ({ titled }: { titled: boolean }) => {
  const user = useUser()
  const { name: device, gate: ownGate } = useStored((store) => store.device)
  const unsent = useStored((store) => store.unsent?.count ?? null)
  const signingOut = useSigningOut()
  const online = useOnline()
  const [asks, setAsks] = useState<'name' | 'leave' | 'shift' | 'gate' | null>(null)
  const pairing = usePairingRow()
  const supervises = useRight('supervise')
  const sells = useMaySell()
  const installer = useInstaller()
  const asksGate = useAsksGate() && !titled
  const [gateAsked, setGateAsked] = useState(isGateAsked)
  const boundGates = pairing?.device.gates.length ?? 0
  const mayMove = boundGates === 0 ? rosterGates().length > 0 : boundGates > 1
  const onlyOffline = unsent === 0 && !online
  const leave = async () => {
    // The count on the screen may not include the scan just made.
    const now = unsent === 0 ? await readUnsent().catch(() => null) : null
    if (now?.count === 0 && online) void signOut()
    else setAsks('leave')
  }
  return (
    <>
      <Menu trigger={<IconButton label={SCANNER.menu} icon={<MenuIcon />} />}>
        <MenuHeading>
          {titled ? (
            <span className={styles.title}>
              {SCANNER.title}
              <br />
              {SCANNER.subtitle}
            </span>
          ) : null}
          <span className={styles.who}>{pairing ? pairing.shift?.name : user?.name}</span>
          <span className={styles.where}>
            {[device, pairing ? pairing.device.gate : ownGate]
              .filter((name, at, all) => name && all.indexOf(name) === at)
              .join(' · ')}
          </span>
        </MenuHeading>
        <MenuSeparator />
        {sells ? (
          <MenuItem icon={<Ticket />} onSelect={() => goTo('sell')}>
            {SELL_HERE.open}
          </MenuItem>
        ) : null}
        {supervises ? (
          <MenuItem icon={<ChartNoAxesColumn />} onSelect={() => goTo('evening')}>
            {GATE_VIEW.title}
          </MenuItem>
        ) : null}
        <MenuItem icon={<ClipboardCheck />} onSelect={() => goTo('readiness')}>
          {READINESS.title}
        </MenuItem>
        <MenuItem icon={<QrCode />} onSelect={() => goTo('testCode')}>
          {READINESS.testCode.title}
        </MenuItem>
        {installer ? (
          <MenuItem icon={<Download />} onSelect={installer.install}>
            {INSTALL.title}
          </MenuItem>
        ) : null}
        {mayMove ? (
          <MenuItem icon={<DoorOpen />} onSelect={() => setAsks('gate')}>
            {FRAME.changeGate}
          </MenuItem>
        ) : null}
        <LanguageItems />
        {pairing ? (
          <MenuItem icon={<UserRound />} onSelect={() => setAsks('shift')}>
            {SHIFT.change}
          </MenuItem>
        ) : (
          <>
            <MenuItem icon={<Tag />} onSelect={() => setAsks('name')}>
              {DEVICE.name}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<LogOut />} disabled={signingOut} onSelect={() => void leave()}>
              {signingOut ? FRAME.signingOut : FRAME.signOut}
            </MenuItem>
          </>
        )}
      </Menu>
      {installer?.steps}
      <ChangeShift open={asks === 'shift'} onClose={() => setAsks(null)} />
      <ChooseGate
        open={asks === 'gate' || (asksGate && !gateAsked)}
        onChosen={() => setAsks(null)}
        onClose={() => {
          setAsks(null)
          isGateAsked = true
          setGateAsked(true)
        }}
      />
      <NameDevice open={asks === 'name'} onClose={() => setAsks(null)} />
      <ConfirmDialog
        open={asks === 'leave'}
        title={onlyOffline ? LEAVING.offlineTitle : LEAVING.title}
        confirmLabel={LEAVING.yes}
        cancelLabel={LEAVING.no}
        tone="danger"
        busy={signingOut}
        onConfirm={() => void signOut()}
        onCancel={() => setAsks(null)}
      >
        {unsent ? LEAVING.detail(unsent) : onlyOffline ? null : LEAVING.unread} {online ? null : LEAVING.offline}
      </ConfirmDialog>
    </>
  )
}

const FORM = 'name-device'

const NameDevice = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const name = useStored((store) => store.device.name)
  const field = useRef<HTMLInputElement>(null)
  const save = (event: FormEvent) => {
    event.preventDefault()
    void nameDevice(field.current?.value ?? '').catch(showTrouble)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={DEVICE.title}
      dismissOutside={false}
      initialFocus={field}
      footer={
        <Button tone="primary" size="lg" type="submit" form={FORM}>
          {DEVICE.save}
        </Button>
      }
    >
      <form id={FORM} onSubmit={save}>
        <TextField
          ref={field}
          label={DEVICE.label}
          hint={DEVICE.hint}
          defaultValue={name}
          maxLength={DEVICE_NAME_MAX}
        />
      </form>
    </Dialog>
  )
}

/**
 * A phone that may be at several gates and is at none asks before it scans: a paired phone if online, because the
 * server assigns the gate, and a signed-in checker's phone always.
 */
function useAsksGate(): boolean {
  const online = useConnection(({ connection }) => asksServer(connection))
  const device = usePairingRow()?.device
  const own = useStored((store) => store.device)
  const isPerson = useUser() !== null
  useRoster(({ revision }) => revision)
  // A device without an id has not been read yet, and may be at a gate.
  if (device === undefined) return isPerson && own.id !== '' && own.gate === undefined && rosterGates().length > 0
  if (device.gate !== null || device.gates.length === 1 || !online) return false
  return listChoices(device).length > 0
}

const listChoices = (device: OwnDevice | undefined): Gate[] =>
  rosterGates().filter(({ name }) => !device?.gates.length || device.gates.includes(name))

const ChooseGate = ({ open, onChosen, onClose }: { open: boolean; onChosen: () => void; onClose: () => void }) => {
  const device = usePairingRow()?.device
  const own = useStored((store) => store.device.gate)
  const here = device === undefined ? own : device.gate
  const [busy, setBusy] = useState(false)
  const choices = listChoices(device)
  const language = useLanguage((state) => state.language)
  const choose = async ({ name }: Gate) => {
    setBusy(true)
    try {
      await (device === undefined ? placeDevice(name) : moveToGate(name))
      onChosen()
    } catch (error) {
      toast.error(getErrorMessage(error))
    }
    setBusy(false)
  }
  return (
    <Dialog open={open} onClose={onClose} title={SHIFT.gate} description={FRAME.changeGateDetail}>
      <ul className={styles.gates}>
        {choices.map((gate) => (
          <li key={gate.name}>
            <Button
              block
              size="lg"
              tone={gate.name === here ? 'primary' : 'secondary'}
              icon={<DoorOpen />}
              disabled={busy}
              aria-pressed={gate.name === here}
              onClick={() => void choose(gate)}
            >
              {[FRAME.gateTakes(gate), ...typesOfGate(gate).map(({ name }) => pickTypeName(name, language))].join(
                ' · ',
              )}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
