import { lazy, Suspense } from 'react'

const NotificationChoice = lazy(() =>
  import('./NotificationChoice.tsx').then(
    ({ NotificationChoice: Choice }) => ({ default: Choice }),
    () => ({ default: () => null }),
  ),
)

export const Notifications = ({ centered = false }: { centered?: boolean }) => (
  <Suspense fallback={null}>
    <NotificationChoice centered={centered} />
  </Suspense>
)
