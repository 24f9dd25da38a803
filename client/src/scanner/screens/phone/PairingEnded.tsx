import { CloudUpload, Link2Off, QrCode } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { usePageTitle } from '../../../platform/page.ts'
import type { PairingEnd, PairingRow } from '../../../platform/store/scannerSchema.ts'
import { timeTextOf } from '../../core/moment.ts'
import { goTo } from '../../core/useView.ts'
import { forgetPairing } from '../../store/pairing.ts'
import { useStored } from '../../store/useStored.ts'
import { PAIRING_END } from '../../texts/phone.ts'
import UnsentHere from '../lists/UnsentHere.tsx'
import { UnsentScans } from '../lists/UnsentScans.tsx'
import { Notice } from '../scan/Center.tsx'
import { showTrouble } from '../scan/showTrouble.ts'

/** A phone that may not scan any more: why, what was erased, and what it still sends. */
export const PairingEnded = ({ row, why }: { row: PairingRow; why: PairingEnd }) => {
  const { title, text } = PAIRING_END[why]
  const unsent = useStored((store) => store.unsent?.count ?? null)
  const [lists, setLists] = useState(false)
  usePageTitle(title)
  const said = typeof text === 'string' ? text : text(timeTextOf(row.device.until))
  return (
    <Notice title={title} text={row.ended === null ? said : `${said} ${PAIRING_END.erased}`}>
      <UnsentHere text={why === 'unknown' ? PAIRING_END.unsentUnknown : PAIRING_END.unsent} />
      <Button tone="primary" size="lg" icon={<QrCode aria-hidden="true" />} onClick={() => goTo('pair')}>
        {PAIRING_END.pairAgain}
      </Button>
      {unsent === null || unsent === 0 ? null : (
        <Button icon={<CloudUpload aria-hidden="true" />} onClick={() => setLists(true)}>
          {PAIRING_END.lookAtUnsent}
        </Button>
      )}
      {unsent === 0 && row.ended !== null ? (
        <Button
          tone="ghost"
          icon={<Link2Off aria-hidden="true" />}
          onClick={() => void forgetPairing().catch(showTrouble)}
        >
          {PAIRING_END.forget}
        </Button>
      ) : null}
      <UnsentScans open={lists} onClose={() => setLists(false)} />
    </Notice>
  )
}
