import { X } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { closeSessionLost } from '../../platform/identity/session.ts'
import { useWords } from '../words.ts'

/** Why the user was taken to / (SPEC 7). It stays until they close it or sign in: they may have been away. */
export default function SessionLost({ className = '' }: { className?: string | undefined }) {
  const { screens, close } = useWords()
  return (
    <Banner
      tone="warn"
      live="alert"
      className={className}
      title={screens.sessionLost.title}
      actions={<IconButton label={close} icon={<X aria-hidden="true" />} onClick={closeSessionLost} />}
    >
      <p>{screens.sessionLost.text}</p>
    </Banner>
  )
}
