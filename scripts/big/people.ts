import { fold } from '@garba/shared/rules/search'
import { ACCENTED_NAMES, FIRST_NAMES, SURNAMES } from './names.ts'
import type { Random } from './random.ts'

export interface Person {
  uid: string
  name: string
  email: string
  /** The organiser entered this person, who has never signed in. */
  never: boolean
}

const SCRIPTS = [
  ['latin', 78],
  ['gujarati', 19],
  ['accented', 3],
] as const
const MAILS = ['gmail.test', 'outlook.test', 'yahoo.test', 'rediffmail.test'] as const

const plain = (name: string): string => fold(name).replace(/[^a-z]+/g, '.')

/** Makes `count` people, each with a unique email. */
export const makePeople = (random: Random, count: number): Person[] =>
  Array.from({ length: count }, (_, i) => {
    const number = i + 1
    const [latin, gujarati] = random.pick(FIRST_NAMES)
    const [surname, surnameGujarati] = random.pick(SURNAMES)
    const names = {
      latin: `${latin} ${surname}`,
      gujarati: `${gujarati} ${surnameGujarati}`,
      accented: random.pick(ACCENTED_NAMES),
    }
    const script = random.weighted(SCRIPTS)
    const mailName = plain(script === 'accented' ? names.accented : names.latin)
    return {
      uid: `guest-${String(number).padStart(4, '0')}`,
      name: names[script],
      email: `${mailName}${number}@${random.pick(MAILS)}`,
      never: random.chance(0.02),
    }
  })
