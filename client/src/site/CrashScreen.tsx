import { SCREENS } from '@garba/shared/messages/screens'
import { Button } from '../kit/Button.tsx'
import { Notice } from './Notice.tsx'

/** SPEC 2 "Global": the generic crash screen. */
export const CrashScreen = () => (
  <Notice title={SCREENS.crash.title} detail={SCREENS.crash.detail} alert>
    <Button tone="primary" onClick={() => location.reload()}>
      {SCREENS.crash.action}
    </Button>
  </Notice>
)
