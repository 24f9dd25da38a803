import type { EveningFigures } from '@garba/shared/contracts/desk'
import { buyer, must } from './desk.ts'
import { person, putOnSale } from './scenes.ts'
import { type Client, makeWorld } from './world.ts'

export const eveningOf = async (client: Client) =>
  (await must(client.request('GET', '/api/admin/gate'))).data as EveningFigures

/** An event on its evening, with an admin, a manager, two checkers at two gates, and a guest's tickets. */
export async function evening({ quantity = 5 } = {}) {
  const world = await makeWorld()
  await putOnSale(world)
  const { tickets } = await buyer(world, { quantity })
  world.clock.set('2025-09-22T13:00:30.000Z')
  const [admin, manager] = [await world.as('admin'), await world.as('manager')]
  const gateA = await world.as('qrchecker')
  const gateB = await world.as('qrchecker', person('Bhavna'))
  return { world, tickets, admin, manager, gateA, gateB }
}
