import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'

interface ErrorPanelProps {
  title?: string
  /** What went wrong, for people to read. */
  children: ReactNode
  onRetry?: (() => void) | undefined
  /** SPEC 8's "Retry" unless the screen has its own word. */
  retryLabel?: string
  busy?: boolean
}

/** The inline panel of SPEC 8: what failed, and Retry. */
export const ErrorPanel = ({ title, children, onRetry, retryLabel = 'Retry', busy = false }: ErrorPanelProps) => (
  <Banner
    tone="bad"
    live="alert"
    {...(title === undefined ? {} : { title })}
    actions={
      onRetry && (
        <Button size="sm" icon={<RotateCw aria-hidden="true" />} busy={busy} onClick={onRetry}>
          {retryLabel}
        </Button>
      )
    }
  >
    <p>{children}</p>
  </Banner>
)
