import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { toast } from 'sonner'
import { messageOf } from '../../platform/http/failure.ts'
import { saveFile } from '../../platform/share.ts'

interface Download<Params> {
  fetch: (asked: Params) => Promise<Blob>
  name: string | ((asked: Params) => string)
  done: string
  failed: (reason: string) => string
}

/** Saves a file of the server's under a name, with a toast for the outcome. */
export const useDownload = <Params = void>({
  fetch,
  name,
  done,
  failed,
}: Download<Params>): UseMutationResult<void, Error, Params> =>
  useMutation({
    mutationFn: async (asked: Params) => saveFile(await fetch(asked), typeof name === 'string' ? name : name(asked)),
    onSuccess: () => toast.success(done),
    onError: (error) => toast.error(failed(messageOf(error))),
  })
