import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Button } from '../../kit/Button.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { useConfig } from '../../platform/config.ts'
import { useLanguage } from '../../platform/language.ts'
import { usePageTitle } from '../../platform/page.ts'
import { refreshCurrentEvent, useCurrentEvent } from '../../platform/store/event.ts'
import { PageMain } from '../PageMain.tsx'
import { Splash } from '../splash/Splash.tsx'
import { usePrefetch } from '../usePrefetch.ts'
import { useWords } from '../words.ts'
import { factsOf } from './facts.ts'
import { Hero } from './Hero.tsx'
import styles from './Landing.module.css'

/** The lamp begins to turn when the splash is over and nothing is left to load. */
const TURNS_AFTER_MS = 6_000

/** SPEC 2 "Landing page". The hero is in the first load; everything below it loads afterwards. */
export const Landing = () => {
  const title = useConfig(({ config }) => config?.eventTitle ?? DEFAULT_EVENT_TITLE)
  const words = useWords()
  const language = useLanguage((store) => store.language)
  const current = useCurrentEvent((store) => store.current)
  const event = current.type === 'known' ? current.event : null
  const facts = factsOf({ event, words, language })
  const { more, fetchMore } = useMore()
  const calm = useLater(more.type === 'here', TURNS_AFTER_MS)
  useEffect(() => void refreshCurrentEvent(), [])
  usePrefetch()
  usePageTitle(null)
  return (
    <>
      <PageMain>
        <Hero
          name={event?.name ?? title}
          facts={current.type === 'asking' ? null : facts}
          event={event}
          calm={calm}
          splash={<Splash title={title} />}
        />
        {more.type === 'here' ? (
          <more.parts.Sections event={event} facts={facts} />
        ) : (
          <MoreLoading failed={more.type === 'failed'} onRetry={fetchMore} />
        )}
      </PageMain>
      {more.type === 'here' ? <more.parts.Footer title={title} /> : null}
    </>
  )
}

/** Whether so many milliseconds have passed since it began. */
function useLater(begun: boolean, ms: number): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    if (!begun) return
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [begun, ms])
  return over
}

/** A placeholder for the sections until they are loaded. */
const MoreLoading = ({ failed, onRetry }: { failed: boolean; onRetry: () => void }) => {
  const { more } = useWords()
  return (
    <div className={styles.place}>
      {failed ? (
        <>
          <p role="alert">{more.failed}</p>
          <Button onClick={onRetry}>{more.retry}</Button>
        </>
      ) : (
        <Spinner size={32} label={more.loading} />
      )}
    </div>
  )
}

type Parts = typeof import('./sections/Sections.tsx')
type More = { type: 'waiting' } | { type: 'failed' } | { type: 'here'; parts: Parts }

/** Once fetched they render at once, so that Back finds the page at its old height. */
let fetched: Parts | null = null

/** Everything below the hero, fetched after the hero is shown: when the browser is idle, or on the first scroll. */
function useMore(): { more: More; fetchMore: () => void } {
  const [more, setMore] = useState<More>(() => (fetched ? { type: 'here', parts: fetched } : { type: 'waiting' }))
  const fetchMore = useCallback(() => {
    import('./sections/Sections.tsx').then(
      (parts) => {
        fetched = parts
        // In slices, so that a tap in between is answered.
        startTransition(() => setMore({ type: 'here', parts }))
      },
      (error: unknown) => {
        console.warn('The sections could not be fetched', error)
        setMore({ type: 'failed' })
      },
    )
  }, [])
  useWhenCalm(fetchMore)
  useHashTarget(more.type === 'here')
  return { more, fetchMore }
}

const IDLE_AT_MOST_MS = 1_500

/** Runs once, when the page has loaded and the browser is idle, or when the reader scrolls. */
function useWhenCalm(run: () => void) {
  const done = useRef(false)
  useEffect(() => {
    const once = () => {
      if (done.current) return
      done.current = true
      run()
    }
    // Safari has no requestIdleCallback.
    const later =
      'requestIdleCallback' in window
        ? window.requestIdleCallback(once, { timeout: IDLE_AT_MOST_MS })
        : setTimeout(once, IDLE_AT_MOST_MS / 3)
    window.addEventListener('scroll', once, { once: true, passive: true })
    return () => {
      if ('cancelIdleCallback' in window) window.cancelIdleCallback(later as number)
      else clearTimeout(later)
      window.removeEventListener('scroll', once)
    }
  }, [run])
}

/** Scrolls to /#faq, which was requested before the FAQ was there. */
function useHashTarget(here: boolean) {
  const { hash } = useLocation()
  useEffect(() => {
    if (here && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [here, hash])
}
