import type { ScanText } from '@garba/shared/messages/codes'
import { create } from 'zustand'
import { SCAN, STORAGE_TROUBLE } from '../texts/scanner.ts'

/**
 * Why the device's own storage refused a write: `full` no room, `blocked` another tab holds it, `newer` another tab
 * runs a newer app, `slow` no answer in time, `failed` anything else (denied, damaged, deleted meanwhile).
 */
export type StorageTrouble = 'full' | 'blocked' | 'newer' | 'slow' | 'failed'

export const storageWords = (trouble: StorageTrouble): ScanText => ({
  title: SCAN.notMarked.title,
  detail: STORAGE_TROUBLE[trouble],
})

export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
  readonly trouble: StorageTrouble

  constructor(trouble: StorageTrouble, options?: ErrorOptions) {
    super(`The device's storage: ${trouble}`, options)
    this.trouble = trouble
  }
}

const BY_NAME: Readonly<Record<string, StorageTrouble>> = { QuotaExceededError: 'full', VersionError: 'newer' }

const getErrorName = (error: unknown): string =>
  error instanceof Error || error instanceof DOMException ? error.name : typeof error

export const toStorageFailure = (error: unknown): StorageFailure =>
  error instanceof StorageFailure
    ? error
    : new StorageFailure(BY_NAME[getErrorName(error)] ?? 'failed', { cause: error })

/** Whether something else closed the connection (another tab's upgrade, cleared data), so that reopening may work. */
export const isConnectionClosed = (error: unknown): boolean => getErrorName(error) === 'InvalidStateError'

/** The last storage failure, until a write succeeds. It is shown because the next scan may need storage. */
export const useTrouble = create<{ trouble: StorageTrouble | null }>(() => ({ trouble: null }))
export const setStorageTrouble = (trouble: StorageTrouble | null): void => useTrouble.setState({ trouble })
export const reportStorageFailure = (error: unknown): void => setStorageTrouble(toStorageFailure(error).trouble)
