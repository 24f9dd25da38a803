import type { BooksLine } from '@garba/shared/contracts/order'
import type { Block } from '@garba/shared/contracts/phones/block'
import { must } from './desk.ts'
import type { Client, Reply, World } from './world.ts'

/** A block of paper tickets. */
export const paperBlock = async (admin: Client, size: number, label = 'Ravi, Paldi'): Promise<Block> =>
  (await must(admin.request('POST', '/api/admin/blocks', { label, size }))).block as Block

export const activate = (
  admin: Client,
  { id }: Block,
  { from, to }: { from: number; to: number },
  more: Record<string, unknown> = {},
): Promise<Reply> => admin.request('POST', `/api/admin/blocks/${id}/activate`, { from, to, method: 'cash', ...more })

/** The code printed on a paper ticket. */
export async function codeOnPaper({ sql }: World, { id }: Block, number: number): Promise<string> {
  const [row] = await sql('select qr_code from block_codes where block_id = ? and number = ?', id, number)
  return String(row?.qr_code)
}

/** The rules of the Books that something breaks. */
export const brokenRules = async (client: Client): Promise<string[]> =>
  ((await must(client.request('GET', '/api/admin/books'))).books as BooksLine[])
    .filter(({ ok }) => !ok)
    .map(({ rule, examples }) => `${rule}: ${examples.join(', ')}`)

/** Seats that are not on sale any more. */
export async function takenSeats({ sql }: World): Promise<number> {
  const [row] = await sql('select taken_seats from events where closed_at is null')
  return Number(row?.taken_seats)
}
