import { SPLASH_FADE_MS, SPLASH_FIRST_WORD_MS, SPLASH_HOLD_MS, SPLASH_NEXT_WORD_MS } from '@garba/shared/constants'
import { PAGE_COOKIES } from '@garba/shared/contracts/site/pages'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { pageData } from '../../platform/pageData.ts'
import { useWords } from '../words.ts'
import styles from './Splash.module.css'

export const Splash = ({ title }: { title: string }) => {
  // Hydration must match the server's page, and the server cannot know of reduced motion. The page decides before the first paint.
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

/** Only the first mount can belong to a page that the server rendered. */
let isFirstMount = true

const SEEN = `${PAGE_COOKIES.splash}=seen`

/**
 * Whether the splash may show now: on the first visit to / in this browser session, in whichever tab, and never with
 * reduced motion. The call marks the visit, so that the server renders pages without the splash from then on. Where cookies
 * are denied the visit cannot be known, so the splash is left out.
 */
function claimSplash(): boolean {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || document.cookie.includes(SEEN)) return false
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox
  document.cookie = `${SEEN}; Path=/; SameSite=Lax`
  return document.cookie.includes(SEEN)
}

const Playing = ({ title }: { title: string }) => {
  const { splash } = useWords()
  const words = title.split(/\s+/).filter(Boolean)
  const times = splashTimes(words.length)
  const [isOver, setOver] = useState(false)
  const cover = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const left = times.overMs - playedMs(cover.current)
    // Without this the focus would move unseen under the splash.
    if (left > 0) cover.current?.focus({ preventScroll: true })
    const timer = setTimeout(() => setOver(true), left)
    return () => clearTimeout(timer)
  }, [times.overMs])
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOver(true)
    }
    document.addEventListener('keydown', key)
    return () => document.removeEventListener('keydown', key)
  }, [])
  if (isOver) return null
  const leaving = { animationDelay: `${times.fadesMs}ms`, animationDuration: `${SPLASH_FADE_MS}ms` }
  return (
    <>
      <button
        ref={cover}
        type="button"
        className={styles.splash}
        data-splash
        style={leaving}
        aria-label={splash.skip}
        onClick={() => setOver(true)}
      >
        <span className={styles.title} style={leaving}>
          {words.map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a title may hold a word twice, and its words stay in place
            <span key={index} className={styles.word} style={{ animationDelay: `${times.wordsMs[index]}ms` }}>
              {word}
            </span>
          ))}
        </span>
      </button>
      <div className={styles.lamp} style={leaving}>
        <GarboRings still />
      </div>
    </>
  )
}

/** How long the splash has played in ms; a splash rendered by the server plays since the first paint. */
function playedMs(cover: HTMLElement | null): number {
  if (cover === null || !('getAnimations' in cover)) return 0
  const played = cover.getAnimations()[0]?.currentTime
  return typeof played === 'number' ? played : 0
}

export function splashTimes(words: number): { wordsMs: number[]; fadesMs: number; overMs: number } {
  const wordsMs = Array.from({ length: words }, (_, index) => SPLASH_FIRST_WORD_MS + index * SPLASH_NEXT_WORD_MS)
  const fadesMs = (wordsMs.at(-1) ?? 0) + SPLASH_HOLD_MS
  return { wordsMs, fadesMs, overMs: fadesMs + SPLASH_FADE_MS }
}
