import { expect, test } from 'vitest'
import { isTonight } from './Headline.tsx'

test('the night begins two hours before the start and ends one hour after the end', () => {
  const night = { startsAt: '2025-09-07T13:00:00.000Z', endsAt: '2025-09-07T17:00:00.000Z' }
  const at = (time: string) => isTonight(night, Date.parse(`2025-09-07T${time}:00.000Z`))
  expect([at('10:59'), at('11:00'), at('18:00'), at('18:01')]).toEqual([false, true, true, false])
})
