import { okSchema } from '../contracts/common.ts'
import * as desk from '../contracts/desk.ts'
import { eventQuerySchema } from '../contracts/event.ts'
import * as link from '../contracts/link.ts'
import { RIGHTS } from '../contracts/names.ts'
import type { CallName } from '../contracts/paths.ts'
import * as block from '../contracts/phones/block.ts'
import * as device from '../contracts/phones/device.ts'
import * as scan from '../contracts/phones/scan.ts'
import { registerAnswerSchema } from '../contracts/register.ts'
import * as ticket from '../contracts/ticket.ts'
import { ADMIN, type CallFacts, NO_ROLE, READERS } from './call.ts'

export const GATE_CALLS = {
  gates: {
    access: ['admin', 'manager', 'qrchecker'],
    rights: RIGHTS,
    summary: 'The gates, and the kinds of tickets that each admits',
    answer: device.gatesAnswerSchema,
  },
  changeGate: {
    access: NO_ROLE,
    rights: RIGHTS,
    summary: 'Change the gate of the calling device',
    body: device.changeGateBodySchema,
    answer: device.ownDeviceAnswerSchema,
  },
  saveGates: {
    access: ADMIN,
    summary: 'Replace the gates',
    body: device.saveGatesBodySchema,
    answer: device.gatesAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, CallFacts>>

const CHECKERS = ['qrchecker', 'admin'] as const

export const SCAN_CALLS = {
  verifyQr: {
    access: CHECKERS,
    rights: ['scan'],
    summary: 'The ticket of a QR code',
    body: scan.verifyBodySchema,
    answer: scan.verifyAnswerSchema,
  },
  markUsed: {
    access: CHECKERS,
    rights: ['scan', 'find'],
    summary: 'Admit the holder of a ticket',
    body: scan.scanBodySchema,
    answer: scan.markAnswerSchema,
  },
  markUsedBatch: {
    access: CHECKERS,
    rights: RIGHTS,
    endedToo: true,
    summary: 'Replay queued scans',
    body: scan.batchBodySchema,
    answer: scan.batchAnswerSchema,
  },
  recordExit: {
    access: CHECKERS,
    rights: ['scan'],
    summary: 'Record that the holder of a used ticket left',
    body: scan.exitBodySchema,
    answer: scan.exitAnswerSchema,
  },
  swapEntry: {
    access: ADMIN,
    rights: ['supervise'],
    summary: 'Let the holder of a used ticket in, and keep the first admission as disputed',
    body: scan.scanBodySchema,
    answer: scan.markAnswerSchema,
  },
  undoMark: {
    access: CHECKERS,
    rights: ['undo'],
    summary: 'Undo an own admission within 60 s',
    body: scan.undoBodySchema,
    answer: scan.undoAnswerSchema,
  },
  roster: {
    access: CHECKERS,
    rights: RIGHTS,
    summary: 'Tickets changed since a revision',
    query: scan.rosterQuerySchema,
    answer: scan.rosterAnswerSchema,
  },
  scannerLive: {
    access: CHECKERS,
    rights: RIGHTS,
    summary: 'Roster deltas as server-sent events',
    query: scan.rosterQuerySchema,
  },
  gate: {
    access: READERS,
    rights: ['supervise'],
    summary: 'The evening so far',
    query: eventQuerySchema,
    answer: desk.eveningAnswerSchema,
  },
  register: {
    access: READERS,
    summary: 'What happened at each gate in each minute, tickets by channel, and who closed the event',
    query: eventQuerySchema,
    answer: registerAnswerSchema,
  },
  exportRegister: { access: ADMIN, summary: 'The minutes of the register as CSV', query: eventQuerySchema },
  gateLive: { access: READERS, rights: ['supervise'], summary: 'The evening as server-sent events (event `gate`)' },
  acknowledgeConflict: {
    access: ADMIN,
    rights: ['supervise'],
    summary: 'Mark a double admission as seen',
    answer: desk.acknowledgeAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, CallFacts>>

export const DEVICE_CALLS = {
  createDevice: {
    access: ADMIN,
    summary: 'Prepare a device; its pairing code is in this answer only',
    body: device.createDeviceBodySchema,
    answer: device.createdDeviceSchema,
    status: 201,
  },
  devices: {
    access: ADMIN,
    summary: 'Devices, newest first, and the admissions to look at',
    answer: device.devicesAnswerSchema,
  },
  changeDevice: {
    access: ADMIN,
    summary: 'Change or revoke a device, or make a new pairing code',
    body: device.changeDeviceBodySchema,
    answer: device.changedDeviceSchema,
  },
  revokeAllDevices: { access: ADMIN, summary: 'Revoke every device', answer: device.revokedDevicesSchema },
  pairDevice: {
    access: 'anyone',
    summary: 'Pair a phone with a code and its public key',
    body: device.pairBodySchema,
    answer: device.ownDeviceAnswerSchema,
  },
  ownDevice: { access: NO_ROLE, rights: RIGHTS, summary: 'The calling device', answer: device.ownDeviceAnswerSchema },
  changeShift: {
    access: NO_ROLE,
    rights: RIGHTS,
    summary: 'Begin a shift on the calling device',
    body: device.shiftBodySchema,
    answer: device.ownDeviceAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, CallFacts>>

export const BLOCK_CALLS = {
  blocks: {
    access: ADMIN,
    summary: 'Blocks of codes for paper and phones, newest first',
    answer: block.blocksAnswerSchema,
  },
  makeBlock: {
    access: ADMIN,
    summary: 'Sign a block of codes for paper tickets; their seats are taken',
    body: block.paperBlockBodySchema,
    answer: block.blockAnswerSchema,
    status: 201,
  },
  blockSheet: { access: ADMIN, summary: 'The paper tickets of a block as PDF to print and cut' },
  activateBlock: {
    access: ADMIN,
    summary: 'Sell a range of paper tickets: from now on they admit',
    body: block.activateBodySchema,
    answer: block.activatedAnswerSchema,
  },
  returnBlock: {
    access: ADMIN,
    summary: 'Take back a range of unsold paper tickets and free their seats',
    body: block.returnRangeBodySchema,
    answer: block.blockAnswerSchema,
  },
  allotBlock: {
    access: NO_ROLE,
    rights: ['sell'],
    summary: 'Codes for the calling device to sell offline; their seats are taken',
    body: block.deviceBlockBodySchema,
    answer: block.deviceBlockAnswerSchema,
    status: 201,
  },
  deviceBlocks: {
    access: NO_ROLE,
    rights: ['sell'],
    summary: 'The codes that the calling device may still sell',
    answer: block.deviceBlocksAnswerSchema,
  },
  returnDeviceBlock: {
    access: NO_ROLE,
    rights: RIGHTS,
    summary: 'Return the unsold codes of a block of the calling device',
    answer: block.returnedBlockSchema,
  },
  doorSales: {
    access: NO_ROLE,
    rights: RIGHTS,
    endedToo: true,
    summary: 'Record sales that the calling device made offline, each on its own',
    body: block.doorSalesBodySchema,
    answer: block.doorSalesAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, CallFacts>>

export const GROUP_CALLS = {
  groupCodes: {
    access: 'signedIn',
    summary: 'Codes that stand for up to 8 of the own active tickets each',
    answer: ticket.groupCodesAnswerSchema,
  },
  verifyGroup: {
    access: ['qrchecker', 'admin'],
    rights: ['scan'],
    summary: 'The tickets of a group code',
    body: scan.verifyBodySchema,
    answer: scan.verifyGroupAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, CallFacts>>

export const LINK_CALLS = {
  makeLink: {
    access: 'signedIn',
    rights: ['sell'],
    summary: 'Make a link that opens own tickets, or tickets just sold, without an account',
    body: link.makeLinkBodySchema,
    answer: link.madeLinkSchema,
    status: 201,
  },
  links: {
    access: 'signedIn',
    summary: 'Links to own tickets, or to one ticket for an admin, newest first',
    query: link.linksQuerySchema,
    answer: link.linksAnswerSchema,
  },
  endLink: { access: 'signedIn', summary: 'End a link, for its owner or an admin', answer: okSchema },
  openWallet: {
    access: 'anyone',
    summary: 'The tickets of a link',
    body: link.openWalletBodySchema,
    answer: link.walletAnswerSchema,
  },
  claimWallet: {
    access: 'signedIn',
    summary: "Move the tickets of a seller's offer to the own account, once; the same person gets the same answer",
    body: link.claimWalletBodySchema,
    answer: link.claimedWalletSchema,
  },
  newCode: {
    access: 'signedIn',
    summary: 'Replace the code of an active ticket, for its owner or an admin; takes an Idempotency-Key header',
    answer: ticket.ticketAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, CallFacts>>

export const LOST_CALLS = {
  offerLost: {
    access: 'signedIn',
    summary: 'Offer the codes of own tickets that the server no longer knows, or ask for the decision',
    body: ticket.offerLostBodySchema,
    answer: ticket.offeredLostSchema,
  },
  lostTickets: {
    access: ADMIN,
    summary: 'Tickets that guests offer and the server does not know',
    answer: ticket.lostTicketsSchema,
  },
  confirmLost: {
    access: ADMIN,
    summary: 'Restore a lost ticket with the same id and code',
    body: ticket.confirmLostBodySchema,
    answer: ticket.decidedLostSchema,
  },
  refuseLost: {
    access: ADMIN,
    summary: 'Refuse a lost ticket with a note for its owner',
    body: ticket.refuseLostBodySchema,
    answer: ticket.decidedLostSchema,
  },
} as const satisfies Partial<Record<CallName, CallFacts>>
