import { UserPen } from 'lucide-react'
import { Fragment, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { needsNetwork } from './data/DataAge.tsx'

interface NameButtonProps {
  label: string
  online: boolean
  /** The dialog, once it has been opened; each opening starts fresh. */
  children: (dialog: { open: boolean; onClose: () => void }) => ReactNode
}

export const NameButton = ({ label, online, children }: NameButtonProps) => {
  const [naming, setNaming] = useState({ open: false, nth: 0 })
  return (
    <>
      <Button
        size="sm"
        tone="ghost"
        icon={<UserPen aria-hidden="true" />}
        {...needsNetwork(online)}
        aria-label={label}
        onClick={() => setNaming(({ nth }) => ({ open: true, nth: nth + 1 }))}
      >
        {label}
      </Button>
      <Suspense fallback={null}>
        {naming.nth === 0 ? null : (
          <Fragment key={naming.nth}>
            {children({ open: naming.open, onClose: () => setNaming({ ...naming, open: false }) })}
          </Fragment>
        )}
      </Suspense>
    </>
  )
}
