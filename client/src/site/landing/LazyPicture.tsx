import { IMAGE_LAZY_MARGIN_PX, IMAGE_PRELOAD_TIMEOUT_MS } from '@garba/shared/constants'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { ImageWithFallback } from '../../kit/ImageWithFallback.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import styles from './LazyPicture.module.css'

type Loading = 'far' | 'coming' | 'here' | 'missing'

/**
 * A picture that loads when it comes within 100 px of the viewport. Its fallback is shown when it fails or takes longer than
 * 3 s (SPEC 9); a picture that arrives later still replaces it.
 */
export const LazyPicture = ({ src, alt, unavailable }: { src: string; alt: string; unavailable: string }) => {
  const frame = useRef<HTMLDivElement>(null)
  const loading = usePreload(src, useNear(frame))
  return (
    <div ref={frame}>
      {loading === 'here' || loading === 'missing' ? (
        <ImageWithFallback
          src={loading === 'here' ? src : null}
          alt={alt}
          unavailable={unavailable}
          className={styles.picture}
          loading="eager"
        />
      ) : (
        <Skeleton height="100%" className={styles.picture ?? ''} />
      )}
    </div>
  )
}

function useNear(frame: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!frame.current) return
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: `${IMAGE_LAZY_MARGIN_PX}px` },
    )
    watch.observe(frame.current)
    return () => watch.disconnect()
  }, [frame])
  return near
}

function usePreload(src: string, near: boolean): Loading {
  const [loading, setLoading] = useState<Loading>('far')
  useEffect(() => {
    if (!near) return
    setLoading('coming')
    const picture = new Image()
    picture.onload = () => setLoading('here')
    picture.onerror = () => setLoading('missing')
    picture.src = src
    const patience = setTimeout(
      () => setLoading((now) => (now === 'coming' ? 'missing' : now)),
      IMAGE_PRELOAD_TIMEOUT_MS,
    )
    return () => {
      clearTimeout(patience)
      picture.onload = null
      picture.onerror = null
    }
  }, [src, near])
  return loading
}
