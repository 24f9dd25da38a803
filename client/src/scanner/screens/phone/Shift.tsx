import { SHIFT_NAME_MAX } from '@garba/shared/constants'
import { plainName } from '@garba/shared/contracts/personName'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { usePageTitle } from '../../../platform/page.ts'
import { startShift } from '../../sync/pairing.ts'
import { SHIFT } from '../../texts/phone.ts'
import { UNSENT } from '../../texts/scanner.ts'
import UnsentHere from '../lists/UnsentHere.tsx'
import { Notice } from '../scan/Center.tsx'
import { showTrouble } from '../scan/showTrouble.ts'
import styles from './Shift.module.css'

const FORM = 'shift'

/** Asks once, after pairing, who scans with this phone. */
export const ShiftScreen = () => {
  usePageTitle(SHIFT.title)
  return (
    <Notice title={SHIFT.title} text={SHIFT.detail}>
      <div className={styles.start}>
        <ShiftForm onDone={() => {}} />
        <Button type="submit" form={FORM} tone="primary" size="lg" block>
          {SHIFT.start}
        </Button>
      </div>
      <UnsentHere text={UNSENT.kept} />
    </Notice>
  )
}

/** The next checker takes over the phone; it stays paired. */
export const ChangeShift = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={SHIFT.change}
      description={SHIFT.changeDetail}
      dismissOutside={false}
      initialFocus={field}
      footer={
        <Button type="submit" form={FORM} tone="primary" size="lg">
          {SHIFT.start}
        </Button>
      }
    >
      <ShiftForm field={field} onDone={onClose} />
    </Dialog>
  )
}

const ShiftForm = ({ field, onDone }: { field?: RefObject<HTMLInputElement | null>; onDone: () => void }) => {
  const [name, setName] = useState('')
  const [lacks, setLacks] = useState(false)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const first = plainName(name)
    setLacks(first === '')
    if (first === '') return
    startShift(first).then(onDone, showTrouble)
  }
  return (
    <form id={FORM} className={styles.form} onSubmit={save} noValidate>
      <TextField
        {...(field ? { ref: field } : {})}
        label={SHIFT.label}
        value={name}
        error={lacks ? SHIFT.required : undefined}
        onChange={(event) => setName(event.target.value)}
        maxLength={SHIFT_NAME_MAX}
        autoComplete="given-name"
        autoCapitalize="words"
        enterKeyHint="done"
        required
      />
    </form>
  )
}
