import { ArrowLeft, CloudOff, CloudUpload } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { goTo } from '../../core/useView.ts'
import { READINESS } from '../../texts/phone.ts'
import { wholeText } from '../../texts/scanner.ts'
import { UnsentScans } from '../lists/UnsentScans.tsx'
import { Chip } from '../status/StatusBar.tsx'
import { useStatus } from '../status/useStatus.ts'
import styles from './PageTop.module.css'

/** The top of the scanner's other pages: Back, and what is unsent. */
export const PageTop = () => (
  <div className={styles.top}>
    <Button tone="ghost" className={styles.back} icon={<ArrowLeft aria-hidden="true" />} onClick={() => goTo('scan')}>
      {READINESS.back}
    </Button>
    <UnsentChip />
  </div>
)

/** How many scans are unsent and how old the oldest is, with a button to list them: visible on every page. */
const UnsentChip = () => {
  const { unsent } = useStatus()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Chip
        tone={unsent.tone}
        icon={unsent.tone === 'ok' ? <CloudUpload /> : <CloudOff />}
        onPress={() => setOpen(true)}
      >
        {wholeText(unsent.words)}
      </Chip>
      <UnsentScans open={open} onClose={() => setOpen(false)} />
    </>
  )
}
