import { OLDER_VERSION } from '@garba/shared/messages/gate'
import { StateChip } from '../../kit/Badge.tsx'

const NOTE = 'older-version'

/** The mark of a phone whose scanner is not the server's version. The page's note says what to do about it. */
export const OlderVersion = ({ version }: { version: string | null }) =>
  version === null ? null : (
    <span aria-describedby={NOTE}>
      <StateChip state="warn">{OLDER_VERSION.mark(version)}</StateChip>
    </span>
  )

interface OlderVersionNoteProps {
  devices: readonly { olderVersion: string | null }[]
  className?: string | undefined
}

/** Nothing while every phone runs the server's version. */
export const OlderVersionNote = ({ devices, className }: OlderVersionNoteProps) => {
  const older = devices.filter(({ olderVersion }) => olderVersion !== null).length
  return older === 0 ? null : (
    <p id={NOTE} className={className}>
      {OLDER_VERSION.found(older)} {OLDER_VERSION.cure}
    </p>
  )
}
