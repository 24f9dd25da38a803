import { createLazyComponent } from '../../kit/late.tsx'

/** A page that cannot fetch this code does without it. */
export const Notifications = createLazyComponent<{ centered?: boolean }>(
  () => import('./NotificationChoice.tsx').catch(() => ({ default: () => null })),
  null,
)
