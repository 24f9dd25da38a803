import type { Contents } from '../../server/src/store/engine/backup.ts'

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

export const contentsOf = ({ bytes, users, tickets }: Contents): string =>
  `${(bytes / 1e6).toFixed(2)} MB, ${counted(users, 'user')}, ${counted(tickets, 'ticket')}`
