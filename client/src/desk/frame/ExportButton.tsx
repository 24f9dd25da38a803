import { Download } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { DESK } from '../texts/desk.ts'
import { useDownload } from './useDownload.ts'

interface ExportButtonProps {
  fetch: () => Promise<Blob>
  /** Of the file. */
  name: string
  /** The button's full name for screen readers. It starts with the words on the button. */
  label: string
}

/** Saves what a card or a view shows, and what of it does not fit there, as CSV. */
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
