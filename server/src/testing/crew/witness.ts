/** Somebody who was let in with a ticket, according to an answer. */
interface Person {
  /** The scan that let them in, or MARK. */
  key: string
  /** Whether the ticket still stands for this person: until an admin changes it, nobody else may enter on it. */
  holds: boolean
  inside: boolean
}

/** Stands for the scan of a person whom an admin marked as let in. */
const MARK = 'mark'

export interface Answered {
  ticketId: string
  scanId: string
  outcome: 'admitted' | 'conflict'
  /** A supervisor let this person in beside another. */
  swapped?: boolean
  /** The ticket is this person's entry now, not that of whoever was let in with it before. */
  first?: boolean
}

/**
 * Sees every answer at the gates and no table. Reports who is inside and who should not be: people who
 * entered on the ticket of somebody inside without being reported as a double admission, and scans that let somebody in
 * after they were taken back.
 */
export class Witness {
  readonly findings = new Set<string>()
  #people = new Map<string, Person[]>()
  #undone = new Set<string>()

  /** How many people are inside. */
  get inside(): number {
    let count = 0
    for (const people of this.#people.values()) for (const { inside } of people) if (inside) count += 1
    return count
  }

  #of(ticketId: string): Person[] {
    const people = this.#people.get(ticketId) ?? []
    this.#people.set(ticketId, people)
    return people
  }

  admitted({ ticketId, scanId, outcome, swapped = false, first = false }: Answered): void {
    const people = this.#of(ticketId)
    if (this.#undone.has(scanId)) this.findings.add(`${scanId} was taken back, and let somebody in afterwards`)
    if (people.some(({ key }) => key === scanId)) return
    if (outcome === 'admitted' && !swapped && people.some(({ inside, holds }) => inside && holds))
      this.findings.add(`ticket ${ticketId} let a second person in, and nobody was told`)
    if (first) for (const person of people) if (person.key === MARK) person.holds = false
    people.push({ key: scanId, holds: true, inside: true })
  }

  /** The scan was taken back: its person is out. */
  undone(scanId: string): void {
    this.#undone.add(scanId)
    for (const people of this.#people.values())
      for (const person of people) if (person.key === scanId) Object.assign(person, { inside: false, holds: false })
  }

  /**
   * An admin changed a ticket's status by hand, or it was cancelled or deleted. Set to used it counts one person, however often;
   * that was a mistake if it is set back from there.
   */
  changed(ticketId: string, { from, to }: { from: string; to: string }): void {
    if (from === to) return
    const people = this.#of(ticketId)
    const mark = people.find(({ key }) => key === MARK)
    if (from === 'used' && to === 'active' && mark?.holds) mark.inside = false
    for (const person of people) person.holds = false
    if (to !== 'used') return
    if (mark) Object.assign(mark, { holds: true, inside: true })
    else people.push({ key: MARK, holds: true, inside: true })
  }
}
