import { SCAN, type ScanText } from '@garba/shared/messages/codes'
import { create } from 'zustand'
import { STORAGE_TROUBLE } from '../texts/scanner.ts'

/**
 * Why the device's own storage refused a write: `full` no room, `blocked` another tab holds it, `newer` another tab
 * runs a newer app, `slow` no answer in time, `failed` anything else (denied, damaged, deleted meanwhile).
 */
export type StorageTrouble = 'full' | 'blocked' | 'newer' | 'slow' | 'failed'

/** The words shown for a scan that the device could not store. */
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

const nameOf = (error: unknown): string =>
  error instanceof Error || error instanceof DOMException ? error.name : typeof error

export const storageFailureOf = (error: unknown): StorageFailure =>
  error instanceof StorageFailure ? error : new StorageFailure(BY_NAME[nameOf(error)] ?? 'failed', { cause: error })

/** Whether something else closed the connection (another tab's upgrade, cleared data), so that a new one may work. */
export const isClosed = (error: unknown): boolean => nameOf(error) === 'InvalidStateError'

/** The last storage failure, until a write succeeds. It is shown because the next scan may need storage. */
export const useTrouble = create<{ trouble: StorageTrouble | null }>(() => ({ trouble: null }))
export const noteTrouble = (trouble: StorageTrouble | null): void => useTrouble.setState({ trouble })
export const noteFailedStorage = (error: unknown): void => noteTrouble(storageFailureOf(error).trouble)
