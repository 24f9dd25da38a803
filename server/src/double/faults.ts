import { createHash } from 'node:crypto'

/** Each fault is the share of cases in which it happens: 0 never, 1 always. */
export const NO_FAULTS = {
  /** The connection is cut before the request is read. */
  lostRequest: 0,
  /** The request is carried out, but the connection is cut before the answer. */
  lostAnswer: 0,
  /** The request is carried out, but the answer takes six seconds. */
  slowAnswer: 0,
  /** 502, and nothing is carried out. */
  serverError: 0,
  /** A delivery of an event fails and is tried again later. With 1, webhooks are switched off. */
  lostEvent: 0,
  /** An event is delivered twice. */
  duplicateEvent: 0,
  /** An event arrives up to ten minutes late, after events that happened later. */
  delayedEvent: 0,
  /** A payment is reported as failed, and captured 20 minutes later. */
  latePayment: 0,
  /** A person pays a link a second time, from another tab. */
  secondPayment: 0,
  /** A refund is made, but the connection is cut before the answer. */
  lostRefundAnswer: 0,
  /** A refund stays pending for an hour. */
  pendingRefund: 0,
  /** A pending refund fails in the end. */
  failedRefund: 0,
  /** A refund that was made comes back from the bank after two hours. */
  bouncedRefund: 0,
  /** A refund is refused because the account has too little money. */
  lowBalance: 0,
} as const satisfies Record<string, number>
export type FaultName = keyof typeof NO_FAULTS
export type Faults = Record<FaultName, number>

export interface Chance {
  /** Whether this fault strikes now. */
  strikes: (fault: FaultName) => boolean
  /** A number from 0 up to, but not including, 1. */
  random: () => number
  set: (faults: Partial<Faults>) => void
}

/** The same seed gives the same faults in the same sequence of calls. */
export function makeChance(seed: string, first: Partial<Faults> = {}): Chance {
  let faults: Faults = { ...NO_FAULTS, ...first }
  let drawn = 0
  const random = () => {
    drawn += 1
    return createHash('sha256').update(`${seed}:${drawn}`).digest().readUInt32BE() / 2 ** 32
  }
  return {
    random,
    strikes: (fault) => faults[fault] > 0 && random() < faults[fault],
    set: (changed) => {
      faults = { ...faults, ...changed }
    },
  }
}
