import { type BenchRow, computeRatio } from '../../scripts/lib/benchRow.ts'
import { DISTORTIONS, type Distortion, EMPTY_FRAMES, emptyScene, FRAMES_EACH, sceneWith } from './corpus/scenes.ts'
import { ladderWithoutNative, ladderWithoutWasm, plainLibrary, plainWasm, type Reader } from './readers.ts'
import { type Score, scoreOf, type Trial, tryScene } from './trial.ts'

/** About an eighth of a second of a 30 Hz camera: one frame for each of zxing-wasm's further looks. */
const SHOTS = 4
/** A text that no error correction confirmed needs two frames to be believed, so a misread would show in two. */
const EMPTY_SHOTS = 2

interface Contender {
  name: string
  make: () => Reader
  shots: number
}

async function contenders(): Promise<Contender[]> {
  return [
    { name: '@zxing/library plain', make: plainLibrary, shots: 1 },
    { name: 'zxing-wasm alone', make: await plainWasm(), shots: SHOTS },
    { name: 'ladder without native', make: await ladderWithoutNative(), shots: SHOTS },
    { name: 'ladder without native and WebAssembly', make: ladderWithoutWasm, shots: SHOTS },
  ]
}

type Table = Map<string, { distortion: Distortion | 'empty'; trial: Trial }[]>

async function runAll(all: readonly Contender[]): Promise<Table> {
  const table: Table = new Map(all.map(({ name }) => [name, []]))
  const kinds = [...DISTORTIONS, 'empty' as const]
  for (const [n, distortion] of kinds.entries()) {
    const isEmpty = distortion === 'empty'
    for (let i = 0; i < (isEmpty ? EMPTY_FRAMES : FRAMES_EACH); i++) {
      const readers = all.map(({ make, shots }) => ({
        read: make(),
        shots: isEmpty ? Math.min(EMPTY_SHOTS, shots) : shots,
      }))
      const trials = await tryScene(isEmpty ? emptyScene(i) : sceneWith(distortion, i), readers)
      for (const [i, trial] of trials.entries()) table.get(all[i]?.name ?? '')?.push({ distortion, trial })
    }
    const hits = all.map(({ name }) => `${name} ${scoreOf(trialsOf(table, name, distortion)).hits}`)
    console.log(`  ${n + 1} of ${kinds.length} kinds, ${distortion}: ${hits.join(', ')}`)
  }
  return table
}

const trialsOf = (table: Table, name: string, distortion: Distortion | 'empty'): Trial[] =>
  (table.get(name) ?? []).filter((entry) => entry.distortion === distortion).map(({ trial }) => trial)

const round = (value: number) => Math.round(value * 100) / 100

/** Hits and times of every contender; the peer is zxing-wasm alone, the floor @zxing/library plain. */
function contenderRows(scores: ReadonlyMap<string, Score>): BenchRow[] {
  const peer = scores.get('zxing-wasm alone')
  if (!peer) return []
  return [...scores].flatMap(([name, score]): BenchRow[] => [
    {
      name: `decode: ${name}, read from the first frame`,
      figure: score.first,
      unit: `of ${score.scenes} scenes`,
      comparedWith: `zxing-wasm alone ${peer.first}`,
      ratio: computeRatio(score.first, peer.first),
      note: `misreads ${score.wrong}, another code in view ${score.others}`,
    },
    {
      name: `decode: ${name}, read within ${SHOTS} frames`,
      figure: score.hits,
      unit: `of ${score.scenes} scenes`,
      comparedWith: `zxing-wasm alone ${peer.hits}`,
      ratio: computeRatio(score.hits, peer.hits),
      note: `median ${round(score.median)} ms, p95 ${round(score.p95)} ms a frame`,
    },
  ])
}

function distortionRows(table: Table): BenchRow[] {
  return DISTORTIONS.map((distortion) => {
    const [floor, peer, ours, bare] = [
      '@zxing/library plain',
      'zxing-wasm alone',
      'ladder without native',
      'ladder without native and WebAssembly',
    ].map((name) => scoreOf(trialsOf(table, name, distortion)).hits)
    return {
      name: `decode: ${distortion}, ladder within ${SHOTS} frames`,
      figure: ours ?? 0,
      unit: `of ${FRAMES_EACH} scenes`,
      comparedWith: `zxing-wasm alone ${peer}`,
      ratio: computeRatio(ours ?? 0, peer ?? 0),
      note: `without WebAssembly ${bare}, @zxing/library plain ${floor}`,
    }
  })
}

/** Hit rates and times of the decode ladder on 32 scenes of each distortion and 60 without a code. */
export default async function decodeBench(): Promise<BenchRow[]> {
  const table = await runAll(await contenders())
  const withCode = (name: string) => (table.get(name) ?? []).filter(({ distortion }) => distortion !== 'empty')
  const scores = new Map([...table.keys()].map((name) => [name, scoreOf(withCode(name).map(({ trial }) => trial))]))
  const misreads = [...table].map(([name, entries]) => `${name} ${entries.filter(({ trial }) => trial.wrong).length}`)
  return [
    ...contenderRows(scores),
    ...distortionRows(table),
    {
      name: 'decode: misreads of the ladder, scenes without a code included',
      figure: scoreOf((table.get('ladder without native') ?? []).map(({ trial }) => trial)).wrong,
      unit: `of ${DISTORTIONS.length * FRAMES_EACH + EMPTY_FRAMES} scenes`,
      comparedWith: 'target 0',
      ratio: null,
      note: misreads.join(', '),
    },
  ]
}
