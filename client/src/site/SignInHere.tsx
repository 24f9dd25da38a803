import { usePageTitle } from '../platform/page.ts'
import { SignInButton } from './auth/SignInButton.tsx'
import { Notice } from './Notice.tsx'
import { useWords } from './words.ts'

/** The installed app's own sign-in, inside its scope (DECISIONS 4). */
export const SignInHere = () => {
  const { signInHere } = useWords().screens
  usePageTitle(signInHere.title)
  return (
    <Notice title={signInHere.title} detail={signInHere.detail}>
      <SignInButton size="lg" />
    </Notice>
  )
}
