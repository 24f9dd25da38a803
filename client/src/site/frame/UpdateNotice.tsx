import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { useUpdate } from '../../platform/pwa/worker.ts'
import { useWords } from '../words.ts'

/** A new version waits until the person agrees. */
export default function UpdateNotice() {
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
