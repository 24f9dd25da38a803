import { local } from '../../platform/store/local.ts'
import type { CameraChoice } from './lenses.ts'

const KEY = 'garba.scanner.camera'

/** The camera the checker chose on this device; null if none was chosen or storage is denied. */
export function readChoice(): CameraChoice | null {
  const kept = local.readJson(KEY)
  if (typeof kept !== 'object' || kept === null || !('id' in kept) || !('label' in kept)) return null
  const { id, label } = kept
  return typeof id === 'string' && typeof label === 'string' ? { id, label } : null
}

export const keepChoice = (choice: CameraChoice): void => local.writeJson(KEY, choice)
