import { DEVICE_NAME_MAX } from '@garba/shared/constants'
import { DEVICE } from '@garba/shared/messages/scanner'
import { type FormEvent, useRef } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { nameDevice } from '../store/device.ts'
import { useStored } from '../store/useStored.ts'
import { showTrouble } from './showTrouble.ts'

const FORM = 'name-device'

/** What the staff call this device, as in "Gate A". */
export const NameDevice = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
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
