import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import { useGuestData } from '../data/useGuestData.ts'
import { useWords } from '../words.ts'
import { GatePages } from './GatePages.tsx'
import styles from './GateView.module.css'
import { GUEST_HOME, gateButtonId } from './paths.ts'

/** Often enough to tell a ticket that was just scanned from the next one to show. */
const POLL_MS = 5_000

/**
 * "Show at gate" (LOOK): the whole screen white, one code as large as it can be, with or without a network. A native
 * modal dialog, so that nothing behind it can be reached; Back closes it, for it has an address of its own.
 */
export const GateView = () => {
  const { gate } = useWords()
  const { ticketId } = useParams()
  const online = useOnline()
  const { tickets } = useGuestData({ pollMs: online ? POLL_MS : undefined })
  const awake = useWakeLock(true)
  const dialog = useRef<HTMLDialogElement>(null)
  const leave = useLeave()
  usePageTitle(gate.title)
  useWhiteFrame()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  useEffect(
    () => () => {
      // The shell puts the focus at the page's beginning; who came from a button wants it back there.
      requestAnimationFrame(() => {
        const opener = document.getElementById(gateButtonId(ticketId)) ?? document.getElementById(gateButtonId())
        opener?.focus({ preventScroll: true })
      })
    },
    [ticketId],
  )
  return (
    <dialog
      ref={dialog}
      className={styles.view}
      aria-label={gate.title}
      data-surface="paper"
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
    >
      {tickets.at === 'known' ? (
        <GatePages tickets={tickets.value} first={ticketId} awake={awake} onClose={leave} />
      ) : null}
    </dialog>
  )
}

/** Back to where the view was opened from; opened by its address alone, to the dashboard. */
function useLeave(): () => void {
  const navigate = useNavigate()
  const { key } = useLocation()
  return useCallback(() => {
    if (key === 'default') void navigate(GUEST_HOME, { replace: true })
    else void navigate(-1)
  }, [key, navigate])
}

/** The browser's own bars around the page turn white too: every bit of light helps. */
function useWhiteFrame(): void {
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')
    const before = meta?.content
    if (!meta || before === undefined) return
    meta.content = '#ffffff'
    return () => {
      meta.content = before
    }
  }, [])
}
