import type { TestServer } from './server.ts'

export const NAMES = ['Asha', 'જલ્પાબેન પ્રજાપતિ', 'Chirag', 'Dharmesh']

/** Four people with one phone; the first of them came earlier. */
export async function family(server: TestServer) {
  const [guest, checker] = [await server.api('guest'), await server.api('checker')]
  const tickets = await guest.buy(4)
  for (const [index, { id }] of tickets.entries())
    await guest.call('nameTicket', { params: { id }, body: { name: NAMES[index] } })
  const { body } = await guest.call('groupCodes')
  const [group] = body.groups as { qrCode: string }[]
  await checker.call('markUsed', { body: { qrCode: tickets[0].qrCode, deviceId: 'gate-b', deviceName: 'Gate B' } })
  const inside = async () => {
    const { body } = await guest.call('myTickets')
    return (body.tickets as { status: string }[]).filter(({ status }) => status === 'used').length
  }
  return { code: group?.qrCode ?? '', inside }
}
