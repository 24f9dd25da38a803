import { expect, test } from 'vitest'
import { nextStage, type Stage } from './Splash.tsx'

/** All stages for a title of this many words, each with the time it begins. */
function play(words: number): [number, Stage][] {
  const played: [number, Stage][] = []
  let time = 0
  for (let step = nextStage({ type: 'words', shown: 0 }, words); step; step = nextStage(step.stage, words)) {
    time += step.after
    played.push([time, step.stage])
  }
  return played
}

test('the first word appears after 0.5 s and the others 0.8 s apart; 1 s after the last one the splash fades for 0.8 s', () => {
  expect(play(3)).toEqual([
    [500, { type: 'words', shown: 1 }],
    [1300, { type: 'words', shown: 2 }],
    [2100, { type: 'words', shown: 3 }],
    [3100, { type: 'fading' }],
    [3900, { type: 'gone' }],
  ])
})

test('an empty title does not hold up the page', () => {
  expect(play(0)).toEqual([
    [1000, { type: 'fading' }],
    [1800, { type: 'gone' }],
  ])
})
