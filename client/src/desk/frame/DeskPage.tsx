import { DESK } from '@garba/shared/messages/desk'
import { type ReactNode, Suspense } from 'react'
import { Spinner } from '../../kit/Spinner.tsx'
import { Surface } from '../../kit/Surface.tsx'
import { AccessDenied } from './AccessDenied.tsx'
import styles from './DeskPage.module.css'
import { useDenied } from './useDenied.ts'

/** The light ground on which every view of the desk stands, and the panel in their place when the role is gone. */
export const DeskPage = ({ children }: { children: ReactNode }) => {
  const { denied, retry } = useDenied()
  return (
    <Surface tone="paper">
      <div className={styles.page} lang="en">
        {denied ? (
          <AccessDenied onAdmitted={retry} />
        ) : (
          <Suspense fallback={<Spinner label={DESK.loading} />}>{children}</Suspense>
        )}
      </div>
    </Surface>
  )
}
