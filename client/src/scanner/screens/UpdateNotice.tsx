import { UPDATE } from '@garba/shared/messages/scanner'
import { RefreshCw } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { useUpdate } from '../../platform/pwa/worker.ts'
import { useStored } from '../store/useStored.ts'
import styles from './UpdateNotice.module.css'

interface UpdateNoticeProps {
  /** Over the camera's picture it is one line. */
  running: boolean
  isIdle: boolean
}

/** A new version waits until nobody is being scanned and nothing is unsent (DECISIONS 4). */
export const UpdateNotice = ({ running, isIdle }: UpdateNoticeProps) => {
  const { ready, apply } = useUpdate()
  const unsent = useStored((store) => store.unsent?.count)
  if (!ready) return null
  if (running) {
    return (
      <p className={styles.line} role="status">
        {UPDATE.ready}
      </p>
    )
  }
  const may = isIdle && unsent === 0
  return (
    <Banner
      live="status"
      title={UPDATE.ready}
      actions={
        may ? (
          <Button size="sm" tone="primary" icon={<RefreshCw aria-hidden="true" />} onClick={apply}>
            {UPDATE.action}
          </Button>
        ) : undefined
      }
    >
      {may ? null : <p>{UPDATE.waits}</p>}
    </Banner>
  )
}
