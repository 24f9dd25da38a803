import { expect, test } from 'vitest'
import { closingProblem } from '../src/rules/event/evening.ts'

const endsAt = Date.parse('2025-09-22T17:00:00Z')

test('an event can be closed from its end on', () => {
  expect(closingProblem({ endsAt, held: 0 }, endsAt - 1)).toBe('EVENT_NOT_OVER')
  expect(closingProblem({ endsAt, held: 0 }, endsAt)).toBeNull()
})

test('an event with orders that wait for their payment cannot be closed', () => {
  expect(closingProblem({ endsAt, held: 1 }, endsAt)).toBe('EVENT_HAS_HOLDS')
})
