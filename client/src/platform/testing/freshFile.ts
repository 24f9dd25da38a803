import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'

// The files of a worker share its process, which saves half of their time. Each begins with modules and a storage of its own.
vi.resetModules()
globalThis.indexedDB = new IDBFactory()
