import { DASHBOARD, orderPage } from '@garba/shared/contracts/site/pages'
import { type FormEvent, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { TextField } from '../../kit/Field.tsx'
import { useByMail, useConfig } from '../../platform/config.ts'
import { call } from '../../platform/http/call.ts'
import { isFailure, isNetworkFailure } from '../../platform/http/failure.ts'
import { roleOf, useSession } from '../../platform/identity/session.ts'
import { useLanguage } from '../../platform/language.ts'
import { isInstalled, isIos } from '../../platform/pwa/install.ts'
import { local } from '../../platform/store/local.ts'
import { useAuthWords } from './words.ts'

const KEY = 'garba.mailLink'
const KEPT_MS = 86_400_000

/** The address for which this browser last requested a link, so that it need not be typed again when the link opens here. */
export const linkAddress = {
  read(): string | null {
    const kept = local.readJson(KEY) as { email: string; at: number } | null
    if (kept && Math.abs(Date.now() - kept.at) < KEPT_MS) return kept.email
    linkAddress.forget()
    return null
  },
  keep: (email: string) => local.writeJson(KEY, { email, at: Date.now() }),
  forget: () => local.write(KEY, null),
}

/** What the guest continues with after signing in: the purchase of so many tickets, or an order. */
export interface Next {
  tickets?: number | undefined
  order?: string | undefined
}

export const pathOf = ({ order }: Next): string => (order === undefined ? DASHBOARD : orderPage(order))

interface AddressFormProps {
  email: string
  error: string | null
  busy: boolean
  action: string
  primary?: boolean | undefined
  onSubmit: (email: string) => void
}

/** A form with one field, for an email address. */
export const AddressForm = ({ email, error, busy, action, primary = false, onSubmit }: AddressFormProps) => {
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

type Sending = { at: 'asking'; error: string | null } | { at: 'sending' } | { at: 'sent'; email: string }

/** Requests a link by mail. Renders nothing where such links are not set up. */
export const MailLinkForm = ({ next, email = '', primary }: { next: Next; email?: string; primary?: boolean }) => {
  const words = useAuthWords()
  const byMail = useByMail()
  const language = useLanguage((store) => store.language)
  const demo = useConfig(({ config }) => config?.demo ?? false)
  const [state, setState] = useState<Sending>({ at: 'asking', error: null })
  const send = async (to: string) => {
    setState({ at: 'sending' })
    try {
      await call('mailLink', { body: { email: to, language, ...next }, retries: 0 })
      linkAddress.keep(to)
      setState({ at: 'sent', email: to })
    } catch (error) {
      setState({ at: 'asking', error: words[whyNotSent(error)] })
    }
  }
  if (!byMail) return null
  const busy = state.at === 'sending'
  const sent = state.at === 'sent'
  return (
    <>
      {sent ? (
        <div role="status" className="stack-3">
          <p>{words.sent(state.email)}</p>
          {demo ? <p className="soft">{words.sentDemo}</p> : null}
        </div>
      ) : isIos() && isInstalled() ? (
        // An app on Apple's home screen opens no links of emails.
        <p className="soft">{words.iosApp}</p>
      ) : null}
      {/* It stays after sending, for another address. */}
      <AddressForm
        email={email}
        error={state.at === 'asking' ? state.error : null}
        busy={busy}
        action={busy ? words.sending : words.send}
        primary={primary && !sent}
        onSubmit={(to) => void send(to)}
      />
    </>
  )
}

function whyNotSent(error: unknown): 'offline' | 'tooMany' | 'emailWrong' | 'notSent' {
  if (isNetworkFailure(error)) return 'offline'
  if (!isFailure(error)) return 'notSent'
  return error.code === 'RATE_LIMITED' ? 'tooMany' : error.code === 'VALIDATION_FAILED' ? 'emailWrong' : 'notSent'
}

/** Whether somebody is signed in, as far as this device knows. */
export const useIsIn = (): boolean => roleOf(useSession()) !== null
