interface Line {
  what: string
  tally: string
  screen: string
}

export const rupees = (amount: number): string => `${amount < 0 ? '-' : ''}₹${Math.abs(amount).toLocaleString('en-IN')}`

interface Text {
  textContent(): Promise<string | null>
}

const PATIENCE_MS = 20_000
const LOOK_MS = 100

/** What somebody with paper and a clicker counts during an evening, and what the screens say of it. */
export class Tally {
  readonly gates = new Map<string, number>()
  /** Rupees that came in by any way, that went back, and that are promised back. */
  received = 0
  refunded = 0
  owed = 0
  orders = 0
  tickets = 0
  #lines: Line[] = []

  get people(): number {
    return [...this.gates.values()].reduce((sum, count) => sum + count, 0)
  }

  letIn(gate: string, people = 1): void {
    this.gates.set(gate, (this.gates.get(gate) ?? 0) + people)
  }

  /** Tickets were sold, and their money came with them unless said otherwise. */
  sell(tickets: number, { received }: { received: number }): void {
    this.orders += 1
    this.tickets += tickets
    this.received += received
  }

  addLine(what: string, tally: number | string, screen: number | string | null): void {
    this.#lines.push({ what, tally: String(tally), screen: (screen === null ? '' : String(screen)).trim() })
  }

  /** Waits until a place on a screen shows the tally's words, and records what it shows in the end. */
  async recordShown(what: string, words: number | string, place: Text, part = (text: string) => text): Promise<void> {
    const wanted = String(words)
    let seen = ''
    for (
      const end = Date.now() + PATIENCE_MS;
      Date.now() < end;
      await new Promise((done) => setTimeout(done, LOOK_MS))
    ) {
      seen = part(((await place.textContent()) ?? '').trim())
      if (seen === wanted) break
    }
    this.addLine(what, wanted, seen)
  }

  wrong(): Line[] {
    return this.#lines.filter(({ tally, screen }) => tally !== screen)
  }

  /** Each line of the tally beside what the screen showed. */
  printed(): string {
    const widths = [
      Math.max(0, ...this.#lines.map(({ what }) => what.length)),
      Math.max(5, ...this.#lines.map(({ tally }) => tally.length)),
    ] as const
    const row = (what: string, tally: string, screen: string) =>
      `${what.padEnd(widths[0])}  ${tally.padStart(widths[1])}  ${screen}`
    return [
      row('', 'Tally', 'Screen'),
      ...this.#lines.map(({ what, tally, screen }) =>
        row(what, tally, tally === screen ? screen : `${screen}  DIFFERS`),
      ),
    ].join('\n')
  }
}
