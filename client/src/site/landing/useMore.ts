import type { GarbaEvent } from '@garba/shared/contracts/event'
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Button } from '../../kit/Button.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { useWords } from '../words.ts'
import type { EventFacts } from './facts.ts'
import styles from './More.module.css'

export interface MoreProps {
  event: GarbaEvent | null
  facts: EventFacts
  title: string
}

type Part = { at: 'waiting' } | { at: 'failed' } | { at: 'here'; Sections: ComponentType<MoreProps> }

/** Once fetched they stand at once, so that Back finds the page as high as it was left. */
let fetched: ComponentType<MoreProps> | null = null

/** Everything below the hero, fetched once the hero stands: when the browser is idle, or at the first scroll. */
export const More = (props: MoreProps) => {
  const words = useWords()
  const [part, setPart] = useState<Part>(() => (fetched ? { at: 'here', Sections: fetched } : { at: 'waiting' }))
  const fetchPart = useCallback(() => {
    import('./sections/Sections.tsx').then(
      ({ Sections }) => {
        fetched = Sections
        setPart({ at: 'here', Sections })
      },
      (error: unknown) => {
        console.warn('The sections could not be fetched', error)
        setPart({ at: 'failed' })
      },
    )
  }, [])
  useWhenCalm(fetchPart)
  useHashTarget(part.at === 'here')
  if (part.at === 'here') return <part.Sections {...props} />
  return (
    <div className={styles.place}>
      {part.at === 'failed' ? (
        <>
          <p role="alert">{words.more.failed}</p>
          <Button onClick={fetchPart}>{words.more.retry}</Button>
        </>
      ) : (
        <Spinner size={32} label={words.more.loading} />
      )}
    </div>
  )
}

const IDLE_AT_MOST_MS = 1_500

/** Runs once, when the page has loaded and nothing more urgent is to be done, or when the reader scrolls. */
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

/** /#faq was asked for before there was a FAQ. */
function useHashTarget(here: boolean) {
  const { hash } = useLocation()
  useEffect(() => {
    if (here && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [here, hash])
}
