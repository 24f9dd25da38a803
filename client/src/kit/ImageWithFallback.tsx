import { SCREENS } from '@garba/shared/messages/common'
import { ImageOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from './cx.ts'
import styles from './ImageWithFallback.module.css'

interface ImageWithFallbackProps {
  src: string | null | undefined
  alt: string
  /** Shown when there is no picture or it fails to load; by default SPEC 2's text. */
  fallback?: ReactNode
  /** That text in another language. */
  unavailable?: string
  className?: string | undefined
  loading?: 'lazy' | 'eager'
}

export const ImageWithFallback = ({
  src,
  alt,
  fallback,
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
    fallback ?? (
      <div className={cx(styles.missing, className)} role="img" aria-label={`${alt}: ${unavailable}`}>
        <ImageOff aria-hidden="true" />
        <span>{unavailable}</span>
      </div>
    )
  )
}
