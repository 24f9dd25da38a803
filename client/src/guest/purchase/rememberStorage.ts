import { askPersistence } from '../../platform/pwa/storage.ts'
import { local } from '../../platform/store/local.ts'

const ASKED = 'garba.persistenceAsked'

/** After the first purchase there is something worth keeping: asks the browser once not to clear it. */
export function rememberStorage(): void {
  if (local.read(ASKED) !== null) return
  local.write(ASKED, '1')
  void askPersistence()
}
