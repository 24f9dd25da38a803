import { SHELL } from '@garba/shared/messages/shell'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { useUpdate } from '../platform/pwa/worker.ts'
import styles from './UpdateNotice.module.css'

/** A new version waits until the person agrees (DECISIONS 4). */
export default function UpdateNotice() {
  const apply = useUpdate((update) => update.apply)
  return (
    <div className={styles.notice}>
      <Banner
        tone="info"
        live="status"
        actions={
          <Button size="sm" tone="primary" onClick={apply}>
            {SHELL.update.action}
          </Button>
        }
      >
        <p>{SHELL.update.ready}</p>
      </Banner>
    </div>
  )
}
