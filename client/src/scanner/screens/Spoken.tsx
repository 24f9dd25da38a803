import { VisuallyHidden } from '../../kit/VisuallyHidden.tsx'
import type { Shown } from '../verdict/shown.ts'

/** The verdict for screen readers: always there, so that each change is spoken at once. */
export const Spoken = ({ shown }: { shown: Shown | null }) => (
  <VisuallyHidden role="alert">
    {shown === null ? '' : [shown.title, shown.name, shown.detail].filter(Boolean).join('. ')}
  </VisuallyHidden>
)
