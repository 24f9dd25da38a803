import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { RotateCw } from 'lucide-react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { DESK } from '../texts/desk.ts'
import { type Load, toastFailedLoad } from './LoadFailure.tsx'

interface RefreshButtonProps extends Load {
  query: Load['query'] & { isPending: boolean; isFetching: boolean }
  /** Names the refreshed part, on a page with several of these buttons. */
  label?: string | undefined
}

/** Refreshes a view and shows a toast for the outcome (SPEC 8). */
export const RefreshButton = ({ query, failed, label }: RefreshButtonProps) => {
  const refresh = async () => {
    const { error } = await query.refetch()
    if (error) toastFailedLoad(failed(messageOf(error)))
    else toast.success(SUCCESS_TOASTS.dataRefreshed)
  }
  return (
    <Button
      size="sm"
      icon={<RotateCw aria-hidden="true" />}
      busy={query.isFetching && !query.isPending}
      aria-label={label}
      onClick={() => void refresh()}
    >
      {DESK.refresh}
    </Button>
  )
}
