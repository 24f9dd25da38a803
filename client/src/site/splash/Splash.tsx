import { SPLASH_FADE_MS, SPLASH_FIRST_WORD_MS, SPLASH_HOLD_MS, SPLASH_NEXT_WORD_MS } from '@garba/shared/constants'
import { PAGE_COOKIES } from '@garba/shared/contracts/pageData'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { pageData } from '../../platform/pageData.ts'
import { useWords } from '../words.ts'
import styles from './Splash.module.css'

/** The title word by word over the mounted page, once in a browser session; a tap or Esc ends it (DECISIONS 5). */
export const Splash = ({ title }: { title: string }) => {
  // Hydration must find what the server drew, and the server knows only a cookie. This tab decides before the first paint.
  const [shows, setShows] = useState(() => isFirstMount && (pageData()?.splash ?? false))
  const decided = useRef(false)
  useLayoutEffect(() => {
    isFirstMount = false
    if (decided.current) return
    decided.current = true
    setShows(claimSplash())
  }, [])
  return shows ? <Playing title={title} /> : null
}

/** Only the first mount can be of a page that the server rendered. */
let isFirstMount = true

const CLAIMED = 'garba.splash'

/**
 * Whether the splash may show now: on the first visit to / in this browser session, and never for readers who prefer
 * reduced motion (DECISIONS 5). Asking uses it up. If sessionStorage is denied we cannot know, so the splash is left out.
 */
function claimSplash(): boolean {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return false
  try {
    if (sessionStorage.getItem(CLAIMED) !== null) return false
    sessionStorage.setItem(CLAIMED, 'shown')
    // Until the browser is closed, the server renders pages without the splash.
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox
    document.cookie = `${PAGE_COOKIES.splash}=seen; Path=/; SameSite=Lax`
    return true
  } catch (error) {
    console.warn('Session storage is not usable', error)
    return false
  }
}

const Playing = ({ title }: { title: string }) => {
  const { splash } = useWords()
  const words = title.split(/\s+/).filter(Boolean)
  const [stage, setStage] = useState<Stage>({ type: 'words', shown: 0 })
  const [running, setRunning] = useState(false)
  useEffect(() => setRunning(true), [])
  useEffect(() => {
    const step = nextStage(stage, words.length)
    if (step === null) return
    const timer = setTimeout(() => setStage(step.stage), step.after)
    return () => clearTimeout(timer)
  }, [stage, words.length])
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setStage({ type: 'gone' })
    }
    document.addEventListener('keydown', key)
    return () => document.removeEventListener('keydown', key)
  }, [])
  // Otherwise the focus would move around unseen under the splash.
  const cover = useRef<HTMLButtonElement>(null)
  useEffect(() => cover.current?.focus({ preventScroll: true }), [])
  if (stage.type === 'gone') return null
  const shown = stage.type === 'words' ? stage.shown : words.length
  return (
    <button
      ref={cover}
      type="button"
      className={styles.splash}
      data-waiting={!running || undefined}
      data-fading={stage.type === 'fading' || undefined}
      style={{ transitionDuration: `${SPLASH_FADE_MS}ms` }}
      aria-label={splash.skip}
      onClick={() => setStage({ type: 'gone' })}
    >
      <GarboRings className={styles.lamp} still />
      <span className={styles.title}>
        {words.map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a title may hold a word twice, and its words stay in place
          <span key={index} className={styles.word} data-shown={index < shown || undefined}>
            {word}
          </span>
        ))}
      </span>
    </button>
  )
}

export type Stage = { type: 'words'; shown: number } | { type: 'fading' } | { type: 'gone' }

/** The next stage and how long, in ms, the current one lasts (SPEC 4, Intro splash); null at the end. */
export function nextStage(stage: Stage, words: number): { after: number; stage: Stage } | null {
  if (stage.type === 'gone') return null
  if (stage.type === 'fading') return { after: SPLASH_FADE_MS, stage: { type: 'gone' } }
  if (stage.shown === words) return { after: SPLASH_HOLD_MS, stage: { type: 'fading' } }
  const after = stage.shown === 0 ? SPLASH_FIRST_WORD_MS : SPLASH_NEXT_WORD_MS
  return { after, stage: { type: 'words', shown: stage.shown + 1 } }
}
