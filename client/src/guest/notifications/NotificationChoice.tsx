import { Bell, BellOff, BellRing } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { isFailure } from '../../platform/http/failure.ts'
import { makeWords } from '../../platform/language.ts'
import { type PushState, readPushState, turnPushOff, turnPushOn } from '../../platform/pwa/push.ts'
import { failureText } from '../failures.ts'
import { useWords } from '../words.ts'
import styles from './NotificationChoice.module.css'
import { en } from './texts/en.ts'

const useNotificationWords = makeWords<typeof en>(en, {
  gu: async () => (await import('./texts/gu.ts')).gu,
  hi: async () => (await import('./texts/hi.ts')).hi,
})

/**
 * Shows nothing until the worker is there, and where the browser has no notifications: on an iPhone the page says elsewhere
 * how to install it.
 */
export default function NotificationChoice({ centered = false }: { centered?: boolean }) {
  const guest = useWords()
  const words = useNotificationWords()
  const { state, busy, error, change } = usePush()
  if (state === null) return null
  if (state === 'blocked')
    return (
      <p className={styles.note} data-centered={centered || undefined}>
        <BellOff />
        {words.blocked}
      </p>
    )
  const isOn = state === 'on'
  return (
    <div className={styles.choice} data-centered={centered || undefined}>
      {isOn ? (
        <p className={styles.note} role="status">
          <BellRing />
          {words.on}
        </p>
      ) : null}
      <Button
        tone={isOn ? 'ghost' : 'secondary'}
        size="sm"
        icon={isOn ? undefined : <Bell />}
        busy={busy}
        onClick={() => change(isOn ? turnPushOff : turnPushOn)}
      >
        {isOn ? words.turnOff : words.turnOn[matchMedia('(pointer: coarse)').matches ? 'phone' : 'computer']}
      </Button>
      {isOn ? null : <p className={styles.about}>{words.about}</p>}
      {error === null ? null : (
        <p role="alert" className={styles.failed}>
          {isFailure(error) ? failureText(error, guest) : words.failed}
        </p>
      )}
    </div>
  )
}

function usePush() {
  const [state, setState] = useState<PushState | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isHere = true
    readPushState().then(
      (read) => isHere && setState(read),
      (reason: unknown) => console.info('Notifications could not be checked', reason),
    )
    return () => {
      isHere = false
    }
  }, [])
  const change = async (turn: () => Promise<PushState>) => {
    setBusy(true)
    setError(null)
    try {
      setState(await turn())
    } catch (reason) {
      console.warn('Notifications could not be changed', reason)
      setError(reason)
    } finally {
      setBusy(false)
    }
  }
  return { state, busy, error, change: (turn: () => Promise<PushState>) => void change(turn) }
}
