import { useEffect, useRef, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { userNow, useSession } from '../../platform/identity/session.ts'
import { bannerText, classifySignInError } from '../../platform/identity/signInFailure.ts'
import { usePageTitle } from '../../platform/page.ts'
import { Notice, Redirecting } from '../frame/Notice.tsx'
import { useWords } from '../words.ts'
import styles from './MailLink.module.css'
import { AddressForm, buildNextPath, linkAddress, MailLinkForm, type Next, useIsIn } from './MailLink.tsx'
import { useAuthWords } from './words.ts'

type MailLinkPageState =
  | { at: 'asking'; email: string; error: string | null }
  | { at: 'signing'; email: string }
  | { at: 'dead'; email: string; why: 'used' | 'expired' }

export default function MailLinkPage() {
  const words = useAuthWords()
  const { signInFailure } = useWords()
  const [search] = useSearchParams()
  const session = useSession()
  const isIn = useIsIn()
  const [state, setState] = useState<MailLinkPageState>(() => ({
    at: 'asking',
    email: linkAddress.read() ?? '',
    error: null,
  }))
  usePageTitle(words.finish)
  const finish = async (email: string) => {
    setState({ at: 'signing', email })
    const fail = (error: unknown) => {
      const kind = classifySignInError(error)
      // After a network failure the address is kept, so that the next try does not ask for it.
      if (kind !== 'network') linkAddress.forget()
      const code = error instanceof Error && 'code' in error ? error.code : ''
      if (code === 'auth/invalid-action-code') setState({ at: 'dead', email, why: 'used' })
      else if (code === 'auth/expired-action-code') setState({ at: 'dead', email, why: 'expired' })
      else if (code === 'auth/invalid-email') setState({ at: 'asking', email, error: words.otherAddress })
      else if (kind === 'network') setState({ at: 'asking', email, error: words.offline })
      else setState({ at: 'asking', email, error: kind === 'failed' ? words.failed : bannerText(kind, signInFailure) })
    }
    try {
      const { signInByMail } = await import('../../platform/identity/lifecycle.ts')
      await signInByMail({ email, link: location.href }, fail)
    } catch (error) {
      console.info('Sign-in could not be loaded', error)
      setState({ at: 'asking', email, error: words.offline })
    }
  }
  useAtOnce(session.type === 'signedOut', finish)
  const next = parseNextPage(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once, on arrival
  useEffect(() => {
    if (!isIn) return
    // The link of somebody else, as on a family's phone, is not used.
    const email = userNow()?.email
    if (email !== undefined && state.at !== 'signing' && linkAddress.read() !== email) toast.info(words.staysIn(email))
    linkAddress.forget()
  }, [isIn])
  if (isIn) return <Navigate to={buildNextPath(next)} state={{ buy: next.tickets }} replace />
  if (!search.has('oobCode')) return <Navigate to="/" replace />
  if (session.type === 'initializing') return <Redirecting />
  const { email } = state
  const isDead = state.at === 'dead'
  return (
    <Notice
      title={isDead ? words.dead : words.finish}
      detail={isDead ? words[state.why] : words.finishText}
      alert={isDead}
    >
      <div className={styles.page}>
        {isDead ? (
          <MailLinkForm next={next} email={email} primary />
        ) : (
          <AddressForm
            email={email}
            error={state.at === 'asking' ? state.error : null}
            busy={state.at === 'signing'}
            primary
            action={state.at === 'signing' ? words.finishing : words.signIn}
            onSubmit={(typed) => void finish(typed)}
          />
        )}
      </div>
    </Notice>
  )
}

/** Finishes at once where the link was requested in this browser. Programs that only inspect links use none up. */
function useAtOnce(isReady: boolean, finish: (email: string) => Promise<void>): void {
  const done = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the kept address counts once
  useEffect(() => {
    const email = linkAddress.read()
    if (!isReady || done.current || email === null) return
    done.current = true
    void finish(email)
  }, [isReady])
}

function parseNextPage(search: URLSearchParams): Next {
  const tickets = Number(search.get('tickets'))
  const order = search.get('order')
  if (order) return { order }
  return Number.isInteger(tickets) && tickets > 0 ? { tickets } : {}
}
