import { FileUp } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { Button } from '../../kit/Button.tsx'

/** A PDF can be chosen, and is refused with what to download instead. */
const FILES =
  '.csv,.tsv,.txt,.xls,.xlsx,.xml,.html,.htm,.pdf,text/csv,text/plain,application/vnd.ms-excel,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

interface FileButtonProps {
  words: { choose: string; file: string }
  busy: boolean
  onFile: (file: File) => void
}

export const FileButton = ({ words, busy, onFile }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null)
  const onPick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (file) onFile(file)
    // Without the reset, choosing the same file again would fire no change event.
    target.value = ''
  }
  return (
    <>
      <Button size="sm" icon={<FileUp />} busy={busy} onClick={() => input.current?.click()}>
        {words.choose}
      </Button>
      <input
        ref={input}
        type="file"
        accept={FILES}
        aria-label={words.file}
        tabIndex={-1}
        className="spoken"
        onChange={onPick}
      />
    </>
  )
}
