import { readFileSync } from 'node:fs'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { type BenchRow, computeMedian, computeRatio, formatFigure } from '../../scripts/lib/benchRow.ts'
import { ROOT } from '../../scripts/setup.mjs'
import { markCall, saleCall, sell } from './support/calls.ts'
import { type Call, load } from './support/load.ts'
import { type BenchServer, startBenchServer } from './support/servers.ts'

const ROUNDS = 5
const CALLS = 1_000
const ALONE = 200
const CONNECTIONS = 64
/** Linux counts a process's time in hundredths of a second (ms). */
const TICK_MS = 10

const readStatus = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8')

function processorMs(pid: number): number {
  const fields = readStatus(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

const peakMb = (pid: number): number => Number(/VmHWM:\s+(\d+)/.exec(readStatus(pid, 'status'))?.[1]) / 1024

async function measureRound(server: BenchServer): Promise<Record<Kind, number>> {
  const timed = async (calls: Call[], connections: number, wanted: number) => {
    const from = processorMs(server.pid)
    await load({ port: server.port, calls, connections, wanted })
    return (processorMs(server.pid) - from) / calls.length
  }
  const sales = Array.from({ length: CALLS }, (_, index) => saleCall(server, { index, quantity: 1 }))
  const sale = await timed(sales, CONNECTIONS, 201)
  const sold: Ticket[] = []
  while (sold.length < CALLS) sold.push(...(await sell(server, sold.length)))
  const marks = sold.map(({ qrCode }) => markCall(server, qrCode ?? ''))
  const mark = await timed(marks.slice(ALONE), CONNECTIONS, 200)
  return { sale, mark, alone: await timed(marks.slice(0, ALONE), 1, 200) }
}

type Kind = keyof typeof NAMES
const NAMES = {
  sale: 'Processor time of a sale, 64 connections',
  mark: 'Processor time of a mark, 64 connections',
  alone: 'Processor time of a mark, one at a time',
}

/** This checkout's server and another's by turns (Linux): what slows the machine for a while slows both. */
export default async function bench(_words: readonly string[], folder?: string): Promise<BenchRow[]> {
  if (folder === undefined) return []
  const servers = await Promise.all(
    [ROOT, folder].map((root) => startBenchServer('realServer.ts', ['rs256', '0'], root)),
  )
  const rounds = servers.map((): Record<Kind, number>[] => [])
  try {
    for (let round = 0; round <= ROUNDS; round++)
      for (const n of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const server = servers[n]
        const measured = server && (await measureRound(server))
        // The first round warms up.
        if (measured && round > 0) rounds[n]?.push(measured)
      }
    const rowOf = (name: string, unit: string, [ours = Number.NaN, theirs = Number.NaN]: number[]): BenchRow => ({
      name,
      figure: ours,
      unit,
      comparedWith: `${folder}: ${formatFigure(theirs)}`,
      ratio: computeRatio(ours, theirs),
      note: `${ROUNDS} rounds`,
    })
    const kinds = Object.keys(NAMES) as Kind[]
    return [
      ...kinds.map((kind) =>
        rowOf(
          NAMES[kind],
          'ms',
          rounds.map((all) => computeMedian(all.map((round) => round[kind]))),
        ),
      ),
      rowOf(
        'Most memory held',
        'MB',
        servers.map(({ pid }) => peakMb(pid)),
      ),
    ]
  } finally {
    for (const server of servers) await server.stop()
  }
}
