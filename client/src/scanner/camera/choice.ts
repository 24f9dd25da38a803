import type { CameraChoice } from './lenses.ts'

const KEY = 'garba.scanner.camera'

/** The camera the checker chose on this device; null when none was, or the storage is closed to us. */
export function readChoice(storage: Pick<Storage, 'getItem'> | null): CameraChoice | null {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('id' in kept) || !('label' in kept)) return null
    const { id, label } = kept
    return typeof id === 'string' && typeof label === 'string' ? { id, label } : null
  } catch {
    return null
  }
}

export function keepChoice(storage: Pick<Storage, 'setItem'> | null, choice: CameraChoice): void {
  try {
    storage?.setItem(KEY, JSON.stringify(choice))
  } catch (error) {
    console.warn('The chosen camera could not be remembered', error)
  }
}

/** Reading `localStorage` alone throws where storage is blocked. */
export function deviceStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    return null
  }
}
