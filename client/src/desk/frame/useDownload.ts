import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { toast } from 'sonner'
import { messageOf } from '../../platform/http/failure.ts'
import { saveFile } from '../../platform/share.ts'

interface Download<Asked> {
  fetch: (asked: Asked) => Promise<Blob>
  name: string | ((asked: Asked) => string)
  done: string
  failed: (reason: string) => string
}

/** Saves a file of the server's under a name, with a toast for the outcome. */
export const useDownload = <Asked = void>({
  fetch,
  name,
  done,
  failed,
}: Download<Asked>): UseMutationResult<void, Error, Asked> =>
  useMutation({
    mutationFn: async (asked: Asked) => saveFile(await fetch(asked), typeof name === 'string' ? name : name(asked)),
    onSuccess: () => toast.success(done),
    onError: (error) => toast.error(failed(messageOf(error))),
  })
