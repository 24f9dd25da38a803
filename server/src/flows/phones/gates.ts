import type { Gate } from '@garba/shared/contracts/device'
import { GATE } from '@garba/shared/messages/gate'
import { listGates, replaceGates } from '../../store/gates.ts'
import { nextRevision } from '../../store/meta.ts'
import { audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'

export const readGates = ({ store }: Deps): Promise<Gate[]> => store.read(listGates)

/** Replaces the gates. Phones get them with their next roster. */
export const saveGates = (
  { store, now }: Deps,
  { admin, gates }: { admin: Caller; gates: readonly Gate[] },
): Promise<Gate[]> =>
  store.write(async (tx) => {
    await replaceGates(tx, gates)
    await nextRevision(tx)
    tx.announce('roster', 'evening')
    await audited(tx, {
      at: now(),
      action: 'gates.saved',
      actor: admin,
      subject: { id: null, name: GATE.subject },
      detail: GATE.saved(gates),
    })
    return listGates(tx)
  })
