import { Button } from '../../kit/Button.tsx'
import { Notice } from './Notice.tsx'
import { useWords } from '../words.ts'

/** SPEC 2 "Global": the generic crash screen. */
export const CrashScreen = () => {
  const { crash } = useWords().screens
  return (
    <Notice title={crash.title} detail={crash.detail} alert>
      <Button tone="primary" onClick={() => location.reload()}>
        {crash.action}
      </Button>
    </Notice>
  )
}
