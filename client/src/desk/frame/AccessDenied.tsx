import { FIGURES } from '@garba/shared/messages/deskFigures'
import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { type MutationCacheNotifyEvent, type QueryCacheNotifyEvent, useQueryClient } from '@tanstack/react-query'
import { ShieldX } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { call } from '../../platform/http/call.ts'
import { isFailure, messageOf } from '../../platform/http/failure.ts'
import { refreshUser, requestAdmin } from '../../platform/identity/actions.ts'
import { setCurrentUser } from '../../platform/identity/setCurrentUser.ts'
import { usePageTitle } from '../../platform/page.ts'
import styles from './AccessDenied.module.css'

const words = FIGURES.denied

/** Takes on a new role that still has a desk, such as an admin who is now a manager; RequireRole then leads there. */
async function followRole(): Promise<void> {
  const { user } = await call('me')
  if (user.role === 'admin' || user.role === 'manager') await setCurrentUser(user)
}

/** SPEC 2 and 4: asks for the admin role once automatically, and again on request; the server decides. */
export const AccessDenied = ({ onAdmitted }: { onAdmitted: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  usePageTitle(words.title)

  const ask = useCallback(
    async ({ aloud }: { aloud: boolean }) => {
      setAsking(true)
      try {
        await requestAdmin()
        await client.resetQueries()
        toast.success(SUCCESS_TOASTS.adminAssigned)
        onAdmitted()
      } catch (error) {
        if (aloud) toast.error(messageOf(error))
        else await followRole().catch((failed: unknown) => console.info('The role is not known now', failed))
      } finally {
        setAsking(false)
      }
    },
    [client, onAdmitted],
  )
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    void ask({ aloud: false })
  }, [ask])

  const leave = async () => {
    try {
      // The session must know the role first, or RequireRole would lead straight back here.
      await refreshUser()
      await navigate('/dashboard', { replace: true })
    } catch (error) {
      toast.error(messageOf(error))
    }
  }
  return (
    <section className={styles.denied}>
      <span className={styles.icon}>
        <ShieldX aria-hidden="true" size={32} />
      </span>
      <div role="alert">
        <p className={styles.kicker}>{words.required}</p>
        <h1 className={styles.title}>{words.title}</h1>
        <p>{words.text}</p>
      </div>
      <div className={styles.buttons}>
        <Button tone="primary" busy={asking} onClick={() => ask({ aloud: true })}>
          {asking ? words.requesting : words.request}
        </Button>
        <Button onClick={leave}>{words.guest}</Button>
      </div>
    </section>
  )
}

/** The server's answers when the role no longer suffices: to any call of the desk, and to a change of role. */
const isDenial = (error: unknown) =>
  isFailure(error) && (error.code === 'FORBIDDEN' || error.code === 'ROLES_ADMIN_ONLY')

/**
 * Whether the server has refused this account: a role removed during a session shows at the next call, while the session on
 * this device still has the old role. `retry` forgets the refusal.
 */
export function useDenied(): { denied: boolean; retry: () => void } {
  const client = useQueryClient()
  const [denied, setDenied] = useState(false)
  useEffect(() => {
    const notice = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
      if (event.type === 'updated' && event.action.type === 'error' && isDenial(event.action.error)) setDenied(true)
    }
    const stops = [client.getQueryCache().subscribe(notice), client.getMutationCache().subscribe(notice)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])
  const retry = useCallback(() => setDenied(false), [])
  return { denied, retry }
}
