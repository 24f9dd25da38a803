import { SCREENS } from '@garba/shared/messages/common'
import { ImageOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from './cx.ts'
import styles from './ImageWithFallback.module.css'

interface ImageWithFallbackProps {
  src: string | null | undefined
  alt: string
  /** Shown when there is no picture or it fails to load, where the text is not in English. */
  unavailable?: string
  className?: string | undefined
  loading?: 'lazy' | 'eager'
}

export const ImageWithFallback = ({
  src,
  alt,
  unavailable = SCREENS.imageUnavailable,
  className,
  loading = 'lazy',
}: ImageWithFallbackProps) => {
  const [failed, setFailed] = useState<string | null>(null)
  if (src && src !== failed)
    return (
      <img
        src={src}
        alt={alt}
        className={className}
        loading={loading}
        decoding="async"
        onError={() => setFailed(src)}
      />
    )
  return (
    <div className={cx(styles.missing, className)} role="img" aria-label={`${alt}: ${unavailable}`}>
      <ImageOff />
      <span>{unavailable}</span>
    </div>
  )
}

/** A picture in an arch with a row of lamps around it, like the window of a haveli. `width` is what it takes at most (px). */
export const Arch = ({ width, children }: { width: number; children: ReactNode }) => (
  <div className={styles.arch} style={{ maxWidth: width }}>
    <div className={styles.window}>{children}</div>
  </div>
)
