import { TOAST_MS } from '@garba/shared/constants'
import { toast } from 'sonner'
import { noteTrouble, storageFailureOf } from '../../store/failure.ts'
import { STORAGE_TROUBLE } from '../../texts/scanner.ts'

/** Shows that the device's storage failed, and what to do. */
export function showTrouble(error: unknown): void {
  const { trouble } = storageFailureOf(error)
  noteTrouble(trouble)
  toast.error(STORAGE_TROUBLE[trouble], { duration: TOAST_MS })
}
