import type { EveningFigures as GateView } from '@garba/shared/contracts/desk'
import { type Faults, NO_FAULTS } from '../../double/bank.ts'
import { endLeases } from '../../flows/doorSales/deviceBlocks.ts'
import { runJobs } from '../../flows/money/upkeep/jobs.ts'
import { checkEndedRefunds, moneyRound } from '../../flows/money/upkeep/keepMoney.ts'
import { wrongInAccounts } from '../accounts.ts'
import { must } from '../desk.ts'
import { dice } from '../dice.ts'
import { eventForm } from '../scenes.ts'
import { makeWorld, PAYING } from '../world.ts'
import { closeAndReport, hold, lie, sellLate } from './attackSteps.ts'
import { type Evening, hireCrew, upTo } from './crew.ts'
import { repeatOld, replacePhone, scanOne, sendBatch, swap, takeBack } from './gateSteps.ts'
import {
  cancelTicket,
  changeTicket,
  confirm,
  drawer,
  paper,
  phoneSells,
  placeOrder,
  refundOrder,
  renewCode,
  sell,
} from './moneySteps.ts'
import { Witness } from './witness.ts'

interface Storm {
  seed: number
  steps: number
  /** The share of each of the provider's faults. */
  faults: number
  whenOver: (undo: () => Promise<void>) => void
  progress?: (done: number) => void
}

interface Stormed {
  /** What is wrong. */
  findings: string[]
  /** Fewer than asked for when there were many findings. */
  steps: number
  inside: number
  /** Calls that were accepted and refused, by what they ask for. */
  accepted: ReadonlyMap<string, number>
  refused: ReadonlyMap<string, number>
}

const STEPS: readonly (readonly [share: number, step: (evening: Evening) => Promise<void>])[] = [
  [12, placeOrder],
  [8, cancelTicket],
  [9, sell],
  [4, drawer],
  [5, confirm],
  [4, refundOrder],
  [5, changeTicket],
  [3, renewCode],
  [3, paper],
  [5, phoneSells],
  [20, scanOne],
  [8, sendBatch],
  [10, takeBack],
  [3, repeatOld],
  [3, swap],
  [1, replacePhone],
  [3, lie],
  [2, hold],
  [2, sellLate],
]
const DECK = STEPS.flatMap(([share, step]) => Array.from({ length: share }, () => step))

const CHECK_EVERY = 100
/** Most findings follow from the first ones. */
const FINDINGS_MAX = 20

/**
 * Crew, phones with each single right and guests make allowed and forbidden calls in any order, while the provider fails. After
 * every hundred steps the accountant checks the tables, and a witness who heard the answers alone says who is inside.
 * Sellers lie, guests hold seats, and after the closing phones report what they sold before.
 */
export async function crewStorm({
  seed,
  steps,
  faults,
  whenOver,
  progress = () => undefined,
}: Storm): Promise<Stormed> {
  const world = await makeWorld({ settings: PAYING, whenOver, limits: { user: 1e9, address: 1e9, manual: 1e9 } })
  const admin = await world.as('admin')
  await must(admin.request('POST', '/api/event', eventForm({ totalTickets: Math.max(60, Math.ceil(steps * 0.4)) })))
  const evening: Evening = {
    ...{ world, random: dice(seed), witness: new Witness(), actors: await hireCrew(world), findings: new Set() },
    ...{ tickets: [], orders: [], scans: [], papers: [], late: [], accepted: new Map(), refused: new Map() },
  }
  world.double.setFaults(faultsOf(faults))
  let done = 0
  for (let step = 1; step <= steps; step += 1) {
    await DECK[upTo(evening, DECK.length) - 1]?.(evening)
    world.clock.forward(Math.floor(evening.random() * 15_000))
    if (evening.random() < 0.02) world.clock.forward(Math.floor(evening.random() * 600_000))
    if (step % CHECK_EVERY === 0 || step === steps) await checkAgreement(evening, step)
    done = step
    progress(step)
    if (evening.findings.size + evening.witness.findings.size >= FINDINGS_MAX) break
  }
  await closeAndReport(evening)
  const { findings, witness, accepted, refused } = evening
  return { findings: [...findings, ...witness.findings], steps: done, inside: witness.inside, accepted, refused }
}

const faultsOf = (share: number): Faults =>
  Object.fromEntries(Object.keys(NO_FAULTS).map((name) => [name, share])) as unknown as Faults

/** The server does what is due, and then everything must agree. */
async function checkAgreement(evening: Evening, step: number): Promise<void> {
  const { world, witness, findings } = evening
  await world.double.run()
  await runJobs(world.deps, 'money')
  await moneyRound(world.deps)
  await checkEndedRefunds(world.deps)
  await endLeases(world.deps)
  for (const finding of await wrongInAccounts(world))
    if (![...findings].some((known) => known.endsWith(finding))) findings.add(`after ${step} steps: ${finding}`)
  const { people } = (await must((await world.as('admin')).request('GET', '/api/admin/gate'))).data as GateView
  if (people !== witness.inside)
    findings.add(`after ${step} steps: ${people} people inside, and the witness counted ${witness.inside}`)
}
