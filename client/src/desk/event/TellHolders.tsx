import { NEWS_MAX } from '@garba/shared/constants'
import { EVENT_MANAGER } from '@garba/shared/messages/eventManager'
import { Checkbox } from '../../kit/Checkbox.tsx'
import { TextArea } from '../../kit/TextArea.tsx'

const words = EVENT_MANAGER.tell

interface TellHoldersProps {
  /** The admin's message; null to send no mail. */
  message: string | null
  error: string | undefined
  onChange: (message: string | null) => void
}

/** Whether to mail ticket holders about a saved change, and what to write. */
export const TellHolders = ({ message, error, onChange }: TellHoldersProps) => (
  <>
    <Checkbox
      label={words.check}
      checked={message !== null}
      onChange={({ target }) => onChange(target.checked ? '' : null)}
    />
    {message === null ? null : (
      <TextArea
        label={words.words}
        hint={words.hint}
        error={error}
        max={NEWS_MAX}
        rows={4}
        value={message}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </>
)
