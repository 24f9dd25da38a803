import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { Download as DownloadIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { Button, type ButtonTone } from '../../kit/Button.tsx'
import { getErrorMessage } from '../../platform/http/failure.ts'
import { saveFile } from '../../platform/share.ts'
import { DESK } from '../texts/desk.ts'

interface DownloadButtonProps extends Download<void> {
  tone?: ButtonTone
  label?: string | undefined
  children: ReactNode
}

export const DownloadButton = ({ tone, label, children, ...download }: DownloadButtonProps) => {
  const save = useDownload(download)
  return (
    <Button
      size="sm"
      tone={tone}
      icon={<DownloadIcon />}
      busy={save.isPending}
      aria-label={label}
      onClick={() => save.mutate()}
    >
      {children}
    </Button>
  )
}

export const ExportButton = (file: { fetch: () => Promise<Blob>; name: string; label: string | undefined }) => (
  <DownloadButton {...file} tone="ghost" done={DESK.export.done} failed={DESK.export.failed}>
    {DESK.export.action}
  </DownloadButton>
)

interface Download<Params> {
  fetch: (params: Params) => Promise<Blob>
  name: string
  done: string
  failed: (reason: string) => string
}

export const useDownload = <Params = void>({
  fetch,
  name,
  done,
  failed,
}: Download<Params>): UseMutationResult<void, Error, Params> =>
  useMutation({
    mutationFn: async (params: Params) => saveFile(await fetch(params), name),
    onSuccess: () => toast.success(done),
    onError: (error) => toast.error(failed(getErrorMessage(error))),
  })
