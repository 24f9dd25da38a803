import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'

// The files of a worker share its process, which saves half of their time. Each begins with modules, a storage and
// timers of its own.
vi.resetModules()
vi.useRealTimers()
globalThis.indexedDB = new IDBFactory()
