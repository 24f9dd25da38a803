import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { closeSessionLost } from '../../platform/identity/session.ts'
import { useUpdate } from '../../platform/pwa/install.ts'
import { countUnsentScans } from '../../platform/store/scannerData.ts'
import { useWords } from '../words.ts'

interface PageNoticesProps {
  lost: boolean
  lostClass: string | undefined
  unsent: boolean
  updateReady: boolean
}

export default function PageNotices({ lost, lostClass, unsent, updateReady }: PageNoticesProps) {
  return (
    <>
      {lost ? <SessionLost className={lostClass ?? ''} /> : null}
      {unsent ? <UnsentScans /> : null}
      {updateReady ? <UpdateNotice /> : null}
    </>
  )
}

const SessionLost = ({ className }: { className: string }) => {
  const { screens, close } = useWords()
  return (
    <Banner
      tone="warn"
      live="alert"
      className={className}
      title={screens.sessionLost.title}
      actions={<IconButton label={close} icon={<X />} onClick={closeSessionLost} />}
    >
      <p>{screens.sessionLost.text}</p>
    </Banner>
  )
}

/** For a signed-out phone that scanned at a gate: its unsent scans are safe, and this says who sends them. */
const UnsentScans = () => {
  const { screens } = useWords()
  const [count, setCount] = useState(0)
  useEffect(() => {
    countUnsentScans().then(setCount, (error: unknown) => console.warn('Unsent scans could not be counted', error))
  }, [])
  if (count === 0) return null
  return (
    <Banner tone="warn" live="status" title={screens.unsentScans.title(count)}>
      <p>{screens.unsentScans.text}</p>
    </Banner>
  )
}

const UpdateNotice = () => {
  const { update } = useWords().screens
  const apply = useUpdate((store) => store.apply)
  return (
    <Banner
      tone="info"
      live="status"
      actions={
        <Button size="sm" tone="primary" onClick={apply}>
          {update.action}
        </Button>
      }
    >
      <p>{update.ready}</p>
    </Banner>
  )
}
