import { VisuallyHidden } from '../../kit/VisuallyHidden.tsx'
import type { Shown } from '../core/scan.ts'

/**
 * The verdict for screen readers: always there, so that each change is spoken at once. `aria-live` is said although the role
 * has it: an open dialog hides all but what carries the attribute.
 */
export const Spoken = ({ shown }: { shown: Shown | null }) => (
  <VisuallyHidden role="alert" aria-live="assertive">
    {shown === null ? '' : [shown.title, shown.name, shown.detail].filter(Boolean).join('. ')}
  </VisuallyHidden>
)
