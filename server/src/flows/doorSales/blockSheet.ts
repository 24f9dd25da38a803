import { last8 } from '@garba/shared/messages/common'
import { timeText } from '@garba/shared/messages/formats'
import { dayText } from '@garba/shared/messages/gate'
import { sheetPdf } from '../../paper/sheet.ts'
import { codesOf } from '../../store/codeBlocks.ts'
import type { Deps } from '../deps.ts'
import { openEventOf } from '../eventAsked.ts'
import { paperBlock } from './blockRows.ts'

/**
 * The paper tickets of a block to print and cut, without returned ones. Refuses with BLOCK_NOT_FOUND or EVENT_CLOSED.
 */
export async function blockSheet(
  { store }: Pick<Deps, 'store'>,
  id: string,
): Promise<{ name: string; pdf: Uint8Array<ArrayBuffer> }> {
  const { block, event, codes } = await store.read(async (tx) => {
    const block = await paperBlock(tx, id)
    return { block, event: await openEventOf(tx, block), codes: await codesOf(tx, id) }
  })
  const pdf = await sheetPdf({
    title: event.name,
    lines: [`${dayText(event.date)}, ${timeText(event.startTime, 'en')}`, event.venue],
    label: block.label,
    tickets: codes.filter(({ state }) => state !== 'returned'),
  })
  return { name: `paper-tickets-${last8(id)}.pdf`, pdf }
}
