import { create } from 'zustand'
import type { StorageTrouble } from './failure.ts'

/** The last thing this device's storage refused, until a write succeeds; shown, because the next scan may need it. */
export const useTrouble = create<{ trouble: StorageTrouble | null }>(() => ({ trouble: null }))
export const noteTrouble = (trouble: StorageTrouble | null): void => useTrouble.setState({ trouble })
