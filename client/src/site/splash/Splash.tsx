import { SPLASH_FADE_MS } from '@garba/shared/constants'
import { useEffect, useRef, useState } from 'react'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { pageData } from '../../platform/pageData.ts'
import { useWords } from '../words.ts'
import { claimSplash } from './claim.ts'
import styles from './Splash.module.css'
import { next, type Stage } from './stages.ts'

/** The title word by word over the mounted page, once in a browser session; a tap or Esc ends it (DECISIONS 5). */
export const Splash = ({ title }: { title: string }) => {
  const [rendered] = useState(() => (isFirstMount ? pageData()?.splash : undefined))
  const [shows, setShows] = useState(() => rendered ?? claimSplash())
  useEffect(() => {
    isFirstMount = false
    // The server goes by a cookie: it knows neither this tab nor whether the reader wants motion.
    if (rendered !== undefined) setShows(claimSplash())
  }, [rendered])
  return shows ? <Playing title={title} /> : null
}

/** Only the first mount can be of a page that the server rendered. */
let isFirstMount = true

const Playing = ({ title }: { title: string }) => {
  const { splash } = useWords()
  const words = title.split(/\s+/).filter(Boolean)
  const [stage, setStage] = useState<Stage>({ type: 'words', shown: 0 })
  const [running, setRunning] = useState(false)
  useEffect(() => setRunning(true), [])
  useEffect(() => {
    const step = next(stage, words.length)
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
  // Under the splash the focus would move unseen.
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
      <GarboRings className={styles.lamp} />
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
