import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

interface Storm {
  seed: number
  /** Half of them of the gate, half of the money, side by side. */
  sequences: number
  /** The storm ends after so many minutes, with what it has done. */
  minutes: number
  progress?: (done: number) => void
}

type Counts = Record<string, number>

interface Stormed {
  findings: string[]
  gate: Counts
  money: Counts
}

type Told = { progress: number } | { counts: Counts; finding: string | null }

const MAIN = fileURLToPath(new URL('protocolMain.ts', import.meta.url))

/**
 * Random sequences of up to 40 steps at the gate (three real scanners and the real server, with cut and late networks, pages that
 * close, wrong clocks, undos, revocations and restores) and with money (orders, payments, facts in any order and twice, refunds in
 * doubt). What fails is reported with the shortest steps that still fail.
 */
export async function protocolStorm({ seed, sequences, minutes, progress = () => undefined }: Storm): Promise<Stormed> {
  const done = { gate: 0, money: 0 }
  const each = Math.max(1, Math.round(sequences / 2))
  const part = (name: 'gate' | 'money'): Promise<{ counts: Counts; finding: string | null }> =>
    new Promise((resolve, reject) => {
      const child = fork(MAIN, [name, String(seed), String(each), String(minutes)], {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      })
      let said = ''
      child.stderr?.on('data', (text) => {
        said = `${said}${text}`.slice(-4_000)
      })
      child.on('message', (told: Told) => {
        if ('counts' in told) return resolve(told)
        done[name] = told.progress
        progress(done.gate + done.money)
      })
      child.on('close', () => reject(new Error(`The model of the ${name} ended: ${said}`)))
    })
  const [gate, money] = await Promise.all([part('gate'), part('money')])
  return {
    findings: [gate.finding, money.finding].filter((one) => one !== null),
    gate: gate.counts,
    money: money.counts,
  }
}
