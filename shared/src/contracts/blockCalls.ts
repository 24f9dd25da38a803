import * as block from './block.ts'
import { ADMIN, type Call, NO_ROLE } from './call.ts'
import { RIGHTS } from './names.ts'
import { type CallName, PATHS } from './paths.ts'

/** Codes that are signed before they are sold: paper tickets, and sales at the door without a network. */
export const BLOCK_CALLS = {
  blocks: {
    ...PATHS.blocks,
    access: ADMIN,
    summary: 'Blocks of codes for paper and phones, newest first',
    answer: block.blocksAnswerSchema,
  },
  makeBlock: {
    ...PATHS.makeBlock,
    access: ADMIN,
    summary: 'Sign a block of codes for paper tickets; their seats are taken',
    body: block.paperBlockBodySchema,
    answer: block.blockAnswerSchema,
    status: 201,
  },
  blockSheet: { ...PATHS.blockSheet, access: ADMIN, summary: 'The paper tickets of a block as PDF to print and cut' },
  activateBlock: {
    ...PATHS.activateBlock,
    access: ADMIN,
    summary: 'Sell a range of paper tickets: from now on they admit',
    body: block.activateBodySchema,
    answer: block.activatedAnswerSchema,
  },
  returnBlock: {
    ...PATHS.returnBlock,
    access: ADMIN,
    summary: 'Take back a range of unsold paper tickets and free their seats',
    body: block.returnRangeBodySchema,
    answer: block.blockAnswerSchema,
  },
  allotBlock: {
    ...PATHS.allotBlock,
    access: NO_ROLE,
    rights: ['sell'],
    summary: 'Codes for the calling device to sell without a network; their seats are taken',
    body: block.deviceBlockBodySchema,
    answer: block.deviceBlockAnswerSchema,
    status: 201,
  },
  deviceBlocks: {
    ...PATHS.deviceBlocks,
    access: NO_ROLE,
    rights: ['sell'],
    summary: 'The codes that the calling device may still sell',
    answer: block.deviceBlocksAnswerSchema,
  },
  returnDeviceBlock: {
    ...PATHS.returnDeviceBlock,
    access: NO_ROLE,
    rights: RIGHTS,
    summary: 'Take back what is left of a block of the calling device',
    answer: block.returnedBlockSchema,
  },
  doorSales: {
    ...PATHS.doorSales,
    access: NO_ROLE,
    rights: RIGHTS,
    endedToo: true,
    summary: 'Sales that the calling device made without a network, each on its own',
    body: block.doorSalesBodySchema,
    answer: block.doorSalesAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, Call>>
