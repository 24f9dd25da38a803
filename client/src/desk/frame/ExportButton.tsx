import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { Download as DownloadIcon } from 'lucide-react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { saveFile } from '../../platform/share.ts'
import { DESK } from '../texts/desk.ts'

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
      icon={<DownloadIcon aria-hidden="true" />}
      busy={save.isPending}
      aria-label={label}
      onClick={() => save.mutate()}
    >
      {DESK.export.action}
    </Button>
  )
}

interface Download<Params> {
  fetch: (params: Params) => Promise<Blob>
  name: string | ((params: Params) => string)
  done: string
  failed: (reason: string) => string
}

/** Saves a file from the server under a name, with a toast for the outcome. */
export const useDownload = <Params = void>({
  fetch,
  name,
  done,
  failed,
}: Download<Params>): UseMutationResult<void, Error, Params> =>
  useMutation({
    mutationFn: async (params: Params) => saveFile(await fetch(params), typeof name === 'string' ? name : name(params)),
    onSuccess: () => toast.success(done),
    onError: (error) => toast.error(failed(messageOf(error))),
  })
