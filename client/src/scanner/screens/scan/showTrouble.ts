import { TOAST_MS } from '@garba/shared/constants'
import { toast } from 'sonner'
import { setStorageTrouble, toStorageFailure } from '../../store/failure.ts'
import { STORAGE_TROUBLE } from '../../texts/scanner.ts'

export function showTrouble(error: unknown): void {
  const { trouble } = toStorageFailure(error)
  setStorageTrouble(trouble)
  toast.error(STORAGE_TROUBLE[trouble], { duration: TOAST_MS })
}
