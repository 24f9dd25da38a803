import { beforeAll, describe, expect, test } from 'vitest'
import { groupText, symbolOf, ticketText } from '../../bench/corpus/codes.ts'
import { photograph } from '../../bench/corpus/frame.ts'
import { seeded } from '../../bench/corpus/random.ts'
import { DISTORTIONS, emptyScene, nearCodeScene, sceneWith } from '../../bench/corpus/scenes.ts'
import { ladderWithoutNative, ladderWithoutWasm, plainWasm } from '../../bench/readers.ts'
import { softenView, toView } from '../../src/scanner/decode/luma.ts'

/** Two of each distortion: harmless and hard. The whole corpus runs in `npm run bench`. */
const scenes = DISTORTIONS.flatMap((distortion) => [0, 20].map((index) => sceneWith(distortion, index)))
const empty = Array.from({ length: 6 }, (_, i) => emptyScene(i * 10))

interface Outcome {
  name: string
  expected: string | null
  present: readonly string[]
  wasm: readonly string[]
  ladder: readonly string[]
  library: readonly string[]
}

const outcomes: Outcome[] = []
const isHit = (texts: readonly string[], { expected }: Outcome) => expected !== null && texts.includes(expected)

beforeAll(async () => {
  const [wasm, ladder] = [await plainWasm(), await ladderWithoutNative()]
  for (const scene of [...scenes, ...empty]) {
    const frame = photograph(scene)
    const reader = ladderWithoutWasm()
    const library = [...(await reader(frame))]
    for (let shot = 1; scene.name.endsWith(' 0') && shot < 3 && library.length === 0; shot++)
      library.push(...(await reader(photograph(scene, shot))))
    outcomes.push({ ...scene, wasm: await wasm()(frame), ladder: await ladder()(frame), library })
  }
}, 400_000)

describe('the ladder on pictures of real codes', () => {
  test('never a text that is not in the picture, on any rung', () => {
    const wrong = outcomes.flatMap(({ name, present, ladder, library }) =>
      [...ladder, ...library].filter((text) => !present.includes(text)).map((text) => `${name}: ${text}`),
    )
    expect(wrong).toEqual([])
  })

  test('without native it reads whatever zxing-wasm alone reads, and more', () => {
    const lost = outcomes.filter((outcome) => isHit(outcome.wasm, outcome) && !isHit(outcome.ladder, outcome))
    expect(lost.map(({ name }) => name)).toEqual([])
    const hits = (of: 'wasm' | 'ladder') => outcomes.filter((outcome) => isHit(outcome[of], outcome)).length
    expect(hits('ladder')).toBeGreaterThan(hits('wasm'))
  })

  test.each([
    ['bent paper', 29],
    ['saturated', 6],
    ['glare', 18],
  ] as const)('what zxing-wasm finds but cannot read is read module by module: %s %i', async (distortion, index) => {
    const scene = sceneWith(distortion, index)
    const frame = photograph(scene)
    expect(await (await plainWasm())()(frame)).toEqual([])
    expect(await (await ladderWithoutNative())()(frame)).toEqual([scene.expected])
  })

  test.each([
    { module: 4, ground: 0, turned: 0 },
    { module: 8, ground: 0, turned: 0 },
    { module: 4, ground: 17, turned: 0 },
    { module: 6, ground: 17, turned: 3 },
    { module: 9, ground: 40, turned: -5 },
    { module: 4, ground: 0, turned: 0, group: true },
    { module: 7, ground: 17, turned: 3, group: true },
    { module: 8, ground: 40, turned: -5, group: true },
  ])(
    'a code that was cut exactly at its edges on a dark ground is read: %j',
    async ({ module, ground, turned, group }) => {
      const text = group ? groupText(seeded(module)) : ticketText(seeded(module))
      const [light, random] = [symbolOf(text), seeded(ground)]
      const [sin, cos] = [Math.sin((turned * Math.PI) / 180), Math.cos((turned * Math.PI) / 180)]
      const data = Uint8Array.from({ length: 1280 * 720 }, (_, i) => {
        const [x, y] = [(i % 1280) - 640, Math.floor(i / 1280) - 360]
        const column = Math.floor((cos * x + sin * y) / module + light.side / 2)
        const row = Math.floor((cos * y - sin * x) / module + light.side / 2)
        const isInside = column >= 0 && row >= 0 && column < light.side && row < light.side
        return (isInside && light.dark[row * light.side + column] === 0 ? 210 : ground) + random.whole(0, 12)
      })
      const soft = softenView(toView({ width: 1280, height: 720, data })).luma
      const frame = { ...soft, data: Uint8ClampedArray.from(soft.data) }
      expect(await (await plainWasm())()(frame)).toEqual([])
      expect(await (await ladderWithoutNative())()(frame)).toEqual([text])
    },
  )

  test('pictures without a code give nothing', () => {
    const blank = outcomes.filter(({ expected }) => expected === null)
    expect(blank).toHaveLength(empty.length)
    for (const { ladder, library } of blank) expect([...ladder, ...library]).toEqual([])
  })

  test('codes whose data is noise give nothing, in whichever look', async () => {
    const read = (await ladderWithoutNative())()
    for (let i = 0; i < 24; i += 3) expect(await read(photograph(nearCodeScene(i)))).toEqual([])
  })

  test('of two codes in view the one in the middle is read, or none', () => {
    for (const outcome of outcomes.filter(({ name }) => name.startsWith('two codes')))
      expect(isHit(outcome.ladder, outcome)).toBe(true)
  })

  test('without WebAssembly plain pictures are read within three frames', () => {
    const easy = outcomes.filter(({ name }) => /^(plain|rotation|moire|bent paper|dark theme) 0$/.test(name))
    expect(easy).toHaveLength(5)
    for (const outcome of easy) expect(isHit(outcome.library, outcome)).toBe(true)
  })
})
