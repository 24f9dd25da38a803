import { DASHBOARD, orderPage } from '@garba/shared/contracts/site/pages'
import { type FormEvent, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { TextField } from '../../kit/Field.tsx'
import { useByMail, useConfig } from '../../platform/config.ts'
import { callServer } from '../../platform/http/call.ts'
import { isFailure, isNetworkFailure } from '../../platform/http/failure.ts'
import { findSessionRole, useSession } from '../../platform/identity/session.ts'
import { useLanguage } from '../../platform/language.ts'
import { isInstalled, isIos } from '../../platform/pwa/install.ts'
import { useNow } from '../../platform/screen/now.ts'
import { local } from '../../platform/store/local.ts'
import styles from './MailLink.module.css'
import { useAuthWords } from './words.ts'

const KEY = 'garba.mailLink'
const KEPT_MS = 86_400_000

export const linkAddress = {
  read(): string | null {
    const kept = local.readJson<{ email: string; at: number }>(KEY)
    if (kept && Math.abs(Date.now() - kept.at) < KEPT_MS) return kept.email
    linkAddress.forget()
    return null
  },
  keep: (email: string) => local.writeJson(KEY, { email, at: Date.now() }),
  forget: () => local.write(KEY, null),
}

export interface Next {
  tickets?: number | undefined
  order?: string | undefined
}

export const buildNextPath = ({ order }: Next): string => (order === undefined ? DASHBOARD : orderPage(order))

interface AddressFormProps {
  email: string
  error: string | null
  busy: boolean
  action: string
  primary?: boolean | undefined
  hasFocus?: boolean
  onSubmit: (email: string) => void
}

const takeFocus = (element: HTMLElement | null) => element?.focus()

export const AddressForm = ({
  email,
  error,
  busy,
  action,
  primary = false,
  hasFocus = false,
  onSubmit,
}: AddressFormProps) => {
  const words = useAuthWords()
  const [wrong, setWrong] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('email') ?? '').trim()
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed)) return setWrong(words.emailWrong)
    setWrong(null)
    if (!busy) onSubmit(typed)
  }
  return (
    <form className="stack-3" onSubmit={submit} noValidate>
      <TextField
        ref={hasFocus ? takeFocus : null}
        label={words.email}
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
        error={wrong ?? error}
      />
      <Button block tone={primary ? 'primary' : 'secondary'} type="submit" busy={busy}>
        {action}
      </Button>
    </form>
  )
}

interface SentLink {
  email: string
  at: number
}

interface MailLinkFormProps {
  next: Next
  email?: string
  primary?: boolean
  onSent?: (isSent: boolean) => void
}

export const MailLinkForm = ({ next, email = '', primary, onSent }: MailLinkFormProps) => {
  const words = useAuthWords()
  const byMail = useByMail()
  const language = useLanguage((store) => store.language)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [sent, setSent] = useState<SentLink | null>(null)
  const [asksAgain, setAsksAgain] = useState(false)
  const send = async (to: string) => {
    setBusy(true)
    setError(null)
    try {
      await callServer('mailLink', { body: { email: to, language, ...next }, retries: 0 })
      linkAddress.keep(to)
      setSent({ email: to, at: Date.now() })
      setAsksAgain(false)
      onSent?.(true)
    } catch (failure) {
      setError(words[whyNotSent(failure)])
    }
    setBusy(false)
  }
  if (!byMail) return null
  if (sent !== null && !asksAgain)
    return (
      <>
        <LinkSent key={sent.at} email={sent.email} />
        {error === null ? null : <p role="alert">{error}</p>}
        <SendAgain sent={sent} busy={busy} onSend={() => void send(sent.email)} />
        <Button
          block
          tone="ghost"
          disabled={busy}
          onClick={() => {
            setError(null)
            setAsksAgain(true)
            onSent?.(false)
          }}
        >
          {words.another}
        </Button>
      </>
    )
  return (
    <>
      {isIos() && isInstalled() ? (
        // An app on Apple's home screen opens no links of emails.
        <p className="soft">{words.iosApp}</p>
      ) : null}
      <AddressForm
        email={sent?.email ?? email}
        error={error}
        busy={busy}
        action={busy ? words.sending : words.send}
        primary={primary}
        hasFocus={asksAgain}
        onSubmit={(to) => void send(to)}
      />
    </>
  )
}

const LinkSent = ({ email }: { email: string }) => {
  const words = useAuthWords()
  const demo = useConfig(({ config }) => config?.demo ?? false)
  return (
    <div ref={takeFocus} tabIndex={-1} role="status" className="stack-3">
      <div>
        <p>{words.sent}</p>
        <p className={styles.address}>{email}</p>
      </div>
      <p className="soft">{words.sentText}</p>
      {demo ? <p className="soft">{words.sentDemo}</p> : null}
    </div>
  )
}

const AGAIN_AFTER_MS = 30_000

const SendAgain = ({ sent, busy, onSend }: { sent: SentLink; busy: boolean; onSend: () => void }) => {
  const words = useAuthWords()
  const seconds = Math.ceil((sent.at + AGAIN_AFTER_MS - useNow(1000)) / 1000)
  return (
    <Button block busy={busy} disabled={seconds > 0} onClick={onSend}>
      {busy ? words.sending : seconds > 0 ? words.sendAgainIn(seconds) : words.sendAgain}
    </Button>
  )
}

function whyNotSent(error: unknown): 'offline' | 'tooMany' | 'emailWrong' | 'notSent' {
  if (isNetworkFailure(error)) return 'offline'
  if (!isFailure(error)) return 'notSent'
  return error.code === 'RATE_LIMITED' ? 'tooMany' : error.code === 'VALIDATION_FAILED' ? 'emailWrong' : 'notSent'
}

export const useIsIn = (): boolean => findSessionRole(useSession()) !== null
