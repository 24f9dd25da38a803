import { Download } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { DESK } from '../texts/desk.ts'
import { useDownload } from './useDownload.ts'

interface ExportButtonProps {
  fetch: () => Promise<Blob>
  /** The file's name. */
  name: string
  /** The button's full name for screen readers. It starts with the words on the button. */
  label: string
}

/** Saves all rows of a card or view as CSV, including those that it does not show. */
export const ExportButton = ({ fetch, name, label }: ExportButtonProps) => {
  const save = useDownload({ fetch, name, done: DESK.export.done, failed: DESK.export.failed })
  return (
    <Button
      size="sm"
      icon={<Download aria-hidden="true" />}
      busy={save.isPending}
      aria-label={label}
      onClick={() => save.mutate()}
    >
      {DESK.export.action}
    </Button>
  )
}
