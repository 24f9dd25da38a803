import { SHIFT_NAME_MAX } from '@garba/shared/constants'
import { isCodeText, plainName } from '@garba/shared/contracts/people/personName'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { Banner } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { useOnline } from '../../../platform/net/connectivity.ts'
import { usePageTitle } from '../../../platform/page.ts'
import { goTo } from '../../core/useView.ts'
import { useStored } from '../../store/useStored.ts'
import { findCashSession } from '../../sync/cash.ts'
import { startShift } from '../../sync/pairing.ts'
import { SCANNER_KEYS, SHIFT } from '../../texts/phone.ts'
import { UNSENT } from '../../texts/scanner.ts'
import UnsentHere from '../lists/UnsentHere.tsx'
import { Notice } from '../scan/Center.tsx'
import { showTrouble } from '../scan/showTrouble.ts'
import { LanguageChoice } from './LanguageChoice.tsx'
import styles from './Shift.module.css'

const FORM = 'shift'

export const ShiftScreen = () => {
  usePageTitle(SHIFT.title)
  return (
    <Notice title={SHIFT.title} text={SHIFT.detail}>
      <div className={styles.start}>
        <LanguageChoice />
        <ShiftForm onDone={() => {}} />
        <Button type="submit" form={FORM} tone="primary" size="lg" block>
          {SHIFT.start}
        </Button>
      </div>
      <UnsentHere text={UNSENT.kept} />
    </Notice>
  )
}

export const ChangeShift = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const field = useRef<HTMLInputElement>(null)
  const online = useOnline()
  const session = findCashSession(useStored((store) => store.cash))
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={SHIFT.change}
      description={SHIFT.changeDetail}
      dismissOutside={false}
      initialFocus={field}
      footer={
        <>
          {session && online ? (
            <Button
              tone="primary"
              size="lg"
              onClick={() => {
                onClose()
                goTo('sell')
              }}
            >
              {SHIFT.count}
            </Button>
          ) : null}
          <Button
            type="submit"
            form={FORM}
            tone={session && online ? 'secondary' : 'primary'}
            size="lg"
            disabled={Boolean(session) && online}
          >
            {SHIFT.start}
          </Button>
        </>
      }
    >
      {session ? (
        <Banner tone="warn" live="status">
          {SHIFT.drawerOpen(session.person)} {online ? '' : SHIFT.drawerOffline}
        </Banner>
      ) : null}
      <ShiftForm field={field} onDone={onClose} />
    </Dialog>
  )
}

const ShiftForm = ({ field, onDone }: { field?: RefObject<HTMLInputElement | null>; onDone: () => void }) => {
  const [name, setName] = useState('')
  const [wrong, setWrong] = useState<string>()
  const save = (event: FormEvent) => {
    event.preventDefault()
    const first = plainName(name)
    const text = first === '' ? SHIFT.required : isCodeText(first) ? SCANNER_KEYS.nameIsCode : undefined
    setWrong(text)
    if (text !== undefined) return
    startShift(first).then(onDone, showTrouble)
  }
  return (
    <form id={FORM} className={styles.form} onSubmit={save} noValidate>
      <TextField
        {...(field ? { ref: field } : {})}
        label={SHIFT.label}
        value={name}
        error={wrong}
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
