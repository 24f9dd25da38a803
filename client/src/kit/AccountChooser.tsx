import { type FormEvent, useState } from 'react'
import styles from './AccountChooser.module.css'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { TextField } from './Field.tsx'
import { Avatar } from './Person.tsx'

const words = {
  title: 'Choose a demo account',
  detail: 'This site runs as a demo. No Google account and no password is needed.',
  another: 'Another account',
  name: 'Name',
  email: 'Email',
  nameRequired: 'Please enter a name',
  emailInvalid: 'Please enter an email address',
  use: 'Continue',
  back: 'Back',
} as const

export interface ChosenAccount {
  name: string
  email: string
}

interface AccountChooserProps {
  open: boolean
  accounts: readonly ChosenAccount[]
  onChoose: (account: ChosenAccount) => void
  onClose: () => void
}

export const AccountChooser = ({ open, accounts, onChoose, onClose }: AccountChooserProps) => {
  const [other, setOther] = useState(false)
  const close = () => {
    setOther(false)
    onClose()
  }
  const choose = (account: ChosenAccount) => {
    setOther(false)
    onChoose(account)
  }
  return (
    <Dialog open={open} onClose={close} title={words.title} description={words.detail} size="sm">
      {other ? (
        <OtherAccount onChoose={choose} onBack={() => setOther(false)} />
      ) : (
        <ul className="stack-2">
          {accounts.map((account) => (
            <li key={account.email}>
              <button type="button" className={styles.account} onClick={() => choose(account)}>
                <Avatar name={account.name} size={36} />
                <span className={styles.words}>
                  <span className={styles.name}>{account.name}</span>
                  <span className="soft">{account.email}</span>
                </span>
              </button>
            </li>
          ))}
          <li>
            <Button block onClick={() => setOther(true)}>
              {words.another}
            </Button>
          </li>
        </ul>
      )}
    </Dialog>
  )
}

interface OtherAccountProps extends Pick<AccountChooserProps, 'onChoose'> {
  onBack: () => void
}

const OtherAccount = ({ onChoose, onBack }: OtherAccountProps) => {
  const [missing, setMissing] = useState<{ name?: string; email?: string }>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const name = String(data.get('name') ?? '').trim()
    const email = String(data.get('email') ?? '').trim()
    const wrong = {
      ...(name === '' ? { name: words.nameRequired } : {}),
      ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? {} : { email: words.emailInvalid }),
    }
    setMissing(wrong)
    if (Object.keys(wrong).length === 0) onChoose({ name, email })
  }
  return (
    <form className="stack-4" onSubmit={submit} noValidate>
      <TextField label={words.name} name="name" autoComplete="name" error={missing.name} />
      <TextField label={words.email} name="email" type="email" autoComplete="email" error={missing.email} />
      <div className={styles.buttons}>
        <Button onClick={onBack}>{words.back}</Button>
        <Button tone="primary" type="submit">
          {words.use}
        </Button>
      </div>
    </form>
  )
}
