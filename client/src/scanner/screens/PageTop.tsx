import { READINESS } from '@garba/shared/messages/readiness'
import { ArrowLeft } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { goTo } from '../core/useView.ts'
import styles from './PageTop.module.css'
import { UnsentChip } from './UnsentChip.tsx'

/** The top of the scanner's other pages: Back, and what is unsent. */
export const PageTop = () => (
  <div className={styles.top}>
    <Button tone="ghost" className={styles.back} icon={<ArrowLeft aria-hidden="true" />} onClick={() => goTo('scan')}>
      {READINESS.back}
    </Button>
    <UnsentChip />
  </div>
)
