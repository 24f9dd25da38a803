import { expect, test } from 'vitest'
import { photograph } from '../../../bench/corpus/frame.ts'
import { project } from '../../../bench/corpus/pose.ts'
import { emptyScene, sceneWith } from '../../../bench/corpus/scenes.ts'
import { squaresIn } from './corners.ts'

/** How far the best of the squares is from where the code lies, in modules. */
function distanceOf(kind: Parameters<typeof sceneWith>[0], index: number): number {
  const scene = sceneWith(kind, index)
  const pose = scene.cards[0]?.pose
  if (!pose) throw new Error('no card')
  const { toPixel } = project(pose)
  const corners = [toPixel(-0.5, -0.5), toPixel(0.5, -0.5), toPixel(0.5, 0.5), toPixel(-0.5, 0.5)]
  const far = squaresIn(photograph(scene), 0).map((square) =>
    Math.max(...square.map(({ x, y }, i) => Math.hypot(x - (corners[i]?.x ?? 0), y - (corners[i]?.y ?? 0)))),
  )
  return Math.min(...far) / (pose.size / 37)
}

test.each([
  ['plain', 0],
  ['rotation', 12],
  ['notice over a corner', 0],
  ['notice over a corner', 4],
  ['notice over a corner', 20],
  ['torn and scratched', 12],
] as const)('the square of a ticket is known by the marks that are left: %s %i', (kind, index) => {
  expect(distanceOf(kind, index)).toBeLessThan(2)
})

test('a picture with squares in squares and bars has a bounded number of places to look at', () => {
  expect(squaresIn(photograph(emptyScene(0)), 0).length).toBeLessThanOrEqual(60)
})
