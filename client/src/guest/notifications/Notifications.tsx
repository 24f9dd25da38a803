import { lazy, Suspense } from 'react'

/** A page that cannot fetch this code does without it. */
const NotificationChoice = lazy(() =>
  import('./NotificationChoice.tsx').then(
    ({ NotificationChoice: Choice }) => ({ default: Choice }),
    () => ({ default: () => null }),
  ),
)

/** Offers notifications; only where somebody has tickets. */
export const Notifications = ({ centered = false }: { centered?: boolean }) => (
  <Suspense fallback={null}>
    <NotificationChoice centered={centered} />
  </Suspense>
)
