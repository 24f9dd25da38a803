import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { runSignOutHooks } from '../platform/identity/hooks.ts'
import { makeQueryClient } from './queryClient.ts'

test('at most 50 entries are kept, the oldest that no screen shows go first', () => {
  const client = makeQueryClient()
  client.setQueryData(['shown'], 1, { updatedAt: 1 })
  const screen = new QueryObserver(client, { queryKey: ['shown'], enabled: false })
  const leave = screen.subscribe(() => undefined)
  for (let index = 0; index < 60; index++) client.setQueryData(['row', index], index, { updatedAt: 100 + index })
  expect(client.getQueryCache().getAll()).toHaveLength(50)
  expect(client.getQueryData(['shown'])).toBe(1)
  expect(client.getQueryData(['row', 0])).toBeUndefined()
  expect(client.getQueryData(['row', 59])).toBe(59)
  leave()
  client.clear()
})

test('nothing of a user is left in memory when the user leaves', async () => {
  const client = makeQueryClient()
  client.setQueryData(['myTickets', 'u1'], ['secret'])
  await runSignOutHooks('u1')
  expect(client.getQueryCache().getAll()).toHaveLength(0)
})
