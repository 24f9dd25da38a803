import { expect, test } from 'vitest'
import { splashTimes } from './Splash.tsx'

test('the first word appears after 0.5 s and the others 0.8 s apart; 1 s after the last one the splash fades for 0.8 s', () => {
  expect(splashTimes(3)).toEqual({ wordsMs: [500, 1_300, 2_100], fadesMs: 3_100, overMs: 3_900 })
})

test('an empty title does not hold up the page', () => {
  expect(splashTimes(0)).toEqual({ wordsMs: [], fadesMs: 1_000, overMs: 1_800 })
})
