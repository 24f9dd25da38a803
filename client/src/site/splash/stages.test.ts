import { expect, test } from 'vitest'
import { next, type Stage } from './stages.ts'

/** All stages of a title of so many words, each with the moment at which it begins. */
function play(words: number): [number, Stage][] {
  const played: [number, Stage][] = []
  let time = 0
  for (let step = next({ type: 'words', shown: 0 }, words); step; step = next(step.stage, words)) {
    time += step.after
    played.push([time, step.stage])
  }
  return played
}

test('the first word comes after 0.5 s, the others each 0.8 s later; 1 s after the last it fades for 0.8 s', () => {
  expect(play(3)).toEqual([
    [500, { type: 'words', shown: 1 }],
    [1300, { type: 'words', shown: 2 }],
    [2100, { type: 'words', shown: 3 }],
    [3100, { type: 'fading' }],
    [3900, { type: 'gone' }],
  ])
})

test('a title without words does not hold the page', () => {
  expect(play(0)).toEqual([
    [1000, { type: 'fading' }],
    [1800, { type: 'gone' }],
  ])
})
