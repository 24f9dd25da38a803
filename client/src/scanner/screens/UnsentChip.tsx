import { wholeText } from '@garba/shared/messages/scanner'
import { CloudOff, CloudUpload } from 'lucide-react'
import { useState } from 'react'
import { Chip } from './Chip.tsx'
import { UnsentScans } from './UnsentScans.tsx'
import { useStatus } from './useStatus.ts'

/** How many scans are unsent and how old the oldest is, with a button to list them: visible on every page (DECISIONS 3). */
export const UnsentChip = () => {
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
