import { Button } from '../../kit/Button.tsx'
import { useByMail } from '../../platform/config.ts'
import { useSession, useSessionStore } from '../../platform/identity/session.ts'
import { useAuthWords } from './words.ts'

export const MailSignIn = () => {
  const words = useAuthWords()
  const byMail = useByMail()
  const session = useSession()
  if (!byMail || session.type !== 'signedOut') return null
  return (
    <Button tone="ghost" onClick={() => useSessionStore.setState({ sheet: { open: true, why: 'mail' } })}>
      {words.mail}
    </Button>
  )
}
