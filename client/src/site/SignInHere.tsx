import { SHELL } from '@garba/shared/messages/shell'
import { usePageTitle } from '../platform/page.ts'
import { SignInButton } from './auth/SignInButton.tsx'
import { Notice } from './Notice.tsx'

/** The installed app's own sign-in, inside its scope (DECISIONS 4). */
export const SignInHere = () => {
  usePageTitle(SHELL.myTickets)
  return (
    <Notice title={SHELL.myTickets} detail={SHELL.signInFirst}>
      <SignInButton size="lg" />
    </Notice>
  )
}
