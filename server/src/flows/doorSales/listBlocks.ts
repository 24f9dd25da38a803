import type { Block } from '@garba/shared/contracts/block'
import { blocksOf } from '../../store/codeBlocks.ts'
import { findEvent } from '../../store/events.ts'
import type { Deps } from '../deps.ts'
import { blockRowsOf } from './blockRows.ts'
import { blockView } from './blockViews.ts'

/** The blocks of the current event, newest first. */
export const listBlocks = ({ store }: Pick<Deps, 'store'>): Promise<Block[]> =>
  store.read(async (tx) => {
    const event = await findEvent(tx)
    const blocks: Block[] = []
    for (const block of event ? await blocksOf(tx, event.id) : []) blocks.push(blockView(await blockRowsOf(tx, block)))
    return blocks
  })
