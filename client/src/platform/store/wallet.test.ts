import { DAY_MS } from '@garba/shared/constants'
import 'fake-indexeddb/auto'
import { anEvent, aTicket } from '@garba/shared/testing/builders'
import { expect, test } from 'vitest'
import { readWallet, saveWallet } from './wallet.ts'

const [old, bought] = [aTicket({ _id: 'OLD' }), aTicket({ _id: 'BOUGHT' })]
const save = (tickets: (typeof old)[], more: { savedAt: number; venue?: string }) =>
  saveWallet(
    { userId: 'guest', tickets, savedAt: more.savedAt, event: anEvent({ venue: more.venue ?? 'Here' }), epoch: 0 },
    'guest@garba.test',
  )
const kept = async () => {
  const wallet = await readWallet('guest')
  return { ids: wallet?.tickets.map(({ _id }) => _id), venue: wallet?.event?.venue }
}

test('a tab left behind learns the new venue, and does not take the other tab’s new tickets out of the wallet', async () => {
  await save([bought, old], { savedAt: 2_000 })
  await save([old], { savedAt: 1_000, venue: 'There' })
  expect(await kept()).toEqual({ ids: ['BOUGHT', 'OLD'], venue: 'There' })
})

test('a wallet stored while the clock was ahead is replaced by the next answer', async () => {
  await save([old], { savedAt: Date.now() + DAY_MS })
  await save([bought, old], { savedAt: Date.now() })
  expect((await kept()).ids).toEqual(['BOUGHT', 'OLD'])
})
