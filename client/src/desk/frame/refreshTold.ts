import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { toast } from 'sonner'
import { messageOf } from '../../platform/http/failure.ts'

interface Refresh {
  refetch: () => Promise<{ error: Error | null }>
  /** The sentence for a failure. */
  failed: (reason: string) => string
}

/** What the Refresh button of a view does: reads again, and says how it went (SPEC 8). */
export async function refreshTold({ refetch, failed }: Refresh): Promise<void> {
  const { error } = await refetch()
  if (error) toast.error(failed(messageOf(error)))
  else toast.success(SUCCESS_TOASTS.dataRefreshed)
}
