import { SCREENS } from '@garba/shared/messages/common'
import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { cx } from './cx.ts'
import styles from './ImageWithFallback.module.css'

interface ImageWithFallbackProps {
  src: string | null | undefined
  alt: string
  /** SPEC 2's text in another language, for no picture or one that fails to load. */
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
      <ImageOff aria-hidden="true" />
      <span>{unavailable}</span>
    </div>
  )
}
