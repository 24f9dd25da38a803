import type { BenchRow } from '../../scripts/lib/benchRow.ts'
import { photograph } from './corpus/frame.ts'
import { emptyScene, nearCodeScene } from './corpus/scenes.ts'
import { ladderWithoutNative } from './readers.ts'

/** `BLANK_FRAMES=10000 npm run bench -- blank` looks at ten thousand, which takes half an hour. */
const FRAMES = Number(process.env.BLANK_FRAMES ?? 300)
/** Frames that one reader is shown, so that each of its looks has its turn. */
const TOGETHER = 8

/** Texts that the scanner's decoder reads where no code is: backdrops, noise, bars and boards, and codes whose data is noise. */
export default async function blankBench(): Promise<BenchRow[]> {
  const make = await ladderWithoutNative()
  const wrong: string[] = []
  let read = make()
  for (let i = 0; i < FRAMES; i++) {
    if (i % TOGETHER === 0) read = make()
    const scene = i % 2 === 0 ? nearCodeScene(i / 2) : emptyScene(i)
    for (const text of await read(photograph(scene))) wrong.push(`${scene.name}: ${text}`)
  }
  return [
    {
      name: 'decode: texts read where no code is',
      figure: wrong.length,
      unit: `in ${FRAMES} frames`,
      comparedWith: 'target 0',
      ratio: null,
      note: wrong.join(', '),
    },
  ]
}
